/**
 * The documents that have any of many terms: a prefix, a pattern. They all score the same, so the first ones are the best.
 *
 * They are gathered in a set of bits, from the front: up to some document at first, farther only when somebody asks for what
 * lies there. Ten hits of `coll*` need the first block of each term and not one posting more.
 */
import { setBit } from '../format/bits.ts';
import type { PostingsCursor } from '../format/postings.ts';
import type { TermDictionary } from '../format/terms.ts';
import type { Allowance } from './allowance.ts';
import type { Bits } from './bits.ts';
import { Docs, END } from './docs.ts';

/** The first stretch is so many documents, or a share of all, and each further one so many times longer. */
const FIRST = 1024;
const SHARE = 64;
const GROWTH = 8;

export class TermsDocs extends Docs {
  readonly #docs: number;
  readonly #score: number;
  readonly #cursor: PostingsCursor;
  readonly #allowance: Allowance;
  readonly #bits: Bits;
  /** Below it all documents are in #bits. */
  #known = 0;
  /** Ranges of terms not begun. */
  readonly #ranges: { readonly dictionary: TermDictionary; readonly from: number; readonly to: number }[] = [];
  /** Terms begun, with the block to go on at. */
  #open: { readonly dictionary: TermDictionary; readonly term: number; block: number }[] = [];

  /** @param bits empty, for `docs` documents */
  constructor(docs: number, score: number, cursor: PostingsCursor, bits: Bits, allowance: Allowance) {
    super();
    this.#docs = docs;
    // As scores are rounded when they come in: else the first k could be beaten by their own equals, and all be brought.
    this.#score = Math.fround(score);
    this.max = this.#score;
    this.#cursor = cursor;
    this.#allowance = allowance;
    this.#bits = bits;
  }

  /** Terms [from, to) of a dictionary. Before anything is asked. */
  add(dictionary: TermDictionary, from: number, to: number): void {
    if (from < to) this.#ranges.push({ dictionary, from, to });
    this.cost = this.#docs;
  }

  next(): number {
    return this.seek(this.doc + 1);
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc;
    const bits = this.#bits;
    let from = target;
    while (from < this.#docs) {
      if (from >= this.#known) this.#gather(from);
      let word = from >>> 5;
      const end = (this.#known + 31) >>> 5;
      let left = bits[word]! & (-1 << (from & 31));
      while (left === 0 && ++word < end) left = bits[word]!;
      if (left !== 0) {
        const doc = word * 32 + (31 - Math.clz32(left & -left));
        if (doc < this.#known) return (this.doc = doc);
      }
      from = this.#known;
    }
    return (this.doc = END);
  }
  score(): number {
    return this.#score;
  }

  /** Makes all documents up to `doc` known, and some behind it. */
  #gather(doc: number): void {
    const docs = this.#docs;
    const first = Math.max(FIRST, Math.floor(docs / SHARE));
    const known = Math.min(docs, Math.max(first, doc + 1 + (doc >>> 2), this.#known * GROWTH));
    this.#known = known;
    if (this.#ranges.length > 0) {
      for (const { dictionary, from, to } of this.#ranges)
        for (let term = from; term < to && !this.#allowance.isSpent; term++) {
          const block = this.#read(dictionary, term, 0, known);
          if (block >= 0) this.#open.push({ dictionary, term, block });
        }
      this.#ranges.length = 0;
      return;
    }
    const open = this.#open;
    let kept = 0;
    for (const one of open) {
      if (this.#allowance.isSpent) break;
      one.block = this.#read(one.dictionary, one.term, one.block, known);
      if (one.block >= 0) open[kept++] = one;
    }
    open.length = kept;
  }

  /** Reads the blocks of a term from `block` to the one that reaches `known`; the next, -1 when there is none. */
  #read(dictionary: TermDictionary, term: number, block: number, known: number): number {
    const cursor = dictionary.postings(term, this.#cursor);
    const bits = this.#bits;
    const { docs, blocks } = cursor;
    let b = block;
    while (b < blocks) {
      const size = cursor.load(b++);
      this.#allowance.spend(size);
      for (let i = 0; i < size; i++) setBit(bits, docs[i]!);
      if (docs[size - 1]! >= known) break;
    }
    return b < blocks ? b : -1;
  }
}
