/** The words that entries are found by, numbered in the order of `<`: those with one beginning are a range. */
import { decodeUnits, encodeString, UNIT_BYTES } from '../format/units.ts';

/** Words from `from` up to, not with, `to`. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}
export const NONE: WordRange = { from: 0, to: 0 };

const sought = new Uint8Array(256 * UNIT_BYTES);
const unit = new Uint16Array(1);

export class Vocabulary {
  readonly #texts: Uint8Array;
  /** Where the text of each word ends. */
  readonly #ends: Uint32Array;
  readonly all: WordRange;

  constructor(texts: Uint8Array, ends: Uint32Array) {
    this.#texts = texts;
    this.#ends = ends;
    this.all = { from: 0, to: ends.length };
  }

  /** The words of `within` that begin with `begin`, which has at most 256 units. */
  beginning(begin: string, within: WordRange): WordRange {
    const length = encodeString(begin, sought, 0);
    const from = this.#first(length, within.from, within.to, 0);
    if (from === within.to || this.#compare(from, length) !== 0) return NONE;
    return { from, to: this.#first(length, from + 1, within.to, 1) };
  }

  /** The code unit of a word behind `begin`, with which it begins; -1 where it ends there. */
  unitBehind(word: number, begin: string): number {
    const at = this.#start(word) + encodeString(begin, sought, 0);
    const end = this.#ends[word]!;
    if (at >= end) return -1;
    const first = this.#texts[at]!;
    decodeUnits(this.#texts, at, at + (first < 0x80 ? 1 : first < 0xe0 ? 2 : 3), unit);
    return unit[0]!;
  }

  #start(word: number): number {
    return word === 0 ? 0 : this.#ends[word - 1]!;
  }

  /** The first word in [low, high) that compares as `least` or more; `high` for none. */
  #first(length: number, low: number, high: number, least: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, length) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** 0 for a word that begins with what is sought; else on which side of it the word stands. */
  #compare(word: number, length: number): number {
    const texts = this.#texts;
    const start = this.#start(word);
    const end = this.#ends[word]!;
    for (let i = 0; i < length; i++) {
      if (start + i === end) return -1;
      const difference = texts[start + i]! - sought[i]!;
      if (difference !== 0) return difference < 0 ? -1 : 1;
    }
    return 0;
  }
}
