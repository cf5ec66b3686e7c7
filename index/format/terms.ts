/**
 * Terms: here is a term, where are its postings? Read here, written by terms-writer.ts.
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
import { BLOCK } from './pack.ts';
import { INLINE_POSITIONS, PostingsCursor, type PostingsSource, type TermEntry } from './postings.ts';
import type { ReversePermutation } from './reverse.ts';
import { decodeString, decodeUnits, encodeString, UNIT_BYTES } from './units.ts';
import { WordFile } from './words.ts';

export const TERMS_VERSION = 1;
/** Terms in a block. */
export const TERMS = 32;
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
  readonly #bytes: Uint8Array;
  /** Where each block starts, and where the last ends. */
  readonly #blocks: Uint32Array;
  /** Where the reader of varints stands. */
  #at = 0;

  /** The block whose keys are unpacked, and the keys: key i of it is #keys[#keyEnds[i]..#keyEnds[i + 1]). */
  #keyBlock = -1;
  #keys = new Uint8Array(4096);
  readonly #keyEnds = new Uint32Array(TERMS + 1);
  /** The block whose numbers are unpacked. */
  #numberBlock = -1;
  readonly #df = new Int32Array(TERMS);
  readonly #ttf = new Float64Array(TERMS);
  readonly #doc = new Int32Array(TERMS);
  readonly #postingsAt = new Float64Array(TERMS + 1);
  readonly #skipsAt = new Float64Array(TERMS + 1);
  readonly #positionsAt = new Float64Array(TERMS + 1);
  /** Where the inline gaps of a term stand in #bytes; 0 for none. */
  readonly #inlineAt = new Uint32Array(TERMS);
  #query = new Uint8Array(1024);
  #queryLength = 0;

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
    this.#bytes = bytes;
    this.#blocks = blocks;
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
    return n < this.size && this.#isQuery(n) ? n : -1;
  }

  /** The number of the first term >= `term`; `size` when there is none. */
  ceil(term: string): number {
    if (this.size === 0) return 0;
    if (term.length * UNIT_BYTES > this.#query.length) this.#query = new Uint8Array(term.length * UNIT_BYTES);
    const query = this.#query;
    const length = encodeString(term, query, 0);
    this.#queryLength = length;
    // The last block whose first key is <= term: often the one looked at last, when terms are asked for in their order.
    let low = 0;
    let high = this.#blocks.length - 1;
    const last = this.#keyBlock;
    if (last >= 0 && this.#compareFirst(last, query, length) <= 0) {
      low = last;
      if (last + 1 < high && this.#compareFirst(last + 1, query, length) > 0) high = last + 1;
    }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#compareFirst(middle, query, length) <= 0) low = middle;
      else high = middle;
    }
    this.#unpackKeys(low);
    const keys = this.#keys;
    const ends = this.#keyEnds;
    const count = Math.min(TERMS, this.size - low * TERMS);
    let from = 0;
    let to = count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compareBytes(keys, ends[middle]!, ends[middle + 1]!, query, length) < 0) from = middle + 1;
      else to = middle;
    }
    return low * TERMS + from;
  }

  term(n: number): string {
    this.#unpackKeys(n >>> 5);
    const i = n & (TERMS - 1);
    return decodeString(this.#keys, this.#keyEnds[i]!, this.#keyEnds[i + 1]!);
  }

  /** The code units of term `n` into `out`, without making a string; how many. `out` holds longestTerm units or more. */
  units(n: number, out: Uint16Array): number {
    this.#unpackKeys(n >>> 5);
    const i = n & (TERMS - 1);
    return decodeUnits(this.#keys, this.#keyEnds[i]!, this.#keyEnds[i + 1]!, out);
  }

  /** Lays the bytes of term `n` (units.ts) at keyBytes[keyFrom .. keyEnd), good until the next call. */
  key(n: number): void {
    this.#unpackKeys(n >>> 5);
    const i = n & (TERMS - 1);
    this.keyBytes = this.#keys;
    this.keyFrom = this.#keyEnds[i]!;
    this.keyEnd = this.#keyEnds[i + 1]!;
  }

  /** Documents that have term `n`, deleted ones included. */
  df(n: number): number {
    this.#unpackNumbers(n >>> 5);
    return this.#df[n & (TERMS - 1)]!;
  }

  /** How often term `n` stands in all documents. */
  ttf(n: number): number {
    this.#unpackNumbers(n >>> 5);
    return this.#ttf[n & (TERMS - 1)]!;
  }

  /** The documents of term `n`; `reuse` is pointed at them when given. */
  postings(n: number, reuse?: PostingsCursor): PostingsCursor {
    return (reuse ?? new PostingsCursor()).reset(this, n);
  }

  entry(n: number, entry: TermEntry): void {
    this.#unpackNumbers(n >>> 5);
    const i = n & (TERMS - 1);
    entry.df = this.#df[i]!;
    entry.ttf = this.#ttf[i]!;
    entry.doc = this.#doc[i]!;
    entry.postings = this.#postingsAt[i]!;
    entry.postingsWords = this.#postingsAt[i + 1]! - entry.postings;
    entry.skips = this.#skipsAt[i]!;
    entry.skipWords = this.#skipsAt[i + 1]! - entry.skips;
    entry.positions = this.#positionsAt[i]!;
    entry.positionsWords = this.#positionsAt[i + 1]! - entry.positions;
    entry.inlineCount = 0;
    if (this.#files) this.#slide(entry, this.#files);
    const inline = this.#inlineAt[i]!;
    if (inline === 0) return;
    this.#at = inline;
    entry.inlineCount = entry.ttf;
    for (let k = 0; k < entry.ttf; k++) entry.inline[k] = this.#varint();
  }

  /** The number of the term at a rank of the order from the end; ranks run 0..size-1. */
  reverse(rank: number): number {
    return this.reversed!.at(rank);
  }

  /** The first rank whose term, read from its end, is >= `suffix` read from its end: the terms that end so start there. */
  reverseCeil(suffix: string): number {
    const reversed = this.reversed!;
    if (suffix.length * UNIT_BYTES > this.#query.length) this.#query = new Uint8Array(suffix.length * UNIT_BYTES);
    const query = this.#query;
    const length = encodeString(suffix, query, 0);
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareReversed(reversed.at(middle), query, length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
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

  /** Is term `n` the query of the last `ceil`? */
  #isQuery(n: number): boolean {
    this.#unpackKeys(n >>> 5);
    const i = n & (TERMS - 1);
    return compareBytes(this.#keys, this.#keyEnds[i]!, this.#keyEnds[i + 1]!, this.#query, this.#queryLength) === 0;
  }

  #compareFirst(block: number, query: Uint8Array, length: number): number {
    this.#at = this.#blocks[block]!;
    this.#varint();
    this.#varint();
    this.#varint();
    this.#varint();
    const size = this.#varint();
    return compareBytes(this.#bytes, this.#at, this.#at + size, query, length);
  }

  #compareReversed(n: number, query: Uint8Array, length: number): number {
    this.#unpackKeys(n >>> 5);
    const i = n & (TERMS - 1);
    const keys = this.#keys;
    const from = this.#keyEnds[i]!;
    let at = this.#keyEnds[i + 1]!;
    for (let q = length - 1; q >= 0; q--) {
      if (at === from) return -1;
      const difference = keys[--at]! - query[q]!;
      if (difference !== 0) return difference;
    }
    return at === from ? 0 : 1;
  }

  #unpackKeys(block: number): void {
    if (block === this.#keyBlock) return;
    this.#keyBlock = block;
    const bytes = this.#bytes;
    this.#at = this.#blocks[block]!;
    this.#varint();
    this.#varint();
    this.#varint();
    this.#varint();
    const ends = this.#keyEnds;
    const count = Math.min(TERMS, this.size - block * TERMS);
    let keys = this.#keys;
    let end = 0;
    for (let i = 0; i < count; i++) {
      const shared = i === 0 ? 0 : this.#varint();
      const length = this.#varint();
      if (end + shared + length > keys.length) {
        const grown = new Uint8Array(2 * (end + shared + length));
        grown.set(keys);
        this.#keys = keys = grown;
      }
      const before = i === 0 ? 0 : ends[i - 1]!;
      for (let k = 0; k < shared; k++) keys[end++] = keys[before + k]!;
      let at = this.#at;
      for (let k = 0; k < length; k++) keys[end++] = bytes[at++]!;
      this.#at = at;
      ends[i + 1] = end;
    }
  }

  #unpackNumbers(block: number): void {
    if (block === this.#numberBlock) return;
    this.#numberBlock = block;
    this.#at = this.#blocks[block]!;
    const keyBytes = this.#varint();
    let postings = this.#varint();
    let skips = this.#varint();
    let positions = this.#varint();
    this.#at += keyBytes;
    const count = Math.min(TERMS, this.size - block * TERMS);
    for (let i = 0; i < count; i++) {
      const d = this.#varint();
      const df = d % 2 === 0 ? d / 2 + 1 : (d - 1) / 2 + 1;
      const ttf = d % 2 === 0 ? df : df + this.#varint();
      this.#df[i] = df;
      this.#ttf[i] = ttf;
      this.#postingsAt[i] = postings;
      this.#skipsAt[i] = skips;
      this.#positionsAt[i] = positions;
      this.#inlineAt[i] = 0;
      if (df === 1) {
        this.#doc[i] = this.#varint();
        if (!this.hasPositions) continue;
        if (ttf <= INLINE_POSITIONS) {
          this.#inlineAt[i] = this.#at;
          for (let k = 0; k < ttf; k++) this.#varint();
        } else positions += this.#varint();
        continue;
      }
      this.#doc[i] = 0;
      postings += this.#varint();
      if (df > BLOCK) skips += this.#varint();
      if (this.hasPositions) positions += this.#varint();
    }
    this.#postingsAt[count] = postings;
    this.#skipsAt[count] = skips;
    this.#positionsAt[count] = positions;
  }

  /** The checksum was compared when the file was opened, so this one does not look for the end. */
  #varint(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at++]!;
    if (byte < 128) {
      this.#at = at;
      return byte;
    }
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    this.#at = at;
    return value;
  }
}

function compareBytes(bytes: Uint8Array, from: number, end: number, other: Uint8Array, length: number): number {
  const common = Math.min(end - from, length);
  for (let i = 0; i < common; i++) {
    const difference = bytes[from + i]! - other[i]!;
    if (difference !== 0) return difference;
  }
  return end - from - length;
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
