import type { Heading, PageLink } from '../page/parsed.ts';
import { clean } from './attributes.ts';
import type { DocumentText } from './documents/text.ts';
import { isoDate } from './meta.ts';
import { decodeXml, localName, readXml } from './xml.ts';

const MAX_ITEMS = 1000;
/** Longest text of one element, in characters, about. */
const MAX_FIELD = 1 << 18;
const FIELDS = new Set(
  'title description subtitle summary content encoded link guid language updated pubdate date published'.split(' '),
);

/**
 * RSS (0.9 to 2.0, RDF) and Atom as a document: its title, the titles and summaries of its items, links to them. Null
 * when it is neither. `plain` makes text of HTML. Never throws. Cost: linear.
 */
export function readFeed(
  body: Uint8Array,
  contentType: string,
  url: string,
  plain: (html: string) => string,
): DocumentText | null {
  const xml = decodeXml(body, contentType);
  let root = '';
  let inItem = false;
  let isHtml = false;
  let field = '';
  let item: Record<string, string> = {};
  const about: Record<string, string> = {};
  const items: Record<string, string>[] = [];
  readXml(
    xml,
    {
      open(name, attributes) {
        const local = localName(name).toLowerCase();
        if (root === '') root = local;
        if (local === 'item' || local === 'entry') {
          inItem = true;
          item = {};
          return;
        }
        if (name.includes(':') && !/^(dc|content|atom):/.test(name)) return;
        const target = inItem ? item : about;
        if (local === 'link' && attributes.href !== undefined) {
          if ((attributes.rel ?? 'alternate') === 'alternate') target.link ??= attributes.href;
        } else {
          field = local;
          isHtml = attributes.type !== 'text';
        }
      },
      text(text) {
        const target = inItem ? item : about;
        const before = target[field] ?? '';
        // Not cut piece by piece: that would copy the whole each time.
        if (FIELDS.has(field) && before.length < MAX_FIELD) target[field] = before + text;
      },
      close(name) {
        const local = localName(name).toLowerCase();
        if (local === 'item' || local === 'entry') {
          inItem = false;
          items.push(item);
        } else if (local === field) {
          const target = inItem ? item : about;
          const said = target[field] ?? '';
          if (isHtml && /[<&]/.test(said)) target[field] = plain(said);
          field = '';
        }
      },
    },
    () => items.length >= MAX_ITEMS,
  );
  if (root !== 'rss' && root !== 'rdf' && root !== 'feed') return null;
  const lines: string[] = [];
  const headings: Heading[] = [];
  const links: PageLink[] = [];
  const put = (text: string): void => {
    for (const line of text.split('\n')) if (line.trim() !== '') lines.push(clean(line));
  };
  put(about.description ?? about.subtitle ?? '');
  for (const entry of items) {
    const title = clean(entry.title ?? '');
    if (title !== '') {
      lines.push(title);
      headings.push({ level: 2, text: title.slice(0, 300) });
    }
    put(entry.encoded ?? entry.content ?? entry.description ?? entry.summary ?? '');
    const href = (entry.link ?? entry.guid ?? '').trim();
    if (/^https?:|^\/|^[\w.-]+\//i.test(href) && URL.canParse(href, url))
      links.push({ url: new URL(href, url).href, anchor: title.slice(0, 100) });
  }
  const newest = items
    .map((entry) => isoDate(entry.updated ?? entry.pubdate ?? entry.date ?? entry.published ?? ''))
    .sort();
  return {
    title: clean(about.title ?? ''),
    text: lines.join('\n'),
    headings,
    links,
    lang: about.language ?? '',
    modified: newest.at(-1) ?? '',
    meta: about.description ? { description: clean(about.description) } : {},
  };
}
