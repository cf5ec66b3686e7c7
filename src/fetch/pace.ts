import type { HostOptions, Settled } from '../options.ts';

/**
 * How long a host is left in peace: what we want, what its robots.txt asks for, what its answers ask for.
 */

/** The delay of a queue: our own or the Crawl-delay, whichever is longer. Null: longer than we are willing to wait. */
export function delayOf(ownMs: number, crawlDelayMs: number | null, maxMs: number): number | null {
  if (crawlDelayMs === null || crawlDelayMs <= ownMs) return ownMs;
  return maxMs >= 0 && crawlDelayMs > maxMs ? null : crawlDelayMs;
}

/** Files of this machine have no host, so their queue is ''; there is no delay, and as many are read at once. */
export const FILE_READS = 4;

/** Never shorter than this after a failure, so that a crawl without a delay does not hammer a host that is down. */
const LEAST_MS = 500;
const MOST_MS = 5 * 60_000;

/** After `failures` in a row: the delay doubled for each, between half a second and five minutes. */
export function backOff(delayMs: number, failures: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, delayMs) * 2 ** Math.min(failures, 20));
}

/**
 * Retry-After in ms from now: seconds or an HTTP date (RFC 9110, 10.2.3); null: absent or unreadable.
 */
export function retryAfter(value: string, now: number): number | null {
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate(text);
  return date === null ? null : Math.max(0, date - now);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * An HTTP date in its three forms (RFC 9110, 5.6.7), ms since the epoch; null: none of them. Not `Date.parse`, which
 * reads a date without zone by the clock of this machine.
 *
 *     Sun, 06 Nov 1994 08:49:37 GMT  |  Sunday, 06-Nov-94 08:49:37 GMT  |  Sun Nov  6 08:49:37 1994
 */
export function httpDate(text: string): number | null {
  const fixed =
    /^(?:[a-z]+,\s*)?(\d{1,2})[ -]([a-z]{3})[ -](\d{2}|\d{4})\s+(\d\d):(\d\d):(\d\d)\s+(?:GMT|UTC|[+-]0000)$/i.exec(
      text,
    );
  const asctime = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d\d):(\d\d):(\d\d)\s+(\d{4})$/i.exec(text);
  const parts = fixed
    ? [fixed[3]!, fixed[2]!, fixed[1]!, fixed[4]!, fixed[5]!, fixed[6]!]
    : asctime
      ? [asctime[6]!, asctime[1]!, asctime[2]!, asctime[3]!, asctime[4]!, asctime[5]!]
      : null;
  if (parts === null) return null;
  const month = MONTHS.indexOf(parts[1]!.toLowerCase());
  const [yearText, , day, hour, minute, second] = parts as [string, string, string, string, string, string];
  // Two digits: a year that would lie far ahead belongs to the last century.
  const year = yearText.length === 4 ? Number(yearText) : Number(yearText) + (Number(yearText) > 69 ? 1900 : 2000);
  const time = Date.UTC(year, month, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(time);
  const real = month >= 0 && date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60;
  return real ? time : null;
}

/** What the options say of a host: its own entry, or the one of `*.domain`. */
export function hostOptions(hosts: Settled['net']['hosts'], host: string): HostOptions {
  if (Object.hasOwn(hosts, host)) return hosts[host]!;
  for (const [name, own] of Object.entries(hosts))
    if (name.startsWith('*.') && host.endsWith(name.slice(1))) return own;
  return NO_OPTIONS;
}
const NO_OPTIONS: HostOptions = {};
