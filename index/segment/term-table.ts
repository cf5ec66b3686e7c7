/**
 * The terms of a segment that is being built, and after each its postings so far.
 *
 * A term is found by open addressing over its hash. Everything else the hot path needs of a term lies in one row of 32 bytes
 * (half a cache line); its postings are bytes in slices that grow as the term does, chained through one pool. So a token
 * costs a slot, a row, the units compared, and a byte or two written, and no object and no sort ever: when the segment
 * is written, terms are sorted and each chain is read once from its beginning.
 *
 *     postings    := document*
 *     document    := first repeat*
 *     first       := position * 2 + 1:varint  gap:varint          gap to the term's document before, counted from -1
 *     repeat      := gap of the position * 2:varint
 *
 * Slices hold 8, 16, 32 ... 4096 bytes, each with 4 behind it for the start of the next. A term's first posting is in its row
 * until there is a second.
 *
 * Cost: 56 bytes a term beside its text, 1.5 to 3 bytes a token (bench/build.bench.ts).
 */

/** Integers of a row. */
const ROW = 8;
const TEXT = 0;
/** Units of the text, its field included, and the size class of the slice above bit 20. */
const LENGTH = 1;
const DOC = 2;
const POSITION = 3;
/** Where the next byte goes, and where the slice ends. */
const NEXT = 4;
const LIMIT = 5;
const FIRST = 6;

const CLASS_SHIFT = 20;
const LENGTH_MASK = (1 << CLASS_SHIFT) - 1;
const FIRST_SIZE = 8;
const LAST_CLASS = 9;
const LINK = 4;

/** Longest text of a term in units, its field excluded. */
export const MAX_UNITS = 1 << 15;

/** Takes the postings of one term, block by block: PostingsWriter is one. */
export interface PostingsBlocks {
  /** Room for a block. */
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
  /**
   * `count` documents stand in `docs`, rising, and as often as `freqs` says each has the term; both may be overwritten.
   * @param gaps `total` of them, of all these documents: each position from the one before it, the first from 0
   */
  block(count: number, gaps: Uint32Array, total: number, isLast: boolean): void;
}

export class TermTable {
  /** Number of terms. */
  size = 0;
  #rows = new Int32Array(ROW << 10);
  /** Two a slot: the hash, so that a term that is not the one sought costs no row; and the number of the term plus one, 0 for none. */
  #slots = new Int32Array(1 << 12);
  #mask = (1 << 11) - 1;
  /** Texts, each after the number of its field. */
  #units = new Uint16Array(1 << 14);
  #unitsUsed = 0;
  #pool = new Uint8Array(1 << 16);
  #poolUsed = 0;
  /** Where #gather lays postings, and `read` the gaps of a block. */
  #gathered = new Uint8Array(1 << 13);
  #gaps = new Uint32Array(1 << 10);

  /** Memory in use, in bytes; what was taken ahead and not touched costs nothing. */
  get bytes(): number {
    return this.size * ROW * 4 + this.#slots.byteLength + this.#unitsUsed * 2 + this.#poolUsed;
  }

  /**
   * One occurrence of a term: units[0..length), with a hash of them. `doc` never falls, and `position` not within a
   * document. Returns the document that had the term before, -1 for none; `doc` when it is not the first in it.
   */
  add(field: number, units: Uint16Array, length: number, hash: number, doc: number, position: number): number {
    return this.#occur(this.#find(field, units, length, hash), doc, position);
  }

  /** The same, but a second occurrence in one document is not counted. */
  addOnce(field: number, units: Uint16Array, length: number, hash: number, doc: number, position = 0): number {
    const row = this.#find(field, units, length, hash);
    return this.#rows[row + DOC] === doc ? doc : this.#occur(row, doc, position);
  }

