/**
 * export nutch: crawldb, linkdb and segments as Apache Nutch reads them: MapFiles sorted by address, one part each.
 *
 *     <to>/crawldb/current/part-r-00000/{data,index}      <to>/linkdb/current/part-r-00000/{data,index}
 *     <to>/segments/<name>/{crawl_generate,crawl_parse}/part-r-00000
 *     <to>/segments/<name>/{crawl_fetch,content,parse_data,parse_text}/part-r-00000/{data,index}
 *
 * Bodies go as Nutch keeps them, their content encoding undone. The same crawl makes the same bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlError } from '../../errors.ts';
import { storedAnswers } from '../../jobs/stored-answers.ts';
import { decodeOutcome, decodeState } from '../../page/codec.ts';
import { anchorLine, decodeInlinks, inlinkUrl } from '../../page/inlinks.ts';
import { urlOf } from '../../page/key.ts';
import { decodePageData, decodePageLinks, decodePageText, type SegmentPart } from '../../page/segment.ts';
import { partFiles } from '../../page/segment-files.ts';
import type { Counters, JobContext } from '../../run/context.ts';
import { MergeReader, narrow } from '../../store/merge.ts';
import { readRecords } from '../../store/records.ts';
import { RecordSorter } from '../../store/sort.ts';
import { datumOf, fetchDatumOf } from './convert.ts';
import { DataOut } from './data.ts';
import { MapFileWriter, SequenceWriter } from './sequence-file.ts';
import { type Metadata, writeContent, writeDatum, writeInlinks, writeParseData, writeParseText } from './writables.ts';

const DATUM = 'org.apache.nutch.crawl.CrawlDatum';
const MEMORY = 32 << 20;
/** Status of a datum of crawl_parse: a link, a signature. */
const LINKED = 67;
const SIGNATURE = 65;

export interface NutchExport {
  /** Names of the segments to write; default none. */
  readonly segments?: readonly string[];
  /** Whether inlinks have room for metadata, as since 1.21. Default true. */
  readonly linkMetadata?: boolean;
}

/** `pages`, `targets`, `segments`. The folder must be new or empty of what is written. @throws CrawlError 'usage' */
export async function exportNutch(context: JobContext, to: string, input: NutchExport = {}): Promise<Counters> {
  for (const name of ['crawldb', 'linkdb'])
    if (existsSync(join(to, name)))
      throw new CrawlError('usage', `${join(to, name)} is there already; name a new folder`, { where: to });
  const counters = { pages: 0, targets: 0, segments: 0 };
  const out = new DataOut();
  const crawldb = new Sorted(context, join(to, 'crawldb', 'current', 'part-r-00000'), DATUM);
  for await (const entries of context.tables.crawldb.chunks())
    for (const [key, value] of entries) {
      if (context.signal.aborted) throw new CrawlError('interrupted', `export was stopped; remove ${to}`);
      out.reset();
      writeDatum(datumOf(decodeState(value)), out);
      crawldb.add(urlOf(key.toString()), out.finish());
      counters.pages++;
    }
  crawldb.finish();
  const linkdb = new Sorted(context, join(to, 'linkdb', 'current', 'part-r-00000'), 'org.apache.nutch.crawl.Inlinks');
  for await (const entries of context.tables.linkdb.chunks())
    for (const [key, value] of entries) {
      out.reset();
      const links = decodeInlinks(value).map((link) => ({
        url: inlinkUrl(link),
        anchor: anchorLine(link),
        metadata: null,
      }));
      writeInlinks(links, input.linkMetadata ?? true, out);
      linkdb.add(urlOf(key.toString()), out.finish());
      counters.targets++;
    }
  linkdb.finish();
  for (const segment of input.segments ?? []) {
    exportSegment(context, segment, join(to, 'segments', segment));
    await exportContent(context, segment, join(to, 'segments', segment));
    counters.segments++;
  }
  return counters;
}

/** Collects records and writes them as a MapFile, or (`plain`) as a SequenceFile in the order they came. */
class Sorted {
  private readonly context: JobContext;
  private readonly path: string;
  private readonly valueClass: string;
  private readonly folder: string;
  private readonly sorter: RecordSorter;

