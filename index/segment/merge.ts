/**
 * Many segments become one. Deleted documents vanish; the others keep their order, first by segment, then by place, unless
 * another is asked for.
 *
 * The bytes written are those of a segment built from the surviving documents alone, however they were cut into segments
 * before. So any tree of merges over neighbours gives the same index; tests compare SHA-256.
 */
import { canonicalSchema } from '../document.ts';
import { IndexError } from '../errors.ts';
import { isSet, setBit } from '../format/bits.ts';
import { type Column, type ColumnValues, type StringColumn, StringTable } from '../format/columns.ts';
import { isLive } from '../format/live.ts';
import { BLOCK } from '../format/pack.ts';
import { PostingsCursor } from '../format/postings.ts';
import type { PostingsWriter } from '../format/postings-writer.ts';
import type { IndexedField } from '../format/segment.ts';
import { StoredWriter } from '../format/stored.ts';
import type { TermDictionary } from '../format/terms.ts';
import type { Directory } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { type SegmentFile, segmentFile } from '../io/names.ts';
import type { BuiltSegment } from './builder.ts';
import { finishSegment, removeSegment, TermFiles } from './files.ts';
import { type DocumentMaps, Progress, STRIDE } from './merge-progress.ts';
import type { SegmentReader } from './reader.ts';
import { PostingSorter, reorder, storeInOrder } from './reorder.ts';

export interface MergeOptions {
  /** Aborting throws its reason and leaves no file behind. */
  readonly signal?: AbortSignal;
  /** Told now and then how much of the work is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /**
   * The name of a `u32` or `f64` column: documents are put in the order of its falling values, those without one last, equal
   * ones as they were. Costs a sort a term, and a pass over the stored documents for each 64 MB of them.
   */
  readonly orderBy?: string;
}

/**
 * Writes the live documents of `readers` as segment `name`.
 *
 * Cost: 10 to 15 % of building; the readers' memory, and the terms of the largest field.
 * @throws IndexError 'bad-schema' when the segments were built for different schemas or by different chains
 */
export function mergeSegments(
  readers: readonly SegmentReader[],
  directory: Directory,
  name: string,
  options: MergeOptions = {},
): BuiltSegment {
  const first = readers[0];
  if (!first) throw new IndexError('bad-schema', 'a merge needs at least one segment');
  for (const reader of readers) checkSame(first, reader);
  const progress = new Progress(readers, options);
  const { orderBy } = options;
  const maps = documentMaps(readers);
  if (orderBy !== undefined) reorder(readers, maps, orderBy);
  const docs = readers.reduce((sum, reader) => sum + reader.liveDocs, 0);
  const seals = new Map<SegmentFile, FileSeal>();
  let files: TermFiles | undefined;
  try {
    const stored = segmentFile(name, 'sto');
    if (orderBy === undefined) seals.set('sto', mergeStored(readers, directory, stored, progress));
    else seals.set('sto', storeInOrder(readers, maps, docs, directory, stored, progress));
    const norms = mergeNorms(readers, maps, docs);
    files = new TermFiles(directory, name);
    const fields = mergeTerms(readers, maps, norms, docs, files, progress, orderBy !== undefined);
    files.close(seals);
    files = undefined;
    const columns = mergeColumns(readers, maps, docs);
    finishSegment(directory, name, { docs, schema: first.schema, fields, norms, columns }, seals);
  } catch (error) {
    files?.abandon();
    removeSegment(directory, name);
    throw error;
  }
  progress.end();
  return { name, docs, replaced: [] };
}

function documentMaps(readers: readonly SegmentReader[]): DocumentMaps {
  let next = 0;
  return readers.map((reader) => {
    const map = new Int32Array(reader.docs);
    for (let doc = 0; doc < reader.docs; doc++) map[doc] = isLive(reader.live, doc) ? next++ : -1;
    return map;
  });
}

function checkSame(a: SegmentReader, b: SegmentReader): void {
  let same = canonicalSchema(a.schema) === canonicalSchema(b.schema);
  for (const [id, { analyzer }] of a.info.fields) same &&= b.info.fields.get(id)?.analyzer === analyzer;
  if (same) return;
  const message = `segments ${a.name} and ${b.name} were built for different schemas or by different analysis chains; index again`;
  throw new IndexError('bad-schema', message);
}

function mergeStored(
  readers: readonly SegmentReader[],
  directory: Directory,
  file: string,
  progress: Progress,
): FileSeal {
  const out = new StoredWriter(directory, file);
  try {
    for (const reader of readers) {
      const stored = reader.storedReader();
      for (const [b, block] of stored.blocks.entries()) {
        progress.step(block.docs);
        const end = block.firstDoc + block.docs;
        // The last block of a segment ended because the segment did; any other ended by itself and would again.
        let whole = out.betweenBlocks && b < stored.blocks.length - 1;
        for (let doc = block.firstDoc; whole && doc < end; doc++) whole = isLive(reader.live, doc);
        if (whole) out.copyBlock(block, stored.compressed(block));
        else {
          for (let doc = block.firstDoc; doc < end; doc++) {
            if (isLive(reader.live, doc)) out.document(stored.documentBytes(doc));
          }
        }
      }
    }
    return out.close();
  } catch (error) {
    out.abandon();
    throw error;
  }
}

