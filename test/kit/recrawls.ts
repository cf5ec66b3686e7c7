import { cpSync } from 'node:fs';
import { Crawl } from '../../src/crawl.ts';
import type { Options } from '../../src/options.ts';
import { idsOf, placesOf, quick } from './crawls.ts';
import type { Routes, Web } from './web.ts';

const DAY = 86_400_000;

/** A crawl of one web that is run again and again, in a folder of its own; each time forty days later. */
export interface Recrawls {
  readonly web: Web;
  readonly dir: string;
  /** Days from the first run to the last. */
  days: number;
  /** Runs the crawl; `after`: so many days later. */
  again(after?: number): Promise<void>;
  /** Anything else, at the time of the last run. */
  crawl<T>(act: (crawl: Crawl) => Promise<T>): Promise<T>;
  /** Paths that a search finds. */
  found(): Promise<string[]>;
  /** Those that are found in a copy of the folder whose index is built anew. */
  rebuilt(): Promise<string[]>;
}

export function recrawlsOf(suite: { after(hook: () => Promise<void>): void }) {
  const { folder, webOf } = placesOf(suite);
  return async (routes: Routes, options: Options = {}): Promise<Recrawls> => {
    const web = await webOf(routes);
    const dir = folder();
    const start = Date.now();
    const all: Options = { ...quick, index: { maxLoss: 1 }, ...options };
    const crawlAt = async <T>(place: string, act: (crawl: Crawl) => Promise<T>): Promise<T> => {
      await using crawl = await Crawl.open(place, all, { clock: () => start + it.days * DAY });
      return await act(crawl);
    };
    const pathsOf = async (crawl: Crawl): Promise<string[]> =>
      (await idsOf(crawl)).map((id) => id.slice(web.origin.length)).sort();
    let runs = 0;
    const it: Recrawls = {
      web,
      dir,
      days: 0,
      async again(after = 40) {
        if (runs++ > 0) it.days += after;
        await it.crawl((crawl) => crawl.run([`${web.origin}/`]));
      },
      crawl: (act) => crawlAt(dir, act),
      found: () => it.crawl(pathsOf),
      async rebuilt() {
        const copy = folder();
        cpSync(dir, copy, { recursive: true });
        return crawlAt(copy, async (crawl) => {
          await crawl.index({ all: true });
          return await pathsOf(crawl);
        });
      },
    };
    return it;
  };
}
