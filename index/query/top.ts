/**
 * The best documents of a query, as they come in. Scores are rounded to 32 bits, so that the order in which parts were added
 * up decides nothing; equal scores go by document order.
 */
import { isSet } from '../format/bits.ts';
import { Allowance } from './allowance.ts';
import type { Bits } from './bits.ts';

/** What goes with a document's score; by segment. */
export interface Prior {
  /** What the text's score is multiplied with, 1 to `most`. */
  factor(doc: number): number;
  readonly most: number;
}

/** Room of the last search, for the next one: making two typed arrays costs as much as a rare word's postings. */
const NONE: Float64Array = new Float64Array(0);
let spareDocs: Float64Array = NONE;
let spareScores: Float64Array = NONE;

/** A min-heap of the k best: the worst of them on top, of equal ones the later document. */
export class TopDocs {
  readonly k: number;
  /** Documents counted so far; exact while nothing was skipped. */
  total = 0;
  /** False once documents may have been passed over uncounted. */
  isExact = true;
  /** A text score that is not above this need not be brought; -1: bring all. */
  floor = -1;
  readonly #countTo: number;
  /** The worst of the k best, -1 while there are fewer. */
  #least = -1;
  #size = 0;
  readonly #docs: Float64Array;
  readonly #scores: Float64Array;
  #base = 0;
  #accept: Bits | null = null;
  #prior: Prior | null = null;
  #seen: ReadonlySet<number> | null = null;
  readonly #after: { readonly score: number; readonly doc: number } | null;
  #most = 1;
  /** Postings that may still be read, about; when it is spent the kernels stop. */
  readonly allowance: Allowance;

  /** @param countTo documents counted before any is skipped */
  constructor(
    k: number,
    countTo: number,
    after: { readonly score: number; readonly doc: number } | null = null,
    allowance = new Allowance(Number.POSITIVE_INFINITY),
  ) {
    this.k = k;
    this.allowance = allowance;
    this.#countTo = countTo;
    this.#after = after;
    if (spareDocs.length > k) {
      this.#docs = spareDocs;
      this.#scores = spareScores;
      spareDocs = spareScores = NONE;
    } else {
      this.#docs = new Float64Array(k + 1);
      this.#scores = new Float64Array(k + 1);
    }
  }

  /** Goes on to the next segment. `seen`: documents of it that were brought already. */
  segment(base: number, accept: Bits | null, prior: Prior | null, seen: ReadonlySet<number> | null): void {
    this.#base = base;
    this.#accept = accept;
    this.#prior = prior;
    this.#seen = seen;
    this.#most = Math.max(this.#most, prior?.most ?? 1);
    this.#settle();
  }

  #settle(): void {
    if (this.#least >= 0 && this.total >= this.#countTo) {
      this.floor = this.#least / this.#most;
      this.isExact = false;
    }
  }

  /** Takes a document of the present segment, by its text score. */
  push(doc: number, textScore: number): void {
    if (this.#accept !== null && !isSet(this.#accept, doc)) return;
    if (this.#seen?.has(doc)) return;
    this.total++;
    this.#add(doc, this.#prior === null ? textScore : textScore * this.#prior.factor(doc));
  }

  /** Takes a document that comes before all others by a rule: `bonus` is added to its score. */
  pushFirst(doc: number, textScore: number, bonus: number): void {
    if (this.#accept !== null && !isSet(this.#accept, doc)) return;
    this.total++;
    this.#add(doc, (this.#prior === null ? textScore : textScore * this.#prior.factor(doc)) + bonus);
  }

  #add(doc: number, exact: number): void {
    const score = Math.fround(exact);
    if (this.k === 0) {
      if (this.total >= this.#countTo) {
        this.floor = Number.POSITIVE_INFINITY;
        this.isExact = false;
      }
      return;
    }
    const global = this.#base + doc;
    const after = this.#after;
    if (after !== null && (score > after.score || (score === after.score && global <= after.doc))) {
      if (this.total === this.#countTo) this.#settle();
      return;
    }
    const scores = this.#scores;
    const docs = this.#docs;
    if (this.#size < this.k) {
      let i = this.#size++;
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (!this.#isWorse(score, global, parent)) break;
        scores[i] = scores[parent]!;
        docs[i] = docs[parent]!;
        i = parent;
      }
      scores[i] = score;
      docs[i] = global;
      if (this.#size === this.k) this.#least = scores[0]!;
    } else if (score > scores[0]! || (score === scores[0]! && global < docs[0]!)) {
      this.#sink(score, global, this.k);
      this.#least = scores[0]!;
    }
    this.#settle();
  }

  #isWorse(score: number, doc: number, than: number): boolean {
    const other = this.#scores[than]!;
    return score < other || (score === other && doc > this.#docs[than]!);
  }

  /** Best first. To be called once, at the end. */
  results(): { doc: number; score: number }[] {
    const docs = this.#docs;
    const scores = this.#scores;
    const out = new Array<{ doc: number; score: number }>(this.#size);
    while (this.#size > 0) {
      const last = --this.#size;
      out[last] = { doc: docs[0]!, score: scores[0]! };
      this.#sink(scores[last]!, docs[last]!, last);
    }
    spareDocs = docs;
    spareScores = scores;
    return out;
  }

  /** Lets a document sink from the top of a heap of `size`. */
  #sink(score: number, doc: number, size: number): void {
    const scores = this.#scores;
    const docs = this.#docs;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isWorse(scores[child + 1]!, docs[child + 1]!, child)) child++;
      if (!(scores[child]! < score || (scores[child]! === score && docs[child]! > doc))) break;
      scores[i] = scores[child]!;
      docs[i] = docs[child]!;
      i = child;
    }
    scores[i] = score;
    docs[i] = doc;
  }
}
