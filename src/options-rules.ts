import { isAbsolute } from 'node:path';
import {
  type FilterSet,
  filterKinds,
  type HostOptions,
  type LoginOptions,
  normalizerScopes,
  type Settled,
} from './options.ts';

/**
 * What each option may be: a sentence fragment for people, and a reader that gives the value, or undefined when it does
 * not fit. Every key of `defaults` has a rule; the compiler sees to it.
 */
export interface Rule<T> {
  /** Completes 'it must be ...'. */
  readonly allowed: string;
  read(value: unknown): T | undefined;
  /** Of a list or object that does not fit: its first member that does not. Undefined when it is neither, or absent. */
  bad?(value: unknown): unknown;
}

/** A number, or a text that is one (from a command line), possibly with one of the units; never NaN or infinite. */
function numberOf(value: unknown, units: Readonly<Record<string, number>>): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const match = typeof value === 'string' ? /^(-?\d+(?:\.\d+)?(?:e\d+)?)\s*([a-z]*)$/i.exec(value.trim()) : null;
  if (!match) return undefined;
  const factor = match[2] === '' ? 1 : units[match[2]!.toLowerCase()];
  return factor === undefined ? undefined : Number(match[1]) * factor;
}

const whole = (least: number, most: number, more = '', units: Readonly<Record<string, number>> = {}): Rule<number> => ({
  allowed: `a whole number from ${least} to ${most}${more}`,
  read: (value) => {
    const n = numberOf(value, units);
    return n !== undefined && Number.isInteger(n) && n >= least && n <= most ? n : undefined;
  },
});

const DAY = 86_400;
/** Milliseconds: a plain number, or `250ms`, `30s`, `5m`. */
const milliseconds = (least: number): Rule<number> =>
  whole(least, DAY * 1000, ' milliseconds, or a time such as 250ms, 30s or 5m', {
    ms: 1,
    s: 1000,
    m: 60_000,
    h: 3_600_000,
  });
/** Seconds: a plain number, or `90s`, `5m`, `12h`, `30d`. */
const seconds = (least: number): Rule<number> =>
  whole(least, DAY * 3650, ' seconds, or a time such as 90s, 5m, 12h or 30d', { s: 1, m: 60, h: 3600, d: DAY });
/** Bytes: a plain number, or `64kB`, `4MB`, `1GB` (powers of two). */
const bytes = (least: number, most: number): Rule<number> =>
  whole(least, most, ' bytes, or a size such as 64kB or 4MB', { b: 1, kb: 1 << 10, mb: 1 << 20, gb: 1 << 30 });

const fraction = (least: number, most: number): Rule<number> => ({
  allowed: `a number from ${least} to ${most}`,
  read: (value) => {
    const n = numberOf(value, {});
    return n !== undefined && n >= least && n <= most ? n : undefined;
  },
});

const yesOrNo: Rule<boolean> = {
  allowed: 'true or false',
  read: (value) =>
    typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined,
};

const oneOf = <T extends string>(...words: readonly T[]): Rule<T> => ({
  allowed: `one of ${words.join(', ')}`,
  read: (value) => words.find((word) => word === value),
});

const text = (allowed: string, fits: (value: string) => boolean): Rule<string> => ({
  allowed,
  read: (value) => (typeof value === 'string' && fits(value) ? value : undefined),
});

