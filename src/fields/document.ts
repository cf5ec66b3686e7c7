import type { Document, FieldValue } from '../../index/document.ts';
import type { Settled } from '../options.ts';
import type { PageData, PageText } from '../page/segment.ts';
import type { PageState } from '../page/state.ts';
import { sketchOf } from '../parse/near.ts';
import { domainOf, hostOf } from '../url/host.ts';
import { type AnchorLink, anchorTexts } from './anchors.ts';
import type { Replacements } from './replace.ts';
import { metaField } from './schema.ts';
import { sectionsOf } from './sections.ts';
import { sitesOf } from './sites.ts';
import { subcollectionsOf } from './subcollection.ts';
import { fileNameOf, typeTerms } from './type.ts';

/** All that is known of a page when it is indexed. */
export interface PageInput {
  readonly url: string;
  /** The address that a hit shows, where it is another (`scope.normalizers`, indexer). */
  readonly shown?: string;
  readonly segment: string;
  readonly data: PageData;
  readonly text: PageText;
  /** Absent when crawldb does not know it (any more). */
  readonly state: PageState | undefined;
  /** In a fixed order: the first of equal anchors is kept. */
  readonly links: Iterable<AnchorLink>;
}

/** UTF-16 units: some more than a passage has. */
const LONGEST_DESCRIPTION = 300;

/** The document of a page, by the rules of `options` (Nutch's index-basic, -anchor, -more, -metadata, -static, -replace). */
export function pageDocument(input: PageInput, options: Settled['index'], replacements: Replacements): Document {
  const { url, data, text, state, segment } = input;
  const host = hostOf(url);
  const domain = domainOf(host);
  const fields = new Map<string, readonly string[]>([
    ['title', [titleOf(data)]],
    ['headings', data.headings.map((heading) => heading.text)],
    ['anchors', anchorTexts(input.links, options.anchors, options.maxAnchors)],
    ['text', [text.text]],
    ['boilerplate', [text.boilerplate]],
    ['site', sitesOf(host, domain)],
    ['domain', [domain || host]],
    ['lang', [data.lang.toLowerCase().split('-')[0]!]],
    ['type', typeTerms(data.contentType)],
    ...options.metadata.map((name) => [metaField(name), metaOf(data.meta, name)] as const),
    ...Object.entries(options.static).map(([name, value]) => [name, [value].flat()] as const),
    ['subcollection', subcollectionsOf(url, options.subcollections)],
  ]);
  const document: Record<string, FieldValue> = {
    id: url,
    url: input.shown ?? url,
    segment,
    boost: boostOf(state?.rank || (state?.score ?? 1), options.scorePower),
    fetched: data.fetched,
    modified: modifiedOf(data, state),
    bytes: Math.min(data.bytes, 0xffff_ffff),
  };
  if (data.signature) document.digest = data.signature;
  const published = Date.parse(data.dates.published);
  if (Number.isFinite(published)) document.published = published;
  const description = clean(cut(descriptionOf(data), LONGEST_DESCRIPTION));
  if (description) document.description = description;
  const robots = (['nosnippet', 'noarchive'] as const).filter((flag) => data.robots[flag]).join(' ');
  if (robots) document.robots = robots;
  for (const [name, values] of replacements.apply(fields, url, host)) {
    const limit =
      name === 'title' ? options.maxTitle : name === 'text' || name === 'boilerplate' ? options.maxText : -1;
    const kept = values.map((value) => clean(cut(value, limit))).filter((value) => value !== '');
    if (kept.length > 0) document[name] = kept.length === 1 ? kept[0]! : kept;
  }
  addSketch(document, options);
  // Of the text as it is kept: offsets lead into that.
  const sections = typeof document.text === 'string' ? sectionsOf(document.text, data.headings) : [];
  if (sections.length > 0) document.sections = sections;
  return document;
}

/** The sketch of the text as it is searched, when it is asked for: what a host repeats on its pages makes none alike. */
export function addSketch(document: Record<string, FieldValue>, options: Settled['index']): void {
  if (options.nearDuplicates === 'off' || document.text === undefined) return;
  const sketch = sketchOf([document.text].flat().join('\n'));
  if (sketch) document.near = sketch;
}

/** Its title, else what the server calls the file, else its first heading. */
const titleOf = (data: PageData): string =>
  data.title || fileNameOf(data.meta['content-disposition'] ?? '') || (data.headings[0]?.text ?? '');

/** What it says of itself. Boilerplate never stands in for it: what must not be shown (`data-nosnippet`) is part of that. */
const descriptionOf = ({ meta }: PageData): string =>
  (metaOf(meta, 'description')[0] ?? metaOf(meta, 'og:description')[0] ?? '').trim();

const metaOf = (meta: PageData['meta'], name: string): readonly string[] => {
  const wanted = name.toLowerCase();
  if (!wanted.endsWith('*')) return Object.hasOwn(meta, wanted) ? [meta[wanted]!] : [];
  const begin = wanted.slice(0, -1);
  return Object.keys(meta)
    .filter((key) => key.startsWith(begin))
    .sort()
    .map((key) => meta[key]!);
};

/** A score of 1 is neutral; below and above it the power flattens. 0 and less, which no link gives, count as 0. */
const boostOf = (score: number, power: number): number => (power === 0 ? 1 : Math.max(score, 0) ** power);

function modifiedOf(data: PageData, state: PageState | undefined): number {
  for (const text of [data.dates.modified, data.dates.published, data.lastModified]) {
    const time = Date.parse(text);
    // A page from the future has a wrong clock; one before the web has none.
    if (Number.isFinite(time) && time > 0 && time <= data.fetched + 86_400_000) return time;
  }
  return state?.modified || data.fetched;
}

/** At most `limit` UTF-16 units, no half of a pair; -1: all. */
const cut = (text: string, limit: number): string => {
  if (limit < 0 || text.length <= limit) return text;
  return text.slice(0, /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit);
};
/** Without characters that are none (U+FFFD, U+FFFE, U+FFFF and their like), lone surrogates and controls but white space. */
const clean = (text: string): string => (UNWANTED.test(text) ? text.replaceAll(UNWANTED_ALL, '') : text);
const UNWANTED = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffd-\uffff\ud800-\udfff]/;
const UNWANTED_ALL =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufdd0-\ufdef\ufffd-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
