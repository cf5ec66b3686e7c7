import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlEvent } from '../../src/events.ts';
import { defaults, type Options, type Settled } from '../../src/options.ts';
import { decodeState, encodeState } from '../../src/page/codec.ts';
import { newState, type PageState } from '../../src/page/state.ts';
import type { JobContext } from '../../src/run/context.ts';
import { createPool, type Pool } from '../../src/run/pool.ts';
import { openTables, type Tables } from '../../src/store/tables.ts';
import { keyOf, urlOf } from '../../src/url/key.ts';

/** A crawl folder of its own, with a clock that stands until it is moved, and every event kept. */
export interface TestCrawl {
  readonly dir: string;
  context: JobContext;
  readonly events: CrawlEvent[];
  readonly warnings: () => string[];
  /** Adds pages to crawldb, as they are given. */
  put(pages: Readonly<Record<string, Partial<PageState>>>): Promise<void>;
  /** All of crawldb, by address. */
  pages(): Promise<Map<string, PageState>>;
  page(url: string): Promise<PageState | null>;
  at(now: number): void;
  reopen(): Promise<void>;
  close(): Promise<void>;
}
export const NOW = Date.UTC(2026, 0, 1);

export async function testCrawl(
  options: Options = {},
  given: { pool?: Pool; seeds?: readonly string[] } = {},
): Promise<TestCrawl> {
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-crawl-'));
  const settled = Object.fromEntries(
    Object.entries(defaults).map(([group, keys]) => [group, { ...keys, ...options[group as keyof Options] }]),
  ) as Settled;
  const events: CrawlEvent[] = [];
  const pool = given.pool ?? createPool(1);
  let tables: Tables = await openTables(dir);
  const crawl: TestCrawl = {
    dir,
    events,
    context: {
      dir,
      options: settled,
      seeds: given.seeds ?? [],
      pool,
      tables,
      signal: new AbortController().signal,
      onEvent: (event) => void events.push(event),
      now: NOW,
    },
    warnings: () => events.flatMap((event) => (event.kind === 'warning' ? [event.message] : [])),
    async put(pages) {
      const change = tables.crawldb.change();
      for (const [url, page] of Object.entries(pages))
        change.put(keyOf(url), encodeState(newState(NOW, 2_592_000, page)));
      await change.commit();
    },
    async pages() {
      const all = new Map<string, PageState>();
      for await (const { key, value } of tables.crawldb.records()) all.set(urlOf(key), decodeState(value));
      return all;
    },
    page: (url) => tables.page(keyOf(url)),
    at(now) {
      crawl.context = { ...crawl.context, now };
    },
    async reopen() {
      await tables.close();
      tables = await openTables(dir);
      crawl.context = { ...crawl.context, tables };
    },
    async close() {
      await tables.close();
      if (!given.pool) await pool.close();
      rmSync(dir, { recursive: true });
    },
  };
  return crawl;
}
