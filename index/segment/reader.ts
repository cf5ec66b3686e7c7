/**
 * A segment, opened: everything that a query, a merge or a dump asks of it.
 *
 * All files but the stored documents are in memory (see OpenOptions for less), over SharedArrayBuffers: `share()` hands them to another thread, which
 * opens them again by `openShared` without a second copy. A reader itself belongs to one thread.
 */
import { type Document, type FieldValue, fieldsOf, type NumberedField, type Schema } from '../document.ts';
import { corrupt, IndexError } from '../errors.ts';
import { type Column, readColumns } from '../format/columns.ts';
import { countLive, readLive } from '../format/live.ts';
import { readNorms } from '../format/norms.ts';
import { openPositions, readPositions } from '../format/positions.ts';
import { openPostings, readPostings } from '../format/postings.ts';
import { readReverse } from '../format/reverse.ts';
import { type FieldStats, readSegment, type SegmentInfo } from '../format/segment.ts';
import { openSkips, readSkips } from '../format/skips.ts';
import { StoredReader } from '../format/stored.ts';
import { NO_TERMS, readTerms, TermDictionary, type WordArrays, type WordFiles } from '../format/terms.ts';
import type { Directory, RandomAccess } from '../io/directory.ts';
import { type FileSeal, sealOf } from '../io/frame.ts';
import { liveFile, type SegmentFile, segmentFile } from '../io/names.ts';

/** Plain data that another thread opens; the bytes are shared, not copied. A file that is not here is read from disk. */
export interface SharedSegment {
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly live: Int32Array | null;
  /** The checksums of the files on disk were compared already. */
  readonly checked?: boolean;
}

export interface OpenOptions {
  /**
   * Leaves postings and positions on disk, to be read in pieces: for a merge, for columns, for looking a key up. A query
   * gives the same answers, slowly.
   */
  readonly lean?: boolean;
}

/** The files that are read whole, and those that may be left on disk. */
const SMALL = ['trm', 'rev', 'nrm', 'col'] as const;
const LARGE = ['pst', 'skp', 'pos'] as const;

export class SegmentReader {
  readonly name: string;
  /** Documents, deleted ones included; they are numbered 0..docs-1 in the order in which they were added. */
  readonly docs: number;
  /** Bit d % 32 of word d / 32: document d is there. Null: all are. */
  readonly live: Int32Array | null;
  readonly liveDocs: number;
  readonly schema: Schema;
  readonly info: SegmentInfo;
  readonly #fields: ReadonlyMap<string, NumberedField>;
  readonly #files: Readonly<Record<string, Uint8Array>>;
  readonly #norms: ReadonlyMap<number, Uint8Array>;
  readonly #columns: ReadonlyMap<number, Column>;
  readonly #terms = new Map<number, TermDictionary>();
  readonly #stored: StoredReader;
  readonly #accesses: RandomAccess[] = [];
  #closed = false;

