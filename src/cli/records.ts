import type { HostStats } from '../jobs/hosts.ts';
import type { BrokenLink } from '../read/broken.ts';
import type { HostRecord } from '../read/hosts.ts';
import type { CrawldbStats, PageRecord } from '../read/pages.ts';
import type { Spread } from '../read/quantiles.ts';
import { plain, type SegmentStats } from '../read/segment.ts';
import { count, duration, moment, size } from './figures.ts';
import { safe } from './print.ts';
import { wrapped } from './wrap.ts';

/**
 * Records as people read them: tables, and lines of `name: value`. Machines get the same records by `--json` or `--csv`.
 */
export interface Column<T> {
  readonly head: string;
  readonly of: (record: T) => string;
  /** Figures stand to the right. */
  readonly right?: boolean;
}

/** As `moment`; the head of the column says that it is UTC. */
const at = (time: string | null, none: string): string => (time === null ? none : moment(time).replace(' UTC', ''));
const score = (value: number): string => String(Number(value.toPrecision(3)));
const named = (counts: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${count(n ?? 0)} ${name}`)
    .join(', ');

export const hostColumns: readonly Column<HostRecord>[] = [
  { head: 'host', of: ({ host }) => host || '(files)' },
  { head: 'pages', of: ({ urls }) => count(urls), right: true },
  { head: 'due', of: ({ due }) => count(due), right: true },
  { head: 'best', of: ({ bestScore }) => score(bestScore), right: true },
  { head: 'last fetch (UTC)', of: ({ lastFetched }) => at(lastFetched, 'never') },
  { head: 'by status', of: ({ statuses }) => named(statuses) },
];
export const hostStatsColumns: readonly Column<HostStats>[] = [
  { head: 'host', of: ({ host }) => host || '(files)' },
  { head: 'requests', of: ({ pages }) => count(pages), right: true },
  { head: 'bytes', of: ({ bytes }) => size(bytes), right: true },
  { head: 'mean ms', of: ({ meanMs }) => String(Math.round(meanMs)), right: true },
  { head: 'p50/p90/p99', of: ({ quantilesMs }) => quantilesMs.map(Math.round).join('/'), right: true },
  { head: 'no answer', of: ({ failures }) => count(failures), right: true },
  { head: 'outcomes', of: ({ reasons }) => named(reasons) },
];
export const linkColumns: readonly Column<{ readonly from: string; readonly anchor: string }>[] = [
  { head: 'words of the link', of: ({ anchor }) => anchor || '(none)' },
  { head: 'on the page', of: ({ from }) => from },
];
export const brokenColumns: readonly Column<BrokenLink>[] = [
  { head: 'the link leads to', of: ({ to, target }) => (target ? `${to} -> ${target}` : to) },
  { head: 'why it fails', of: ({ reason }) => reason },
  { head: 'status', of: ({ httpStatus }) => (httpStatus > 0 ? String(httpStatus) : ''), right: true },
  { head: 'on the page', of: ({ from }) => from },
];
export const segmentColumns: readonly Column<SegmentStats>[] = [
  { head: 'segment', of: ({ segment }) => segment },
  { head: 'listed', of: ({ generated }) => count(generated), right: true },
  { head: 'fetched', of: ({ fetched }) => count(fetched), right: true },
  { head: 'read', of: ({ parsed }) => count(parsed), right: true },
  { head: 'bytes', of: ({ bytes }) => size(bytes), right: true },
  { head: 'ended (UTC)', of: ({ ended }) => at(ended, 'not fetched') },
];
export const pageColumns: readonly Column<PageRecord>[] = [
  { head: 'score', of: (page) => score(page.score), right: true },
  { head: 'status', of: ({ status }) => status },
  { head: 'due (UTC)', of: ({ due }) => at(due, '') },
  { head: 'address', of: ({ url }) => url },
];

/** The last column is not set in further than this leaves it room, in columns. */
const LEAST_ROOM = 16;

/**
 * A head line and a line a record. Nothing is cut: the last column may run on, and on a terminal of `width` columns its
 * further lines stand below its first; a list ends its lines at commas, an address where the room ends.
 */
export function table<T>(
  columns: readonly Column<T>[],
  records: readonly T[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const rows = [columns.map(({ head }) => head), ...records.map((one) => columns.map(({ of }) => safe(of(one))))];
  const last = columns.length - 1;
  const wide = columns.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length), 0));
  const indent = wide.slice(0, last).reduce((sum, one) => sum + one + 2, 0);
  const room = width - 1 - indent;
  return rows.flatMap((row) => {
    const line = row
      .map((cell, i) => (columns[i]!.right ? cell.padStart(wide[i]!) : cell.padEnd(wide[i]!)))
      .join('  ')
      .trimEnd();
    if (line.length < width || room < LEAST_ROOM) return [line];
    const [first = '', ...more] = broken(row[last]!, room);
    return [`${line.slice(0, indent)}${first}`, ...more.map((part) => `${' '.repeat(indent)}${part}`)];
  });
}

/** Lines of at most `room` columns: between the members of a list, between words where there is none, else anywhere. */
function broken(cell: string, room: number): string[] {
  const list = cell.split(', ').map((member) => member.replaceAll(' ', '\u00a0'));
  const text = list.length > 1 ? list.join(', ') : cell;
  return wrapped(text, room).flatMap((line) => {
    const parts: string[] = [];
    for (let at = 0; at < line.length; at += room) parts.push(line.slice(at, at + room).replaceAll('\u00a0', ' '));
    return parts;
  });
}

/** What crawldb knows in all, with the pages counted by what they are. */
export function tellStats(stats: CrawldbStats): string[] {
  const spread = (of: Spread | null, tell: (value: number) => string): string =>
    of === null
      ? ''
      : of.min === of.max
        ? tell(of.min)
        : `${tell(of.min)} to ${tell(of.max)}, mean ${tell(of.mean)}, median ${tell(of.quantiles.p50 ?? of.mean)}`;
  const each = (counts: Readonly<Record<string, number>>, what: string): string =>
    Object.entries(counts)
      .map(([name, n]) => `${count(n)} ${what} ${name}`)
      .join(', ');
  const lines: readonly (readonly [string, string])[] = [
    ['pages', `${count(stats.urls)} on ${count(stats.hosts)} host${stats.hosts === 1 ? '' : 's'}`],
    ['status', named(stats.statuses)],
    ['reason', named(stats.reasons)],
    ['links from a seed', each(stats.depths, 'at')],
    ['due now', `${count(stats.due)}${stats.leased > 0 ? `; ${count(stats.leased)} held by a fetchlist` : ''}`],
    ['next due', stats.nextDue === null ? '' : moment(stats.nextDue)],
    ['score', spread(stats.score, score)],
    ['fetched again after', spread(stats.interval, days)],
    ['tries that failed', each(stats.retries, 'after').replace(/^[\d,]+ after 0(?:, |$)/, '')],
  ];
  return lines.filter(([, told]) => told !== '').map(([name, told]) => `${name.padEnd(20)} ${told}`);
}

const days = (seconds: number): string =>
  seconds < 86_400 ? duration(seconds * 1000) : `${Number((seconds / 86_400).toFixed(1))} days`;

/** Values that say nothing: they are left out of a record. */
const empty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !(value instanceof Uint8Array) && Object.keys(value as object).length === 0);

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A member of a record, by its name: times, sizes and shares as people write them. */
function told(name: string, value: unknown): string {
  if (typeof value === 'string') return ISO.test(value) ? moment(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value !== 'number') return JSON.stringify(value, plain);
  if (/^(?:fetched|modified|due|expires|first|last)$/.test(name) && value > 0) return moment(value);
  if (name === 'interval') return days(value);
  if (name === 'bytes') return size(value);
  if (name === 'score') return score(value);
  return name.endsWith('Ms') ? `${value} ms` : String(value);
}

/** A value as `name: value` lines, objects set in; what is empty, and a robots flag that is not set, is left out. */
export function* tell(value: object, indent = ''): Generator<string, void, undefined> {
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  for (const [name, inner] of entries as [string, unknown][]) {
    if (empty(inner) || inner === false) continue;
    if (Array.isArray(inner) && typeof inner[0] === 'object') {
      yield `${indent}${name}:`;
      for (const one of inner) yield safe(`${indent}  ${JSON.stringify(one, plain)}`);
    } else if (typeof inner === 'object' && !(inner instanceof Uint8Array) && !Array.isArray(inner)) {
      const lines = [...tell(inner as object, `${indent}  `)];
      if (lines.length === 0) continue;
      yield `${indent}${name}:`;
      yield* lines;
    } else yield safe(`${indent}${name}: ${told(name, inner)}`);
  }
}
