/**
 * A block of the dictionary, unpacked: its keys, and its numbers apart from them, since who asks for one seldom needs the other.
 * The grammar stands in terms.ts.
 */
import { BLOCK } from './pack.ts';
import { INLINE_POSITIONS, type TermEntry } from './term-entry.ts';
import { decodeString, decodeUnits } from './units.ts';

/** Terms in a block. */
export const TERMS = 32;

/** The blocks of one field as they lie. Each of the two readers has a place of its own where it stands. */
abstract class Blocks {
  protected readonly bytes: Uint8Array;
  /** Where each block starts, and where the last ends. */
  protected readonly blocks: Uint32Array;
  protected readonly size: number;
  /** Where the reader of varints stands. */
  protected at = 0;

  constructor(bytes: Uint8Array, blocks: Uint32Array, size: number) {
    this.bytes = bytes;
    this.blocks = blocks;
    this.size = size;
  }

  protected countOf(block: number): number {
    return Math.min(TERMS, this.size - block * TERMS);
  }

  /** The checksum was compared when the file was opened, so this one does not look for the end. */
  protected varint(): number {
    const bytes = this.bytes;
    let at = this.at;
    let byte = bytes[at++]!;
    if (byte < 128) {
      this.at = at;
      return byte;
    }
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    this.at = at;
    return value;
  }
}

export class TermKeys extends Blocks {
  /** Key i of the unpacked block is keys[ends[i]..ends[i + 1]). */
  keys = new Uint8Array(4096);
  readonly ends = new Uint32Array(TERMS + 1);
  /** The block that is unpacked. */
  block = -1;
  /** Whether the term of the last `ceil` is there. */
  isFound = false;
  /** The block that it is in. */
  #sought = -1;

  /** The number of the first term >= query[0..length); `size` when there is none. */
  ceil(query: Uint8Array, length: number): number {
    this.isFound = false;
    if (this.size === 0) return 0;
    // The last block whose first key is <= term: often the one looked at last, when terms are asked for in their order.
    let low = 0;
    let high = this.blocks.length - 1;
    const last = this.#sought;
    if (last >= 0 && this.#compareFirst(last, query, length) <= 0) {
      low = last;
      if (last + 1 < high && this.#compareFirst(last + 1, query, length) > 0) high = last + 1;
    }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#compareFirst(middle, query, length) <= 0) low = middle;
      else high = middle;
    }
    this.#sought = low;
    return (
      low * TERMS + (low === this.block ? this.#placeInKeys(query, length) : this.#placeInBlock(low, query, length))
    );
  }

  string(n: number): string {
    this.unpack(n >>> 5);
    const i = n & (TERMS - 1);
    return decodeString(this.keys, this.ends[i]!, this.ends[i + 1]!);
  }

  units(n: number, out: Uint16Array): number {
    this.unpack(n >>> 5);
    const i = n & (TERMS - 1);
    return decodeUnits(this.keys, this.ends[i]!, this.ends[i + 1]!, out);
  }

  /** How the key of term `n` and the query stand to each other, both read from their end; 0 when the key ends in the query. */
  compareReversed(n: number, query: Uint8Array, length: number): number {
    this.unpack(n >>> 5);
    const i = n & (TERMS - 1);
    const keys = this.keys;
    const from = this.ends[i]!;
    let at = this.ends[i + 1]!;
    for (let q = length - 1; q >= 0; q--) {
      if (at === from) return -1;
      const difference = keys[--at]! - query[q]!;
      if (difference !== 0) return difference;
    }
    return at === from ? 0 : 1;
  }

  unpack(block: number): void {
    if (block === this.block) return;
    this.block = block;
    const bytes = this.bytes;
    this.#start(block);
    const ends = this.ends;
    const count = this.countOf(block);
    let keys = this.keys;
    let end = 0;
    for (let i = 0; i < count; i++) {
      const shared = i === 0 ? 0 : this.varint();
      const length = this.varint();
      if (end + shared + length > keys.length) {
        const grown = new Uint8Array(2 * (end + shared + length));
        grown.set(keys);
        this.keys = keys = grown;
      }
      const before = i === 0 ? 0 : ends[i - 1]!;
      for (let k = 0; k < shared; k++) keys[end++] = keys[before + k]!;
      let at = this.at;
      for (let k = 0; k < length; k++) keys[end++] = bytes[at++]!;
      this.at = at;
      ends[i + 1] = end;
    }
  }

  /** Behind the head of a block: where its keys begin. */
  #start(block: number): void {
    this.at = this.blocks[block]!;
    this.varint();
    this.varint();
    this.varint();
    this.varint();
  }

