/** Sets of documents as bits, 32 a word: filters, ranges, patterns of many terms. */
import { setBit } from '../format/bits.ts';
import type { Allowance } from './allowance.ts';
import { Docs, END } from './docs.ts';

/** As in format/bits.ts. */
export type Bits = Int32Array;

export const emptyBits = (docs: number): Bits => new Int32Array((docs + 31) >>> 5);

/** In both; null stands for all. */
export function bothBits(a: Bits | null, b: Bits | null): Bits | null {
  if (!a) return b;
  if (!b) return a;
  const out = new Int32Array(Math.min(a.length, b.length));
  for (let i = 0; i < out.length; i++) out[i] = a[i]! & b[i]!;
  return out;
}

/** All documents of a segment that `docs` gives, of `parts` lists of postings; fewer where that is more than allowed. */
export function bitsOfDocs(docs: Docs, size: number, allowance: Allowance, parts: number): Bits {
  const bits = emptyBits(size);
  for (let doc = docs.next(); doc !== END; doc = docs.next()) {
    setBit(bits, doc);
    if (!allowance.spend(parts)) break;
  }
  return bits;
}

/** A set as documents that all score the same. */
export class BitDocs extends Docs {
  readonly #bits: Bits;
  readonly #score: number;

  /** @param cost how many there may be */
  constructor(bits: Bits, score: number, cost = bits.length * 32) {
    super();
    this.#bits = bits;
    // As scores are rounded when they come in: else the first k could be beaten by their own equals, and all be brought.
    this.#score = Math.fround(score);
    this.max = this.#score;
    this.cost = cost;
  }
  next(): number {
    return this.seek(this.doc + 1);
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc;
    const bits = this.#bits;
    let word = target >>> 5;
    if (word >= bits.length) return (this.doc = END);
    let left = bits[word]! & (-1 << (target & 31));
    while (left === 0) {
      if (++word >= bits.length) return (this.doc = END);
      left = bits[word]!;
    }
    return (this.doc = word * 32 + (31 - Math.clz32(left & -left)));
  }
  score(): number {
    return this.#score;
  }
}