function mergeNorms(readers: readonly SegmentReader[], maps: DocumentMaps, docs: number): Map<number, Uint8Array> {
  const merged = new Map<number, Uint8Array>();
  for (const [id, field] of readers[0]!.schema.fields.entries()) {
    if (field.index !== 'text' && field.index !== 'bag') continue;
    const norms = new Uint8Array(docs);
    for (const [r, reader] of readers.entries()) {
      const from = reader.norms(field.name)!;
      const map = maps[r]!;
      for (let doc = 0; doc < reader.docs; doc++) if (map[doc]! >= 0) norms[map[doc]!] = from[doc]!;
    }
    merged.set(id, norms);
  }
  return merged;
}

/** One dictionary on its way through the merge. */
class Source {
  readonly dictionary: TermDictionary;
  readonly map: Int32Array;
  n = 0;

  constructor(dictionary: TermDictionary, map: Int32Array) {
    this.dictionary = dictionary;
    this.map = map;
    dictionary.key(0);
  }
  /** False when there is no further term. */
  advance(): boolean {
    if (++this.n >= this.dictionary.size) return false;
    this.dictionary.key(this.n);
    return true;
  }
}

function mergeTerms(
  readers: readonly SegmentReader[],
  maps: DocumentMaps,
  norms: ReadonlyMap<number, Uint8Array>,
  docs: number,
  files: TermFiles,
  progress: Progress,
  ordered: boolean,
): Map<number, IndexedField> {
  const sink = ordered ? new PostingSorter(files.postings) : files.postings;
  const fields = new Map<number, IndexedField>();
  const cursor = new PostingsCursor();
  for (const [id, field] of readers[0]!.schema.fields.entries()) {
    if (field.index === 'none') continue;
    const withPositions = field.index === 'text';
    const lengths = norms.get(id) ?? null;
    files.postings.field(lengths, withPositions);
    files.terms.field(id, withPositions, lengths !== null);
    let live: Source[] = [];
    for (const [r, reader] of readers.entries()) {
      const dictionary = reader.terms(field.name);
      if (dictionary.size > 0) live.push(new Source(dictionary, maps[r]!));
    }
    // Which documents have a value, where no length says so.
    const seen = lengths ? null : new Uint8Array(docs);
    let tokens = 0;
    let steps = 0;
    const equal: Source[] = [];
    while (live.length > 0) {
      if (++steps % STRIDE === 0) progress.step(STRIDE);
      smallest(live, equal);
      for (const source of equal) copyPostings(source, cursor, sink, withPositions, seen);
      if (sink instanceof PostingSorter) sink.flush();
      if (files.postings.finish()) {
        const { keyBytes, keyFrom, keyEnd } = equal[0]!.dictionary;
        files.terms.term(keyBytes, keyFrom, keyEnd, files.postings.entry);
        tokens += files.postings.entry.ttf;
      }
      let ended = false;
      for (const source of equal) if (!source.advance()) ended = true;
      if (ended) live = live.filter((source) => source.n < source.dictionary.size);
    }
    files.terms.endField();
    let count = 0;
    for (const length of lengths ?? seen!) if (length !== 0) count++;
    fields.set(id, { analyzer: readers[0]!.info.fields.get(id)!.analyzer, tokens, docs: count });
  }
  return fields;
}

/** The sources that stand at the smallest term, in the order of segments. */
function smallest(live: readonly Source[], equal: Source[]): void {
  equal.length = 1;
  equal[0] = live[0]!;
  for (let i = 1; i < live.length; i++) {
    const order = compareKeys(live[i]!.dictionary, equal[0]!.dictionary);
    if (order < 0) {
      equal.length = 1;
      equal[0] = live[i]!;
    } else if (order === 0) equal.push(live[i]!);
  }
}