  #compareFirst(block: number, query: Uint8Array, length: number): number {
    this.#start(block);
    const size = this.varint();
    return compareBytes(this.bytes, this.at, this.at + size, query, length);
  }

  /** The place of the query among the unpacked keys. */
  #placeInKeys(query: Uint8Array, length: number): number {
    const { keys, ends } = this;
    let from = 0;
    let to = this.countOf(this.block);
    while (from < to) {
      const middle = (from + to) >>> 1;
      const difference = compareBytes(keys, ends[middle]!, ends[middle + 1]!, query, length);
      if (difference === 0) this.isFound = true;
      if (difference < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /**
   * The same in a block as it lies. `equal` bytes of the query are those of the key before, which is smaller: a key that shares
   * more with that one is smaller too, one that shares less is greater, and only one that shares as much is looked at.
   */
  #placeInBlock(block: number, query: Uint8Array, length: number): number {
    const bytes = this.bytes;
    this.#start(block);
    const count = this.countOf(block);
    let equal = 0;
    for (let i = 0; i < count; i++) {
      const shared = i === 0 ? 0 : this.varint();
      const size = this.varint();
      const from = this.at;
      this.at = from + size;
      if (shared > equal) continue;
      if (shared < equal) return i;
      let k = 0;
      while (k < size && equal < length && bytes[from + k] === query[equal]) {
        k++;
        equal++;
      }
      if (equal === length) {
        this.isFound = k === size;
        return i;
      }
      if (k < size && bytes[from + k]! > query[equal]!) return i;
    }
    return count;
  }
}

export class TermNumbers extends Blocks {
  readonly #hasPositions: boolean;
  /** The block that is unpacked, so many of its terms, and where the next one stands. */
  #block = -1;
  #count = 0;
  #next = 0;
  readonly #df = new Int32Array(TERMS);
  readonly #ttf = new Float64Array(TERMS);
  readonly #doc = new Int32Array(TERMS);
  readonly #postingsAt = new Float64Array(TERMS + 1);
  readonly #skipsAt = new Float64Array(TERMS + 1);
  readonly #positionsAt = new Float64Array(TERMS + 1);
  /** Where the inline gaps of a term stand; 0 for none. */
  readonly #inlineAt = new Uint32Array(TERMS);

  constructor(bytes: Uint8Array, blocks: Uint32Array, size: number, hasPositions: boolean) {
    super(bytes, blocks, size);
    this.#hasPositions = hasPositions;
  }

  df(n: number): number {
    return this.#df[this.#unpack(n)]!;
  }
  ttf(n: number): number {
    return this.#ttf[this.#unpack(n)]!;
  }

  /** All that the dictionary says of term `n`. */
  entry(n: number, entry: TermEntry): void {
    const i = this.#unpack(n);
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
    const inline = this.#inlineAt[i]!;
    if (inline === 0) return;
    this.at = inline;
    entry.inlineCount = entry.ttf;
    for (let k = 0; k < entry.ttf; k++) entry.inline[k] = this.varint();
  }

  /** The numbers of a block up to those of term `n`; its place in the block. */
  #unpack(n: number): number {
    const block = n >>> 5;
    const last = n & (TERMS - 1);
    if (block !== this.#block) {
      this.#block = block;
      this.at = this.blocks[block]!;
      const keyBytes = this.varint();
      this.#postingsAt[0] = this.varint();
      this.#skipsAt[0] = this.varint();
      this.#positionsAt[0] = this.varint();
      this.#next = this.at + keyBytes;
      this.#count = 0;
    }
    let i = this.#count;
    if (last < i) return last;
    let postings = this.#postingsAt[i]!;
    let skips = this.#skipsAt[i]!;
    let positions = this.#positionsAt[i]!;
    this.at = this.#next;
    while (i <= last) {
      const d = this.varint();
      const df = d % 2 === 0 ? d / 2 + 1 : (d - 1) / 2 + 1;
      const ttf = d % 2 === 0 ? df : df + this.varint();
      this.#df[i] = df;
      this.#ttf[i] = ttf;
      this.#inlineAt[i] = 0;
      this.#doc[i] = 0;
      if (df === 1) {
        this.#doc[i] = this.varint();
        if (this.#hasPositions && ttf <= INLINE_POSITIONS) {
          this.#inlineAt[i] = this.at;
          for (let k = 0; k < ttf; k++) this.varint();
        } else if (this.#hasPositions) positions += this.varint();
      } else {
        postings += this.varint();
        if (df > BLOCK) skips += this.varint();
        if (this.#hasPositions) positions += this.varint();
      }
      i++;
      this.#postingsAt[i] = postings;
      this.#skipsAt[i] = skips;
      this.#positionsAt[i] = positions;
    }
    this.#count = i;
    this.#next = this.at;
    return last;
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
