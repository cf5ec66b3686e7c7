import type { FieldSpec, Schema } from '../../index/document.ts';
import type { Settled } from '../options.ts';
import { readReplacements } from './replace.ts';

/**
 * The fields of a page in the index. What a person may ask for has a name of one word: `title:`, `text:`, `headings:`,
 * `anchors:`, `url:`, `site:`, `type:`, `lang:`.
 */
const pageFields: readonly FieldSpec[] = [
  /** The address of a page, or the id that a document was added with. */
  { name: 'id', index: 'keyword', stored: true },
  { name: 'url', index: 'text', analyzer: 'address', weight: 1, stored: true },
  { name: 'title', index: 'text', weight: 3, stored: true },
  { name: 'headings', index: 'text', weight: 1.5, stored: true },
  { name: 'anchors', index: 'text', weight: 2 },
  { name: 'text', index: 'text', weight: 1, stored: true },
  /** Menus, footers and the like. */
  { name: 'boilerplate', index: 'text', weight: 0.1 },
  /** The host and each parent of it down to the registered domain; as a column the host. */
  { name: 'site', index: 'keyword', column: 'string', stored: true },
  { name: 'domain', index: 'keyword', column: 'string' },
  /** The language without region or script, lower-case: `en`, `de`. */
  { name: 'lang', index: 'keyword', column: 'string', stored: true },
  /** The MIME type, its halves, the word people use; as a column the MIME type. */
  { name: 'type', index: 'keyword', column: 'string', stored: true },
  /** The crawl segment it was fetched in: yyyyMMddHHmmss. */
  { name: 'segment', index: 'none', column: 'string', stored: true },
  { name: 'digest', index: 'none', column: 'hash128' },
  /** What the links to it are worth; 1 is neutral. */
  { name: 'boost', index: 'none', column: 'f64' },
  /** ms since the epoch. `modified`: when the page says it last changed, else when the server says so, else when it was fetched. */
  { name: 'modified', index: 'none', column: 'f64', stored: true },
  { name: 'published', index: 'none', column: 'f64', stored: true },
  { name: 'fetched', index: 'none', column: 'f64', stored: true },
  /** Size of the body, bytes. */
  { name: 'bytes', index: 'none', column: 'u32', stored: true },
  /** What the page asks of search engines, of `nosnippet` and `noarchive`. */
  { name: 'robots', index: 'none', stored: true },
  /** Where in the text which heading stands, and the fragment that leads there: see sections.ts. */
  { name: 'sections', index: 'none', stored: true },
  /** What a hit shows when neither its text nor its headings have what was sought. Not searched. */
  { name: 'description', index: 'none', stored: true },
];

/** A sketch of the text, by which pages with nearly the same one are found (parse/near.ts). */
const nearField: FieldSpec = { name: 'near', index: 'none', column: 'hash512' };

/** The field of an entry of `index.metadata`: `meta.author`; of `dc.*` `meta.dc`, of `*` `meta`. */
export const metaField = (name: string): string => `meta.${name}`.replace(/[._:-]*\*$/, '');

/** The page fields, then those that the options bring: metadata, static, subcollections, targets of rewrites. */
export function pageSchema(options: Settled['index']): Schema {
  const more: FieldSpec[] = [
    ...(options.nearDuplicates === 'off' ? [] : [nearField]),
    ...options.metadata.map((name): FieldSpec => ({ name: metaField(name), index: 'text', weight: 0.5, stored: true })),
    ...Object.keys(options.static).map(
      (name): FieldSpec => ({ name, index: 'keyword', stored: true, column: 'string' }),
    ),
    ...(Object.keys(options.subcollections).length > 0
      ? [{ name: 'subcollection', index: 'keyword', stored: true, column: 'string' } as const]
      : []),
    ...readReplacements(options.replace).targets.map(
      (name): FieldSpec => ({ name, index: 'text', weight: 1, stored: true }),
    ),
  ];
  const known = new Set(pageFields.map((field) => field.name));
  const added = more.filter((field) => !known.has(field.name) && known.add(field.name));
  return { key: 'id', lang: 'lang', fields: [...pageFields, ...added] };
}
