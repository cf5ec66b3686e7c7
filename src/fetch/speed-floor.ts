/**
 * Whether a fetch has become so slow that the rest of its list is better left to the next round: a handful of slow hosts
 * must not hold up what ten thousand others have to say. Takes the time as an argument.
 */
export class SpeedFloor {
  readonly #pagesPerSecond: number;
  readonly #windowMs: number;
  /** Oldest first; the first is at least a window old as soon as there is one that old. */
  #samples: { readonly at: number; readonly pages: number }[] = [];

  /** @param pagesPerSecond 0: however slow */
  constructor(pagesPerSecond: number, windowMs: number) {
    this.#pagesPerSecond = pagesPerSecond;
    this.#windowMs = windowMs;
  }

  /**
   * Called a few times a second with the pages done so far. True: over the whole of the last window the fetch was below
   * the floor.
   */
  tooSlow(now: number, pages: number): boolean {
    if (this.#pagesPerSecond === 0) return false;
    const samples = this.#samples;
    // A thread that died takes its count with it: begin anew.
    if (samples.length > 0 && pages < samples[samples.length - 1]!.pages) samples.length = 0;
    samples.push({ at: now, pages });
    while (samples.length > 1 && now - samples[1]!.at >= this.#windowMs) samples.shift();
    const first = samples[0]!;
    const ms = now - first.at;
    return ms >= this.#windowMs && ((pages - first.pages) * 1000) / ms < this.#pagesPerSecond;
  }

  /** Time in which nothing was to be fetched does not count. */
  forget(): void {
    this.#samples.length = 0;
  }
}
