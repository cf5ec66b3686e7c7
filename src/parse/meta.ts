import type { RobotsFlags } from '../page/parsed.ts';

/** What a page says about itself beside its text: robots, refresh, dates. All pure; nothing throws on what a page says. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header's value, several joined by a comma; '' when absent. Names in any case. */
export function headerOf(headers: Headers | undefined, name: string): string {
  if (headers === undefined) return '';
  let value = headers[name];
  if (value === undefined) {
    for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) value = headers[key];
  }
  return value === undefined ? '' : typeof value === 'string' ? value : value.join(',');
}

/**
 * What robots elements and X-Robots-Tag headers ask for, together: the strictest wins. `agent`: our own name in lower
 * case, for elements and header rules that name a robot; those that name another robot are not ours.
 */
export function robotsFlags(
  meta: ReadonlyMap<string, string>,
  headers: Headers | undefined,
  agent: string,
  noCache: boolean,
): RobotsFlags {
  const header = headerOf(headers, 'x-robots-tag');
  // Nearly all pages ask for nothing.
  if (header === '' && !meta.has('robots') && !meta.has(agent))
    return { noindex: false, nofollow: false, noarchive: noCache, nosnippet: false };
  const rules = [meta.get('robots') ?? '', ...(agent !== '' && agent !== 'robots' ? [meta.get(agent) ?? ''] : [])];
  // `X-Robots-Tag: otherbot: noindex, nofollow` holds for otherbot up to the next name.
  let ours = true;
  for (const part of header.split(',')) {
    const named = /^\s*([a-z][\w-]*)\s*:(?!\/)(.*)$/i.exec(part);
    if (named !== null && !/^(unavailable_after|max-(snippet|image-preview|video-preview))$/i.test(named[1]!)) {
      ours = named[1]!.toLowerCase() === agent;
      if (ours) rules.push(named[2]!);
    } else if (ours) rules.push(part);
  }
  const words = new Set(
    rules
      .join(',')
      .toLowerCase()
      .split(/[\s,;]+/),
  );
  const none = words.has('none');
  return {
    noindex: none || words.has('noindex'),
    nofollow: none || words.has('nofollow'),
    noarchive: words.has('noarchive') || words.has('nocache') || noCache,
    nosnippet: words.has('nosnippet') || /max-snippet:\s*0\b/.test(rules.join(',').toLowerCase()),
  };
}

/** `5; url=/there` as the HTML standard reads it; null when it names no time. `url` is '' when the page reloads itself. */
export function refreshOf(content: string): { readonly url: string; readonly seconds: number } | null {
  const found = /^\s*(\d+)?(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+|$)(.*)$/s.exec(content);
  if (found === null || (found[1] === undefined && !/^\s*\./.test(content))) return null;
  const rest = found[2]!.replace(/^url\s*=\s*/i, '').trim();
  const quote = rest[0];
  let url = rest;
  if (quote === '"' || quote === "'") {
    const end = rest.indexOf(quote, 1);
    url = end < 0 ? rest.slice(1) : rest.slice(1, end);
  }
  return { url: url.trim(), seconds: Number(found[1] ?? 0) };
}

const MODIFIED = [
  'article:modified_time',
  'og:updated_time',
  'dcterms.modified',
  'dc.date.modified',
  'last-modified',
  'datemodified',
  'lastmod',
  'revised',
];
const PUBLISHED = [
  'article:published_time',
  'datepublished',
  'dcterms.created',
  'dcterms.issued',
  'dc.date.issued',
  'dc.date.created',
  'dcterms.date',
  'dc.date',
  'citation_publication_date',
  'pubdate',
  'publishdate',
  'publish-date',
  'parsely-pub-date',
  'sailthru.date',
  'date',
];

const DATED: ReadonlySet<string> = new Set([...PUBLISHED, ...MODIFIED]);

