import type { Counters } from './run/context.ts';

/** What the end of a run says of crawldb. */
export interface Known {
  readonly urls: number;
  /** Held by a fetchlist. */
  readonly leased: number;
  /** When the next page will be due, ISO 8601; null: none. */
  readonly nextDue: string | null;
}

/**
 * What a run knows of crawldb without a pass over it of its own: generate has read all of it, and updatedb says what it
 * added since. A run that only ends an earlier one has made no list, and knows nothing.
 */
export class KnownPages {
  #known: Known | null = null;
  /** Fetchlists asked for so far. */
  lists = 0;

  get known(): Known | null {
    return this.#known;
  }

  /** What generate counted. */
  generated({ scanned = 0, nextDue = 0, 'rejected.leased': leased = 0 }: Counters): void {
    this.lists++;
    const due = nextDue > 0 ? new Date(Math.min(nextDue, LAST_DATE)).toISOString() : null;
    this.#known = { urls: scanned, leased, nextDue: due };
  }

  /** What updatedb counted. */
  updated({ added = 0 }: Counters): void {
    if (this.#known) this.#known = { ...this.#known, urls: this.#known.urls + added };
  }

  /** Something else may have changed it. */
  forget(): void {
    this.#known = null;
  }
}

/** The last moment that a Date can name. */
const LAST_DATE = 8.64e15;
