/**
 * A condition on a record of crawldb, as a person writes it:
 *
 *     condition := all ('or' all)*          all := test ('and' test)*
 *     test      := ['not'] (name compare value | '(' condition ')')
 *     compare   := '=' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '~'         ~: a regular expression is found in it
 *     value     := word | '"' any but a quote '"'
 *
 *     status = fetched and score >= 0.5 and not url ~ "/archive/"
 *
 * Names: url, status, reason, score, retries, interval (s), depth, httpStatus, due, fetched, modified (dates, ISO 8601), and
 * `meta.NAME`. A date that was never set and metadata that is absent compare as the empty text, which is less than all.
 */
import { CrawlError } from '../errors.ts';
import type { PageState } from './state.ts';

export type Condition = (url: string, state: PageState) => boolean;

type Read = (url: string, state: PageState) => string | number;
const date = (ms: number): string => (ms > 0 ? new Date(Math.min(ms, 8.64e15)).toISOString() : '');
const names: Readonly<Record<string, Read>> = {
  url: (url) => url,
  status: (_, state) => state.status,
  reason: (_, state) => state.reason,
  score: (_, state) => state.score,
  retries: (_, state) => state.retries,
  interval: (_, state) => state.interval,
  depth: (_, state) => state.depth,
  httpStatus: (_, state) => state.httpStatus,
  due: (_, state) => date(state.due),
  fetched: (_, state) => date(state.fetched),
  modified: (_, state) => date(state.modified),
};

/** Conditions nested deeper are refused: nobody means them. */
const DEEPEST = 50;

/** @throws CrawlError 'usage' that names the place */
export function readCondition(text: string): Condition {
  const tokens = [...text.matchAll(/\s*("[^"]*"|==|!=|<=|>=|[=<>~()]|[^\s=<>~()!"]+|\S)/g)].map((match) => match[1]!);
  let at = 0;
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const fail = (wanted: string): never => {
    const found = tokens[at] === undefined ? 'it ends' : `"${tokens[at]}" stands`;
    throw new CrawlError('usage', `the condition "${shown}": ${found} where ${wanted} is wanted`);
  };
  const take = (word: string): boolean => tokens[at] === word && at++ >= 0;

  const either = (depth: number): Condition => {
    const parts = [both(depth)];
    while (take('or')) parts.push(both(depth));
    return (url, state) => parts.some((part) => part(url, state));
  };
  const both = (depth: number): Condition => {
    const parts = [test(depth)];
    while (take('and')) parts.push(test(depth));
    return (url, state) => parts.every((part) => part(url, state));
  };
  const test = (depth: number): Condition => {
    if (depth > DEEPEST) fail('a shorter condition');
    if (take('not')) {
      const inner = test(depth + 1);
      return (url, state) => !inner(url, state);
    }
    if (take('(')) {
      const inner = either(depth + 1);
      if (!take(')')) fail('")"');
      return inner;
    }
    return comparison();
  };
  const comparison = (): Condition => {
    const name = tokens[at] ?? '';
    const meta = name.startsWith('meta.') ? name.slice('meta.'.length) : null;
    const read: Read | undefined =
      meta === null ? (Object.hasOwn(names, name) ? names[name] : undefined) : (_, state) => state.meta.get(meta) ?? '';
    if (!read) return fail(`one of ${Object.keys(names).join(', ')}, meta.NAME`);
    at++;
    // Many languages write it twice.
    const compare = tokens[at] === '==' ? '=' : (tokens[at] ?? '');
    if (!/^(?:!=|<=|>=|[=<>~])$/.test(compare)) fail('=, !=, <, <=, >, >= or ~');
    at++;
    const written = tokens[at] ?? '';
    if (written === '' || /^[()=<>~]/.test(written)) fail('a value');
    at++;
    const value = written.startsWith('"') ? written.slice(1, -1) : written;
    if (compare === '~') {
      const pattern = regexOf(value, text);
      return (url, state) => pattern.test(String(read(url, state)));
    }
    return (url, state) => holds(compare, orderOf(read(url, state), value));
  };

  const condition = either(0);
  if (at < tokens.length) fail('"and", "or" or the end');
  return condition;
}

/** Numbers as numbers, all else as texts: -1, 0 or 1; NaN where a number meets what is none. */
function orderOf(actual: string | number, value: string): number {
  if (typeof actual === 'number') {
    const number = value.trim() === '' ? Number.NaN : Number(value);
    return Number.isNaN(number) ? Number.NaN : Math.sign(actual - number);
  }
  return actual < value ? -1 : actual > value ? 1 : 0;
}

function holds(compare: string, order: number): boolean {
  switch (compare) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

function regexOf(value: string, text: string): RegExp {
  try {
    return new RegExp(value);
  } catch (cause) {
    throw new CrawlError('usage', `the condition "${text}": ${(cause as Error).message}`, { cause });
  }
}
