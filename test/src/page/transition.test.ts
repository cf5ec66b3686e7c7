import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeState, encodeState, patchLinks } from '../../../src/page/codec.ts';
import { decodeHint, encodeHint, hintOf, joinHints } from '../../../src/page/hint.ts';
import type { Outcome, OutcomeKind } from '../../../src/page/outcome.ts';
import { type Reason, reasons } from '../../../src/page/reason.ts';
import { isDue, type ScheduleRules, scheduleDefaults } from '../../../src/page/schedule.ts';
import { newState, type PageState } from '../../../src/page/state.ts';
import type { Status } from '../../../src/page/status.ts';
import { forceRefetch, type News, type TransitionRules, transition } from '../../../src/page/transition.ts';
import { shared } from '../../kit/shared.ts';

const Transition = suite('transition');
const NOW = 1.7e12;
const DAY = 86_400_000;

const outcomeOf = (kind: OutcomeKind, fetched: number, given: Partial<Outcome> = {}): Outcome => ({
  kind,
  reason: 'http-other',
  fetched,
  httpStatus: 200,
  responseMs: 1,
  bytes: 1,
  truncated: false,
  contentType: 'text/html',
  etag: '',
  lastModified: '',
  target: '',
  signature: null,
  ip: '',
  detail: '',
  ...given,
});
const news = (given: Partial<News>): News => ({
  outcome: null,
  signature: null,
  links: null,
  redirect: null,
  ...given,
});
const schedules: Record<string, ScheduleRules> = {
  default: scheduleDefaults,
  adaptive: { ...scheduleDefaults, mode: 'adaptive' },
};
const rulesOf = (schedule: ScheduleRules, now = NOW): TransitionRules => ({
  schedule,
  retries: 3,
  now,
  additions: true,
});
const digest = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.padEnd(16)));

const statuses: Record<string, Status> = {
  db_unfetched: 'unfetched',
  db_fetched: 'fetched',
  db_gone: 'gone',
  db_redir_temp: 'redirect-temporary',
  db_redir_perm: 'redirect-permanent',
  db_notmodified: 'not-modified',
  db_duplicate: 'duplicate',
  db_orphan: 'orphan',
  db_parse_failed: 'parse-failed',
};
const kinds: Record<string, OutcomeKind> = {
  fetch_success: 'success',
  fetch_gone: 'gone',
  fetch_redir_temp: 'redirect-temporary',
  fetch_redir_perm: 'redirect-permanent',
  fetch_notmodified: 'not-modified',
  fetch_retry: 'retry',
  parse_failed: 'parse-failed',
};

const vectors = shared('vectors/nutch/crawldb-state-matrix.json');
if (!vectors) console.log('skipped: 180 cells of the state matrix of Nutch');
else {
  const { cases, retry } = JSON.parse(readFileSync(vectors, 'utf8'));
  Transition(`${cases.length} cells of record, fetch result and links end in Nutch's status, by both schedules`, () => {
    assert.is(cases.length, 180);
    for (const [name, schedule] of Object.entries(schedules))
      for (const cell of cases) {
        const record = cell.db ? newState(NOW, 2_592_000, { status: statuses[cell.db]! }) : null;
        const outcome = cell.fetch ? outcomeOf(kinds[cell.fetch]!, NOW) : null;
        const links = cell.inlinks > 0 ? { score: 0.1 * cell.inlinks, inlinks: cell.inlinks, depth: 1 } : null;
        const state = transition(record, news({ outcome, links }), rulesOf(schedule));
        assert.is(state?.status, statuses[cell.expect], `${name} ${JSON.stringify(cell)}`);
      }
  });
  for (const row of retry)
    Transition(`a page that failed ${row.retriesBefore} times and fails again is ${row.expect}`, () => {
      const record = newState(NOW, 2_592_000, { retries: row.retriesBefore });
      const state = transition(record, news({ outcome: outcomeOf('retry', NOW) }), {
        ...rulesOf(scheduleDefaults),
        retries: row.max,
      })!;
      assert.is(state.status, statuses[row.expect]);
      assert.is(state.retries, row.retriesAfter);
    });
}

/** Two years of one page: every `every` ms it is looked at and, when due, fetched. */
function live(
  schedule: ScheduleRules,
  every: number,
  answer: (fetch: number, at: number) => Partial<News>,
  check: (state: PageState, fetch: number, at: number) => void,
  start: PageState = newState(NOW, schedule.interval),
): void {
  let state = start;
  let fetch = 0;
  for (let at = NOW; at < NOW + 730 * DAY; at += every) {
    if (!isDue(state.due, at, schedule)) continue;
    state = decodeState(encodeState(transition(state, news(answer(fetch, at)), rulesOf(schedule, at))!));
    check(state, fetch, at);
    fetch++;
  }
  assert.ok(fetch > 1, 'it was fetched more than once');
}

