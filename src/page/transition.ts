/**
 * What becomes of a page: one pure function from what was known and what is new to what is known now. Everything else in
 * the update of crawldb is storage. Source of the table: Nutch CrawlDbReducer; where ours differs, docs/nutch.md says why.
 *
 *     news            no record           record
 *     only links      unfetched           unchanged but for score, inlinks and depth
 *     success         fetched             not-modified when both signatures are the same, else fetched
 *     not-modified    not-modified        not-modified
 *     redirect-*      redirect-*          redirect-*
 *     gone            gone                gone
 *     parse-failed    parse-failed        parse-failed
 *     retry           unfetched           unfetched; gone after `retries` tries, unless the reason is one that passes:
 *                                         then what is gone stays so
 *     skipped         unfetched           unchanged, its lease gone
 */
import { DUST } from './codec.ts';
import type { Hint } from './hint.ts';
import type { Outcome } from './outcome.ts';
import { listings, type Reason } from './reason.ts';
import {
  boundsOf,
  type Change,
  forcedInterval,
  goneSchedule,
  nextFetch,
  retryDue,
  type ScheduleRules,
  within,
} from './schedule.ts';
import { newState, type PageState } from './state.ts';

/** What the links of one segment change for their target, summed over the pages they stand on. */
export interface LinkNews {
  /** Score that comes (new links) less score that goes (links no longer there). */
  readonly score: number;
  /** Pages that link here now and did not, less pages that did and do not. */
  readonly inlinks: number;
  /** Least depth that a link gives its target; Infinity when links only went. */
  readonly depth: number;
}

/** A redirect that leads here: the target is a page like its source. */
export interface RedirectNews {
  readonly score: number;
  readonly depth: number;
  readonly meta: ReadonlyMap<string, string>;
}

export interface News {
  readonly outcome: Outcome | null;
  /** Digest that the parser made, where it is kept apart from the outcome. */
  readonly signature: Uint8Array | null;
  readonly links: LinkNews | null;
  readonly redirect: RedirectNews | null;
  /** What sitemaps say of its time. */
  readonly hint?: Hint | null;
}

export interface TransitionRules {
  readonly schedule: ScheduleRules;
  /** Failed tries in a row after which a page counts as gone. */
  readonly retries: number;
  /** The clock, ms. */
  readonly now: number;
  /** False: pages that crawldb does not know stay unknown. */
  readonly additions: boolean;
}

/**
 * Failures of the way to a page, not of the page: however often they come, they never make it gone, and so never take it
 * out of the search, nor do they bring back one that is gone. They are tried ever more rarely.
 */
const passing: ReadonlySet<Reason> = new Set<Reason>([
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'http-429',
  'http-5xx',
  'crawl-delay',
  'robots-unreachable',
  'host-failing',
  'interrupted',
  'time-limit',
  'too-slow',
]);

/** What the content of a page says of it: that it has not changed leaves them true. */
const contentReasons: ReadonlySet<Reason> = new Set<Reason>(['noindex', 'empty', 'not-parsed', ...listings]);

/** Null: the page stays unknown. The record itself when nothing changes. `host` in lower case, for its bounds. */
export function transition(record: PageState | null, news: News, rules: TransitionRules, host = ''): PageState | null {
  const { outcome } = news;
  if (!record && !rules.additions) return null;
  const linked = withHint(withLinks(record, news, rules), news.hint ?? null, rules, host);
  if (!outcome) return linked;
  const before = linked ?? newState(outcome.fetched, rules.schedule.interval);
  switch (outcome.kind) {
    case 'skipped':
      return { ...before, lease: null, reason: record && record.fetched > 0 ? before.reason : outcome.reason };
    case 'retry':
      return failed(before, outcome, rules, host);
    case 'gone':
      return missed(before, outcome, 'gone', rules, host);
    case 'parse-failed':
      return missed(before, outcome, 'parse-failed', rules, host);
    case 'redirect-temporary':
    case 'redirect-permanent':
      return found(before, outcome, outcome.kind, 'unknown', news.signature, rules, host);
    case 'not-modified':
      return {
        ...found(before, outcome, 'not-modified', 'not-modified', before.signature, rules, host),
        reason: contentReasons.has(before.reason) ? before.reason : outcome.reason,
      };
    case 'success': {
      const signature = news.signature ?? outcome.signature;
      if (!signature || !before.signature) return found(before, outcome, 'fetched', 'unknown', signature, rules, host);
      return sameBytes(signature, before.signature)
        ? found(before, outcome, 'not-modified', 'not-modified', signature, rules, host)
        : found(before, outcome, 'fetched', 'modified', signature, rules, host);
    }
  }
}

/** The record as links and redirects to it leave it; null when nothing but vanished links is known of it. */
function withLinks(record: PageState | null, { links, redirect }: News, rules: TransitionRules): PageState | null {
  let state = record;
  const depth = Math.min(links?.depth ?? Number.POSITIVE_INFINITY, redirect?.depth ?? Number.POSITIVE_INFINITY);
  if (!state) {
    if (depth === Number.POSITIVE_INFINITY) return null;
    state = newState(rules.now, rules.schedule.interval, { depth, ...(redirect ? { meta: redirect.meta } : {}) });
  }
  const score = state.score + (links?.score ?? 0) + (!record && redirect ? redirect.score : 0);
  // Subtracting what was added before leaves dust of rounding, which must not pass for a score.
  const clean = Math.abs(score) < DUST ? 0 : score;
  const inlinks = Math.max(0, state.inlinks + (links?.inlinks ?? 0));
  const lost = inlinks === 0 && state.inlinks > 0 && state.depth > 0;
  const unlinked = inlinks > 0 ? 0 : lost ? rules.now : state.unlinked;
  const least = Math.min(state.depth, depth);
  if (clean === state.score && inlinks === state.inlinks && least === state.depth && unlinked === state.unlinked)
    return state;
  return { ...state, score: clean, inlinks, unlinked, depth: least };
}

