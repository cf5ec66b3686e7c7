import { without } from '../fetch/judge.ts';
import { defaults } from '../options.ts';
import { type Outcome, type OutcomeKind, outcomeCode } from '../page/outcome.ts';
import { type Reason, reasons } from '../page/reason.ts';
import { type ScheduleRules, scheduleDefaults } from '../page/schedule.ts';
import { newState, type PageState } from '../page/state.ts';
import { type Status, statusCode } from '../page/status.ts';
import { transition } from '../page/transition.ts';

/** Nutch's names, so that its cases can be put as they are. */
const statusNames: Readonly<Record<string, Status>> = {
  db_redir_temp: 'redirect-temporary',
  db_redir_perm: 'redirect-permanent',
  db_notmodified: 'not-modified',
  db_parse_failed: 'parse-failed',
};
const kindNames: Readonly<Record<string, OutcomeKind>> = {
  fetch_redir_temp: 'redirect-temporary',
  fetch_redir_perm: 'redirect-permanent',
  fetch_notmodified: 'not-modified',
  notmodified: 'not-modified',
  parse_failed: 'parse-failed',
};

/**
 * One transition: `{record, outcome, now, links?, schedule?, retries?, host?}` -> `{record}`. `record` and `outcome` hold
 * the fields of a page state and an outcome, all but status and kind optional, times in ms, signatures in hex; a record
 * of null is a page that is not known. `schedule` lies over the default rules.
 */
export function check(line: Record<string, unknown>): unknown {
  const { now = Date.now(), host = '' } = line;
  if (!('record' in line || 'outcome' in line || 'links' in line))
    return { error: 'there is no record, outcome or links' };
  if (typeof now !== 'number' || !Number.isFinite(now)) return { error: 'now is no time in ms' };
  const schedule: ScheduleRules = { ...scheduleDefaults, ...defaults.schedule, ...objectOf(line.schedule) };
  const record =
    line.record === null || line.record === undefined ? null : stateOf(objectOf(line.record), now, schedule);
  const outcome = line.outcome === null || line.outcome === undefined ? null : outcomeOf(line.outcome, now);
  const { score = 0, inlinks = 0, depth = 1 } = objectOf(line.links) as Record<string, number>;
  const links = line.links ? { score, inlinks, depth } : null;
  const retries = typeof line.retries === 'number' ? line.retries : defaults.net.retries;
  const next = transition(
    record,
    { outcome, signature: null, links, redirect: null },
    { schedule, retries, now, additions: true },
    String(host),
  );
  return { record: next && { ...next, signature: hexOf(next.signature), meta: Object.fromEntries(next.meta) } };
}

const objectOf = (value: unknown): Record<string, unknown> => {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Error('record, outcome, links, schedule are objects');
  return value as Record<string, unknown>;
};
const hexOf = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('hex');
const bytesOf = (hex: unknown): Uint8Array | null =>
  typeof hex === 'string' && hex !== '' ? new Uint8Array(Buffer.from(hex, 'hex')) : null;

function stateOf(given: Record<string, unknown>, now: number, rules: ScheduleRules): PageState {
  const name = String(given.status ?? 'unfetched');
  const status = (statusNames[name] ?? name.replace(/^db_/, '')) as Status;
  if (!Object.hasOwn(statusCode, status)) throw new Error(`status is none of ${Object.keys(statusCode).join(', ')}`);
  return newState(now, rules.interval, {
    ...(given as Partial<PageState>),
    status,
    signature: bytesOf(given.signature),
    meta: new Map(Object.entries(objectOf(given.meta) as Record<string, string>)),
  });
}

function outcomeOf(value: unknown, now: number): Outcome {
  const given = typeof value === 'string' ? { kind: value } : objectOf(value);
  const name = String(given.kind ?? given.status ?? '');
  const kind = (kindNames[name] ?? name.replace(/^fetch_/, '')) as OutcomeKind;
  if (!Object.hasOwn(outcomeCode, kind)) throw new Error(`kind is none of ${Object.keys(outcomeCode).join(', ')}`);
  const reason = String(given.reason ?? 'http-other') as Reason;
  if (!Object.hasOwn(reasons, reason)) throw new Error(`there is no reason ${reason}`);
  return {
    ...without(kind, reason, now),
    ...(given as Partial<Outcome>),
    kind,
    reason,
    signature: bytesOf(given.signature),
  };
}