for (const [name, schedule] of Object.entries(schedules)) {
  for (const interval of [30 * 86_400, 1.5 * schedule.maxInterval + 3])
    Transition(`NUTCH-1245 a page that is always gone stays gone (${name}, ${interval} s)`, () => {
      live(
        { ...schedule, interval },
        DAY,
        (_, at) => ({ outcome: outcomeOf('gone', at) }),
        (state, _, at) => {
          assert.is(state.status, 'gone');
          assert.ok(state.due > at && state.due <= at + schedule.maxInterval * 1000);
        },
      );
    });

  Transition(`NUTCH-578 a page that always fails is unfetched twice, then gone for ever (${name})`, () => {
    live(
      schedule,
      DAY,
      (_, at) => ({ outcome: outcomeOf('retry', at, { reason: 'http-403' }) }),
      (state, fetch) => {
        assert.is(state.status, fetch < 2 ? 'unfetched' : 'gone');
        assert.is(state.retries, Math.min(fetch + 1, 255));
      },
    );
  });

  Transition(`NUTCH-1422 a signature never outlives what it was the signature of (${name})`, () => {
    const even: OutcomeKind[] = ['gone', 'redirect-temporary', 'redirect-permanent'];
    live(
      schedule,
      DAY,
      (fetch, at) => ({
        outcome: outcomeOf(fetch % 2 === 0 ? 'success' : even[(fetch >> 1) % 3]!, at, {
          signature: fetch % 2 === 0 ? digest('x') : null,
        }),
      }),
      (state, fetch) => {
        if (fetch % 2 === 1) assert.is.not(state.status, 'not-modified');
        assert.is(state.signature !== null, state.status === 'fetched' || state.status === 'not-modified');
      },
    );
  });

  Transition(`NUTCH-1341 changed content is fetched and moves the modified time, the same does not (${name})`, () => {
    let modified = 0;
    live(
      schedule,
      DAY,
      (fetch, at) => ({
        outcome: outcomeOf('success', at, { signature: digest(at < NOW + 365 * DAY ? `v${fetch}` : 'last') }),
      }),
      (state, fetch, at) => {
        if (at < NOW + 365 * DAY || modified < NOW + 365 * DAY) {
          assert.is(state.status, 'fetched', `fetch ${fetch}`);
          modified = at;
        } else assert.is(state.status, 'not-modified');
        assert.is(state.modified, modified);
      },
    );
  });

  Transition(`NUTCH-1341 a 304 keeps signature, validators and modified time (${name})`, () => {
    live(
      schedule,
      DAY,
      (fetch, at) => ({
        outcome:
          fetch === 0
            ? outcomeOf('success', at, {
                signature: digest('x'),
                etag: '"1"',
                lastModified: 'Tue, 14 Nov 2023 00:00:00 GMT',
              })
            : outcomeOf('not-modified', at, { httpStatus: 304 }),
      }),
      (state, fetch) => {
        assert.is(state.status, fetch === 0 ? 'fetched' : 'not-modified');
        assert.equal([state.signature, state.etag, state.modified], [digest('x'), '"1"', Date.UTC(2023, 10, 14)]);
      },
    );
  });

  Transition(
    `NUTCH-1732 every second fetch that cannot be parsed is parse-failed, the others are not (${name})`,
    () => {
      live(
        schedule,
        DAY,
        (fetch, at) => ({ outcome: outcomeOf(fetch % 2 ? 'parse-failed' : 'success', at, { signature: digest('x') }) }),
        (state, fetch) => assert.is(state.status, fetch % 2 ? 'parse-failed' : 'fetched'),
      );
    },
  );
}

Transition('NUTCH-1564 after a page was found the same, it is never due in the past', () => {
  const schedule: ScheduleRules = {
    ...schedules.adaptive!,
    interval: 2 * 86_400,
    minInterval: 86_400,
    maxInterval: 7 * 86_400,
  };
  live(
    schedule,
    DAY / 3,
    (_, at) => ({ outcome: outcomeOf('success', at, { signature: digest('x') }) }),
    (state, _, at) => assert.ok(state.due >= at + DAY && state.due <= at + 7 * DAY),
  );
});

Transition(
  'RU-retry-03 RU-recrawl-05 failures of the way never make a page gone, and are tried ever more rarely',
  () => {
    for (const reason of ['dns', 'http-5xx', 'timeout', 'http-429', 'robots-unreachable'] as const) {
      let last = 0;
      live(
        scheduleDefaults,
        DAY,
        (_, at) => ({ outcome: outcomeOf('retry', at, { reason }) }),
        (state, _, at) => {
          assert.is(state.status, 'unfetched');
          assert.ok(state.due - at >= last);
          last = state.due - at;
        },
      );
      assert.is(last, scheduleDefaults.maxInterval * 1000);
    }
  },
);

