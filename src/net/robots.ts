/**
 * robots.txt by RFC 9309: what a site says to our product token, and whether that lets a URL through.
 *
 *     file   := line*                   ends of line: LF, CR or CRLF; a byte order mark is dropped, also a broken one
 *     line   := [ key ':' value ] [ '#' comment ]           a colon that was forgotten is forgiven: `disallow /a`
 *     group  := agent+ (allow | disallow)*    groups of one agent add up; no other line ends a list of agents
 *     value  := path of octets, '*' any number of them, '$' at the end: the end
 *
 * The longest rule that fits decides; of equals, Allow. A group for our token makes the `*` group irrelevant.
 *
 * Spelling: a Disallow holds for every spelling of an address (`%7E` and `~`, `ü` and `%C3%BC`), an Allow for the one
 * it is written in. Where two readings differ we stay out; this is also the one reading that agrees
 * with all verdicts of google/robotstxt and of crawler-commons at once.
 */
export interface Robots {
  /** Whose rules they are: those for our token, those for `*`, or nobody's. */
  readonly group: 'own' | 'any' | 'none';
  /** As asked, ms; null: not asked. */
  readonly crawlDelayMs: number | null;
  /** As written, in order, each once. */
  readonly sitemaps: readonly string[];
  /** Lines after the size limit, which do not count. */
  readonly linesLost: number;
  readonly rules: RuleSet;
}

export interface Verdict {
  readonly allowed: boolean;
  /** The line that decided, as it reads to us; '' when none did. */
  readonly rule: string;
}

/** At least 500 KiB must be read (RFC 9309, 2.5); real files of large shops reach 300 KiB. */
export const MAX_ROBOTS_BYTES = 1 << 20;
/** Eight times the longest address Internet Explorer took: the bound of google/robotstxt. */
const MAX_LINE = 2083 * 8 - 1;

const KEYS: readonly (readonly [RegExp, 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap'])[] = [
  [/^use[rg][- ]?agent/, 'agent'],
  [/^allow/, 'allow'],
  [/^(?:d[ei]s+al+ow|diasllow|disallaw)/, 'disallow'],
  [/^crawl[- ]?delay/, 'delay'],
  [/^site-?map/, 'sitemap'],
];

interface Rule {
  readonly allow: boolean;
  /** As written, non-ASCII escaped; its length is the rule's weight. */
  readonly path: string;
}

/** Rules of one group, laid out so that a file of 20,000 plain prefixes costs a look-up per distinct length. */
interface RuleSet {
  readonly allows: Side;
  readonly disallows: Side;
}
interface Side {
  /** Prefix -> rule, for rules without a sign. */
  readonly prefixes: ReadonlyMap<string, Rule>;
  /** Lengths of those prefixes, longest first. */
  readonly lengths: readonly number[];
  /** The others, longest rule first. */
  readonly patterns: readonly { readonly rule: Rule; readonly pieces: readonly string[]; readonly end: boolean }[];
}

/**
 * @param agent our User-Agent, or its product token; several, separated by commas, share their groups.
 * Never throws; what cannot be read says nothing.
 */
export function parseRobots(file: Uint8Array | string, agent: string): Robots {
  const tokens = productTokens(agent);
  const vague = isVague(agent);
  let bytes = typeof file === 'string' ? Buffer.from(file) : file;
  let linesLost = 0;
  if (bytes.length > MAX_ROBOTS_BYTES) {
    for (let i = MAX_ROBOTS_BYTES; i < bytes.length; i++) if (bytes[i] === 10) linesLost++;
    bytes = bytes.subarray(0, bytes.lastIndexOf(10, MAX_ROBOTS_BYTES) + 1);
  }
  const own: Rule[] = [];
  const any: Rule[] = [];
  let ownDelay: number | null = null;
  let anyDelay: number | null = null;
  let ownSeen = false;
  let anySeen = false;
  const sitemaps = new Set<string>();
  let forOwn = false;
  let forAny = false;
  let inRules = false;
  for (const line of decodeText(bytes).split(/\r\n|\r|\n/)) {
    const [key, value] = splitLine(line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line);
    switch (key) {
      case 'agent': {
        if (inRules) forOwn = forAny = inRules = false;
        if (/^\*(?:\s|$)/.test(value)) forAny = anySeen = true;
        else if (tokens.some((token) => namesToken(value, token))) forOwn = ownSeen = true;
        break;
      }
      case 'allow':
      case 'disallow': {
        inRules = true;
        if (value === '' || !(forOwn || forAny)) break;
        for (const rule of rulesOf(key === 'allow', value)) {
          if (forOwn && !(vague && rule.allow)) own.push(rule);
          if (forAny) any.push(rule);
        }
        break;
      }
      case 'delay': {
        // No rule: it ends no list of agents, and belongs to those named so far.
        const seconds = Number.parseFloat(value);
        if (!Number.isFinite(seconds) || seconds < 0) break;
        if (forOwn) ownDelay = Math.max(ownDelay ?? 0, seconds * 1000);
        if (forAny) anyDelay = Math.max(anyDelay ?? 0, seconds * 1000);
        break;
      }
      case 'sitemap':
        if (value !== '') sitemaps.add(value);
        break;
    }
  }
  return {
    group: ownSeen ? 'own' : anySeen ? 'any' : 'none',
    crawlDelayMs: ownSeen ? ownDelay : anyDelay,
    sitemaps: [...sitemaps],
    linesLost,
    rules: layOut(ownSeen ? own : any),
  };
}

/** Whether `url` (absolute, or a path) may be fetched. Cost: a look-up per distinct rule length, and the patterns. */
export function checkRobots(robots: Robots, url: string): Verdict {
  const path = pathOf(url);
  if (path === '/robots.txt') return { allowed: true, rule: '' };
  let allow = longest(robots.rules.allows, path);
  if (!allow && path.includes('%')) allow = longest(robots.rules.allows, path.replace(/%[\da-f]{2}/gi, plainOctet));
  const disallow = longest(robots.rules.disallows, canonical(path, true));
  const decided = disallow && (!allow || disallow.path.length > allow.path.length) ? disallow : allow;
  return decided
    ? { allowed: decided.allow, rule: `${decided.allow ? 'Allow' : 'Disallow'}: ${decided.path}` }
    : { allowed: true, rule: '' };
}

/**
 * The product tokens a User-Agent answers to, lower-case: `acme-bot/2.1 (+https://acme.example)` is `acme-bot`. The
 * words that every browser wears stand for nobody when there is another.
 */
export function productTokens(agent: string): readonly string[] {
  const words = agent
    .replace(/\(compatible;\s*([^;)\s]+)[^)]*\)/gi, ' $1 ')
    .replace(/\([^)]*\)?/g, ' ')
    .split(/[\s,;]+/)
    .map((word) => /^[\p{L}\d_-]+/u.exec(word)?.[0]?.toLowerCase() ?? '')
    .filter((word) => /[\p{L}]/u.test(word));
  const own = words.filter((word) => !/^(?:mozilla|applewebkit|khtml|like|gecko|chrome|safari)$/.test(word));
  return own.length > 0 ? own : words;
}

