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
 * them, given back by `close`; what changes the folder runs one after the other, whoever asks.
 */
export class CrawlHold {
  private readonly dir: string;
  private readonly threads: Settled['work']['threads'];
  private readonly prepare: () => void;
  private readonly now: () => number;
  private held: Promise<{ readonly hold: Hold; readonly tables: Tables; pool: Pool }> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

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
    if (this.held) return this.held;
    const held = this.open(doing);
    this.held = held;
    held.catch(() => {
      this.held = undefined;
    });
    return held;
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
  }
  /** Gives everything back; after `end`. Safe to call twice. */
  async release(): Promise<void> {
    // What could not be taken has nothing to give back, and its caller was told.
    const held = await this.held?.catch(() => undefined);
    this.held = undefined;
    await held?.pool.close();
    await held?.tables.close();
    await held?.hold.release();
  }
}
