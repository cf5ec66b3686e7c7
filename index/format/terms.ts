/**
 * Terms: here is a term, where are its postings? Read here and in term-blocks.ts, written by terms-writer.ts.
 *
 * File `<segment>.trm`, read whole when the segment is opened. The terms of each field by themselves, in the order of
 * their bytes, which is that of JavaScript's `<` (units.ts); in blocks of 32, front-coded within a block.
 *
 *     terms    := frame("trm", 1) { block* table  table_start:u64 }
 *     block    := key_bytes:varint  postings:varint skips:varint positions:varint  keys  numbers
 *     keys     := length:varint u8[length]  { shared:varint length:varint u8[length] }*        shared with the one before
 *     numbers  := number[terms of the block]
 *     number   := d:varint  more:varint?  single | several
 *     single   := doc:varint  positions?
 *     several  := posting_words:varint  skip_words:varint?  position_words:varint?
 *     table    := fields:varint { id:varint flags:u8 terms:varint { block_bytes:varint }[blocks] }[fields]
 *
 * `d` is (documents - 1) << 1 | 1 when `more` follows; `more` is how much the frequencies add up to above the number of
 * documents. `postings`, `skips` and `positions` of a block are the words in .pst, .skp and .pos where those of its first
 * term start; those of the next follow without a gap. `skip_words` stands there when there are more than 128 documents.
 * The positions of a single document: up to 8 gaps as varints, or else, where it has more, position_words:varint.
 * Flags: 1 the field has positions. The bytes of the blocks lie behind each other from the beginning of the body.
 *
 * Cost: the file and 4 bytes a block in memory; a look-up is a binary search over first keys and one block read.
 * Versions: 1 (first).
 */
import { corrupt, IndexError } from '../errors.ts';
import { ByteReader } from '../io/bytes.ts';
import { unframe } from '../io/frame.ts';
import { PostingsCursor } from './postings.ts';
import type { ReversePermutation } from './reverse.ts';
import { TERMS, TermKeys, TermNumbers } from './term-blocks.ts';
import type { PostingsSource, TermEntry } from './term-entry.ts';
import { encodeString, UNIT_BYTES } from './units.ts';
import { WordFile } from './words.ts';

export const TERMS_VERSION = 1;
export const HAS_POSITIONS = 1;
/** A block's offset is 32 bits. */
const LARGEST = 2 ** 32;

export interface WordArrays {
  readonly postings: Int32Array;
  readonly skips: Int32Array;
  readonly positions: Int32Array;
}
export interface WordFiles {
  readonly postings: WordFile;
  readonly skips: WordFile;
  readonly positions: WordFile;
}
const NO_WORD = new Int32Array(new SharedArrayBuffer(0));
const NO_WORDS: WordArrays = { postings: NO_WORD, skips: NO_WORD, positions: NO_WORD };

/**
 * The terms of one field, numbered 0..size-1 in the order of `<`.
 *
 * Not for use by two threads at once: it keeps the block that was read last. Each thread opens its own over the same
 * shared bytes.
 */
export class TermDictionary implements PostingsSource {
  readonly size: number;
  readonly hasPositions: boolean;
  postingWords: Int32Array;
  skipWords: Int32Array;
  positionWords: Int32Array;
  readonly norms: Uint8Array | null;
  readonly #files: WordFiles | null;
  /** Terms ordered from their end; null where the field has none (keyword fields). */
  readonly reversed: ReversePermutation | null;
  /** Where `key` laid a term. */
  keyBytes: Uint8Array = new Uint8Array(0);
  keyFrom = 0;
  keyEnd = 0;
  readonly #keys: TermKeys;
  readonly #numbers: TermNumbers;
  #query = new Uint8Array(1024);

  constructor(
    bytes: Uint8Array,
    blocks: Uint32Array,
    size: number,
    hasPositions: boolean,
    more: {
      /** The three arrays that entries point into, or the files they are to be read from. */
      readonly words: WordArrays | WordFiles;
      readonly norms: Uint8Array | null;
      readonly reversed: ReversePermutation | null;
    },
  ) {
    this.#keys = new TermKeys(bytes, blocks, size);
    this.#numbers = new TermNumbers(bytes, blocks, size, hasPositions);
    this.size = size;
    this.hasPositions = hasPositions;
    const { words } = more;
    this.#files = words.postings instanceof WordFile ? (words as WordFiles) : null;
    const arrays = this.#files ? NO_WORDS : (words as WordArrays);
    this.postingWords = arrays.postings;
    this.skipWords = arrays.skips;
    this.positionWords = arrays.positions;
    this.norms = more.norms;
    this.reversed = more.reversed;
  }

