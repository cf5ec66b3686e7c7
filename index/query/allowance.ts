/**
 * What a search may still spend: postings, and time.
 *
 * Whoever reads postings or brings documents spends as it goes, a block or a document at a time; the clock is looked at
 * only every STEP postings, so that a limit in time costs the loops nothing. What is spent stays spent: once `spend` has
 * said no, it says so for ever, and what was found until then is the answer.
 */

/** Postings between two looks at the clock: less than a millisecond of the dearest loop. */
const STEP = 8192;

/** The end of one search, shared by all that works for it. */
export class Deadline {
  /** True once somebody looked and it was past. */
  isPast = false;
  readonly #now: () => number;
  readonly #end: number;

  /** @param now the clock, ms */
  constructor(now: () => number, limitMs: number) {
    this.#now = now;
    this.#end = now() + limitMs;
  }
  look(): boolean {
    this.isPast ||= this.#now() >= this.#end;
    return this.isPast;
  }
}

export class Allowance {
  /** To be spent before the clock is looked at next; below 0: nothing is left. */
  #left: number;
  /** Further postings, beyond those. */
  #beyond: number;
  readonly #deadline: Deadline | null;

  constructor(postings: number, deadline: Deadline | null = null) {
    this.#deadline = deadline;
    this.#left = deadline === null ? postings : Math.min(postings, STEP);
    this.#beyond = deadline === null ? 0 : postings - this.#left;
  }

  /** False: leave off, and say so. */
  spend(postings: number): boolean {
    return (this.#left -= postings) >= 0 || this.#renew();
  }

  get left(): number {
    return this.#left + this.#beyond;
  }
  get isSpent(): boolean {
    return this.#left < 0;
  }

  #renew(): boolean {
    // What was spent beyond the step is a debt, which the next ones pay.
    if (this.#beyond > 0 && !this.#deadline!.look()) {
      const more = Math.min(this.#beyond, Math.ceil(-this.#left / STEP) * STEP);
      this.#beyond -= more;
      this.#left += more;
      if (this.#left >= 0) return true;
    }
    this.#beyond = 0;
    return false;
  }
}
