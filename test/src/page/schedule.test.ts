import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  adaptiveSchedule,
  type Bounds,
  type Change,
  defaultSchedule,
  type Fetched,
  forcedInterval,
  goneSchedule,
  isDue,
  nextFetch,
  retryDue,
  type ScheduleRules,
  scheduleDefaults,
} from '../../../src/page/schedule.ts';
import { shared } from '../../kit/shared.ts';

/** A line `host min max` of Nutch's file, `default` or 0 for the general bound; null: it is none. Ours is `schedule.hosts`. */
function hostBounds(line: string, general: Bounds): { host: string; bounds: Bounds } | null {
  const [host, low, high, ...more] = line.trim().split(/\s+/);
  if (!host || host.startsWith('#') || low === undefined || high === undefined || more.length > 0) return null;
  const [min, max] = [low, high].map((text) => (text === 'default' ? 0 : Number(text))) as [number, number];
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < 0 || (min === 0 && max === 0)) return null;
  const bounds = { min: min || general.min, max: max || general.max };
  if (bounds.min > bounds.max || bounds.min < general.min || bounds.max > general.max) return null;
  return { host: host.toLowerCase(), bounds };
}

const Schedule = suite('schedule');

const rules: fc.Arbitrary<ScheduleRules> = fc
  .record({
    mode: fc.constantFrom('default' as const, 'adaptive' as const),
    interval: fc.integer({ min: 0, max: 1e8 }),
    minInterval: fc.integer({ min: 0, max: 1e6 }),
    span: fc.nat(1e8),
    increase: fc.double({ min: 0, max: 10, noNaN: true }),
    decrease: fc.double({ min: 0, max: 1, noNaN: true }),
    syncRate: fc.double({ min: 0, max: 3, noNaN: true }),
  })
  .map(({ span, ...rest }) => ({ ...scheduleDefaults, ...rest, maxInterval: rest.minInterval + span }));
const page: fc.Arbitrary<Fetched> = fc.record({
  interval: fc.nat(2e9),
  fixedInterval: fc.oneof(fc.constant(0), fc.nat(2e9)),
  fetched: fc.integer({ min: 0, max: 4e12 }),
  modified: fc.integer({ min: -1e12, max: 8e12 }),
  change: fc.constantFrom<Change>('unknown', 'modified', 'not-modified'),
});

Schedule('a due time always lies in [fetched + min, fetched + max]', () => {
  fc.assert(
    fc.property(page, rules, (page, rules) => {
      const { due, interval } = nextFetch(page, rules);
      assert.ok(due >= page.fetched + rules.minInterval * 1000, 'too early');
      assert.ok(due <= page.fetched + rules.maxInterval * 1000, 'too late');
      assert.ok(interval >= rules.minInterval && interval <= rules.maxInterval);
    }),
    { numRuns: 2000 },
  );
});

Schedule('a page that changes is fetched no later than one that does not', () => {
  fc.assert(
    fc.property(page, fc.nat(1e7), (page, interval) => {
      const adaptive = { ...scheduleDefaults, mode: 'adaptive' as const, syncRate: 0 };
      const at = (change: Change) => nextFetch({ ...page, interval, change }, adaptive).due;
      assert.ok(at('modified') <= at('unknown') && at('unknown') <= at('not-modified'));
    }),
  );
});

Schedule('a fixed interval stays, a host has bounds of its own, a media type its pace', () => {
  const adaptive: ScheduleRules = {
    ...scheduleDefaults,
    mode: 'adaptive',
    hosts: { 'a.example': { min: 3600, max: 7200 } },
    mimes: { 'application/pdf': { increase: 1, decrease: 0 } },
  };
  const given: Fetched = { interval: 1000, fixedInterval: 0, fetched: 1e12, modified: 1e12, change: 'not-modified' };
  assert.is(nextFetch({ ...given, fixedInterval: 500 }, adaptive).interval, 500);
  assert.is(nextFetch(given, adaptive, 'a.example').interval, 3600);
  assert.is(nextFetch(given, adaptive, 'b.example').interval, 1400);
  assert.is(nextFetch(given, adaptive, '', 'application/pdf').interval, 2000);
  assert.is(nextFetch(given, adaptive, 'constructor').interval, 1400);
});

