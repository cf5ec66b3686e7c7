/**
 * What a sitemap says of the time of a page: a value of `crawl_sitemap`, read by updatedb. A hint and no promise, since
 * half of all sitemaps are wrong about it: it is held within what is plausible here, and within the schedule's bounds in
 * `transition`.
 *
 *     hint := version:u8=1  modified:f64  interval:u32
 *
 * Versions: 1 (first).
 */
import { ByteWriter } from '../../index/io/bytes.ts';
import { guarded } from './codec.ts';

export interface Hint {
  /** When the page last changed, ms since the epoch; 0: not said, or not plausible. */
  readonly modified: number;
  /** Time between two changes, s; 0: not said. */
  readonly interval: number;
}

const DAY = 86_400;
/** Of the sitemap protocol. More often than daily is not granted on a site's word. */
const INTERVALS: Readonly<Record<string, number>> = {
  always: DAY,
  hourly: DAY,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  yearly: 365 * DAY,
  never: 3650 * DAY,
};
/** The web is no older: 1990-01-01. */
const FIRST_MS = 631_152_000_000;

/**
 * Null: nothing of use is said. `lastmod` in ISO 8601; a day, a month or a year without a time counts to its end, since
 * the page may have changed after it was last fetched on that day; none counts beyond `now` (ms), and one that begins
 * later is a mistake.
 */
export function hintOf(said: { readonly lastmod?: string; readonly changefreq?: string }, now: number): Hint | null {
  const interval = INTERVALS[said.changefreq ?? ''] ?? 0;
  const from = said.lastmod === undefined ? Number.NaN : Date.parse(said.lastmod);
  let modified = 0;
  if (from >= FIRST_MS && from <= now) {
    const { length } = said.lastmod!;
    const days = length === 4 ? 366 : length === 7 ? 31 : length === 10 ? 1 : 0;
    modified = days === 0 ? from : Math.min(now, from + days * DAY * 1000 - 1);
  }
  return modified === 0 && interval === 0 ? null : { modified, interval };
}

const out = new ByteWriter(16);

export function encodeHint(hint: Hint): Uint8Array {
  out.reset();
  out.u8(1);
  out.f64(hint.modified);
  out.u32(hint.interval);
  return out.finish();
}

/** @throws CrawlError 'damaged' | 'too-new' */
export const decodeHint = (bytes: Uint8Array): Hint =>
  guarded('what a sitemap says of a page', bytes, (from) => ({ modified: from.f64(), interval: from.u32() }));

/** Of what two sitemaps say, the later change and the shorter interval. */
export const joinHints = (a: Hint, b: Hint): Hint => ({
  modified: Math.max(a.modified, b.modified),
  interval: a.interval === 0 || (b.interval > 0 && b.interval < a.interval) ? b.interval : a.interval,
});
