/**
 * The parts of a segment, and the values that a parsed page leaves in it. Records of every part have the page's key
 * (`keyOf(url)`) as their key.
 *
 *     crawl_generate  PageState, as it was when the fetchlist was made      (codec.ts)
 *     crawl_fetch     Outcome, one a page and one a redirect hop            (codec.ts)
 *     parse_data      PageData     parse_text  PageText     crawl_parse  PageLinks
 *     crawl_sitemap   Hint, one a page that a sitemap dates                 (hint.ts); absent without sitemaps
 *     content         WARC (store/warc.ts)
 *
 *     data  := version:u8=1  robots:u8  fetched:f64  bytes:u64  title canonical lang charset contentType lastModified
 *              published modified: string each  signature:bytes  meta  headings  problems
 *     meta  := count:varint (name:string value:string)[count]
 *     headings := count:varint (level:u8 hasAnchor:u8 text:string [anchor:string])[count]
 *     problems := count:varint string[count]
 *     text  := version:u8=1  text:string  boilerplate:string
 *     links := version:u8=1  depth:u16  score:f64  signature:bytes  count:varint
 *              (key:bytes  anchorLength*2+nofollow:varint  anchor:u8[])[count]      key is keyOf(link.url)
 *
 * Links are kept as keys, so that the jobs that sort millions of them make no string of any. Versions: 1 (first).
 */
import { join } from 'node:path';
import { ByteWriter } from '../../index/io/bytes.ts';
import { guarded } from './codec.ts';
import { keyOf, urlOf } from './key.ts';
import type { Heading, RobotsFlags } from './parsed.ts';

export const segmentParts = [
  'crawl_generate',
  'crawl_fetch',
  'parse_data',
  'parse_text',
  'crawl_parse',
  'crawl_sitemap',
] as const;
export type SegmentPart = (typeof segmentParts)[number];

/** The name of a segment that is made at `time`, ms since the epoch: yyyyMMddHHmmss in UTC. */
export const segmentName = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);

/** `segments/<name>` below the crawl folder. */
export const segmentFolder = (dir: string, segment: string): string => join(dir, 'segments', segment);
/** The file of one shard of one part; the folder of the part may have to be made. `content` has a name of its own. */
export const segmentPart = (dir: string, segment: string, part: SegmentPart, shard: number): string =>
  join(segmentFolder(dir, segment), part, `${String(shard).padStart(5, '0')}.rec`);

export interface PageData {
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly meta: Readonly<Record<string, string>>;
  readonly canonical: string;
  readonly lang: string;
  readonly charset: string;
  readonly robots: RobotsFlags;
  readonly dates: { readonly published: string; readonly modified: string };
  readonly problems: readonly string[];
  readonly signature: Uint8Array | null;
  readonly contentType: string;
  /** ms since the epoch. */
  readonly fetched: number;
  /** As the server sent it; '' when absent. */
  readonly lastModified: string;
  /** Size of the body. */
  readonly bytes: number;
}

export interface PageText {
  readonly text: string;
  readonly boilerplate: string;
}

export interface PageLinks {
  readonly signature: Uint8Array | null;
  /** The page's score and depth in crawldb when its fetchlist was made; a redirect's target takes those of its source. */
  readonly score: number;
  readonly depth: number;
  /** Normalised, accepted, unique by url, without the page itself. */
  readonly links: readonly Link[];
}
export interface Link {
  readonly url: string;
  /** '' for none; several links of the page to one address have each their text, a line each. */
  readonly anchor: string;
  readonly nofollow: boolean;
}

const NONE = new Uint8Array(0);
const owned = (bytes: Uint8Array): Uint8Array | null => (bytes.length > 0 ? new Uint8Array(bytes) : null);
const out = new ByteWriter(4096);

export function encodePageData(page: PageData): Uint8Array {
  out.reset();
  out.u8(1);
  const { noindex, nofollow, noarchive, nosnippet } = page.robots;
  out.u8((noindex ? 1 : 0) | (nofollow ? 2 : 0) | (noarchive ? 4 : 0) | (nosnippet ? 8 : 0));
  out.f64(page.fetched);
  out.u64(page.bytes);
  out.string(page.title);
  out.string(page.canonical);
  out.string(page.lang);
  out.string(page.charset);
  out.string(page.contentType);
  out.string(page.lastModified);
  out.string(page.dates.published);
  out.string(page.dates.modified);
  out.bytes(page.signature ?? NONE);
  const meta = Object.entries(page.meta);
  out.varint(meta.length);
  for (const [name, value] of meta) {
    out.string(name);
    out.string(value);
  }
  out.varint(page.headings.length);
  for (const heading of page.headings) {
    out.u8(heading.level);
    out.u8(heading.anchor === undefined ? 0 : 1);
    out.string(heading.text);
    if (heading.anchor !== undefined) out.string(heading.anchor);
  }
  out.varint(page.problems.length);
  for (const problem of page.problems) out.string(problem);
  return out.finish();
}