/** Statuses of which a change that a sitemap tells may make another: not of one that backs off. */
const settled: ReadonlySet<PageState['status']> = new Set(['fetched', 'not-modified', 'gone', 'parse-failed']);
/** However often a sitemap says that a page has changed, it is not fetched again within this time, s. */
const LEAST_BY_HINT = 86_400;

/**
 * A hint sets where the interval starts; with the default schedule, which learns nothing, also where it goes on. A change
 * after the last fetch makes the page due, though not within a day of that fetch. Nothing makes it due later.
 */
function withHint(state: PageState | null, hint: Hint | null, rules: TransitionRules, host: string): PageState | null {
  if (!state || !hint) return state;
  const bounds = boundsOf(rules.schedule, host);
  let { interval, due, modified } = state;
  const takes = state.fixedInterval === 0 && (state.fetched === 0 || rules.schedule.mode === 'default');
  if (hint.interval > 0 && takes) interval = Math.min(Math.max(hint.interval, bounds.min), bounds.max);
  if (state.fetched === 0) modified ||= Math.min(hint.modified, rules.now);
  else if (settled.has(state.status) && hint.modified > state.fetched) {
    const wait = Math.min(Math.max(LEAST_BY_HINT, bounds.min), bounds.max);
    due = Math.min(due, Math.max(rules.now, state.fetched + wait * 1000));
  }
  if (interval === state.interval && due === state.due && modified === state.modified) return state;
  return { ...state, interval, due, modified };
}

/** The server answered with the page, its sameness, or where it went. */
function found(
  before: PageState,
  outcome: Outcome,
  status: 'fetched' | 'not-modified' | 'redirect-temporary' | 'redirect-permanent',
  change: Change,
  signature: Uint8Array | null,
  rules: TransitionRules,
  host: string,
): PageState {
  const said = Date.parse(outcome.lastModified);
  const given = status === 'fetched' && said > 0 && said <= outcome.fetched ? said : 0;
  const timing = nextFetch(
    {
      interval: before.interval,
      fixedInterval: before.fixedInterval,
      fetched: outcome.fetched,
      modified: given || before.modified,
      change,
    },
    rules.schedule,
    host,
    outcome.contentType,
  );
  const redirects = status === 'redirect-temporary' || status === 'redirect-permanent';
  const same = status === 'not-modified';
  return {
    ...before,
    ...timing,
    // The time of a change is when the content was first seen as it is: sameness does not move it.
    modified: same && before.modified > 0 ? before.modified : timing.modified,
    status,
    fetched: outcome.fetched,
    retries: 0,
    lease: null,
    reason: outcome.reason,
    httpStatus: outcome.httpStatus,
    target: redirects ? outcome.target : '',
    signature,
    // A 304 need not repeat what it was asked with.
    etag: redirects ? '' : outcome.etag || (same ? before.etag : ''),
    lastModified: redirects ? '' : outcome.lastModified || (same ? before.lastModified : ''),
  };
}

/** The page is not there, or cannot be read: asked for ever more rarely, and fetched whole when it is back. */
function missed(
  before: PageState,
  outcome: Outcome,
  status: 'gone' | 'parse-failed',
  rules: TransitionRules,
  host: string,
): PageState {
  return {
    ...before,
    ...within(
      goneSchedule({ interval: before.interval, fetched: outcome.fetched }, rules.schedule),
      outcome.fetched,
      boundsOf(rules.schedule, host),
    ),
    status,
    fetched: outcome.fetched,
    lease: null,
    reason: outcome.reason,
    httpStatus: outcome.httpStatus,
    target: '',
    signature: null,
    etag: '',
    lastModified: '',
    modified: 0,
  };
}

function failed(before: PageState, outcome: Outcome, rules: TransitionRules, host: string): PageState {
  const retries = Math.min(before.retries + 1, 255);
  if (retries >= rules.retries && !passing.has(outcome.reason))
    return { ...missed(before, outcome, 'gone', rules, host), retries };
  return {
    ...before,
    // Its texts may lie in segments still: a failure that says nothing of the page does not bring them back.
    status: before.status === 'gone' && passing.has(outcome.reason) ? 'gone' : 'unfetched',
    due: within(
      { interval: 0, due: retryDue(outcome.fetched, retries, rules.retries, rules.schedule) },
      outcome.fetched,
      boundsOf(rules.schedule, host),
    ).due,
    retries,
    lease: null,
    reason: outcome.reason,
    httpStatus: outcome.httpStatus,
  };
}

/** To be fetched whole, whatever was known of its content; `asap`: at once. */
export function forceRefetch(
  record: PageState,
  asap: boolean,
  rules: Pick<TransitionRules, 'schedule' | 'now'>,
): PageState {
  return {
    ...record,
    status: 'unfetched',
    interval: forcedInterval(record.interval, rules.schedule),
    due: asap ? rules.now : record.due,
    retries: 0,
    signature: null,
    modified: 0,
    etag: '',
    lastModified: '',
  };
}

/** A due time that lies further off than the longest interval from now is a mistake of a clock: it is brought back. */
export function repaired(record: PageState, rules: Pick<TransitionRules, 'schedule' | 'now'>, host = ''): PageState {
  const { max } = boundsOf(rules.schedule, host);
  return record.due - rules.now > max * 1000 ? { ...record, due: rules.now } : record;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
