/**
 * import nutch: crawldb, linkdb and segments of a crawl folder of Apache Nutch, each where it is there. Addresses come to
 * their only form on the way; what has none is counted and left. Of two records of a page the one fetched later stands.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlError } from '../../errors.ts';
import { later } from '../../jobs/purge.ts';
import { decodeState, encodeOutcome, encodeState } from '../../page/codec.ts';
import { decodeInlinks, encodeInlinks, type Inlink } from '../../page/inlinks.ts';
import { keyOf } from '../../page/key.ts';
import {
  encodePageData,
  encodePageLinks,
  encodePageText,
  type Link,
  type SegmentPart,
  segmentFolder,
} from '../../page/segment.ts';
import type { Counters, JobContext } from '../../run/context.ts';
import { RecordWriter } from '../../store/records.ts';
import { contentFile, WarcWriter } from '../../store/warc.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { outcomeOf, stateOf } from './convert.ts';
import { DataIn } from './data.ts';
import { partsOf, readSequence } from './sequence-file.ts';
import { type Metadata, readContent, readDatum, readInlinks, readParseData, readParseText } from './writables.ts';

const AT_ONCE = 1000;

/** `pages`, `links`, `segments`, `rejected` addresses. @throws CrawlError 'usage' | 'damaged' */
export async function importNutch(context: JobContext, from: string): Promise<Counters> {
  const crawldb = filesOf(join(from, 'crawldb', 'current'));
  const linkdb = filesOf(join(from, 'linkdb', 'current'));
  const segments = existsSync(join(from, 'segments'))
    ? readdirSync(join(from, 'segments'))
        .filter((name) => /^\d{14}$/.test(name))
        .sort()
    : [];
  if (crawldb.length + linkdb.length + segments.length === 0)
    throw new CrawlError('usage', `${from} holds neither crawldb/current, linkdb/current nor segments of Nutch`, {
      where: from,
    });
  const counters: Record<string, number> = { pages: 0, links: 0, segments: 0, rejected: 0 };
  await importPages(context, crawldb, counters);
  await importLinks(context, linkdb, counters);
  for (const segment of segments) importSegment(context, join(from, 'segments', segment), segment, counters);
  return counters;
}

const filesOf = (folder: string): string[] => (existsSync(folder) ? partsOf(folder, readdirSync(folder)) : []);

/** The key of an address in its only form, or null. */
function keyFrom(url: string, counters: Record<string, number>): string | null {
  const normal = normalizeUrl(url);
  if (normal === null) counters.rejected!++;
  return normal === null ? null : keyOf(normal);
}

async function importPages(
  { tables, signal }: JobContext,
  files: readonly string[],
  counters: Record<string, number>,
): Promise<void> {
  const change = tables.crawldb.change();
  try {
    let batch = new Map<string, ReturnType<typeof stateOf>>();
    const flush = async (): Promise<void> => {
      if (signal.aborted) throw new CrawlError('interrupted', 'import was stopped; nothing has changed');
      const keys = [...batch.keys()].sort();
      const known = await tables.crawldb.getMany(keys.map((key) => Buffer.from(key)));
      for (const [i, key] of keys.entries()) {
        const state = batch.get(key)!;
        const old = known[i] && decodeState(known[i]);
        if (!old || later(state, old)) change.put(key, encodeState(state));
      }
      batch = new Map();
    };
    for (const file of files)
      for (const { key, value } of readSequence(file)) {
        const state = stateOf(readDatum(new DataIn(value)));
        const at = keyFrom(new DataIn(key).text(), counters);
        if (!state || at === null) continue;
        const other = batch.get(at);
        if (!other || later(state, other)) batch.set(at, state);
        counters.pages!++;
        if (batch.size >= AT_ONCE) await flush();
      }
    await flush();
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  }
}

async function importLinks(
  { tables }: JobContext,
  files: readonly string[],
  counters: Record<string, number>,
): Promise<void> {
  const change = tables.linkdb.change();
  try {
    for (const file of files)
      for (const { key, value } of readSequence(file)) {
        const target = keyFrom(new DataIn(key).text(), counters);
        if (target === null) continue;
        const links = new Map<string, Inlink>();
        for (const { url, anchor } of readInlinks(value).links) {
          const source = keyFrom(url, counters);
          if (source !== null && !links.has(source))
            links.set(source, { source: Buffer.from(source), anchor: Buffer.from(anchor), score: 0 });
        }
        const known = await tables.linkdb.get(target);
        if (known) for (const link of decodeInlinks(known)) links.set(link.source.toString(), link);
        counters.links! += links.size;
        change.put(target, encodeInlinks([...links.values()].sort((a, b) => a.source.compare(b.source))));
      }
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  }
}

const metaOf = (metadata: Metadata, name: string): string =>
  metadata.find(([written]) => written.toLowerCase() === name.toLowerCase())?.[1][0] ?? '';

