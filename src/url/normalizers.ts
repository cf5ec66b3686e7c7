/**
 * Rewrites of addresses beside the normal form, after Nutch's URL normalizers: regex, host, protocol, query string,
 * slash, ajax. `chain` runs several, in the order given, each followed by the normal form, until nothing changes.
 */
import { CrawlError } from '../errors.ts';
import { hostOf } from './host.ts';
import { normalizeUrl } from './normalize.ts';
import { compile } from './rules.ts';

export type Rewrite = (url: string) => string;

/** Rounds after which a chain that has not come to rest is left as it is: rules that undo each other. */
const ROUNDS = 10;

/**
 * Null: the address is none. The rewrites run to a fixed point, so the result of the result is itself. `ajax` has to see
 * the fragment that the normal form takes away, so it comes before all others, whatever its place.
 */
export const chain = (rewrites: readonly Rewrite[]): ((input: string, base?: string) => string | null) => {
  const ajax = rewrites.includes(ajaxRewrite);
  return (input, base) => {
    let url = normalizeUrl(ajax && URL.canParse(input, base) ? ajaxRewrite(new URL(input, base).href) : input, base);
    for (let round = 0; url !== null && round < ROUNDS; round++) {
      const before: string = url;
      url = rewrites.reduce<string | null>((at, rewrite) => (at === null ? null : normalizeUrl(rewrite(at))), url);
      if (url === before) break;
    }
    return url;
  };
};

export interface Substitution {
  readonly pattern: string;
  /** `$1` stands for the first group. */
  readonly substitution: string;
}

/** Each rule in its order replaces all it finds. @throws CrawlError 'config' */
export function regexRewrite(rules: readonly Substitution[], source = 'normalizer rules'): Rewrite {
  const compiled = rules.map(({ pattern, substitution }, at) => ({
    pattern: compile(pattern, source, at + 1, 'g'),
    // Java escapes a sign with a backslash where JavaScript needs none; `$$` is our own dollar.
    substitution: substitution.replace(/\\\$/g, '$$$$').replace(/\\(.)/g, '$1'),
  }));
  return (url) => compiled.reduce((at, { pattern, substitution }) => at.replace(pattern, substitution), url);
}

/** The seven rules that Nutch ships: session ids, fragments, empty parameters, endings, repeated slashes. */
export const shippedRules: readonly Substitution[] = [
  { pattern: '(?i)(;?\\b_?(?:l|j|bv_)?(?:sid|phpsessid|sessionid)=.*?)(\\?|&|#|$)', substitution: '$2' },
  { pattern: '#.*?(\\?|&|$)', substitution: '$1' },
  { pattern: '\\?&', substitution: '?' },
  { pattern: '&{2,}', substitution: '&' },
  { pattern: '[?&.]$', substitution: '' },
  { pattern: '^file://+', substitution: 'file:/' },
  { pattern: '(?<!:)/{2,}', substitution: '/' },
];

/** Lines `from to`: a host becomes another; `*.example.com` stands for all below it. */
export function hostRewrite(lines: readonly string[]): Rewrite {
  const names = new Map<string, string>();
  for (const line of lines) {
    const [from, to, ...more] = line.trim().split(/\s+/);
    if (from && to && more.length === 0 && !from.startsWith('#')) names.set(from.toLowerCase(), to.toLowerCase());
  }
  return (url) => {
    const host = hostOf(url);
    const to = named(host, names);
    return to === undefined || host === ''
      ? url
      : url.replace(/^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?)[^/?#:]+/i, `$1${to}`);
  };
}

/** Lines `host TAB http|https`: the scheme of a host; `*.example.com` for it and all below. Explicit ports stay as they are. */
export function protocolRewrite(lines: readonly string[]): Rewrite {
  const names = new Map<string, string>();
  for (const line of lines) {
    const [host = '', scheme = '', ...more] = line.split('\t').map((part) => part.trim());
    if (host === '' || host.startsWith('#') || more.length > 0 || !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) continue;
    names.set(host.toLowerCase(), scheme.toLowerCase());
  }
  return (url) => {
    const scheme = named(hostOf(url), names, true);
    const [, was, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url) ?? [];
    if (scheme === undefined || was === undefined || /:\d+$/.test(authority!)) return url;
    return scheme + url.slice(was.length);
  };
}

/** The entry of a host, or of the nearest `*.` above it; with `itself` also of `*.` the host. */
function named(host: string, names: ReadonlyMap<string, string>, itself = false): string | undefined {
  const own = names.get(host) ?? (itself ? names.get(`*.${host}`) : undefined);
  if (own !== undefined) return own;
  for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) {
    const wild = names.get(`*${host.slice(at)}`);
    if (wild !== undefined) return wild;
  }
  return undefined;
}