/** Bare words (`Foo Bar`) are no product token: a group that names them may forbid us things, not allow them. */
const isVague = (agent: string): boolean => !/[,;/()]/.test(agent) && productTokens(agent).length > 1;

/** `FooBot/2.1` and `foobot <br>` name `foobot`; `foobot-news` does not. A digit may belong to a token or follow it. */
function namesToken(value: string, token: string): boolean {
  const name = /^[\p{L}\d_-]+/u.exec(value)?.[0]?.toLowerCase() ?? '';
  return name === token || /^[\p{L}_-]*/u.exec(name)?.[0] === token;
}

function splitLine(raw: string): readonly [string, string] {
  const hash = raw.indexOf('#');
  const line = (hash < 0 ? raw : raw.slice(0, hash)).trim();
  if (line === '') return ['', ''];
  let at = line.indexOf(':');
  if (at < 0) {
    const blank = /^\S+(\s+)\S+$/.exec(line);
    if (!blank) return ['', ''];
    at = line.length - blank[0].replace(/^\S+/, '').length;
  }
  const key = line.slice(0, at).trim().toLowerCase();
  const value = line
    .slice(at + 1)
    .replace(/<\/?[a-z][^>]*>.*$/i, '')
    .trim();
  for (const [pattern, name] of KEYS) if (pattern.test(key)) return [name, value];
  return ['', ''];
}

/** An Allow for a folder's index page also allows the folder itself. */
function rulesOf(allow: boolean, value: string): Rule[] {
  const rules: Rule[] = [{ allow, path: canonical(value, false) }];
  const slash = value.lastIndexOf('/');
  if (allow && value.startsWith('/index.htm', slash))
    rules.push({ allow, path: `${canonical(value.slice(0, slash + 1), false)}$` });
  return rules;
}

function layOut(rules: readonly Rule[]): RuleSet {
  const side = (allow: boolean): Side => {
    const prefixes = new Map<string, Rule>();
    const patterns: { rule: Rule; pieces: string[]; end: boolean }[] = [];
    for (const rule of rules) {
      if (rule.allow !== allow) continue;
      const path = allow ? rule.path : canonical(rule.path, true, true);
      const end = path.endsWith('$');
      const pieces = (end ? path.slice(0, -1) : path).split('*');
      if (pieces.length > 1 || end) patterns.push({ rule, pieces, end });
      else if ((prefixes.get(path)?.path.length ?? 0) < rule.path.length) prefixes.set(path, rule);
    }
    patterns.sort((a, b) => b.rule.path.length - a.rule.path.length);
    return {
      prefixes,
      lengths: [...new Set([...prefixes.keys()].map((p) => p.length))].sort((a, b) => b - a),
      patterns,
    };
  };
  return { allows: side(true), disallows: side(false) };
}