function importSegment(context: JobContext, from: string, segment: string, counters: Record<string, number>): void {
  const folder = segmentFolder(context.dir, segment);
  if (existsSync(folder)) {
    context.onEvent({ kind: 'warning', message: `segment ${segment} is here already and is left as it is` });
    return;
  }
  const making = `${folder}.making`;
  rmSync(making, { recursive: true, force: true });
  const part = (name: SegmentPart): RecordWriter => {
    mkdirSync(join(making, name), { recursive: true });
    return new RecordWriter(join(making, name, '00000.rec'));
  };
  const each = (name: string, visit: (key: string, value: DataIn) => void): void => {
    for (const file of filesOf(join(from, name)))
      for (const { key, value } of readSequence(file)) {
        const at = keyFrom(new DataIn(key).text(), counters);
        if (at !== null) visit(at, new DataIn(value));
      }
  };
  const write = (name: SegmentPart, source: string, encode: (value: DataIn) => Uint8Array | null): void => {
    if (filesOf(join(from, source)).length === 0) return;
    const writer = part(name);
    try {
      each(source, (key, value) => {
        const bytes = encode(value);
        if (bytes) writer.append(key, bytes);
      });
    } finally {
      writer.close();
    }
  };
  write('crawl_generate', 'crawl_generate', (value) => {
    const state = stateOf(readDatum(value));
    return state && encodeState(state);
  });
  write('crawl_fetch', 'crawl_fetch', (value) => {
    const outcome = outcomeOf(readDatum(value));
    return outcome && encodeOutcome(outcome);
  });
  write('parse_text', 'parse_text', (value) => encodePageText({ text: readParseText(value), boilerplate: '' }));
  write('parse_data', 'parse_data', (value) => {
    const { title, content, parse } = readParseData(value);
    return encodePageData({
      title,
      headings: [],
      meta: Object.fromEntries(parse.map(([name, values]) => [name.toLowerCase(), values[0] ?? ''])),
      canonical: '',
      lang: metaOf(parse, 'language').toLowerCase(),
      charset: metaOf(parse, 'CharEncodingForConversion'),
      robots: robotsOf(metaOf(parse, 'robots')),
      dates: { published: '', modified: '' },
      problems: [],
      signature: digestOf(content),
      contentType: metaOf(content, 'Content-Type').replace(/;.*/, '').trim().toLowerCase(),
      fetched: Number(metaOf(content, '_ftk_')) || 0,
      lastModified: metaOf(content, 'Last-Modified'),
      bytes: Number(metaOf(content, 'Content-Length')) || 0,
    });
  });
  write('crawl_parse', 'parse_data', (value) => {
    const { links, content } = readParseData(value);
    const unique = new Map<string, Link>();
    for (const { url, anchor } of links) {
      const to = normalizeUrl(url);
      if (to !== null && !unique.has(to)) unique.set(to, { url: to, anchor, nofollow: false });
    }
    const score = Number(metaOf(content, 'nutch.crawl.score')) || 0;
    return encodePageLinks({ signature: digestOf(content), score, depth: 0, links: [...unique.values()] });
  });
  importContent(from, making, context);
  if (existsSync(join(making, 'crawl_fetch'))) writeFileSync(join(making, 'fetch.done'), '');
  if (!existsSync(making)) return;
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(making, folder);
  counters.segments!++;
}

function importContent(from: string, making: string, context: JobContext): void {
  const files = filesOf(join(from, 'content'));
  if (files.length === 0) return;
  const path = contentFile(making, 0);
  mkdirSync(dirname(path), { recursive: true });
  const writer = new WarcWriter(path, context.options.net.agent);
  try {
    for (const file of files)
      for (const { value } of readSequence(file)) {
        const { url, body, metadata } = readContent(new DataIn(value));
        const normal = normalizeUrl(url);
        if (normal === null) continue;
        // Nutch keeps bodies without their coding: the header that told of it would lie.
        const headers = metadata
          .filter(
            ([name]) =>
              /^[A-Z][\w-]*$/.test(name) && !/^(?:content-encoding|transfer-encoding|content-length)$/i.test(name),
          )
          .flatMap(([name, values]) => values.map((one) => [name, one] as const));
        const date = Number(metaOf(metadata, '_ftk_')) || Date.parse(metaOf(metadata, 'Date')) || context.now;
        const ip = metaOf(metadata, '_ip_');
        writer.response({ url: normal, date, ip, status: 200, statusText: 'OK', headers, body, truncated: '' });
      }
  } finally {
    writer.close();
  }
}

const digestOf = (content: Metadata): Uint8Array | null => {
  const hex = metaOf(content, 'nutch.content.digest');
  return /^(?:[0-9a-f]{2})+$/i.test(hex) ? new Uint8Array(Buffer.from(hex, 'hex')) : null;
};

const robotsOf = (text: string) => {
  const words = text.toLowerCase().split(/[\s,]+/);
  const none = words.includes('none');
  return {
    noindex: none || words.includes('noindex'),
    nofollow: none || words.includes('nofollow'),
    noarchive: words.includes('noarchive'),
    nosnippet: words.includes('nosnippet'),
  };
};