  /** The number of a term, -1 when the field does not have it. */
  find(term: string): number {
    const n = this.ceil(term);
    return this.#keys.isFound ? n : -1;
  }

  /** The number of the first term >= `term`; `size` when there is none. */
  ceil(term: string): number {
    // First: a longer query takes another buffer.
    const length = this.#encode(term);
    return this.#keys.ceil(this.#query, length);
  }

  term(n: number): string {
    return this.#keys.string(n);
  }

  /** The code units of term `n` into `out`, without making a string; how many. `out` holds longestTerm units or more. */
  units(n: number, out: Uint16Array): number {
    return this.#keys.units(n, out);
  }

  /** Lays the bytes of term `n` (units.ts) at keyBytes[keyFrom .. keyEnd), good until the next call. */
  key(n: number): void {
    const keys = this.#keys;
    keys.unpack(n >>> 5);
    const i = n & (TERMS - 1);
    this.keyBytes = keys.keys;
    this.keyFrom = keys.ends[i]!;
    this.keyEnd = keys.ends[i + 1]!;
  }

  /** Documents that have term `n`, deleted ones included. */
  df(n: number): number {
    return this.#numbers.df(n);
  }

  /** How often term `n` stands in all documents. */
  ttf(n: number): number {
    return this.#numbers.ttf(n);
  }

  /** The documents of term `n`; `reuse` is pointed at them when given. */
  postings(n: number, reuse?: PostingsCursor): PostingsCursor {
    return (reuse ?? new PostingsCursor()).reset(this, n);
  }

  entry(n: number, entry: TermEntry): void {
    this.#numbers.entry(n, entry);
    if (this.#files) this.#slide(entry, this.#files);
  }

  /** The number of the term at a rank of the order from the end; ranks run 0..size-1. */
  reverse(rank: number): number {
    return this.reversed!.at(rank);
  }

  /** The first rank whose term, read from its end, is >= `suffix` read from its end: the terms that end so start there. */
  reverseCeil(suffix: string): number {
    const reversed = this.reversed!;
    const length = this.#encode(suffix);
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys.compareReversed(reversed.at(middle), this.#query, length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Lays the bytes of a text into #query; how many. */
  #encode(text: string): number {
    if (text.length * UNIT_BYTES > this.#query.length) this.#query = new Uint8Array(text.length * UNIT_BYTES);
    return encodeString(text, this.#query, 0);
  }

  /** Reads what the entry points into, and lets it point there. */
  #slide(entry: TermEntry, files: WordFiles): void {
    if (entry.postingsWords > 0) entry.postings = files.postings.slide(entry.postings, entry.postingsWords);
    if (entry.skipWords > 0) entry.skips = files.skips.slide(entry.skips, entry.skipWords);
    if (entry.positionsWords > 0) entry.positions = files.positions.slide(entry.positions, entry.positionsWords);
    this.postingWords = files.postings.words;
    this.skipWords = files.skips.words;
    this.positionWords = files.positions.words;
  }
}

/** A dictionary without terms. */
export const NO_TERMS = new TermDictionary(new Uint8Array(new SharedArrayBuffer(0)), new Uint32Array(1), 0, false, {
  words: NO_WORDS,
  norms: null,
  reversed: null,
});

/** What a field's part of the file is, before it is joined with the arrays it points into. */
export interface TermsField {
  readonly bytes: Uint8Array;
  readonly blocks: Uint32Array;
  readonly size: number;
  readonly hasPositions: boolean;
}

export function readTerms(bytes: Uint8Array, file: string): ReadonlyMap<number, TermsField> {
  const body = unframe(bytes, file, 'trm', TERMS_VERSION);
  if (body.length >= LARGEST) {
    throw new IndexError('too-new', `${file} is larger than 4 GB, which this version cannot read`, { file });
  }
  const start = new ByteReader(body, file, Math.max(0, body.length - 8)).u64();
  if (start > body.length - 8) throw corrupt(file, 'its table is not where it says');
  const table = new ByteReader(body.subarray(0, body.length - 8), file, start);
  const fields = new Map<number, TermsField>();
  let at = 0;
  for (let left = table.varint(); left > 0; left--) {
    const id = table.varint();
    const flags = table.u8();
    const size = table.varint();
    const blocks = new Uint32Array(Math.ceil(size / TERMS) + 1);
    for (let b = 0; b < blocks.length - 1; b++) {
      blocks[b] = at;
      at += table.varint();
    }
    blocks[blocks.length - 1] = at;
    if (at > start) throw corrupt(file, 'a block is longer than the file');
    fields.set(id, { bytes: body, blocks, size, hasPositions: (flags & HAS_POSITIONS) !== 0 });
  }
  return fields;
}
