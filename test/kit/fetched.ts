import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CrawlEvent } from '../../src/events.ts';
import { fetchSegment } from '../../src/jobs/fetch.ts';
import type { Options, Settled } from '../../src/options.ts';
import { decodeOutcome, encodeState } from '../../src/page/codec.ts';
import { decodeHint, type Hint } from '../../src/page/hint.ts';
import type { Outcome } from '../../src/page/outcome.ts';
import {
  decodePageData,
  decodePageLinks,
  decodePageText,
  type PageData,
  type PageLinks,
  type PageText,
  type SegmentPart,
  segmentPart,
} from '../../src/page/segment.ts';
import { newState, type PageState } from '../../src/page/state.ts';
import type { Counters, JobContext } from '../../src/run/context.ts';
import { createPool, type Pool } from '../../src/run/pool.ts';
import { settle } from '../../src/settle.ts';
import { RecordWriter, readRecords } from '../../src/store/records.ts';
import { openTables, type Tables } from '../../src/store/tables.ts';
import { keyOf, urlOf } from '../../src/url/key.ts';

/** A segment with a fetchlist of one's own, fetched: what the `fetch` job leaves, read back. */
export interface Fetched {
  readonly dir: string;
  readonly segment: string;
  readonly counters: Counters;
  readonly events: readonly CrawlEvent[];
  /** URL -> outcome; a URL with two is an error of the job. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly data: ReadonlyMap<string, PageData>;
  readonly text: ReadonlyMap<string, PageText>;
  readonly links: ReadonlyMap<string, PageLinks>;
  readonly hints: ReadonlyMap<string, Hint>;
  /** URLs with more than one record in a part. */
  readonly doubles: readonly string[];
}

export interface FetchSetup {
  readonly urls: readonly string[];
  /** What crawldb knew of a page. */
  readonly states?: Readonly<Record<string, Partial<PageState>>>;
  readonly seeds?: readonly string[];
  readonly options?: Options;
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CrawlEvent) => void;
  /** A crawl folder to go on in; a new one otherwise. */
  readonly dir?: string;
  readonly segment?: string;
  /** Heap limit of a thread, MB. */
  readonly heapMb?: number;
}

const pools = new Map<string, Pool>();
const poolOf = (threads: number, heapMb = 0): Pool => {
  const name = `${threads} ${heapMb}`;
  let pool = pools.get(name);
  if (!pool) pools.set(name, (pool = createPool(threads, heapMb > 0 ? { maxHeapMb: heapMb } : {})));
  return pool;
};
/** For `Suite.after`. */
export async function closePools(): Promise<void> {
  for (const pool of pools.values()) await pool.close();
  pools.clear();
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
}
const folders: string[] = [];

/** A new folder, removed by `closePools`. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-fetch-'));
  folders.push(dir);
  return dir;
}

/** Options without delay. The deadlines are long, for a busy machine is no slow server; a test of deadlines names its own. */
export function quick(options: Options = {}): Settled {
  return settle({ ...options, net: { delay: 0, timeout: 120_000, firstByteTimeout: 60_000, ...options.net } });
}

/** Writes `crawl_generate`. */
export function writeFetchlist(dir: string, segment: string, setup: Pick<FetchSetup, 'urls' | 'states'>): void {
  const path = segmentPart(dir, segment, 'crawl_generate', 0);
  mkdirSync(dirname(path), { recursive: true });
  const writer = new RecordWriter(path);
  for (const url of setup.urls)
    writer.append(keyOf(url), encodeState(newState(Date.now(), 3600, { score: 1, ...setup.states?.[url] })));
  writer.close();
}

export async function fetchUrls(setup: FetchSetup): Promise<Fetched> {
  const dir = setup.dir ?? scratch();
  const segment = setup.segment ?? '20261130120000';
  if (!existsSync(segmentPart(dir, segment, 'crawl_generate', 0))) writeFetchlist(dir, segment, setup);
  const tables: Tables = await openTables(dir);
  const events: CrawlEvent[] = [];
  const context: JobContext = {
    dir,
    options: quick(setup.options),
    seeds: setup.seeds ?? setup.urls,
    pool: poolOf(setup.threads ?? 1, setup.heapMb),
    tables,
    signal: setup.signal ?? new AbortController().signal,
    onEvent: (event) => {
      events.push(event);
      setup.onEvent?.(event);
    },
    now: Date.now(),
  };
  let counters: Counters = {};
  try {
    counters = await fetchSegment(context, segment);
  } catch (error) {
    if ((error as { code?: string }).code !== 'interrupted') throw error;
  } finally {
    await tables.close();
  }
  return { dir, segment, counters, events, ...readFetched(dir, segment) };
}

/** The parts of a segment as they lie on the disk. */
export function readFetched(
  dir: string,
  segment: string,
): Pick<Fetched, 'outcomes' | 'data' | 'text' | 'links' | 'hints' | 'doubles'> {
  const doubles: string[] = [];
  const part = <T>(name: SegmentPart, decode: (bytes: Uint8Array) => T): Map<string, T> => {
    const all = new Map<string, T>();
    const folder = dirname(segmentPart(dir, segment, name, 0));
    for (const file of existsSync(folder) ? readdirSync(folder).sort() : [])
      for (const { key, value } of readRecords(join(folder, file))) {
        const url = urlOf(key);
        if (all.has(url)) doubles.push(`${name} ${url}`);
        all.set(url, decode(value));
      }
    return all;
  };
  return {
    outcomes: part('crawl_fetch', decodeOutcome),
    data: part('parse_data', decodePageData),
    text: part('parse_text', decodePageText),
    links: part('crawl_parse', decodePageLinks),
    hints: part('crawl_sitemap', decodeHint),
    doubles,
  };
}

/** One line an outcome: kind, reason and status, for a test to compare. */
export const tell = (fetched: Pick<Fetched, 'outcomes'>, url: string): string => {
  const outcome = fetched.outcomes.get(url);
  return outcome ? `${outcome.kind} ${outcome.reason} ${outcome.httpStatus}` : 'no record';
};
