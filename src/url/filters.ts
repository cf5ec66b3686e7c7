/**
 * Nutch's other URL filters, each made from the lines of its file: prefix, suffix, domain, deny list, validator, fast.
 * (Regular expressions are in rules.ts; with `whole` they are Nutch's automaton filter.) Blank lines and `#` comments
 * are passed over in all. `all` makes one of several: every one must accept, the first that does not is named.
 */
import { domainOf, hostOf, suffixOf } from './host.ts';
import { compile, type UrlFilter, type Verdict } from './rules.ts';

const accept = (rule = '', line?: number): Verdict => ({ accepted: true, rule, ...(line ? { line } : {}) });
const refuse = (rule: string, line?: number): Verdict => ({ accepted: false, rule, ...(line ? { line } : {}) });

/** Lines that say something, with their numbers from 1. */
const meant = (lines: readonly string[]): { text: string; line: number }[] =>
  lines.map((text, at) => ({ text: text.trim(), line: at + 1 })).filter(({ text }) => text !== '' && text[0] !== '#');

export const all =
  (filters: readonly UrlFilter[]): UrlFilter =>
  (url) => {
    let last = accept();
    for (const filter of filters) {
      last = filter(url);
      if (!last.accepted) return last;
    }
    return last;
  };

/** Accepted when it starts with one of the lines. */
export function prefixFilter(lines: readonly string[]): UrlFilter {
  const prefixes = meant(lines);
  return (url) => {
    const found = prefixes.find(({ text }) => url.startsWith(text));
    return found ? accept(found.text, found.line) : refuse('no prefix fits');
  };
}

/**
 * The first line is `+` (the suffixes that follow are refused, all else is accepted) or `-` (only they are accepted),
 * and may go on with `P` (look at the path, not at the whole address) and `I` (case does not matter).
 */
export function suffixFilter(lines: readonly string[]): UrlFilter {
  const [head, ...rest] = meant(lines);
  const listed = head?.text[0] === '-';
  const options = head?.text.slice(1).toUpperCase() ?? '';
  const path = options.includes('P');
  const blind = options.includes('I');
  const suffixes = rest.map(({ text, line }) => ({ text: blind ? text.toLowerCase() : text, line }));
  return (url) => {
    const part = path ? pathOf(url) : url;
    const looked = blind ? part.toLowerCase() : part;
    const found = suffixes.find(({ text }) => looked.endsWith(text));
    if (found) return (listed ? accept : refuse)(found.text, found.line);
    return listed ? refuse('no suffix fits') : accept();
  };
}

/** Accepted when its host, its registered domain or its public suffix is listed; without lines all are. */
export function domainFilter(lines: readonly string[]): UrlFilter {
  const names = namesOf(lines);
  if (names.size === 0) return () => accept();
  return (url) => {
    const found = listedName(url, names);
    return found ? accept(...found) : refuse('its domain is not listed');
  };
}

/** The opposite: refused when its host, domain or suffix is listed. */
export function denyListFilter(lines: readonly string[]): UrlFilter {
  const names = namesOf(lines);
  return (url) => {
    const found = listedName(url, names);
    return found ? refuse(...found) : accept();
  };
}

const namesOf = (lines: readonly string[]): ReadonlyMap<string, number> =>
  new Map(meant(lines).map(({ text, line }) => [text.toLowerCase(), line]));

function listedName(url: string, names: ReadonlyMap<string, number>): [string, number] | null {
  const host = hostOf(url);
  for (const name of [host, domainOf(host), suffixOf(host)]) {
    const line = name ? names.get(name) : undefined;
    if (name && line !== undefined) return [name, line];
  }
  return null;
}

/** Refuses what is no well-formed http, https or ftp address: blanks and signs that must be escaped, hosts that are none. */
export const validatorFilter: UrlFilter = (url) => {
  const parts = /^(https?|ftp):\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:]*)(?::(\d*))?([/?#].*)?$/i.exec(url);
  if (!parts) return refuse('it is no absolute http, https or ftp address');
  const [, , host = '', port = '', rest = ''] = parts;
  if (/[\s"<>\\^`{|}]/.test(rest) || /%(?![0-9a-f]{2})/i.test(rest))
    return refuse('it holds signs that must be escaped');
  if (port !== '' && Number(port) > 65_535) return refuse('its port is none');
  if (host.startsWith('[')) return accept();
  const labels = host.split('.');
  if (/^\d+$/.test(labels.at(-1)!)) {
    if (labels.length !== 4 || !labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) <= 255))
      return refuse('its host is no IPv4 address');
    return accept();
  }
  const good = labels.every((label) => /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?$/u.test(label));
  return good && host.length <= 253 ? accept() : refuse('its host name is none');
};

export interface FastLimits {
  /** Longest address, path and query, in characters; -1: no limit. */
  readonly url?: number;
  readonly path?: number;
  readonly query?: number;
}

/**
 * Blocks of `Host name` or `Domain name` (`.`: every one), each with `DenyPath regex` and `DenyPathQuery regex`. Looked
 * at are the blocks of the host, then of each domain it lies in, then those of every one; so a long file costs no more
 * than a short one.
 */
export function fastFilter(lines: readonly string[], limits: FastLimits = {}, source = 'fast filter'): UrlFilter {
  type Deny = { pattern: RegExp; query: boolean; text: string; line: number };
  const hosts = new Map<string, Deny[]>();
  const domains = new Map<string, Deny[]>();
  let block: Deny[] = [];
  for (const { text, line } of meant(lines)) {
    const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text)!;
    if (word === 'Host' || word === 'Domain') {
      const blocks = word === 'Host' ? hosts : domains;
      const name = rest.toLowerCase();
      block = blocks.get(name) ?? [];
      blocks.set(name, block);
    } else if (word === 'DenyPath' || word === 'DenyPathQuery')
      block.push({ pattern: compile(rest, source, line), query: word === 'DenyPathQuery', text, line });
  }
  const beyond = (length: number, most = -1): boolean => most >= 0 && length > most;
  return (url) => {
    const path = pathOf(url);
    const query = queryOf(url);
    if (beyond(url.length, limits.url)) return refuse(`longer than ${limits.url} characters`);
    if (beyond(path.length, limits.path)) return refuse(`its path is longer than ${limits.path} characters`);
    if (beyond(query.length, limits.query)) return refuse(`its query is longer than ${limits.query} characters`);
    const host = hostOf(url);
    const blocks: (readonly Deny[] | undefined)[] = [hosts.get(host)];
    for (let at = host; at !== ''; at = at.slice(at.indexOf('.') + 1)) {
      blocks.push(domains.get(at));
      if (!at.includes('.')) break;
    }
    blocks.push(domains.get('.'));
    const both = query === '' ? path : `${path}?${query}`;
    for (const rules of blocks)
      for (const { pattern, query, text, line } of rules ?? [])
        if (pattern.test(query ? both : path)) return refuse(text, line);
    return accept();
  };
}

function pathOf(url: string): string {
  const scheme = url.indexOf(':');
  const start = url.startsWith('//', scheme + 1) ? url.slice(scheme + 3).search(/[/?#]/) + scheme + 3 : scheme + 1;
  if (start < scheme + 3 && url.startsWith('//', scheme + 1)) return '';
  return url.slice(start).replace(/[?#].*$/s, '');
}
function queryOf(url: string): string {
  const plain = url.replace(/#.*$/s, '');
  const at = plain.indexOf('?');
  return at < 0 ? '' : plain.slice(at + 1);
}