function compareKeys(a: TermDictionary, b: TermDictionary): number {
  const left = a.keyBytes;
  const right = b.keyBytes;
  const lengthA = a.keyEnd - a.keyFrom;
  const lengthB = b.keyEnd - b.keyFrom;
  const common = Math.min(lengthA, lengthB);
  let i = a.keyFrom;
  let k = b.keyFrom;
  for (const end = i + common; i < end; i++, k++) {
    const difference = left[i]! - right[k]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

function copyPostings(
  source: Source,
  cursor: PostingsCursor,
  postings: Pick<PostingsWriter, 'document'> & Partial<Pick<PostingsWriter, 'documents'>>,
  withPositions: boolean,
  seen: Uint8Array | null,
): void {
  const { map } = source;
  cursor.reset(source.dictionary, source.n);
  for (let b = 0; b < cursor.blocks; b++) {
    const size = cursor.load(b);
    cursor.loadFreqs();
    if (withPositions) cursor.blockGaps();
    const { docs, freqs, positionBuffer } = cursor;
    if (postings.documents && isWhole(map, docs, size)) {
      for (let i = 0; i < size; i++) {
        renumbered[i] = map[docs[i]!]!;
        if (seen) seen[renumbered[i]!] = 1;
      }
      postings.documents(renumbered, freqs, size, positionBuffer);
      continue;
    }
    for (let i = 0, at = 0; i < size; i++) {
      const freq = freqs[i]!;
      const doc = map[docs[i]!]!;
      if (doc >= 0) {
        postings.document(doc, freq, positionBuffer, at);
        if (seen) seen[doc] = 1;
      }
      at += freq;
    }
  }
}

const renumbered = new Int32Array(BLOCK);

/** Is each of these documents still there? */
function isWhole(map: Int32Array, docs: Int32Array, size: number): boolean {
  for (let i = 0; i < size; i++) if (map[docs[i]!]! < 0) return false;
  return true;
}

function mergeColumns(readers: readonly SegmentReader[], maps: DocumentMaps, docs: number): Map<number, ColumnValues> {
  const merged = new Map<number, ColumnValues>();
  for (const [id, { name, column }] of readers[0]!.schema.fields.entries()) {
    if (!column) continue;
    const columns = readers.map((reader) => reader.column(name)!);
    merged.set(id, mergeColumn(column, columns, maps, docs));
  }
  return merged;
}

function mergeColumn(kind: Column['kind'], columns: readonly Column[], maps: DocumentMaps, docs: number): ColumnValues {
  if (kind === 'string') return mergeStrings(columns as readonly StringColumn[], maps, docs);
  const u32 = new Uint32Array(kind === 'u32' ? docs : 0);
  const f64 = new Float64Array(kind === 'f64' ? docs : 0);
  const width = kind === 'hash128' ? 16 : kind === 'hash512' ? 64 : 0;
  const hash = new Uint8Array(docs * width);
  const present = new Int32Array((docs + 31) >>> 5);
  for (const [r, column] of columns.entries()) {
    const map = maps[r]!;
    if (column.kind === 'string') continue;
    for (let old = 0; old < map.length; old++) {
      const doc = map[old]!;
      if (doc < 0) continue;
      if (column.kind === 'f64') {
        f64[doc] = column.values[old]!;
        continue;
      }
      if (!isSet(column.present, old)) continue;
      setBit(present, doc);
      if (column.kind === 'u32') u32[doc] = column.values[old]!;
      else hash.set(column.bytes.subarray(old * width, old * width + width), doc * width);
    }
  }
  if (kind === 'u32') return { kind, values: u32, present };
  if (kind === 'f64') return { kind, values: f64 };
  return { kind, bytes: hash, present };
}

/** The dictionaries are in order: one pass over all of them, each string decoded once and none kept. */
function mergeStrings(columns: readonly StringColumn[], maps: DocumentMaps, docs: number): ColumnValues {
  const renumbered = columns.map((column, r) => {
    const used = new Uint32Array(column.dictionary.size + 1);
    const map = maps[r]!;
    for (let old = 0; old < map.length; old++) if (map[old]! >= 0) used[column.ordinals[old]!] = 1;
    return used;
  });
  const table = new StringTable();
  /** By column: the next ordinal that is used, and its string; undefined behind the last. */
  const at = columns.map(() => 0);
  const heads: (string | undefined)[] = [];
  const advance = (c: number): void => {
    const used = renumbered[c]!;
    do at[c]!++;
    while (at[c]! < used.length && used[at[c]!] === 0);
    heads[c] = at[c]! < used.length ? columns[c]!.dictionary.value(at[c]!) : undefined;
  };
  for (let c = 0; c < columns.length; c++) advance(c);
  for (;;) {
    let least: string | undefined;
    for (const head of heads) if (head !== undefined && (least === undefined || head < least)) least = head;
    if (least === undefined) break;
    const ordinal = table.add(least);
    for (let c = 0; c < columns.length; c++) {
      if (heads[c] !== least) continue;
      renumbered[c]![at[c]!] = ordinal;
      advance(c);
    }
  }
  const ordinals = new Uint32Array(docs);
  for (const [c, column] of columns.entries()) {
    const map = maps[c]!;
    const numbers = renumbered[c]!;
    for (let old = 0; old < map.length; old++) {
      const ordinal = column.ordinals[old]!;
      if (map[old]! >= 0 && ordinal > 0) ordinals[map[old]!] = numbers[ordinal]!;
    }
  }
  return { kind: 'string', table, ordinals };
}
