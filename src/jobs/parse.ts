/**
 * parse: reads the stored content of a segment again, after a parser or its options have changed. The new parts take
 * the place of the old ones, and the next `index` takes them up. crawldb and linkdb keep what the first parse told them.
 *
 * Not a map/reduce: a shard's content is read in the order written, and its answer is files of the same shard.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { partsOf } from '../fetch/parts.ts';
import { isSitemap, readSitemap } from '../fetch/sitemap-links.ts';
import type { Settled } from '../options.ts';
import { keyOf } from '../page/key.ts';
import { decodePageLinks, encodePageData, encodePageLinks, encodePageText, segmentFolder } from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import { parseSettings } from '../parse/settings.ts';
import { partRecords } from '../read/segment.ts';
import { readAnything } from '../run/anything.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { createDocumentReader, heapFor } from '../run/documents.ts';
import { RecordWriter } from '../store/records.ts';
import { syncFolder, writeWhole } from '../store/whole.ts';
import { createAdmit } from '../url/admit.ts';
import { parsedAgain } from './progress.ts';
import { storedAnswers } from './stored-answers.ts';

const PARTS = ['parse_data', 'parse_text', 'crawl_parse'] as const;

export interface ParseTask {
  readonly dir: string;
  readonly segment: string;
  /** Path of one shard's content. */
  readonly content: string;
  /** Folder with a folder a part, for the new files. */
  readonly into: string;
  readonly options: Settled;
  readonly seeds: readonly string[];
}

/** @throws CrawlError 'missing-input' when the segment keeps no content */
export async function parseSegment(context: JobContext, segment: string): Promise<Counters> {
  const folder = segmentFolder(context.dir, segment);
  const contents = partFiles(context.dir, segment, 'content');
  if (contents.length === 0)
    throw new CrawlError('missing-input', `segment ${segment} keeps no content, so it cannot be parsed again`, {
      where: folder,
    });
  const into = join(folder, 'parse.new');
  rmSync(into, { recursive: true, force: true });
  for (const part of PARTS) mkdirSync(join(into, part), { recursive: true });
  let done = 0;
  const results = await Promise.all(
    contents.map(async (content) => {
      const task: ParseTask = {
        dir: context.dir,
        segment,
        content,
        into,
        options: context.options,
        seeds: context.seeds,
      };
      const counters = await context.pool.run<Counters>('parse', task, { signal: context.signal });
      context.onEvent({ kind: 'step-progress', step: 'parse', done: ++done, total: contents.length, unit: 'shards' });
      return counters;
    }),
  );
  for (const part of PARTS) {
    const old = join(folder, `${part}.old`);
    rmSync(old, { recursive: true, force: true });
    if (existsSync(join(folder, part))) renameSync(join(folder, part), old);
    renameSync(join(into, part), join(folder, part));
    rmSync(old, { recursive: true, force: true });
  }
  syncFolder(folder);
  writeWhole(parsedAgain(context.dir, segment), String(context.now));
  rmSync(into, { recursive: true, force: true });
  const counters: Record<string, number> = {};
  for (const result of results)
    for (const [name, n] of Object.entries(result)) counters[name] = (counters[name] ?? 0) + n;
  return counters;
}

/** Parses one shard's content. Runs in a thread. */
export async function parseShard(task: ParseTask): Promise<Counters> {
  const { dir, segment, content, into, options, seeds } = task;
  const admit = createAdmit(options.scope, seeds, 'outlink');
  const shard = basename(content).replace(/\..*$/, '');
  const [data, text, links] = PARTS.map((part) => new RecordWriter(join(into, part, `${shard}.rec`))) as [
    RecordWriter,
    RecordWriter,
    RecordWriter,
  ];
  // Score and depth were taken from crawldb when the list was made; only the old links keep them.
  const before = new Map<string, { score: number; depth: number }>();
  for (const { key, value } of partRecords(dir, segment, 'crawl_parse')) {
    const { score, depth } = decodePageLinks(value);
    before.set(key, { score, depth });
  }
  // What has links and no text was read as a sitemap, whatever its bytes look like: robots.txt may have named it.
  const pages = new Set<string>();
  for (const { key } of partRecords(dir, segment, 'parse_data')) pages.add(key);
  const documents = createDocumentReader({ heapMb: heapFor(options) });
  let [parsed, sitemaps, unsupported, failed] = [0, 0, 0, 0];
  try {
    for await (const answer of storedAnswers(content, options.net.maxBody)) {
      const { url, fetched, header, body } = answer;
      if (body === null) {
        failed++;
        continue;
      }
      const headers = Object.fromEntries(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
      const input = { url, contentType: header('content-type'), headers, body };
      const key = keyOf(url);
      const { score = 1, depth = 0 } = before.get(key) ?? {};
      if (!pages.has(key) && (before.has(key) || isSitemap(url, body))) {
        const map = readSitemap(input, fetched, admit, () => {});
        links.append(key, encodePageLinks({ signature: map.signature, score, depth, links: map.links }));
        sitemaps++;
        continue;
      }
      const page = await readAnything({ ...input, settings: parseSettings(options) }, documents);
      if ('unread' in page) {
        if (page.unread === 'not-parsed') unsupported++;
        else failed++;
        continue;
      }
      const parts = partsOf(
        page,
        {
          url,
          body,
          contentType: header('content-type').split(';')[0]!.trim().toLowerCase(),
          fetched,
          lastModified: header('last-modified'),
          score,
          depth,
        },
        admit,
      );
      data.append(key, encodePageData(parts.data));
      text.append(key, encodePageText(parts.text));
      links.append(key, encodePageLinks(parts.links));
      parsed++;
    }
  } finally {
    documents.close();
    data.close();
    text.close();
    links.close();
  }
  return { parsed, sitemaps, unsupported, failed };
}
