import type { Answer, Failure, Head } from '../net/get.ts';
import type { Outcome, OutcomeKind } from '../page/outcome.ts';
import type { Reason } from '../page/reason.ts';
import { mediaType } from '../parse/media-type.ts';
import { httpDate } from './pace.ts';
import type { Item } from './task.ts';

/**
 * What an answer means for a page. Pure: the same answer, the same outcome.
 *
 *     200, 203, 204, 205   success (what it says of itself comes from parsing)
 *     304                  not modified, where we asked; else an answer that means nothing
 *     404, 410             gone                     400, 414, 451: gone too, for other reasons
 *     429, 503 + wait      the host asks for less: nothing against the page, which keeps its turn while its host rests
 *     5xx, 4xx else        try again in a later round, as often as allowed
 */
export interface Verdict {
  readonly kind: OutcomeKind;
  readonly reason: Reason;
}

const GONE_4XX = new Set([400, 414, 451]);

export function judgeStatus(status: number, conditional: boolean): Verdict {
  if (status === 200 || status === 203 || status === 204 || status === 205) return { kind: 'success', reason: 'ok' };
  if (status === 304) return conditional ? { kind: 'not-modified', reason: 'not-modified' } : OTHER;
  if (status === 404) return { kind: 'gone', reason: 'http-404' };
  if (status === 410) return { kind: 'gone', reason: 'http-410' };
  if (status === 401) return { kind: 'retry', reason: 'http-401' };
  if (status === 403) return { kind: 'retry', reason: 'http-403' };
  if (status === 429) return { kind: 'retry', reason: 'http-429' };
  if (status >= 500) return { kind: 'retry', reason: 'http-5xx' };
  if (status >= 400) return { kind: GONE_4XX.has(status) ? 'gone' : 'retry', reason: 'http-4xx' };
  return OTHER;
}
const OTHER: Verdict = { kind: 'retry', reason: 'http-other' };

/** Failures that may pass by themselves within minutes: worth a second try in the same round. */
export const passing = (reason: Reason): boolean =>
  reason === 'dns' || reason === 'connect' || reason === 'reset' || reason === 'timeout';

/** Failures of the host rather than of one page: several in a row, and it is left alone. */
export const hostFailure = (reason: Reason): boolean =>
  passing(reason) || reason === 'tls' || reason === 'http-5xx' || reason === 'http-429';

/** What asking again would not change. */
const GONE: ReadonlySet<Reason> = new Set<Reason>(['scheme-refused', 'url-invalid', 'outside-root', 'special-file']);

export function judgeFailure(failure: Failure): Verdict {
  const { reason } = failure;
  if (GONE.has(reason)) return { kind: 'gone', reason };
  return { kind: 'retry', reason };
}

const NOTHING: Omit<Outcome, 'kind' | 'reason' | 'fetched'> = {
  httpStatus: 0,
  responseMs: 0,
  bytes: 0,
  truncated: false,
  contentType: '',
  etag: '',
  lastModified: '',
  target: '',
  signature: null,
  ip: '',
  detail: '',
};

/** An outcome without an answer: refused, skipped, given up. */
export const without = (kind: OutcomeKind, reason: Reason, fetched: number, detail = ''): Outcome => ({
  ...NOTHING,
  kind,
  reason,
  fetched,
  detail,
});

type Told = Partial<Pick<Outcome, 'contentType' | 'etag' | 'lastModified' | 'target' | 'signature' | 'detail'>>;
const NOTHING_TOLD: Told = {};

/** An outcome with what the answer says; `more` is what only the caller knows. */
export function outcomeOf(answer: Answer, verdict: Verdict, more: Told = NOTHING_TOLD): Outcome {
  const { ip, responseMs } = answer;
  const fetched = answer.started + responseMs;
  if (answer.kind === 'failure')
    return { ...NOTHING, ...verdict, fetched, responseMs, ip, detail: answer.detail, ...more };
  const { head } = answer;
  return {
    kind: verdict.kind,
    reason: verdict.reason,
    fetched,
    httpStatus: head.status,
    responseMs,
    bytes: answer.body.length,
    truncated: answer.cut === 'length' || answer.cut === 'reset',
    contentType: more.contentType ?? mediaType(head.get('content-type')),
    etag: more.etag ?? validator(head.get('etag')),
    lastModified: more.lastModified ?? validator(head.get('last-modified')),
    target: more.target ?? '',
    signature: more.signature ?? null,
    ip,
    detail: more.detail ?? answer.problem,
  };
}

/** Kept only where it can be sent back as it is. */
const validator = (value: string): string => (value.length <= 512 && /^[\x20-\x7e]*$/.test(value) ? value : '');

/**
 * The headers that ask whether a page has changed. A date goes out as the RFC writes it, whatever form it came in; one
 * that is no date is left out.
 */
export function validators(etag: string, lastModified: string): string[] {
  const headers: string[] = [];
  if (etag !== '') headers.push('if-none-match', etag);
  const time = lastModified === '' ? null : httpDate(lastModified);
  if (time !== null) headers.push('if-modified-since', new Date(time).toUTCString());
  return headers;
}

/** The headers that ask for a page in the state we know it, names and values in turn; none of them is secret. */
export function conditionsOf(item: Pick<Item, 'etag' | 'lastModified' | 'tries'>): string[] {
  const { etag, lastModified, tries } = item;
  // A second try goes past caches, which may have given the first answer.
  return etag === '' && lastModified === '' && tries > 0
    ? ['cache-control', 'no-cache']
    : validators(etag, lastModified);
}

/** For the parser: the headers it looks at, each once. */
export function parserHeaders(head: Head): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ['x-robots-tag', 'content-language', 'last-modified', 'link', 'refresh']) {
    const value = name === 'x-robots-tag' || name === 'link' ? head.all(name).join(', ') : head.get(name);
    if (value !== '') headers[name] = value;
  }
  return headers;
}

/** Counts an outcome, by name: the counters of a fetch are the sum over its outcomes. */
export function countOutcome(outcome: Outcome, count: (name: string, by: number) => void): void {
  const { kind, reason } = outcome;
  const fine = kind === 'success' || kind === 'not-modified' || kind.startsWith('redirect');
  count(outcomeName(kind), 1);
  count(reasonName(reason), 1);
  count('bytes', outcome.bytes);
  count('fetched', fine ? 1 : 0);
  count('failed', fine || kind === 'skipped' ? 0 : 1);
}

/** Names put together once: one made anew for each page would be hashed anew for each. */
function namer(prefix: string): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    let whole = names.get(name);
    if (whole === undefined) names.set(name, (whole = `${prefix}${name}`));
    return whole;
  };
}
const outcomeName = namer('outcome.');
const reasonName = namer('reason.');