  constructor(shared: SharedSegment, directory: Directory) {
    const { name, files, live } = shared;
    this.name = name;
    this.#files = files;
    const file = (kind: SegmentFile): string => segmentFile(name, kind);
    const info = readSegment(files.seg!, file('seg'));
    this.info = info;
    this.docs = info.docs;
    this.schema = info.schema;
    this.live = live;
    this.liveDocs = live ? countLive(live) : info.docs;
    this.#fields = fieldsOf(info.schema);
    this.#norms = readNorms(files.nrm!, file('nrm'));
    this.#columns = readColumns(files.col!, file('col'));
    const reversed = readReverse(files.rev!, file('rev'));
    const terms = readTerms(files.trm!, file('trm'));
    for (const kind of SMALL) checkSeal(sealOf(files[kind]!, file(kind)), info, kind, file(kind));
    try {
      const words = files.pst ? this.#inMemory(file) : this.#onDisk(directory, file, shared.checked === true);
      for (const [id, { bytes, blocks, size, hasPositions }] of terms) {
        const more = { words, norms: this.#norms.get(id) ?? null, reversed: reversed.get(id) ?? null };
        this.#terms.set(id, new TermDictionary(bytes, blocks, size, hasPositions, more));
      }
      this.#stored = new StoredReader(this.#open(directory, file('sto')), file('sto'));
      checkSeal(this.#stored.seal, info, 'sto', file('sto'));
      if (this.#stored.docs !== info.docs) {
        throw corrupt(file('sto'), 'it has another number of documents than its segment');
      }
    } catch (error) {
      this.#closeFiles();
      throw error;
    }
  }

  #inMemory(file: (kind: SegmentFile) => string): WordArrays {
    const { pst, skp, pos } = this.#files;
    const words = {
      postings: readPostings(pst!, file('pst')),
      skips: readSkips(skp!, file('skp')),
      positions: readPositions(pos!, file('pos')),
    };
    for (const kind of LARGE) checkSeal(sealOf(this.#files[kind]!, file(kind)), this.info, kind, file(kind));
    return words;
  }

  #onDisk(directory: Directory, file: (kind: SegmentFile) => string, checked: boolean): WordFiles {
    const words = {
      postings: openPostings(this.#open(directory, file('pst')), file('pst'), checked),
      skips: openSkips(this.#open(directory, file('skp')), file('skp'), checked),
      positions: openPositions(this.#open(directory, file('pos')), file('pos'), checked),
    };
    checkSeal(words.postings.seal, this.info, 'pst', file('pst'));
    checkSeal(words.skips.seal, this.info, 'skp', file('skp'));
    checkSeal(words.positions.seal, this.info, 'pos', file('pos'));
    return words;
  }

  /** Opens a file that is closed with the reader. */
  #open(directory: Directory, file: string): RandomAccess {
    const access = directory.open(file);
    this.#accesses.push(access);
    return access;
  }

  #closeFiles(): void {
    for (const access of this.#accesses) access.close();
    this.#accesses.length = 0;
  }

  /** Bytes of all its files on disk: what a merge may take at most. */
  get bytes(): number {
    let sum = 0;
    for (const { size } of this.info.files.values()) sum += size;
    return sum;
  }

  /** What BM25 must know of a field; zeros where the segment has no token of it. */
  stats(field: string): FieldStats {
    return this.info.fields.get(this.#id(field)) ?? NO_STATS;
  }

  /** The length byte of each document in a field (format/norms.ts); null where the field has none. */
  norms(field: string): Uint8Array | null {
    return this.#norms.get(this.#id(field)) ?? null;
  }

  /** The terms of a field; an empty dictionary where it is not indexed. One per field and reader, made when opened. */
  terms(field: string): TermDictionary {
    return this.#terms.get(this.#id(field)) ?? NO_TERMS;
  }

  /** Name and version of the chain that cut a field; undefined where it is not analysed. */
  analyzer(field: string): string | undefined {
    return this.info.fields.get(this.#id(field))?.analyzer || undefined;
  }

  /** The typed values of a field; null where it has no column. */
  column(field: string): Column | null {
    return this.#columns.get(this.#id(field)) ?? null;
  }

  /**
   * The stored fields of a document, deleted or not; of those `wanted`, by number, where given: a long text is the dear one.
   * Cost: one block read and unpacked, unless it was the last one.
   */
  stored(doc: number, wanted?: ReadonlySet<number>): Document {
    const document: { [field: string]: FieldValue } = {};
    for (const [id, value] of this.storedReader().document(doc, wanted)) document[this.schema.fields[id]!.name] = value;
    return document;
  }

  /** For merging: the stored documents as they lie in the file. */
  storedReader(): StoredReader {
    if (this.#closed) throw new IndexError('closed', `segment ${this.name} was used after it was closed`);
    return this.#stored;
  }

  /** Numbers of fields, for `stored`; names that it does not know are left out. */
  fieldIds(names: Iterable<string>): ReadonlySet<number> {
    const ids = new Set<number>();
    for (const name of names) ids.add(this.#id(name));
    return ids;
  }

  /** What another thread needs, with its own opening of the same directory: see openShared. */
  share(): SharedSegment {
    return { name: this.name, files: this.#files, live: this.live, checked: true };
  }

  /** Reads what opening left unread: the stored documents. Throws 'corrupt' for the first damage. */
  verify(): void {
    this.storedReader().verify();
  }

  close(): void {
    this.#closeFiles();
    this.#closed = true;
  }

  #id(field: string): number {
    return this.#fields.get(field)?.id ?? -1;
  }
}

/**
 * Opens a segment of a directory; every checksum but that of the stored documents is compared.
 *
 * @param deletions generation of its .liv file, 0 for none
 * @param expected seals of the .seg and .liv files as the commit has them; not compared when absent
 */
export function openSegment(
  directory: Directory,
  name: string,
  deletions = 0,
  expected?: { readonly seal: FileSeal; readonly liveSeal: FileSeal | null },
  options: OpenOptions = {},
): SegmentReader {
  const seg = segmentFile(name, 'seg');
  const files: Record<string, Uint8Array> = { seg: directory.read(seg) };
  const info = readSegment(files.seg!, seg);
  if (expected) checkEqual(sealOf(files.seg!, seg), expected.seal, seg);
  for (const kind of options.lean ? SMALL : [...SMALL, ...LARGE]) files[kind] = directory.read(segmentFile(name, kind));
  let live: Int32Array | null = null;
  if (deletions > 0) {
    const file = liveFile(name, deletions);
    const bytes = directory.read(file);
    live = readLive(bytes, file, info.docs);
    if (expected?.liveSeal) checkEqual(sealOf(bytes, file), expected.liveSeal, file);
  }
  return new SegmentReader({ name, files, live }, directory);
}

/** Opens what `share()` gave, in this thread or another; `directory` is this thread's own, for what is on disk. */
export function openShared(directory: Directory, shared: SharedSegment): SegmentReader {
  return new SegmentReader(shared, directory);
}

function checkSeal(seal: FileSeal, info: SegmentInfo, kind: SegmentFile, file: string): void {
  const expected = info.files.get(kind);
  if (!expected) throw corrupt(file, 'its segment does not list it');
  checkEqual(seal, expected, file);
}

function checkEqual(seal: FileSeal, expected: FileSeal, file: string): void {
  if (seal.size !== expected.size || seal.crc !== expected.crc) throw corrupt(file, 'it belongs to another segment');
}

const NO_STATS: FieldStats = { tokens: 0, docs: 0 };
