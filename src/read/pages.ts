import { decodeState } from '../page/codec.ts';
import type { Condition } from '../page/condition.ts';
import { urlOf } from '../page/key.ts';
import type { Reason } from '../page/reason.ts';
import type { PageState } from '../page/state.ts';
import type { Status } from '../page/status.ts';
import type { Table } from '../store/tables.ts';
import { Quantiles, type Spread, spreadOf } from './quantiles.ts';

/** A page of crawldb for people: times in ISO 8601, `null` for never. */
export interface PageRecord {
  readonly url: string;
  readonly status: Status;
  readonly reason: Reason;
  readonly due: string;
  readonly fetched: string | null;
  readonly modified: string | null;
  readonly interval: number;
  readonly retries: number;
  readonly score: number;
  readonly depth: number;
  readonly httpStatus: number;
  readonly signature: string | null;
  readonly target: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly lease: { readonly segment: string; readonly expires: string } | null;
  readonly meta: Readonly<Record<string, string>>;
}

const time = (ms: number): string | null => (ms > 0 ? new Date(Math.min(ms, 8.64e15)).toISOString() : null);

export const pageRecord = (url: string, state: PageState): PageRecord => ({
  url,
  status: state.status,
  reason: state.reason,
  due: time(state.due) ?? new Date(0).toISOString(),
  fetched: time(state.fetched),
  modified: time(state.modified),
  interval: state.interval,
  retries: state.retries,
  score: state.score,
  depth: state.depth,
  httpStatus: state.httpStatus,
  signature: state.signature ? Buffer.from(state.signature).toString('hex') : null,
  target: state.target,
  etag: state.etag,
  lastModified: state.lastModified,
  lease: state.lease ? { segment: state.lease.segment, expires: time(state.lease.expires)! } : null,
  meta: Object.fromEntries(state.meta),
});

/** Every page of crawldb in key order, a site together; those of one status, or that fit a condition, when asked. Memory: a chunk of the table. */
export async function* pages(
  crawldb: Table,
  status?: Status,
  where?: Condition,
): AsyncGenerator<PageRecord, void, undefined> {
  for await (const entries of crawldb.chunks())
    for (const [key, value] of entries) {
      const state = decodeState(value);
      if (status !== undefined && state.status !== status) continue;
      const url = urlOf(key.toString());
      if (!where || where(url, state)) yield pageRecord(url, state);
    }
}

/** The `n` best scored pages, best first; equal ones by address. Memory: n records. */
export async function topPages(crawldb: Table, n: number): Promise<PageRecord[]> {
  let best: PageRecord[] = [];
  const order = (a: PageRecord, b: PageRecord): number => b.score - a.score || (a.url < b.url ? -1 : 1);
  for await (const page of pages(crawldb)) {
    best.push(page);
    if (best.length >= 2 * n + 64) best = best.sort(order).slice(0, n);
  }
  return best.sort(order).slice(0, n);
}

export interface CrawldbStats {
  readonly urls: number;
  readonly hosts: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Reason of the last outcome -> pages, most first. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly depths: Readonly<Record<string, number>>;
  readonly due: number;
  readonly leased: number;
  /** When the next page that is not due yet will be; null when there is none. */
  readonly nextDue: string | null;
  readonly score: Spread | null;
  /** s. */
  readonly interval: Spread | null;
  /** Failed tries in a row -> pages. */
  readonly retries: Readonly<Record<string, number>>;
}

export async function crawldbStats(crawldb: Table, now: number): Promise<CrawldbStats> {
  const statuses = new Map<string, number>();
  const reasons = new Map<string, number>();
  const depths = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const retries = new Map<string, number>();
  const score = new Quantiles();
  const interval = new Quantiles();
  let [urls, hosts, due, leased] = [0, 0, 0, 0];
  let next = Number.POSITIVE_INFINITY;
  let site = '';
  for await (const entries of crawldb.chunks())
    for (const [key, value] of entries) {
      const state = decodeState(value);
      urls++;
      // Keys keep a host together, so a change is a new one.
      const here = key.toString('latin1', 0, key.indexOf(32, key.indexOf(32) + 1));
      if (here !== site) hosts++;
      site = here;
      add(statuses, state.status);
      add(reasons, state.reason);
      add(depths, String(state.depth));
      if (state.lease && state.lease.expires > now) leased++;
      else if (state.due <= now) due++;
      else next = Math.min(next, state.due);
      add(retries, String(state.retries));
      score.add(state.score);
      interval.add(state.interval);
    }
  const ranked = (counts: Map<string, number>): Record<string, number> =>
    Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
  const byNumber = (counts: Map<string, number>): Record<string, number> =>
    Object.fromEntries([...counts].sort((a, b) => Number(a[0]) - Number(b[0])));
  return {
    urls,
    hosts,
    statuses: ranked(statuses),
    reasons: ranked(reasons),
    depths: byNumber(depths),
    due,
    leased,
    nextDue: time(next === Number.POSITIVE_INFINITY ? 0 : next),
    score: spreadOf(score),
    interval: spreadOf(interval),
    retries: byNumber(retries),
  };
}
