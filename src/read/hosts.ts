import { decodeState } from '../page/codec.ts';
import { keyOf, urlOf } from '../page/key.ts';
import type { Status } from '../page/status.ts';
import type { Table } from '../store/tables.ts';
import { hostOf } from '../url/host.ts';

/** What crawldb says of one host. */
export interface HostRecord {
  readonly host: string;
  readonly urls: number;
  readonly statuses: Readonly<Partial<Record<Status, number>>>;
  /** Pages that may be fetched now. */
  readonly due: number;
  readonly bestScore: number;
  /** Last fetch of any of its pages, ISO 8601; null: none. */
  readonly lastFetched: string | null;
}

/** Hosts in key order, or one of them: keys keep the pages of a host together, so one is in memory at a time. */
export async function* hostRecords(
  crawldb: Table,
  now: number,
  only?: string,
): AsyncGenerator<HostRecord, void, undefined> {
  let host = '';
  let statuses: Partial<Record<Status, number>> = {};
  let [urls, due, bestScore, last] = [0, 0, Number.NEGATIVE_INFINITY, 0];
  const record = (): HostRecord => ({
    host,
    urls,
    statuses,
    due,
    bestScore,
    lastFetched: last > 0 ? new Date(last).toISOString() : null,
  });
  const site = only === undefined ? undefined : keyOf(`http://${only}/`).split(' ')[0]!;
  const range = site === undefined ? {} : { gte: `${site} `, lt: `${site}!` };
  for await (const entries of crawldb.chunks(range))
    for (const [key, value] of entries) {
      const here = hostOf(urlOf(key.toString()));
      if (here !== host) {
        if (urls > 0) yield record();
        host = here;
        statuses = {};
        [urls, due, bestScore, last] = [0, 0, Number.NEGATIVE_INFINITY, 0];
      }
      const state = decodeState(value);
      urls++;
      statuses[state.status] = (statuses[state.status] ?? 0) + 1;
      if (state.due <= now && !(state.lease && state.lease.expires > now)) due++;
      bestScore = Math.max(bestScore, state.score);
      last = Math.max(last, state.fetched);
    }
  if (urls > 0) yield record();
}