/** @throws CrawlError 'damaged' | 'too-new' */
export function decodePageData(bytes: Uint8Array): PageData {
  return guarded('a parsed page', bytes, (from) => {
    const flags = from.u8();
    const fetched = from.f64();
    const size = from.u64();
    const title = from.string();
    const canonical = from.string();
    const lang = from.string();
    const charset = from.string();
    const contentType = from.string();
    const lastModified = from.string();
    const dates = { published: from.string(), modified: from.string() };
    const signature = owned(from.bytes());
    // Names come from the page: a record without prototype, so that none of them means anything to JavaScript.
    const meta: Record<string, string> = Object.create(null);
    for (let left = from.varint(); left > 0; left--) meta[from.string()] = from.string();
    const headings: Heading[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const level = from.u8();
      const anchored = from.u8() === 1;
      const text = from.string();
      headings.push(anchored ? { level, text, anchor: from.string() } : { level, text });
    }
    const problems: string[] = [];
    for (let left = from.varint(); left > 0; left--) problems.push(from.string());
    const robots = {
      noindex: (flags & 1) > 0,
      nofollow: (flags & 2) > 0,
      noarchive: (flags & 4) > 0,
      nosnippet: (flags & 8) > 0,
    };
    return {
      title,
      headings,
      meta,
      canonical,
      lang,
      charset,
      robots,
      dates,
      problems,
      signature,
      contentType,
      fetched,
      lastModified,
      bytes: size,
    };
  });
}

export function encodePageText(page: PageText): Uint8Array {
  out.reset();
  out.u8(1);
  out.string(page.text);
  out.string(page.boilerplate);
  return out.finish();
}

/** The same of texts that are UTF-8 already. */
export function encodeTextBytes(text: Uint8Array, boilerplate: Uint8Array): Uint8Array {
  out.reset();
  out.u8(1);
  out.bytes(text);
  out.bytes(boilerplate);
  return out.finish();
}

/** The text of a page without its boilerplate. @throws CrawlError 'damaged' | 'too-new' */
export const decodeMainText = (bytes: Uint8Array): string =>
  guarded('the text of a page', bytes, (from) => from.string());

/** Whether a page has neither text nor boilerplate; nothing is decoded. @throws CrawlError 'damaged' | 'too-new' */
export const isEmptyText = (bytes: Uint8Array): boolean =>
  guarded('the text of a page', bytes, (from) => from.bytes().length === 0 && from.bytes().length === 0);

/** @throws CrawlError 'damaged' | 'too-new' */
export const decodePageText = (bytes: Uint8Array): PageText =>
  guarded('the text of a page', bytes, (from) => ({ text: from.string(), boilerplate: from.string() }));

/** All of `links` before the links: for who writes those as bytes (fetch/outlinks.ts). */
export function beginPageLinks(out: ByteWriter, page: Omit<PageLinks, 'links'>, count: number): void {
  out.reset();
  out.u8(1);
  out.u16(Math.min(Math.max(page.depth, 0), 0xffff));
  out.f64(page.score);
  out.bytes(page.signature ?? NONE);
  out.varint(count);
}

export function encodePageLinks(page: PageLinks): Uint8Array {
  beginPageLinks(out, page, page.links.length);
  for (const { url, anchor, nofollow } of page.links) {
    out.string(keyOf(url));
    const text = Buffer.from(anchor);
    out.varint(text.length * 2 + (nofollow ? 1 : 0));
    out.raw(text);
  }
  return out.finish();
}

/** @throws CrawlError 'damaged' | 'too-new' */
export function decodePageLinks(bytes: Uint8Array): PageLinks {
  return guarded('the links of a page', bytes, (from) => {
    const depth = from.u16();
    const score = from.f64();
    const signature = owned(from.bytes());
    const links: Link[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const url = urlOf(from.string());
      const mark = from.varint();
      const anchor = Buffer.from(from.raw(mark >>> 1)).toString();
      links.push({ url, anchor, nofollow: (mark & 1) === 1 });
    }
    return { signature, score, depth, links };
  });
}
