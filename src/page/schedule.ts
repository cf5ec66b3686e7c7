/**
 * When a page is fetched again. Pure functions; intervals in seconds, times in ms since the epoch.
 *
 * `nextFetch` is what the crawl uses: the default or the adaptive schedule of Nutch, then the due time is held within
 * [fetched + min, fetched + max], whatever numbers came in. `defaultSchedule` and `adaptiveSchedule` are Nutch's own
 * arithmetic, in single precision where Nutch has it, and are held to its answers row by row
 * (test/src/page/schedule.test.ts). Source: Nutch DefaultFetchSchedule, AdaptiveFetchSchedule, MimeAdaptiveFetchSchedule.
 */
export type Change = 'unknown' | 'modified' | 'not-modified';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}
export interface Pace {
  readonly increase: number;
  readonly decrease: number;
}
export interface ScheduleRules extends Pace {
  readonly mode: 'default' | 'adaptive';
  /** Where a page without an interval of its own starts. */
  readonly interval: number;
  readonly minInterval: number;
  readonly maxInterval: number;
  /** Wait after a failure that may pass. */
  readonly retryInterval: number;
  /** Share of the time since the last change by which the next fetch comes earlier; 0: not at all. */
  readonly syncRate: number;
  /** Bounds of single hosts, by host name in lower case. */
  readonly hosts: Readonly<Record<string, Bounds>>;
  /** Pace of single media types. */
  readonly mimes: Readonly<Record<string, Pace>>;
}

export const scheduleDefaults: ScheduleRules = {
  mode: 'default',
  interval: 30 * 86_400,
  minInterval: 60,
  maxInterval: 90 * 86_400,
  retryInterval: 86_400,
  increase: 0.4,
  decrease: 0.2,
  syncRate: 0.3,
  hosts: {},
  mimes: {},
};

/** What a schedule needs of a page, and gives back. */
export interface Timing {
  readonly interval: number;
  /** When the page is due. */
  readonly due: number;
  /** When its content last changed; 0: unknown. */
  readonly modified: number;
}
export interface Fetched {
  readonly interval: number;
  /** 0: none. */
  readonly fixedInterval: number;
  readonly fetched: number;
  /** As the server says, or as known before; 0: unknown. */
  readonly modified: number;
  readonly change: Change;
}

const fround = Math.fround;
/** Half up, as Java rounds; a negative half goes towards zero. */
const round = (value: number): number => Math.floor(value + 0.5);

export function defaultSchedule(page: Fetched, rules: Pick<ScheduleRules, 'interval'>): Timing {
  const interval = page.interval || rules.interval;
  const modified = page.modified <= 0 || page.change === 'modified' ? page.fetched : page.modified;
  return { interval, due: page.fetched + interval * 1000, modified };
}

export function adaptiveSchedule(
  page: Fetched,
  rules: Pick<ScheduleRules, 'interval' | 'syncRate'>,
  bounds: Bounds,
  pace: Pace,
): Timing {
  if (page.fixedInterval > 0)
    return {
      interval: page.fixedInterval,
      due: page.fetched + page.fixedInterval * 1000,
      modified: page.modified,
    };
  let interval = fround(page.interval || rules.interval);
  let modified = page.modified <= 0 ? page.fetched : page.modified;
  if (page.change === 'modified') {
    interval = fround(interval * fround(1 - fround(pace.decrease)));
    modified = page.fetched;
  } else if (page.change === 'not-modified') interval = fround(interval * fround(1 + fround(pace.increase)));
  let from = page.fetched;
  if (rules.syncRate > 0) {
    const unchanged = page.fetched - modified;
    if (unchanged > interval * 1000) interval = fround(Math.floor(unchanged / 1000));
    const earlier = round(unchanged * fround(rules.syncRate));
    // An offset beyond the longest interval would put the due time into the past: it is dropped.
    if (earlier <= bounds.max * 1000) from -= earlier;
  }
  interval = Math.min(Math.max(interval, bounds.min), bounds.max);
  return { interval: round(interval), due: from + round(interval * 1000), modified };
}

/** After a fetch that found the page. `host` in lower case, `contentType` without parameters. */
export function nextFetch(page: Fetched, rules: ScheduleRules, host = '', contentType = ''): Timing {
  const bounds = boundsOf(rules, host);
  const plain = page.fixedInterval > 0 ? { ...page, interval: page.fixedInterval } : page;
  const next =
    rules.mode === 'adaptive'
      ? adaptiveSchedule(plain, rules, bounds, rules.mimes[contentType] ?? rules)
      : defaultSchedule(plain, rules);
  return within(next, page.fetched, bounds);
}

/** A page that is not there is asked for ever more rarely. */
export function goneSchedule(
  page: Pick<Fetched, 'interval' | 'fetched'>,
  rules: Pick<ScheduleRules, 'interval' | 'maxInterval'>,
): { interval: number; due: number } {
  // An interval of 0 would be due at once for ever (it is, in Nutch).
  const longer = fround(fround(page.interval || rules.interval) * 1.5);
  const interval = longer < rules.maxInterval ? round(longer) : round(fround(rules.maxInterval * fround(0.9)));
  return { interval, due: page.fetched + interval * 1000 };
}

/**
 * After a failure that may pass, the `failures`-th in a row: the retry interval, and from the `most`-th on twice as long
 * each time, up to the longest interval.
 */
export function retryDue(fetched: number, failures: number, most: number, rules: ScheduleRules): number {
  const doublings = Math.min(Math.max(failures - most, 0), 30);
  const wait = Math.min(rules.retryInterval * 2 ** doublings, Math.max(rules.maxInterval, rules.retryInterval));
  return fetched + wait * 1000;
}

/** True when its time has come. A time further off than the longest interval is a mistake of a clock: due now. */
export const isDue = (due: number, now: number, rules: Pick<ScheduleRules, 'maxInterval'>): boolean =>
  due <= now || due - now > rules.maxInterval * 1000;

/** The interval of a page that must be fetched anew although it was not yet its time, held below the longest. */
export const forcedInterval = (interval: number, rules: Pick<ScheduleRules, 'maxInterval'>): number =>
  interval > rules.maxInterval ? round(fround(rules.maxInterval * fround(0.9))) : interval;

export function boundsOf(rules: ScheduleRules, host: string): Bounds {
  const own = Object.hasOwn(rules.hosts, host) ? rules.hosts[host] : undefined;
  const min = own?.min || rules.minInterval;
  return { min, max: Math.max(own?.max || rules.maxInterval, min) };
}

/** Holds a due time within [fetched + min, fetched + max], and the interval within [min, max]. */
export function within<T extends { interval: number; due: number }>(next: T, fetched: number, { min, max }: Bounds): T {
  const due = Math.min(Math.max(next.due, fetched + min * 1000), fetched + max * 1000);
  const interval = Math.min(Math.max(next.interval, min), max);
  return due === next.due && interval === next.interval ? next : { ...next, due, interval };
}