function longest(side: Side, path: string): Rule | null {
  let best: Rule | null = null;
  for (const length of side.lengths) {
    if (length > path.length) continue;
    const rule = side.prefixes.get(path.slice(0, length));
    if (rule && (!best || rule.path.length > best.path.length)) best = rule;
    // A canonical prefix is at most as long as its rule, so shorter ones can still win: only by their escapes.
    if (best && length * 3 < best.path.length) break;
  }
  for (const { rule, pieces, end } of side.patterns) {
    if (best && rule.path.length <= best.path.length) break;
    if (fits(path, pieces, end)) best = rule;
  }
  return best;
}

/** Greedy from the left, which is exact for `*`; each octet of the path is looked at a constant number of times a piece. */
function fits(path: string, pieces: readonly string[], end: boolean): boolean {
  if (!path.startsWith(pieces[0]!)) return false;
  let at = pieces[0]!.length;
  const last = pieces.length - 1;
  if (last === 0) return !end || at === path.length;
  for (let i = 1; i < last; i++) {
    const found = path.indexOf(pieces[i]!, at);
    if (found < 0) return false;
    at = found + pieces[i]!.length;
  }
  const tail = pieces[last]!;
  if (end) return path.length - tail.length >= at && path.endsWith(tail);
  return path.indexOf(tail, at) >= 0;
}

/** Path and query of an address, also of a broken one: from the first `/`, `?` or `;` after the host, without fragment. */
export function pathOf(url: string): string {
  const start = url.startsWith('//') ? 2 : 0;
  const first = url.slice(start).search(/[/?;]/);
  const scheme = url.indexOf('://', start);
  const host = scheme >= 0 && (first < 0 || scheme <= start + first) ? scheme + 3 : start;
  const rest = url.slice(host).search(/[/?;]/);
  const hash = url.indexOf('#', start);
  if (rest < 0 || (hash >= 0 && hash < host + rest)) return '/';
  const path = url.slice(host + rest, hash < 0 ? undefined : hash);
  return path.startsWith('/') ? path : `/${path}`;
}

/** An unreserved octet without its escape, any other as it is. */
const plainOctet = (escaped: string): string => {
  const octet = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(octet) ? octet : escaped;
};

/**
 * Non-ASCII escaped, escapes in upper case. With `decode` also one spelling for all: escapes of unreserved octets
 * undone, and a literal `*` or `$` escaped (`keepSigns`: in a rule, `*` and a `$` at the end are none).
 */
function canonical(text: string, decode: boolean, keepSigns = false): string {
  if (!/[^!-#&-)+-~]/.test(text)) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '%' && /^[\da-f]{2}$/i.test(text.slice(i + 1, i + 3))) {
      const hex = text.slice(i + 1, i + 3).toUpperCase();
      const octet = String.fromCharCode(Number.parseInt(hex, 16));
      out += decode && /[\w.~-]/.test(octet) ? octet : `%${hex}`;
      i += 2;
    } else if (char > '~') {
      const point = String.fromCodePoint(text.codePointAt(i)!);
      if (point.length === 2) i++;
      for (const octet of Buffer.from(point)) out += `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    } else if (decode && char === '$' && !(keepSigns && i === text.length - 1)) out += '%24';
    else if (decode && char === '*' && !keepSigns) out += '%2A';
    else out += char;
  }
  return out;
}

/** UTF-8, or what its byte order mark says, or Latin-1 where it is no UTF-8: a site must not lose its rules to an umlaut. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const swapped = Buffer.from(bytes.subarray(0, bytes.length & ~1));
    return new TextDecoder('utf-16le').decode(swapped.swap16());
  }
  let mark = 0;
  while (mark < 3 && bytes[mark] === [0xef, 0xbb, 0xbf][mark]) mark++;
  const rest = bytes.subarray(mark);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rest);
  } catch {
    return Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString('latin1'); // not UTF-8: the older habit
  }
}

/** What an absent file says. */
export const ALLOW_ALL: Robots = parseRobots('', '*');
/** What a file that cannot be had says: nothing of the host, for now. */
export const DENY_ALL: Robots = parseRobots('user-agent: *\ndisallow: /', '*');

/**
 * What the status of the answer to /robots.txt means (RFC 9309, 2.3.1): 2xx is read, 4xx and redirects beyond the limit
 * say that there are no rules, 5xx and no answer at all (0) that nothing may be fetched for now. 429 asks for less, so
 * it counts with 5xx.
 */
export function robotsByStatus(status: number): 'parse' | 'allow' | 'deny' {
  if (status >= 200 && status < 300) return 'parse';
  return status >= 300 && status < 500 && status !== 429 ? 'allow' : 'deny';
}
