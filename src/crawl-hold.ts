import { CrawlError } from './errors.ts';
import type { Settled } from './options.ts';
import { createPool, type Pool } from './run/pool.ts';
import { type Hold, holdFolder } from './store/hold.ts';
import { openTables, type Tables } from './store/tables.ts';

export interface Held {
  readonly tables: Tables;
  readonly pool: Pool;
}

/**
 * A crawl folder in the hands of this process: its lock, its tables, its threads. Taken with the first call that needs
 * them, given back by `close`; what changes the folder runs one after the other, whoever asks. A visit gives it back at once.
 */
export class CrawlHold {
  private readonly dir: string;
  private readonly threads: Settled['work']['threads'];
  private readonly prepare: () => void;
  private readonly now: () => number;
  private held: Promise<{ readonly hold: Hold; readonly tables: Tables; pool: Pool }> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** Taken to stay: by what is not a visit. */
  private kept = false;
  private readonly visits = new Set<Promise<unknown>>();
  private leaving: Promise<void> = Promise.resolve();

  /**
   * @param prepare makes the folder, where there is none, before it is taken
   * @param now ms since the epoch
   */
  constructor(dir: string, threads: Settled['work']['threads'], prepare: () => void, now: () => number) {
    this.dir = dir;
    this.threads = threads;
    this.prepare = prepare;
    this.now = now;
  }

  /** @throws CrawlError 'usage' after `close` */
  alive(): void {
    if (this.closed) throw new CrawlError('usage', `the crawl in ${this.dir} is closed`, { where: this.dir });
  }

  /**
   * @param doing what for, for others who find the folder locked
   * @throws CrawlError 'locked' | 'damaged' | 'disk-full'; the next call tries again
   */
  take(doing: string): Promise<Held> {
    this.alive();
    this.kept = true;
    return this.get(doing);
  }
  private get(doing: string): Promise<Held> {
    if (this.held) return this.held;
    const held = this.leaving.then(() => this.open(doing));
    this.held = held;
    held.catch(() => {
      if (this.held === held) this.held = undefined;
    });
    return held;
  }

  /**
   * Takes the folder for one question, beside whatever runs. Where nothing has taken it to stay, it is given back after the
   * last visit: a program that asks now and then must not keep crawls of other processes out.
   */
  async visit<T>(act: (held: Held) => Promise<T>, doing: string): Promise<T> {
    this.alive();
    const mine = this.get(doing).then(act);
    this.visits.add(mine);
    try {
      return await mine;
    } finally {
      this.visits.delete(mine);
      if (this.visits.size === 0 && !this.kept) await this.release();
    }
  }

  private async open(doing: string): Promise<{ hold: Hold; tables: Tables; pool: Pool }> {
    this.prepare();
    const hold = await holdFolder(this.dir, doing, this.now());
    try {
      return { hold, tables: await openTables(this.dir), pool: createPool(this.threads) };
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  /** Runs after whatever runs now, alone. */
  async exclusive<T>(act: (held: Held) => Promise<T>, doing: string): Promise<T> {
    const before = this.last;
    const mine = (async () => {
      // Its failure is its caller's.
      await before.catch(() => undefined);
      return act(await this.take(doing));
    })();
    this.last = mine;
    return mine;
  }

  /** Threads that have fetched keep what fetching needed; those that index should not have to stand beside it. */
  freshThreads(): Promise<void> {
    return this.exclusive(async ({ pool }) => {
      await pool.close();
      const held = await this.held;
      if (held) held.pool = createPool(this.threads);
    }, 'crawl');
  }

  /** Refuses new calls, and waits for what runs. */
  async end(): Promise<void> {
    this.closed = true;
    // Its failure is its caller's.
    await this.last.catch(() => undefined);
    await Promise.allSettled(this.visits);
  }
  /** Gives everything back; after `end`. Safe to call twice. */
  async release(): Promise<void> {
    const taken = this.held;
    this.held = undefined;
    this.kept = false;
    const left = (async () => {
      // What could not be taken has nothing to give back, and its caller was told.
      const held = await taken?.catch(() => undefined);
      await held?.pool.close();
      await held?.tables.close();
      await held?.hold.release();
    })();
    const before = this.leaving;
    // Its failure is told below; who takes the folder next waits for its end only.
    this.leaving = Promise.allSettled([before, left]).then(() => undefined);
    await before;
    await left;
  }
}