/** A list of texts; from a command line one text stands for a list of one. */
const list = (allowed: string, fits: (value: string) => boolean = () => true): Rule<readonly string[]> => ({
  allowed,
  read: (value) => {
    const all = typeof value === 'string' ? [value] : value;
    return Array.isArray(all) && all.every((one): one is string => typeof one === 'string' && fits(one))
      ? all
      : undefined;
  },
  bad: (value) =>
    Array.isArray(value) ? value.find((one: unknown) => typeof one !== 'string' || !fits(one)) : undefined,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLoginOptions = (value: unknown): value is LoginOptions =>
  isRecord(value) &&
  Object.entries(value).every(([key, one]) =>
    key === 'fields'
      ? isRecord(one) && Object.values(one).every((field) => typeof field === 'string')
      : /^(?:user|password|form)$/.test(key) && typeof one === 'string',
  );
const isHostOptions = (value: unknown): value is HostOptions =>
  isRecord(value) &&
  Object.entries(value).every(([key, one]) => {
    if (key === 'connections') return Number.isInteger(one) && (one as number) >= 1 && (one as number) <= 64;
    if (key === 'delay') return Number.isInteger(one) && (one as number) >= 0;
    if (key === 'robots') return one === 'obey' || one === 'ignore';
    if (key === 'insecure') return typeof one === 'boolean';
    return /^(?:reason|ca|cert|key|passphrase)$/.test(key) && typeof one === 'string';
  });
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const record = <T>(allowed: string, fits: (value: unknown) => value is T): Rule<Readonly<Record<string, T>>> => ({
  allowed,
  read: (value) =>
    isRecord(value) && Object.values(value).every(fits) ? (value as Readonly<Record<string, T>>) : undefined,
});

/** Fields of Nutch's `index.static`, `field:value value,field:value`; what is no such text comes back as it is. */
function nutchStatic(text: string): unknown {
  const fields = new Map<string, string[]>();
  for (const one of text.split(',').map((part) => part.trim())) {
    if (one === '') continue;
    const [, name, values] = /^([^:\s]+):(.*)$/s.exec(one) ?? [];
    if (name === undefined) return text;
    fields.set(name, [...(fields.get(name) ?? []), ...values!.split(/\s+/).filter((value) => value !== '')]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}
/** The fields that every page has (fields/schema.ts, which stands above; a test compares the two) and the sketch `near`. */
const pageFieldNames: ReadonlySet<string> = new Set(
  (
    'id url title headings anchors text boilerplate site domain lang type segment digest boost modified published ' +
    'fetched bytes robots sections description near'
  ).split(' '),
);
/** A name that may become a field of its own beside those of every page. */
const mayBeField = (name: string): boolean => name.trim() !== '' && name !== '__proto__' && !pageFieldNames.has(name);
const isStatic = (value: unknown): value is Settled['index']['static'] =>
  isRecord(value) &&
  Object.entries(value).every(([name, one]) => mayBeField(name) && (typeof one === 'string' || isTexts(one)));

/** Headers that are the connection's to say (RFC 9110, 7.6.1 and 8.6). */
const FRAMING = /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|content-length|upgrade|expect)$/i;
/** Names are tokens (RFC 9110, 5.6.2), values are on one line. */
const isHeaders = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) &&
  Object.entries(value).every(
    ([name, one]) =>
      /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !FRAMING.test(name) && typeof one === 'string' && !/[\0\r\n]/.test(one),
  );

/** A regular expression that compiles, after an optional lead (`+`, `-`, `key=`). */
export function compiles(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    try {
      // Old rule files hold escapes that only the lenient grammar takes.
      new RegExp(source);
      return true;
    } catch {
      return false;
    }
  }
}

/** What `compileRules` (url/rules.ts) reads: a sign alone fits every address, `> host` and `<` are sections, `(?i)` is Java's. */
const filterLine = (line: string): boolean => {
  const rule = line.trim();
  if (rule === '' || /^[#<>]/.test(rule)) return true;
  return /^[+-]/.test(rule) && compiles(rule.slice(1).trim().replaceAll('(?i)', ''));
};

const isFilterSet = (value: unknown): value is FilterSet =>
  isRecord(value) &&
  filterKinds.some((kind) => kind === value.filter) &&
  Object.keys(value).every((key) => key === 'filter' || key === 'rules') &&
  (value.rules === undefined ||
    (Array.isArray(value.rules) && value.rules.every((line: unknown) => typeof line === 'string')));

const isBounds = (value: unknown): value is { readonly min: number; readonly max: number } =>
  isRecord(value) &&
  Number.isInteger(value.min) &&
  Number.isInteger(value.max) &&
  (value.min as number) >= 0 &&
  (value.max as number) >= (value.min as number);
const isPace = (value: unknown): value is { readonly increase: number; readonly decrease: number } =>
  isRecord(value) &&
  [value.increase, value.decrease].every((share) => typeof share === 'number' && share >= 0) &&
  (value.decrease as number) <= 1;

const rewriteLine = (line: string): boolean =>
  /^\s*(?:#.*)?$|^(?:host \S+ \S+|protocol \S+ https?|slash \S+ [+-]|query|ajax|nutch|regex \/.+\/.*\/)$/.test(
    line.trim(),
  );

export const rules: { readonly [G in keyof Settled]: { readonly [K in keyof Settled[G]]: Rule<Settled[G][K]> } } = {
  net: {
    agent: text('a name of 1 to 200 printable ASCII characters that starts with a letter', (value) =>
      /^[A-Za-z][\x20-\x7e]{0,199}$/.test(value),
    ),
    delay: milliseconds(0),
    maxDelay: milliseconds(-1),
    queueBy: oneOf('host', 'domain', 'ip'),
    connections: whole(1, 64),
    inFlight: whole(1, 4096),
    maxBody: bytes(1024, 1 << 30),
    timeout: milliseconds(1),
    firstByteTimeout: milliseconds(1),
    redirects: whole(0, 50),
    retries: whole(0, 100),
    hostFailures: whole(1, 1_000_000),
    robots: oneOf('obey', 'ignore'),
    allowPrivate: list('a list of host names, addresses or ranges such as 10.0.0.0/8', (value) =>
      /^[^\s]+$/.test(value),
    ),
    headers: record(
      'an object of origins, each with an object of header names (none that frames a request, such as host) and texts',
      isHeaders,
    ),
    login: record('an object of origins, each with user and password, or form and fields', isLoginOptions),
    hosts: record(
      'an object of hosts, each with delay, connections, robots, reason, ca, cert, key, passphrase or insecure',
      isHostOptions,
    ),
    minRate: whole(0, 1 << 30, ' bytes a second'),
    sitemaps: yesOrNo,
    http2: yesOrNo,
    proxy: text(
      'the address of a proxy, such as http://proxy.example:3128, or empty',
      (value) => value === '' || (/^https?:\/\//.test(value) && URL.canParse(value)),
    ),
    keepContent: yesOrNo,
    keepRequests: yesOrNo,
  },
  scope: {
    mode: oneOf('host', 'domain', 'prefix', 'any'),
    depth: whole(-1, 1_000_000),
    filters: list('a list of rules, each + or - and a regular expression that compiles', filterLine),
    filterSets: {
      allowed: `a list of { "filter": one of ${filterKinds.join(', ')}; "rules": [lines] }`,
      read: (value) => (Array.isArray(value) && value.every(isFilterSet) ? value : undefined),
    },
    rewrites: list('a list of rewrites: host, protocol, slash, query, ajax, nutch, regex', rewriteLine),
    normalizers: {
      allowed: `an object of ${normalizerScopes.join(', ')}, each with a list of rewrites as in scope.rewrites`,
      read: (value) =>
        isRecord(value) &&
        Object.entries(value).every(
          ([name, lines]) =>
            normalizerScopes.some((known) => known === name) && isTexts(lines) && lines.every(rewriteLine),
        )
          ? value
          : undefined,
    },
    files: list('a list of absolute paths of folders', (path) => isAbsolute(path) || path.startsWith('file:///')),
    maxUrl: whole(16, 65_536, ' characters'),
    maxSegments: whole(1, 1000),
    maxParams: whole(0, 1000),
    maxRepeats: whole(1, 1000),
  },
  round: {
    rounds: whole(0, 1_000_000),
    topN: whole(1, 1_000_000_000),
    perHost: whole(-1, 1_000_000_000),
    maxPages: whole(-1, 1_000_000_000),
    timeLimit: seconds(-1),
    minSpeed: fraction(0, 1_000_000),
    slowTime: seconds(1),
    lease: seconds(1),
  },
  schedule: {
    mode: oneOf('default', 'adaptive'),
    interval: seconds(0),
    minInterval: seconds(0),
    maxInterval: seconds(1),
    increase: fraction(0, 100),
    decrease: fraction(0, 1),
    retryInterval: seconds(1),
    syncRate: fraction(0, 1),
    hosts: record('an object of host names, each with { "min": s, "max": s }', isBounds),
    mimes: record('an object of media types, each with { "increase": share, "decrease": share }', isPace),
  },
  index: {
    dedupBy: oneOf('score', 'url'),
    nearDuplicates: oneOf('off', 'group', 'delete'),
    maxLoss: fraction(0, 1),
    linksOnly: yesOrNo,
    parser: oneOf('auto', 'exact', 'loose'),
    include: list('a list of CSS selectors', (value) => value.trim() !== ''),
    exclude: list('a list of CSS selectors', (value) => value.trim() !== ''),
    extract: record(
      'an object of names, each with a CSS selector',
      (value): value is string => typeof value === 'string' && value.trim() !== '',
    ),
    merge: oneOf('one', 'tiered'),
    maxTitle: whole(-1, 100_000, ' characters'),
    maxText: whole(-1, 1 << 28, ' characters'),
    anchors: oneOf('per-host', 'unique', 'all'),
    maxAnchors: whole(0, 100_000),
    scorePower: fraction(0, 1),
    metadata: list('a list of meta names, or of their beginnings with a * behind', (value) =>
      /^[^\s*]*[^\s]$/.test(value),
    ),
    static: {
      allowed:
        "an object of names of fields that pages do not have yet, each with a text or a list of texts, or as Nutch writes it: 'field:value value,field:value'",
      read: (value) => {
        const given = typeof value === 'string' ? nutchStatic(value) : value;
        return isStatic(given) ? given : undefined;
      },
      // Of several fields the one that does not fit is named.
      bad: (value) => {
        const given = typeof value === 'string' ? nutchStatic(value) : value;
        const bad =
          isRecord(given) && Object.entries(given).find(([name, one]) => !isStatic(Object.fromEntries([[name, one]])));
        return bad ? Object.fromEntries([bad]) : value;
      },
    },
    replace: list('a list of rules field=/regex/replacement/, urlmatch=regex or hostmatch=regex', (line) =>
      /^\s*(?:#.*)?$|^\s*[^=\s]+\s*=/.test(line),
    ),
    synonyms: list('a list of lines a, b or a => b, or of paths', (line) => line.trim() !== ''),
    subcollections: record(
      'an object of names, each with { "in": [texts], "out": [texts] }',
      (value): value is { readonly in: readonly string[]; readonly out?: readonly string[] } =>
        isRecord(value) && isTexts(value.in) && (value.out === undefined || isTexts(value.out)),
    ),
  },
  search: {
    timeLimit: milliseconds(-1),
    links: {
      allowed:
        'an object of absolute paths of folders or addresses, each with an address of http or https, such as {"/srv/docs/": "https://intranet.example/docs/"}',
      read: (value) =>
        isRecord(value) &&
        Object.entries(value).every(
          ([from, to]) =>
            (isAbsolute(from) || /^(?:file:\/\/\/|https?:\/\/)/.test(from)) &&
            typeof to === 'string' &&
            /^https?:\/\/[^/?#]+[^?#]*$/.test(to) &&
            URL.canParse(to),
        )
          ? (value as Readonly<Record<string, string>>)
          : undefined,
    },
  },
  work: {
    threads: {
      allowed: "'auto' or a whole number from 1 to 256",
      read: (value) => (value === 'auto' ? 'auto' : whole(1, 256).read(value)),
    },
    memory: bytes(1 << 20, 2 ** 40),
  },
};