  #find(field: number, units: Uint16Array, length: number, hash: number): number {
    const mixed = Math.imul(hash ^ (field + 1), 0x9e3779b1) | 0;
    const rows = this.#rows;
    const text = this.#units;
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (;;) {
      const term = slots[2 * slot + 1]!;
      if (term === 0) return this.#insert(slot, field, units, length, mixed);
      if (slots[2 * slot] === mixed) {
        const row = (term - 1) << 3;
        const at = rows[row + TEXT]!;
        if ((rows[row + LENGTH]! & LENGTH_MASK) === length + 1 && text[at] === field) {
          let i = 0;
          while (i < length && text[at + 1 + i] === units[i]) i++;
          if (i === length) return row;
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  #occur(row: number, doc: number, position: number): number {
    const rows = this.#rows;
    const before = rows[row + DOC]!;
    if (rows[row + FIRST]! < 0) {
      // More than half of all terms occur once: their only posting stays in the row.
      if (before < 0) {
        rows[row + DOC] = doc;
        rows[row + POSITION] = position;
        return -1;
      }
      this.#begin(row);
    }
    let value: number;
    if (before === doc) {
      // A chain that goes back would break the coding; what it says then counts as said here.
      if (position < rows[row + POSITION]!) position = rows[row + POSITION]!;
      value = (position - rows[row + POSITION]!) << 1;
    } else {
      value = (position << 1) | 1;
      rows[row + DOC] = doc;
    }
    rows[row + POSITION] = position;
    // Most values and gaps take a byte; the pool may move when a slice is added.
    let next = rows[row + NEXT]!;
    while (value > 127) {
      if (next === rows[row + LIMIT]) next = this.#slice(row);
      this.#pool[next++] = (value & 127) | 128;
      value >>>= 7;
    }
    if (next === rows[row + LIMIT]) next = this.#slice(row);
    this.#pool[next++] = value;
    if (before !== doc) {
      let gap = doc - before - 1;
      while (gap > 127) {
        if (next === rows[row + LIMIT]) next = this.#slice(row);
        this.#pool[next++] = (gap & 127) | 128;
        gap >>>= 7;
      }
      if (next === rows[row + LIMIT]) next = this.#slice(row);
      this.#pool[next++] = gap;
    }
    rows[row + NEXT] = next;
    return before;
  }

  /** The field of a term. */
  fieldOf(term: number): number {
    return this.#units[this.#rows[term * ROW + TEXT]!]!;
  }
  textAt(term: number): number {
    return this.#rows[term * ROW + TEXT]! + 1;
  }
  textLength(term: number): number {
    return (this.#rows[term * ROW + LENGTH]! & LENGTH_MASK) - 1;
  }
  get units(): Uint16Array {
    return this.#units;
  }

  /** Hands the postings of `term` over, a block at a time. */
  read(term: number, into: PostingsBlocks): void {
    const { docs, freqs } = into;
    const length = this.#gather(term);
    const bytes = this.#gathered;
    let gaps = this.#gaps;
    let doc = -1;
    let count = 0;
    let total = 0;
    for (let at = 0; at < length; ) {
      let byte = bytes[at++]!;
      let value = byte;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        value = (value & ((1 << shift) - 1)) | (byte << shift);
      }
      if (value & 1) {
        if (count === docs.length) {
          into.block(count, gaps, total, false);
          count = 0;
          total = 0;
        }
        byte = bytes[at++]!;
        let gap = byte;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!;
          gap = (gap & ((1 << shift) - 1)) | (byte << shift);
        }
        doc += gap + 1;
        docs[count] = doc;
        freqs[count++] = 0;
      }
      if (total === gaps.length) {
        const grown = new Uint32Array(gaps.length * 2);
        grown.set(gaps);
        this.#gaps = gaps = grown;
      }
      gaps[total++] = value >>> 1;
      freqs[count - 1]!++;
    }
    into.block(count, gaps, total, true);
  }

  /** Lays the postings of `term`, out of their slices, at the beginning of #gathered; how many bytes. */
  #gather(term: number): number {
    const pool = this.#pool;
    const row = term * ROW;
    if (this.#rows[row + FIRST]! < 0) return this.#gatherOne(row);
    const end = this.#rows[row + NEXT]!;
    let at = this.#rows[row + FIRST]!;
    let length = 0;
    for (let size = FIRST_SIZE; ; size = Math.min(size * 2, FIRST_SIZE << LAST_CLASS)) {
      const limit = end >= at && end <= at + size ? end : at + size;
      if (length + size > this.#gathered.length) {
        const grown = new Uint8Array(this.#gathered.length * 2);
        grown.set(this.#gathered);
        this.#gathered = grown;
      }
      const gathered = this.#gathered;
      if (limit - at > 128) {
        gathered.set(pool.subarray(at, limit), length);
        length += limit - at;
      } else while (at < limit) gathered[length++] = pool[at++]!;
      if (limit === end) return length;
      const link = limit;
      at = pool[link]! | (pool[link + 1]! << 8) | (pool[link + 2]! << 16) | (pool[link + 3]! << 24);
    }
  }

  #gatherOne(row: number): number {
    let length = 0;
    for (let value of [(this.#rows[row + POSITION]! << 1) | 1, this.#rows[row + DOC]!]) {
      for (; value > 127; value >>>= 7) this.#gathered[length++] = (value & 127) | 128;
      this.#gathered[length++] = value;
    }
    return length;
  }

  #insert(slot: number, field: number, units: Uint16Array, length: number, mixed: number): number {
    const term = this.size++;
    if (this.size * ROW > this.#rows.length) {
      const grown = new Int32Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    if (this.#unitsUsed + length + 1 > this.#units.length) {
      const grown = new Uint16Array(Math.max(this.#units.length * 2, this.#unitsUsed + length + 1));
      grown.set(this.#units);
      this.#units = grown;
    }
    const rows = this.#rows;
    const row = term * ROW;
    rows[row + TEXT] = this.#unitsUsed;
    rows[row + LENGTH] = length + 1;
    rows[row + DOC] = -1;
    rows[row + POSITION] = 0;
    rows[row + FIRST] = -1;
    this.#units[this.#unitsUsed++] = field;
    for (let i = 0; i < length; i++) this.#units[this.#unitsUsed++] = units[i]!;
    this.#slots[2 * slot] = mixed;
    this.#slots[2 * slot + 1] = term + 1;
    if (this.size * 4 > this.#mask * 3) this.#rehash();
    return row;
  }

  /** Gives a row its first slice, and writes the posting that stood in the row. */
  #begin(row: number): void {
    const first = this.#take(FIRST_SIZE + LINK);
    const rows = this.#rows;
    rows[row + FIRST] = first;
    rows[row + LIMIT] = first + FIRST_SIZE;
    // At most five bytes each: the slice may be too short for both.
    let next = first;
    for (let value of [(rows[row + POSITION]! << 1) | 1, rows[row + DOC]!]) {
      for (;;) {
        if (next === rows[row + LIMIT]) next = this.#slice(row);
        this.#pool[next++] = value > 127 ? (value & 127) | 128 : value;
        if (value <= 127) break;
        value >>>= 7;
      }
    }
    rows[row + NEXT] = next;
  }

  /** Adds a slice to a row that is full; where its first byte goes. */
  #slice(row: number): number {
    const rows = this.#rows;
    const before = rows[row + LENGTH]! >>> CLASS_SHIFT;
    const size = Math.min(before + 1, LAST_CLASS);
    const bytes = FIRST_SIZE << size;
    const start = this.#take(bytes + LINK);
    const link = rows[row + LIMIT]!;
    const pool = this.#pool;
    pool[link] = start;
    pool[link + 1] = start >>> 8;
    pool[link + 2] = start >>> 16;
    pool[link + 3] = start >>> 24;
    rows[row + LENGTH] = (rows[row + LENGTH]! & LENGTH_MASK) | (size << CLASS_SHIFT);
    rows[row + LIMIT] = start + bytes;
    return start;
  }

  #take(bytes: number): number {
    const start = this.#poolUsed;
    this.#poolUsed += bytes;
    if (this.#poolUsed > this.#pool.length) {
      const grown = new Uint8Array(this.#pool.length * 2);
      grown.set(this.#pool);
      this.#pool = grown;
    }
    return start;
  }

  #rehash(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length / 2 - 1;
    for (let i = 0; i < before.length; i += 2) {
      if (before[i + 1] === 0) continue;
      const mixed = before[i]!;
      let slot = (mixed ^ (mixed >>> 15)) & mask;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = mixed;
      slots[2 * slot + 1] = before[i + 1]!;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
