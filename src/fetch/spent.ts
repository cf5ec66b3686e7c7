/**
 * Where the time of fetching goes: ms of a thread at work on one thing without a break, so about its CPU where no other work
 * waits for the cores. What is in neither is the network, robots.txt, queues, and what V8 does beside.
 */
export interface Spent {
  /** Reading pages and sitemaps: text, links, digests; by whichever thread. */
  readonly readingMs: number;
  /** Packing and writing what is kept of them. */
  readonly storingMs: number;
}

export class SpentClock implements Spent {
  readingMs = 0;
  storingMs = 0;

  reading<T>(act: () => T): T {
    return this.#timed('readingMs', act);
  }
  storing<T>(act: () => T): T {
    return this.#timed('storingMs', act);
  }
  #timed<T>(sum: keyof Spent, act: () => T): T {
    const from = performance.now();
    try {
      return act();
    } finally {
      this[sum] += performance.now() - from;
    }
  }
}