Transition('a lease goes with a fetch result and stays with links', () => {
  const record = newState(NOW, 1000, { lease: { segment: 's', expires: NOW + 1 } });
  const links = { score: 1, inlinks: 1, depth: 2 };
  const rules = rulesOf(scheduleDefaults);
  assert.ok(transition(record, news({ links }), rules)!.lease);
  for (const kind of ['success', 'gone', 'retry', 'skipped', 'not-modified', 'redirect-temporary'] as const)
    assert.is(transition(record, news({ links, outcome: outcomeOf(kind, NOW) }), rules)!.lease, null);
});

Transition('links add what they bring and take what goes, and depth is the least', () => {
  const rules = rulesOf(scheduleDefaults);
  const first = transition(null, news({ links: { score: 0.3, inlinks: 2, depth: 4 } }), rules)!;
  assert.equal([first.status, first.score, first.inlinks, first.depth, first.due], ['unfetched', 0.3, 2, 4, NOW]);
  const less = transition(
    first,
    news({ links: { score: -0.3, inlinks: -2, depth: Number.POSITIVE_INFINITY } }),
    rules,
  )!;
  assert.equal([less.score, less.inlinks, less.depth, less.unlinked], [0, 0, 4, NOW]);
  const again = transition(less, news({ links: { score: 0.1, inlinks: 1, depth: 2 } }), rules)!;
  assert.equal([again.score, again.inlinks, again.depth, again.unlinked], [0.1, 1, 2, 0]);
  assert.is(
    transition(null, news({ links: { score: -1, inlinks: -1, depth: Number.POSITIVE_INFINITY } }), rules),
    null,
  );
});

Transition('without additions an unknown page stays unknown, a known one changes', () => {
  const rules = { ...rulesOf(scheduleDefaults), additions: false };
  const links = { score: 1, inlinks: 1, depth: 1 };
  assert.is(transition(null, news({ links }), rules), null);
  assert.is(transition(newState(NOW, 1), news({ links }), rules)!.score, 1);
});

Transition('the target of a redirect takes score, depth and metadata of its source', () => {
  const redirect = { score: 0.5, depth: 0, meta: new Map([['team', 'red']]) };
  const state = transition(null, news({ redirect }), rulesOf(scheduleDefaults))!;
  assert.equal([state.score, state.depth, [...state.meta]], [0.5, 0, [['team', 'red']]]);
});

Transition('a forced refetch forgets the content and is due at once when asked', () => {
  const record = newState(NOW, 1e9, {
    status: 'fetched',
    signature: digest('x'),
    etag: 'e',
    modified: 1,
    due: NOW + 5,
    retries: 2,
  });
  const later = forceRefetch(record, false, rulesOf(scheduleDefaults));
  assert.equal(
    [later.status, later.signature, later.etag, later.modified, later.retries, later.due, later.interval],
    ['unfetched', null, '', 0, 0, NOW + 5, 6_998_400],
  );
  assert.is(forceRefetch(record, true, rulesOf(scheduleDefaults)).due, NOW);
});

Transition(
  'whatever is known and whatever comes, the new due time lies within bounds and nothing but data comes out',
  () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(statuses)),
        fc.constantFrom(...Object.values(kinds)),
        fc.constantFrom(...(Object.keys(reasons) as Reason[])),
        fc.record({
          due: time,
          fetched: time,
          interval: fc.nat(),
          fixedInterval: fc.nat(),
          retries: fc.nat(255),
          modified: time,
        }),
        time,
        fc.oneof(fc.constant('Tue, 14 Nov 2023 00:00:00 GMT'), fc.string()),
        fc.constantFrom(...Object.values(schedules)),
        (status, kind, reason, given, fetched, lastModified, schedule) => {
          const record = newState(NOW, 1, { ...given, status });
          const outcome = outcomeOf(kind, fetched, { reason, lastModified, signature: digest('y') });
          const state = transition(record, news({ outcome }), rulesOf(schedule))!;
          assert.ok(state.due >= fetched + schedule.minInterval * 1000, `${state.due - fetched}`);
          assert.ok(state.due <= fetched + schedule.maxInterval * 1000, `${state.due - fetched}`);
          assert.ok(Number.isFinite(state.modified));
          assert.equal(decodeState(encodeState(state)), state);
        },
      ),
      { numRuns: 2000 },
    );
  },
);