Schedule('RU-recrawl-01 the interval of a page that stays gone never passes the longest', () => {
  let interval = 2_592_000;
  for (let year = 0; year < 20; year++) {
    interval = goneSchedule({ interval, fetched: 0 }, scheduleDefaults).interval;
    assert.ok(interval > 0 && interval <= scheduleDefaults.maxInterval);
  }
});

Schedule('failures that may pass wait a day, and after some twice as long each time, never for ever', () => {
  const days = [1, 2, 3, 4, 5, 9, 200].map((n) => retryDue(0, n, 3, scheduleDefaults) / 86_400_000);
  assert.equal(days, [1, 1, 1, 2, 4, 64, 90]);
});

const vectors = shared('vectors/nutch/fetch-schedule.json');
if (!vectors) console.log('skipped: 337 rows of fetch schedules computed by Nutch');
else {
  const { setFetchSchedule, gone_retry_force_last, shouldFetch } = JSON.parse(readFileSync(vectors, 'utf8'));
  const nutch: ScheduleRules = { ...scheduleDefaults, interval: 2_592_000, maxInterval: 7_776_000 };
  const states: Record<string, Change> = { unknown: 'unknown', modified: 'modified', notmodified: 'not-modified' };
  let rows = 0;
  Schedule('every row that Nutch computed comes out of the same schedule here', () => {
    for (const row of setFetchSchedule) {
      rows++;
      const conf = row.conf ?? {};
      const given: Fetched = {
        interval: row.interval,
        fixedInterval: row.fixedInterval ?? 0,
        fetched: row.fetchTime,
        modified: row.modifiedTime,
        change: states[row.state]!,
      };
      const general = { min: conf.adaptiveMin ?? 60, max: conf.adaptiveMax ?? 31_536_000 };
      const own = row.hostLine ? hostBounds(row.hostLine, general) : null;
      const bounds = own && new URL(row.url).hostname === own.host ? own.bounds : general;
      const rules = { ...nutch, interval: conf.default ?? nutch.interval };
      const out =
        row.schedule === 'default' ? defaultSchedule(given, rules) : adaptiveSchedule(given, rules, bounds, nutch);
      assert.equal(
        out,
        { interval: row.out.interval, due: row.out.fetchTime, modified: row.out.modifiedTime },
        JSON.stringify(row),
      );
    }
  });
  Schedule('gone, retry and forced refetch are as Nutch computed them, but for an interval of 0', () => {
    for (const row of gone_retry_force_last) {
      rows++;
      // Where an interval of 0 stays 0 for ever in Nutch, ours starts from the default.
      const start = row.interval === 0 ? 2_592_000 : row.interval;
      const expected =
        row.interval === 0
          ? { interval: start * 1.5, due: row.fetchTime + start * 1500 }
          : { interval: row.gone.interval, due: row.gone.fetchTime };
      assert.equal(
        goneSchedule({ interval: row.interval, fetched: row.fetchTime }, nutch),
        expected,
        JSON.stringify(row),
      );
      assert.is(retryDue(row.fetchTime, row.retryFrom1.retries, 3, nutch), row.retryFrom1.fetchTime);
      assert.is(forcedInterval(row.interval, nutch), row.forceRefetch.interval);
    }
  });
  Schedule('what is due is due as in Nutch, although asking changes nothing here', () => {
    for (const row of shouldFetch) {
      rows++;
      assert.is(isDue(1e12 + row.fetchTimeMinusNow, 1e12, nutch), row.result, JSON.stringify(row));
    }
    assert.is(rows, 337);
  });
}

Schedule.run();
