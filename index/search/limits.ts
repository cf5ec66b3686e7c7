/** What one search may read and how long it may take, and what is said when it reached either. */
import { Allowance, Deadline } from '../query/allowance.ts';
import type { Problem } from '../query/query.ts';
import type { SearchOptions } from './request.ts';

/** Postings: some seconds of the dearest loop. */
export const BUDGET = 200_000_000;
export const COST_LIMIT: Problem = {
  code: 'cost-limit',
  message: 'The query costs more than allowed; this is what was found until then.',
};

export class Limits {
  readonly #budget: number;
  readonly #timeLimit: number | undefined;
  readonly #deadline: Deadline | null;

  /** @param now the clock, ms; it runs from here */
  constructor({ budget, timeLimit }: SearchOptions, now: () => number) {
    this.#budget = budget ?? BUDGET;
    this.#timeLimit = timeLimit;
    this.#deadline = timeLimit === undefined ? null : new Deadline(now, timeLimit);
  }

  /** For one step of the search: each may read as much, the time is that of all together. */
  allowance(postings = this.#budget): Allowance {
    return new Allowance(postings, this.#deadline);
  }

  /** The time was up before something was done. */
  get isLate(): boolean {
    return this.#deadline?.isPast === true;
  }

  /** @param isOver an allowance was spent */
  problems(isOver: boolean): readonly Problem[] {
    if (!this.isLate) return isOver ? [COST_LIMIT] : [];
    const message = `The search took longer than the ${this.#timeLimit} ms it is allowed; this is what was found until then.`;
    return [{ code: 'time-limit', message }];
  }
}