Transition('a record patched with links is what the transition makes of it', () => {
  const depth = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(9));
  const score = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -1, max: 1, noNaN: true }));
  fc.assert(
    fc.property(
      fc.record({ score, inlinks: fc.nat(3), depth: fc.nat(9), unlinked: fc.constantFrom(0, 5), etag: fc.string() }),
      fc.record({ score, inlinks: fc.integer({ min: -3, max: 3 }), depth }),
      (given, links) => {
        const record = newState(NOW, 100, given);
        const expected = transition(record, news({ links }), rulesOf(scheduleDefaults))!;
        const bytes = Buffer.from(encodeState(record));
        assert.is(patchLinks(bytes, links, NOW), expected !== record);
        assert.equal(decodeState(bytes), decodeState(encodeState(expected)));
      },
    ),
    { numRuns: 2000 },
  );
});

const said = (modified: number, interval = 0): News => news({ hint: { modified, interval } });

Transition('a sitemap sets where the interval of a new page starts, within the bounds, and when it changed', () => {
  const rules = rulesOf(schedules.adaptive!);
  const links = { score: 1, inlinks: 1, depth: 1 };
  const fresh = transition(null, news({ links, hint: { modified: NOW - DAY, interval: 7 * 86_400 } }), rules)!;
  assert.equal([fresh.interval, fresh.modified, fresh.due], [7 * 86_400, NOW - DAY, NOW]);
  const rare = transition(null, news({ links, hint: { modified: NOW + DAY, interval: 3650 * 86_400 } }), rules)!;
  assert.equal([rare.interval, rare.modified], [90 * 86_400, NOW]);
  const bound = rulesOf({ ...scheduleDefaults, hosts: { 'a.example': { min: 60, max: 3600 } } });
  assert.is(
    transition(null, news({ links, hint: { modified: 0, interval: 86_400 } }), bound, 'a.example')!.interval,
    3600,
  );
  assert.is(transition(null, said(NOW), rules), null, 'a hint alone is no page');
});

Transition('a change that a sitemap tells makes a page due earlier, a day after its last fetch at the earliest', () => {
  const rules = rulesOf(scheduleDefaults);
  const far = { status: 'fetched', due: NOW + 20 * DAY } as const;
  const old = newState(NOW, 30 * 86_400, { ...far, fetched: NOW - 10 * DAY, modified: 5 });
  assert.is(transition(old, said(NOW - DAY), rules)!.due, NOW);
  assert.is(transition(old, said(NOW - 11 * DAY), rules), old, 'an older change is in what was fetched');
  const young = newState(NOW, 30 * 86_400, { ...far, fetched: NOW - DAY / 4 });
  assert.is(transition(young, said(NOW), rules)!.due, NOW + (3 * DAY) / 4);
  assert.is(transition({ ...old, due: NOW - 1 }, said(NOW), rules)!.due, NOW - 1, 'never later');
  const failing = { ...old, status: 'unfetched', retries: 2 } as const;
  assert.is(transition(failing, said(NOW), rules), failing, 'a back-off holds');
});

Transition('a hint does not change a fixed interval, nor one that the adaptive schedule has learned', () => {
  const known = newState(NOW, 5000, { status: 'fetched', fetched: NOW - 1 });
  const hint = { modified: 0, interval: 7 * 86_400 };
  assert.is(transition(known, news({ hint }), rulesOf(schedules.adaptive!)), known);
  assert.is(transition(known, news({ hint }), rulesOf(scheduleDefaults))!.interval, 7 * 86_400);
  const fixed = { ...known, fixedInterval: 60 };
  assert.is(transition(fixed, news({ hint }), rulesOf(scheduleDefaults)), fixed);
});

Transition('what is not plausible of a sitemap is not taken', () => {
  const day = (text: string): number => Date.parse(text);
  const now = day('2026-06-15T12:00:00Z');
  const modified = (lastmod: string): number | undefined => hintOf({ lastmod }, now)?.modified;
  assert.is(modified('2026-06-10T08:00:00Z'), day('2026-06-10T08:00:00Z'));
  assert.is(modified('2026-06-10'), day('2026-06-11') - 1, 'a day counts to its end');
  assert.is(modified('2026-06-15'), now);
  assert.is(modified('2026-05'), day('2026-06-01') - 1);
  for (const wrong of ['2026-06-16', '2027-01-01T00:00:00Z', '1970-01-01', '1989-12-31', 'soon', ''])
    assert.is(modified(wrong), undefined, wrong);
  assert.equal(hintOf({ changefreq: 'always' }, now), { modified: 0, interval: 86_400 });
  assert.is(hintOf({}, now), null);
  const two = joinHints({ modified: 5, interval: 0 }, { modified: 3, interval: 86_400 });
  assert.equal(decodeHint(encodeHint(two)), { modified: 5, interval: 86_400 });
  assert.is(joinHints({ modified: 0, interval: 100 }, { modified: 0, interval: 200 }).interval, 100);
});

Transition.run();