/** Parameters in the order of their text, so that their order makes no other page. */
export const queryRewrite: Rewrite = (url) => {
  const [, before, query, after = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  return query === undefined ? url : `${before}?${query.split('&').sort().join('&')}${after}`;
};

/** Lines `host +` or `host -`: paths of the host end in a slash, or do not; a file (by its extension) and the root stay. */
export function slashRewrite(lines: readonly string[]): Rewrite {
  const hosts = new Map<string, boolean>();
  for (const line of lines) {
    const [host, sign] = line.trim().split(/\s+/);
    if (host && (sign === '+' || sign === '-')) hosts.set(host.toLowerCase(), sign === '+');
  }
  return (url) => {
    const wanted = hosts.get(hostOf(url));
    const [, before, path, after = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(\/[^?#]*)(.*)$/is.exec(url) ?? [];
    if (wanted === undefined || path === undefined || path === '/') return url;
    if (!wanted) return before + path.replace(/\/+$/, '') + after;
    const file = path.slice(path.lastIndexOf('/') + 1);
    return path.endsWith('/') || /\.[a-z0-9]{1,6}$/i.test(file) ? url : `${before}${path}/${after}`;
  };
}

/** `#!state` as the query parameter that crawlers once asked servers for. */
export const ajaxRewrite: Rewrite = (url) => {
  const at = url.indexOf('#!');
  if (at < 0) return url;
  const escaped = url.slice(at + 2).replace(/[\0-\x20#%&+\x7f-\uffff]/g, (char) => encodeURIComponent(char));
  return `${url.slice(0, at)}${url.slice(0, at).includes('?') ? '&' : '?'}_escaped_fragment_=${escaped}`;
};

/** Lines of the option `scope.rewrites`, in their order. @throws CrawlError 'config' for one that is none */
export function readRewrites(lines: readonly string[], source = 'scope.rewrites'): Rewrite[] {
  return lines.flatMap((raw, at): Rewrite[] => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [kind, ...words] = line.split(/\s+/);
    const [one = '', two = ''] = words;
    const [, pattern, substitution] = /^regex \/(.+)\/(.*)\/$/.exec(line) ?? [];
    if (kind === 'host' && words.length === 2) return [hostRewrite([`${one} ${two}`])];
    if (kind === 'protocol' && /^https?$/.test(two)) return [protocolRewrite([`${one}\t${two}`])];
    if (kind === 'slash' && /^[+-]$/.test(two)) return [slashRewrite([`${one} ${two}`])];
    if (kind === 'query' && words.length === 0) return [queryRewrite];
    if (kind === 'ajax' && words.length === 0) return [ajaxRewrite];
    if (kind === 'nutch' && words.length === 0) return [regexRewrite(shippedRules)];
    if (pattern !== undefined && substitution !== undefined) return [regexRewrite([{ pattern, substitution }], source)];
    throw new CrawlError(
      'config',
      `${source} line ${at + 1}: "${line}" is none of host, protocol, slash, query, ajax, nutch, regex`,
      {
        where: source,
      },
    );
  });
}

/**
 * The chain of the scope `indexer`, for the address that a hit shows: once through, and `ajax` the other way round. What is
 * shown need not be in the form of the crawl, so nothing is normalised after it.
 */
export function showing(lines: readonly string[]): Rewrite {
  const rewrites = readRewrites(lines, 'scope.normalizers').map((one) => (one === ajaxRewrite ? ajaxShown : one));
  return (url) => rewrites.reduce((at, rewrite) => rewrite(at), url);
}

/** The address to show for one that `ajaxRewrite` made. */
export const ajaxShown: Rewrite = (url) => {
  const [whole, sign, state] = /([?&])_escaped_fragment_=([^&]*)/.exec(url) ?? [];
  if (whole === undefined || state === undefined) return url;
  const at = url.indexOf(whole);
  const rest = url.slice(at + whole.length);
  const before = url.slice(0, at) + (sign === '?' && rest.startsWith('&') ? `?${rest.slice(1)}` : rest);
  try {
    return `${before}#!${decodeURIComponent(state)}`;
  } catch {
    // Not an escape of ours: shown as it is.
    return `${before}#!${state}`;
  }
};