  constructor(context: JobContext, path: string, valueClass: string) {
    this.context = context;
    this.path = path;
    this.valueClass = valueClass;
    this.folder = join(context.dir, 'tmp', 'export-nutch');
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    this.sorter = new RecordSorter({ folder: this.folder, partitions: 1, memory: MEMORY });
  }
  add(url: string, value: Uint8Array): void {
    const key = Buffer.from(url);
    this.sorter.add(key, 0, key.length, value, 0, value.length);
  }
  finish(): void {
    const runs = this.sorter.finish()[0]!.map((name) => join(this.folder, name));
    const writer = new MapFileWriter(this.path, { valueClass: this.valueClass, sync: syncOf(this.context, this.path) });
    const reader = new MergeReader(narrow(runs, this.folder));
    try {
      while (reader.next()) writer.append(reader.top.key, reader.top.value);
    } finally {
      reader.close();
      writer.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

/** Sixteen bytes that no record holds by chance, the same each time. */
const syncOf = (context: JobContext, path: string): Buffer =>
  createHash('md5')
    .update(`nuthatch ${context.now} ${path.split(/[\\/]/).slice(-4).join('/')}`)
    .digest();

function exportSegment(context: JobContext, segment: string, to: string): void {
  const interval = context.options.schedule.interval;
  const records = function* (part: SegmentPart): Generator<{ key: string; value: Uint8Array }> {
    for (const file of partFiles(context.dir, segment, part)) yield* readRecords(file);
  };
  const has = (part: SegmentPart): boolean => partFiles(context.dir, segment, part).length > 0;
  const out = new DataOut();
  const bytesOf = (write: () => void): Buffer => {
    out.reset();
    write();
    return out.finish();
  };
  const plain = (part: string): SequenceWriter => {
    const path = join(to, part, 'part-r-00000');
    mkdirSync(join(to, part), { recursive: true });
    return new SequenceWriter(path, { valueClass: DATUM, sync: syncOf(context, path) });
  };
  if (has('crawl_generate')) {
    const writer = plain('crawl_generate');
    for (const { key, value } of records('crawl_generate'))
      writer.append(
        urlOf(key),
        bytesOf(() => writeDatum(datumOf(decodeState(value)), out)),
      );
    writer.close();
  }
  if (has('crawl_fetch')) {
    const sorted = new Sorted(context, join(to, 'crawl_fetch', 'part-r-00000'), DATUM);
    for (const { key, value } of records('crawl_fetch')) {
      const outcome = decodeOutcome(value);
      if (outcome.kind !== 'skipped')
        sorted.add(
          urlOf(key),
          bytesOf(() => writeDatum(fetchDatumOf(outcome, interval), out)),
        );
    }
    sorted.finish();
  }
  if (has('parse_text')) {
    const sorted = new Sorted(context, join(to, 'parse_text', 'part-r-00000'), 'org.apache.nutch.parse.ParseText');
    for (const { key, value } of records('parse_text'))
      sorted.add(
        urlOf(key),
        bytesOf(() => writeParseText(decodePageText(value).text, out)),
      );
    sorted.finish();
  }
  if (!has('crawl_parse')) return;
  const writer = plain('crawl_parse');
  const blank = { retries: 0, modifiedTime: 0, signature: null, metadata: null, fetchTime: context.now };
  for (const { key, value } of records('crawl_parse')) {
    const page = decodePageLinks(value);
    const signature = page.signature && Buffer.from(page.signature);
    if (signature)
      writer.append(
        urlOf(key),
        bytesOf(() => writeDatum({ ...blank, status: SIGNATURE, interval: 0, score: 0, signature }, out)),
      );
    const score = page.links.length > 0 ? page.score / page.links.length : 0;
    for (const link of page.links)
      if (!link.nofollow)
        writer.append(
          link.url,
          bytesOf(() => writeDatum({ ...blank, status: LINKED, interval, score }, out)),
        );
  }
  writer.close();
  if (!has('parse_data')) return;
  const sorted = new Sorted(context, join(to, 'parse_data', 'part-r-00000'), 'org.apache.nutch.parse.ParseData');
  // The links of a page lie in another part, but in the same order: pages are written to both at once.
  const links = records('crawl_parse');
  let next = links.next();
  for (const { key, value } of records('parse_data')) {
    const data = decodePageData(value);
    const same = !next.done && next.value.key === key;
    const page = same ? decodePageLinks(next.value!.value) : undefined;
    if (same) next = links.next();
    const content: [string, string[]][] = [
      ['nutch.segment.name', [segment]],
      ['Content-Type', [data.contentType]],
      ['_ftk_', [String(data.fetched)]],
      ['_fst_', ['33']],
    ];
    if (data.signature) content.push(['nutch.content.digest', [Buffer.from(data.signature).toString('hex')]]);
    if (page) content.push(['nutch.crawl.score', [String(page.score)]]);
    const parse: Metadata = Object.entries(data.meta).map(([name, text]) => [name, [text]]);
    sorted.add(
      urlOf(key),
      bytesOf(() =>
        writeParseData(
          {
            status: { major: 1, minor: 0, args: null },
            title: data.title,
            links: (page?.links ?? []).map(({ url, anchor }) => ({
              url,
              anchor: anchor.replaceAll('\n', ' | '),
              metadata: null,
            })),
            content,
            parse,
          },
          out,
        ),
      ),
    );
  }
  sorted.finish();
}

async function exportContent(context: JobContext, segment: string, to: string): Promise<void> {
  const files = partFiles(context.dir, segment, 'content');
  if (files.length === 0) return;
  const sorted = new Sorted(context, join(to, 'content', 'part-r-00000'), 'org.apache.nutch.protocol.Content');
  const out = new DataOut();
  for (const file of files)
    for await (const { url, fetched, headers, header, body } of storedAnswers(file, context.options.net.maxBody)) {
      if (context.signal.aborted) throw new CrawlError('interrupted', `export was stopped; remove ${to}`);
      if (body === null) continue;
      out.reset();
      const contentType = header('content-type').replace(/;.*/, '').trim().toLowerCase();
      const metadata: Metadata = [
        ['nutch.segment.name', [segment]],
        ['_ftk_', [String(fetched)]],
        ['_fst_', ['33']],
        ...byName(headers),
      ];
      writeContent({ url, base: url, body, contentType, metadata }, out);
      sorted.add(url, out.finish());
    }
  sorted.finish();
}

/** Headers as metadata has them: a name once, as first written, with its values in order. */
function byName(headers: readonly (readonly [name: string, value: string])[]): Metadata {
  const names = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of headers) {
    const had = names.get(name.toLowerCase());
    if (had) had[1].push(value);
    else names.set(name.toLowerCase(), [name, [value]]);
  }
  return [...names.values()];
}
