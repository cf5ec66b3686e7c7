/**
 * Every request ends: by its last byte, by a deadline, or by a limit of size. One coarse timer watches all requests of a
 * shard; a timer each costs more than the request.
 *
 * Our own starvation never counts as the server's time: when the loop could not run, every deadline moves on by what
 * was lost.
 */
export interface Limits {
  /** Longest body, bytes after decoding; what comes after is cut. */
  readonly maxBody: number;
  /** From the start to the last byte, ms. */
  readonly timeout: number;
  /** From the start to the first byte of the head, ms. */
  readonly firstByteTimeout: number;
  /** Bytes a second below which a body counts as stalled, after a grace of `STALL_GRACE_MS`. */
  readonly minRate: number;
}

export type Overrun = 'first-byte' | 'total' | 'stalled';

export interface Watched {
  /** Loop time at which it started; see `now()`. */
  started: number;
  /** Body bytes so far; -1 until the first byte of the answer. */
  bytes: number;
  limits: Limits;
  /** Called at most once, when a limit is passed. */
  end(why: Overrun): void;
}

/** How often the watch looks, ms. A deadline is kept to this precision. */
const TICK_MS = 200;
/** How long a body may trickle before its rate counts, ms. */
const STALL_GRACE_MS = 10_000;

export class Deadlines {
  readonly #watched = new Set<Watched>();
  readonly #clock: () => number;
  #timer: ReturnType<typeof setInterval> | null = null;
  #lastTick = 0;
  /** ms the loop could not run. */
  #lost = 0;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Milliseconds in which this loop was able to run. */
  now(): number {
    return this.#clock() - this.#lost;
  }

  watch(request: Watched): void {
    request.started = this.now();
    this.#watched.add(request);
    if (this.#timer === null) {
      this.#lastTick = this.#clock();
      this.#timer = setInterval(() => this.tick(), TICK_MS);
      this.#timer.unref();
    }
  }

  unwatch(request: Watched): void {
    this.#watched.delete(request);
    if (this.#watched.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  /** The longest any request has been open, ms; 0 when none is. */
  oldest(): number {
    const now = this.now();
    let oldest = 0;
    for (const request of this.#watched) oldest = Math.max(oldest, now - request.started);
    return oldest;
  }

  /** Ends every request that is over a limit. The timer calls it; tests do, with a clock of theirs. */
  tick(): void {
    const late = this.#clock() - this.#lastTick - TICK_MS;
    if (late > TICK_MS) this.#lost += late;
    this.#lastTick = this.#clock();
    const now = this.now();
    for (const request of this.#watched) {
      const age = now - request.started;
      const { limits, bytes } = request;
      let why: Overrun | null = null;
      if (age > limits.timeout) why = 'total';
      else if (bytes < 0 && age > limits.firstByteTimeout) why = 'first-byte';
      else if (bytes >= 0 && age > STALL_GRACE_MS && (bytes * 1000) / age < limits.minRate) why = 'stalled';
      if (why === null) continue;
      this.unwatch(request);
      request.end(why);
    }
  }
}
