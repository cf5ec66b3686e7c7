import { constants, gunzipSync } from 'node:zlib';
import { isoDate } from './meta.ts';
import { decodeXml, localName, prefixOf, readXml } from './xml.ts';

/** What a sitemap says: pages, or further sitemaps. */
export interface Sitemap {
  readonly kind: 'urlset' | 'index' | 'rss' | 'atom' | 'text' | 'unknown';
  readonly urls: readonly SitemapUrl[];
  /** Absolute addresses of further sitemaps. */
  readonly sitemaps: readonly string[];
  /** What was odd, one plain fragment each. */
  readonly problems: readonly string[];
}
export interface SitemapUrl {
  /** Absolute, http or https, unique in a sitemap. */
  readonly url: string;
  /** ISO 8601; absent when none or no date. It may lie in the future: only the reader's clock can tell. */
  readonly lastmod?: string;
  readonly changefreq?: (typeof CHANGES)[number];
  /** 0 to 1. */
  readonly priority?: number;
}

const CHANGES = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const;
/** Of the sitemap protocol. */
const MAX_URLS = 50_000;
const MAX_BYTES = 52_428_800;

/**
 * Reads a sitemap: XML (also without or with a wrong namespace, with a prefix, with blanks before its declaration), an
 * index, RSS, Atom, or a text of one address a line; gzipped or not, by its first bytes and not by its name. Addresses of
 * extensions (images, videos) are no pages. Never throws; damage is in `problems`, and what came before it is kept.
 *
 * `url`: its own address, for relative ones. Cost: linear; at most 50,000 addresses and 50 MB unpacked are read.
 */
export function parseSitemap(input: {
  readonly url: string;
  readonly contentType?: string;
  readonly body: Uint8Array;
}): Sitemap {
  const problems: string[] = [];
  const body = unpack(input.body, problems);
  const text = decodeXml(body, /gzip/.test(input.contentType ?? '') ? '' : (input.contentType ?? ''));
  const found = new Map<string, SitemapUrl>();
  const sitemaps = new Set<string>();
  const resolve = (said: string): string => {
    const href = said.trim();
    if (href === '' || !URL.canParse(href, input.url)) return '';
    const url = new URL(href, input.url);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : '';
  };
  const add = (said: string, lastmod: string, changefreq: string, priority: string): void => {
    const url = resolve(said);
    if (url === '') {
      if (said.trim() !== '' && problems.length < 20) problems.push(`no address: ${said.trim().slice(0, 100)}`);
      return;
    }
    if (found.has(url)) return;
    const date = isoDate(lastmod);
    const change = CHANGES.find((name) => name === changefreq.trim().toLowerCase());
    const value = priority.trim() === '' ? Number.NaN : Number(priority);
    found.set(url, {
      url,
      ...(date === '' ? {} : { lastmod: date }),
      ...(change === undefined ? {} : { changefreq: change }),
      ...(value >= 0 && value <= 1 ? { priority: value } : {}),
    });
  };

  if (!/^\s*</.test(text)) {
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    for (const line of lines.slice(0, MAX_URLS)) if (/^\s*https?:\/\//i.test(line)) add(line, '', '', '');
    if (lines.length > MAX_URLS) problems.push(`more than ${MAX_URLS} addresses`);
    return { kind: found.size > 0 ? 'text' : 'unknown', urls: [...found.values()], sitemaps: [], problems };
  }

  let kind: Sitemap['kind'] = 'unknown';
  let prefix = '';
  /** The open entry, its values, and which of them the open element is. */
  let entry = '';
  let own = '';
  let values: Record<string, string> = {};
  let field = '';
  let cutField = '';
  const whole = readXml(
    text,
    {
      open(name, attributes) {
        const local = localName(name).toLowerCase();
        if (kind === 'unknown') {
          prefix = prefixOf(name);
          if (local === 'urlset') kind = 'urlset';
          else if (local === 'sitemapindex') kind = 'index';
          else if (local === 'rss' || local === 'rdf') kind = 'rss';
          else if (local === 'feed') kind = 'atom';
          // Found without the element around them.
          else if (local === 'url' || local === 'sitemap') kind = local === 'url' ? 'urlset' : 'index';
        }
        if (entry === '') {
          if (ENTRY[kind]?.includes(local)) {
            entry = name;
            own = cutField = '';
            values = {};
          }
          return;
        }
        // RSS and Atom have parts of other vocabularies beside their own; a sitemap's own share the prefix of its root.
        const foreign = prefixOf(name) !== prefix && kind !== 'rss';
        field = foreign || (kind === 'rss' && name.includes(':') && local !== 'date') ? '' : local;
        if (kind === 'atom' && field === 'link') {
          const rel = attributes.rel ?? 'alternate';
          if (rel === 'alternate' && values.link === undefined) values.link = attributes.href ?? '';
        }
        if (field === 'guid' && attributes.isPermaLink === 'false') field = '';
      },
      text(piece) {
        if (entry === '') return;
        if (field === '') own += piece;
        else if (!(kind === 'atom' && field === 'link')) values[field] = ((values[field] ?? '') + piece).slice(0, 4096);
      },
      close(name, implied) {
        if (name !== entry) {
          if (implied && cutField === '') cutField = field;
          field = '';
          return;
        }
        entry = '';
        const cut = implied && cutField !== '';
        cutField = '';
        // The file ends within an address: it is not one.
        if (cut) return;
        const modified = values.lastmod ?? values.updated ?? values.pubdate ?? values.date ?? values.published ?? '';
        // An index without <loc>, its address right in <sitemap>, is seen in the wild.
        const said = values.loc ?? values.link ?? values.guid ?? (kind === 'index' || kind === 'urlset' ? own : '');
        if (kind === 'index') {
          const url = resolve(said);
          if (url !== '') sitemaps.add(url);
        } else add(said, modified, values.changefreq ?? '', values.priority ?? '');
      },
    },
    () => found.size >= MAX_URLS || sitemaps.size >= MAX_URLS,
  );
  if (!whole) problems.push(found.size >= MAX_URLS ? `more than ${MAX_URLS} addresses` : 'it is nested too deeply');
  if (kind === 'unknown') problems.push('it is no sitemap');
  return { kind, urls: [...found.values()], sitemaps: [...sitemaps], problems };
}

const ENTRY: Readonly<Record<string, readonly string[]>> = {
  urlset: ['url'],
  index: ['sitemap'],
  rss: ['item'],
  atom: ['entry'],
};

/** Undoes gzip, once or twice over; what is damaged is read as far as it goes. */
function unpack(body: Uint8Array, problems: string[]): Uint8Array {
  let bytes = body;
  for (let round = 0; round < 2 && bytes[0] === 0x1f && bytes[1] === 0x8b; round++) {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: MAX_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
    } catch (error) {
      problems.push(`its gzip cannot be undone (${error instanceof Error ? error.message : String(error)})`);
      return new Uint8Array(0);
    }
  }
  if (bytes.length > MAX_BYTES) problems.push('larger than a sitemap may be: only its beginning is read');
  return bytes.subarray(0, MAX_BYTES);
}