/** Dates in order of trust: JSON-LD, meta elements, time elements, the Last-Modified header. '' when unknown. */
export function datesOf(
  jsonLd: readonly string[],
  meta: ReadonlyMap<string, string>,
  times: readonly string[],
  lastModified: string,
): { readonly published: string; readonly modified: string; readonly invalid: number } {
  let published = '';
  let modified = '';
  let invalid = 0;
  for (const source of jsonLd) {
    const found = jsonLdDates(source);
    if (found === null) invalid++;
    else {
      published ||= found.published;
      modified ||= found.modified;
    }
  }
  let dated = false;
  for (const name of meta.keys()) dated ||= DATED.has(name);
  if (dated) {
    for (const name of PUBLISHED) published ||= isoDate(meta.get(name) ?? '');
    for (const name of MODIFIED) modified ||= isoDate(meta.get(name) ?? '');
  }
  if (published === '') for (const time of times) published ||= isoDate(time);
  if (modified === '' && lastModified !== last.said) {
    last.said = lastModified;
    last.date = isoDate(lastModified);
  }
  modified ||= last.date;
  return { published, modified, invalid };
}

/** The last Last-Modified header: the files of a site are often all of one time, and `Date` is slow to read it. */
const last = { said: '', date: '' };

/** Most nodes of one JSON-LD block that are looked at. */
const MAX_NODES = 2000;

function jsonLdDates(source: string): { published: string; modified: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(
      source.replace(
        /^\s*(?:<!--|\/\*<!\[CDATA\[\*\/|\/\/<!\[CDATA\[|<!\[CDATA\[)|(?:-->|\/\*\]\]>\*\/|\/\/\]\]>|\]\]>)\s*$/g,
        '',
      ),
    );
  } catch {
    // One page in a hundred has JSON-LD that is no JSON: counted as a problem of the page.
    return null;
  }
  const found = { published: '', modified: '' };
  const queue: unknown[] = [value];
  for (let i = 0; i < queue.length && i < MAX_NODES; i++) {
    const node = queue[i];
    if (Array.isArray(node)) {
      for (const item of node) queue.push(item);
    } else if (typeof node === 'object' && node !== null) {
      const record = node as Record<string, unknown>;
      if (typeof record.datePublished === 'string') found.published ||= isoDate(record.datePublished);
      else if (typeof record.dateCreated === 'string') found.published ||= isoDate(record.dateCreated);
      if (typeof record.dateModified === 'string') found.modified ||= isoDate(record.dateModified);
      for (const part of Object.values(record)) if (typeof part === 'object' && part !== null) queue.push(part);
    }
    if (queue.length > MAX_NODES * 4) break;
  }
  return found;
}

/**
 * A date as ISO 8601: what is one already keeps its precision (`2023-05-06`), others (HTTP dates, `May 6, 2023`) become
 * a UTC instant. '' for what is no date: also 30 February, and years before 1900 or after 2199.
 */
export function isoDate(text: string): string {
  const said = text.trim();
  if (said.length < 4 || said.length > 60) return '';
  const iso =
    /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?$/i.exec(
      said,
    );
  if (iso !== null) {
    const [, year, month, day, hour, minute, second, zone] = iso;
    if (!isDay(Number(year), Number(month), Number(day ?? 1))) return '';
    if (hour === undefined) return copy(said);
    if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return '';
    const offset =
      zone === undefined
        ? ''
        : /^z$/i.test(zone)
          ? 'Z'
          : zone.length === 5
            ? `${zone.slice(0, 3)}:${zone.slice(3)}`
            : zone;
    return `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}${offset}`;
  }
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(said) ?? /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(said);
  if (compact !== null) {
    const [, year, month, day] = compact;
    if (!isDay(Number(year), Number(month), Number(day))) return '';
    return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  }
  // Only what names a month in letters: numbers alone could be read in two orders.
  if (!/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(said) || !/\d{4}/.test(said)) return '';
  const time = Date.parse(/\d{1,2}:\d{2}/.test(said) ? said : `${said} UTC`);
  if (Number.isNaN(time)) return '';
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year < 1900 || year > 2199 ? '' : date.toISOString().replace('.000Z', 'Z');
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A short string that holds nothing longer alive. */
const copy = (text: string): string => Buffer.from(text).toString();
