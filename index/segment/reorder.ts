/** A merge that puts documents in the order of a column: what differs from one that keeps their order. */
import { IndexError } from '../errors.ts';
import { isSet } from '../format/bits.ts';
import type { PostingsWriter } from '../format/postings-writer.ts';
import { StoredWriter } from '../format/stored.ts';
import type { Directory } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import type { DocumentMaps, Progress } from './merge-progress.ts';
import type { SegmentReader } from './reader.ts';

/** Stored documents held at once, in bytes. */
const WINDOW = 64 << 20;

/** Renumbers the documents of `maps` by the falling value of a column, equal ones as they were, those without one last. */
export function reorder(readers: readonly SegmentReader[], maps: DocumentMaps, name: string): void {
  const docs = readers.reduce((sum, reader) => sum + reader.liveDocs, 0);
  const values = new Float64Array(docs).fill(Number.NEGATIVE_INFINITY);
  for (const [r, reader] of readers.entries()) {
    const column = reader.column(name);
    if (column?.kind !== 'u32' && column?.kind !== 'f64') {
      throw new IndexError('bad-schema', `documents cannot be ordered by ${name}: it has no column of numbers`);
    }
    const map = maps[r]!;
    for (let old = 0; old < map.length; old++) {
      const doc = map[old]!;
      if (doc < 0) continue;
      if (column.kind === 'f64') {
        if (!Number.isNaN(column.values[old]!)) values[doc] = column.values[old]!;
      } else if (isSet(column.present, old)) {
        values[doc] = column.values[old]!;
      }
    }
  }
  // Equal values, and two that are missing, differ by nothing: then by their number.
  const order = Uint32Array.from(values, (_, doc) => doc).sort((a, b) =>
    values[a]! === values[b]! ? a - b : values[b]! - values[a]!,
  );
  const ranks = new Int32Array(docs);
  for (let rank = 0; rank < docs; rank++) ranks[order[rank]!] = rank;
  for (const map of maps) for (let old = 0; old < map.length; old++) if (map[old]! >= 0) map[old] = ranks[map[old]!]!;
}

/**
 * Writes the stored documents in their new order. Blocks are read in their old order, once for each window of documents
 * that fit in memory together, since a block a document would be unpacked a hundred times.
 */
export function storeInOrder(
  readers: readonly SegmentReader[],
  maps: DocumentMaps,
  docs: number,
  directory: Directory,
  file: string,
  progress: Progress,
): FileSeal {
  const sizes = new Uint32Array(docs);
  each(readers, maps, 0, docs, (doc, bytes) => void (sizes[doc] = bytes.length));
  const out = new StoredWriter(directory, file);
  try {
    for (let first = 0; first < docs; ) {
      let end = first;
      let total = 0;
      while (end < docs && (end === first || total + sizes[end]! <= WINDOW)) total += sizes[end++]!;
      const starts = new Float64Array(end - first);
      for (let doc = first + 1; doc < end; doc++) starts[doc - first] = starts[doc - first - 1]! + sizes[doc - 1]!;
      const window = new Uint8Array(total);
      each(readers, maps, first, end, (doc, bytes) => window.set(bytes, starts[doc - first]!));
      for (let doc = first; doc < end; doc++) {
        const start = starts[doc - first]!;
        out.document(window.subarray(start, start + sizes[doc]!));
        progress.step(1);
      }
      first = end;
    }
    return out.close();
  } catch (error) {
    out.abandon();
    throw error;
  }
}

/** Visits the documents whose new number is in first..end, in their old order. */
function each(
  readers: readonly SegmentReader[],
  maps: DocumentMaps,
  first: number,
  end: number,
  visit: (doc: number, bytes: Uint8Array) => void,
): void {
  for (const [r, reader] of readers.entries()) {
    const map = maps[r]!;
    const stored = reader.storedReader();
    for (let old = 0; old < map.length; old++) {
      const doc = map[old]!;
      if (doc >= first && doc < end) visit(doc, stored.documentBytes(old));
    }
  }
}

/** Takes the documents of a term in any order and hands them on in that of their numbers. */
export class PostingSorter implements Pick<PostingsWriter, 'document'> {
  readonly #out: PostingsWriter;
  /** Document in the upper half, place in the lower: sorted without a comparison function. */
  #keys = new BigUint64Array(1024);
  #words = new Uint32Array(this.#keys.buffer);
  #freqs = new Int32Array(1024);
  /** Where the gaps of each start in #gaps. */
  #starts = new Uint32Array(1024);
  #gaps = new Uint32Array(4096);
  #count = 0;
  #used = 0;

  constructor(out: PostingsWriter) {
    this.#out = out;
  }
  document(doc: number, freq: number, gaps: Uint32Array, from: number): void {
    if (this.#count === this.#freqs.length) this.#grow();
    const n = this.#count++;
    this.#words[2 * n] = n;
    this.#words[2 * n + 1] = doc;
    this.#freqs[n] = freq;
    this.#starts[n] = this.#used;
    if (this.#used + freq > this.#gaps.length) {
      const grown = new Uint32Array(Math.max(this.#gaps.length * 2, this.#used + freq));
      grown.set(this.#gaps);
      this.#gaps = grown;
    }
    // Without positions there is nothing behind `from` that means anything, and nothing that is read.
    for (let i = 0; i < freq; i++) this.#gaps[this.#used++] = gaps[from + i] ?? 0;
  }
  /** Hands the term on; `finish` of the writer ends it. */
  flush(): void {
    this.#keys.subarray(0, this.#count).sort();
    for (let i = 0; i < this.#count; i++) {
      const n = this.#words[2 * i]!;
      this.#out.document(this.#words[2 * i + 1]!, this.#freqs[n]!, this.#gaps, this.#starts[n]!);
    }
    this.#count = 0;
    this.#used = 0;
  }
  #grow(): void {
    const room = this.#freqs.length * 2;
    const keys = new BigUint64Array(room);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#words = new Uint32Array(keys.buffer);
    const freqs = new Int32Array(room);
    freqs.set(this.#freqs);
    this.#freqs = freqs;
    const starts = new Uint32Array(room);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
