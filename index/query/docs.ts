/** The documents of one segment that something in a query matches, in increasing order, with a score. */
import { END } from '../format/postings.ts';

export { END };

/** Documents in one window of bulk scoring. */
export const WINDOW = 4096;

/**
 * Scores of a stretch of documents, added up by `Docs.fill`. `scores[d - base]` belongs to document d; 0: not touched yet, so
 * every score added is above 0. `found[0..count)` are the places touched, in any order.
 */
export class Window {
  base = 0;
  count = 0;
  readonly scores = new Float64Array(WINDOW);
  readonly found = new Int32Array(WINDOW);
}

/**
 * `doc` is -1 before the first `next` or `seek` and END after the last document. `seek(target)` lands on the first document
 * >= target, and stays where it is if it is there already. Deleted documents are given too: whoever collects drops them.
 */
export abstract class Docs {
  doc = -1;
  #max = -1;
  /** How many documents there may be: for choosing who leads. */
  cost = 0;
  /** A document that does not score above this may be left out; whoever sets it only ever raises it. */
  floor = -1;

  /** Not below the score of any document. Worked out when first asked for: most unions never ask. */
  get max(): number {
    if (this.#max < 0) this.#max = this.highest();
    return this.#max;
  }
  set max(score: number) {
    this.#max = score;
  }
  protected highest(): number {
    return 0;
  }

  abstract next(): number;
  abstract seek(target: number): number;
  /** The score of `doc`. */
  abstract score(): number;

  /** Not below the score of any document in [from, to). Asked with rising `from`, none below `doc`. */
  maxIn(_from: number, _to: number): number {
    return this.max;
  }

  /** Up to which document, from `doc` on, maxIn is worth asking for again: the end of the block that `doc` is in. */
  blockEnd(): number {
    return END - 1;
  }

  /** Adds the scores of all documents in [max(doc, base), to) and stands behind them. */
  fill(window: Window, to: number): void {
    const { scores, found, base } = window;
    let doc = this.doc < base ? this.seek(base) : this.doc;
    let count = window.count;
    for (; doc < to; doc = this.next()) {
      const at = doc - base;
      if (scores[at] === 0) found[count++] = at;
      scores[at]! += this.score();
    }
    window.count = count;
  }
}

/** Nothing. */
export class NoDocs extends Docs {
  next(): number {
    return (this.doc = END);
  }
  seek(): number {
    return (this.doc = END);
  }
  score(): number {
    return 0;
  }
}
