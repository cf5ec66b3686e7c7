/**
 * invertlinks: the links of a segment, turned round, into linkdb.
 *
 *     linkdb := keyOf(page) -> who links to it (page/inlinks.ts)  |  1:u8 keyOf(page) -> whom it links to, as last inverted
 *
 * A page that was fetched anew, went, or redirects loses the links it had, as its second record tells them, and gets
 * those it has now. On the pool links are brought together by target, put in order of their sources, and written as the
 * list that linkdb has for a page: where it knows none, and nothing went, the list is put in as it came. A segment that is
 * in already is passed over. On its way a link is
 *
 *     link := there:u8  length:u32 source[length]  [score:f32 anchor]       what stands in brackets: of links that are there
 *     news := size:u32 gone[size] list                                      list: as in page/inlinks.ts
 *     gone := count:varint (shared:varint rest:bytes)[count]                sources whose link is gone
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';
import { contributionKey, readContribution, writeContribution } from '../page/contribution.ts';
import { anchorLine, anchorsOf, decodeInlinks, inlinkUrl } from '../page/inlinks.ts';
import { LinkScan } from '../page/scan-links.ts';
import { partFiles } from '../page/segment-files.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Counting, Emit, Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { KeySlices } from '../store/key-slices.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import type { TableChange, Tables } from '../store/tables.ts';
import { keyOf, urlOf } from '../url/key.ts';
import { GatheredLinks, InlinkMerge } from './inlink-news.ts';
import { replacing } from './replacing.ts';

export { anchorsOf };

interface Split {
  readonly kind: 'parsed' | 'before';
  readonly file: string;
}

/** First byte of a value: the link (or list) is gone, or there. */
const GONE = 0;
const THERE = 1;
/** First byte of a key: the links of a page, by source. */
const OWN = 1;

export const invertJob: Job<Split, null> = {
  name: 'invertlinks',
  map({ kind, file }, _args, emit, count) {
    const reader = new RecordReader(file);
    try {
      if (kind === 'parsed') mapParsed(reader, emit, count);
      else mapBefore(reader, emit);
    } finally {
      reader.close();
    }
  },
  reduce(key, values, _args, emit) {
    gathered.read(values);
    if (key[0] === OWN) gathered.list(key, emit);
    else gathered.news(key, emit);
  },
};

const gathered = new GatheredLinks();

/** A link on its way, and how long it is, but for its anchor. */
class Link {
  bytes = Buffer.allocUnsafe(1024);
  length = 0;

  /** Of a page whose links are there: what they have in common. */
  there(source: Buffer, start: number, end: number, score: number): void {
    this.gone(source, start, end);
    this.bytes[0] = THERE;
    this.bytes.writeFloatLE(score, this.length);
    this.length += 4;
  }
  gone(source: Buffer, start: number, end: number): void {
    const length = end - start;
    if (this.bytes.length < length + 9) this.bytes = Buffer.allocUnsafe(length * 2 + 9);
    this.bytes[0] = GONE;
    this.bytes.writeUInt32LE(length, 1);
    source.copy(this.bytes, 5, start, end);
    this.length = 5 + length;
  }
  /** Adds an anchor; the length with it. */
  with(anchor: Buffer, start: number, end: number): number {
    const size = this.length + end - start;
    if (this.bytes.length < size)
      this.bytes = Buffer.concat([this.bytes.subarray(0, this.length), Buffer.allocUnsafe(size * 2)]);
    const { bytes } = this;
    let at = this.length;
    for (let i = start; i < end; i++) bytes[at++] = anchor[i]!;
    return size;
  }
}

function mapParsed(reader: RecordReader, emit: Emit, count: Counting): void {
  const scan = new LinkScan();
  const targets = new KeySlices();
  const out = new ByteWriter(4096);
  const link = new Link();
  let links = 0;
  while (reader.next()) {
    const { block, keyStart, keyEnd } = reader;
    scan.open(reader.value);
    targets.reset(scan.bytes);
    link.there(block, keyStart, keyEnd, scan.score);
    while (scan.next()) {
      if (scan.nofollow) continue;
      const size = link.with(scan.bytes, scan.anchorStart, scan.anchorEnd);
      emit.slice(scan.bytes, scan.keyStart, scan.keyEnd, link.bytes, 0, size);
      targets.add(scan.keyStart, scan.keyEnd);
      links++;
    }
    out.reset();
    out.u8(THERE);
    writeContribution(out, 0, targets.sort());
    emit(contributionKey(block.subarray(keyStart, keyEnd)), out.view());
  }
  count('links', links);
}

function mapBefore(reader: RecordReader, emit: Emit): void {
  const link = new Link();
  while (reader.next()) {
    const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
    link.gone(block, keyStart, keyEnd);
    readContribution(block.subarray(valueStart, valueEnd), (target, length) =>
      emit.slice(target, 0, length, link.bytes, 0, link.length),
    );
    emit(contributionKey(block.subarray(keyStart, keyEnd)), goneList);
  }
}
const goneList = Buffer.from([GONE]);

/** `links` of the segment, `targets` whose links changed, `removed` targets that none links to any more. */
export async function invertlinks(context: JobContext, segment: string): Promise<Counters> {
  const { linkdb } = context.tables;
  if (await linkdb.applied(segment)) return { alreadyApplied: 1 };
  const outcomes = partFiles(context.dir, segment, 'crawl_fetch');
  const parsed = partFiles(context.dir, segment, 'crawl_parse');
  if (outcomes.length === 0 && parsed.length === 0)
    throw new CrawlError(
      'missing-input',
      `segment ${segment} has neither crawl_fetch nor crawl_parse; run fetch on it`,
      {
        where: segment,
      },
    );
  const before = joinPath(context.dir, 'tmp', 'invertlinks-before.rec');
  mkdirSync(joinPath(context.dir, 'tmp'), { recursive: true });
  const change = linkdb.change();
  try {
    await gatherBefore(context, outcomes, before);
    const splits: Split[] = [
      ...parsed.map((file): Split => ({ kind: 'parsed', file })),
      { kind: 'before', file: before },
    ];
    const bytes = splits.reduce((sum, { file }) => sum + statSync(file).size, 0);
    const output = await runJob(invertJob, { splits, args: null, bytes }, context);
    try {
      const merged = await merge(context, output.files, change);
      await change.commit(segment);
      return { ...output.counters, ...merged };
    } finally {
      output.discard();
    }
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    rmSync(before, { force: true });
  }
}

/** The links that the pages of a segment had, as far as they had any. */
async function gatherBefore(context: JobContext, files: readonly string[], path: string): Promise<void> {
  const { linkdb } = context.tables;
  const writer = new RecordWriter(path);
  try {
    for (const batch of replacing(files)) {
      const lists = await linkdb.getMany(batch.map(({ key }) => contributionKey(key)));
      for (const [i, list] of lists.entries()) {
        const { key } = batch[i]!;
        if (list) writer.appendBytes(key, 0, key.length, list, 0, list.length);
      }
    }
  } finally {
    writer.close();
  }
}

async function merge(
  context: JobContext,
  files: readonly string[],
  change: TableChange,
): Promise<{ targets: number; removed: number }> {
  const counters = { targets: 0, removed: 0 };
  const merging = new InlinkMerge();
  await join(
    files,
    context.tables.linkdb,
    ({ key, bytes, start, end, record }) => {
      if (key[0] === OWN) {
        if (bytes[start] === THERE) change.putSlice(key, 0, key.length, bytes, start + 1, end);
        else change.remove(key);
        return;
      }
      const list = merging.merge(record, bytes, start, end);
      if (list.length === 0) {
        if (!record) return;
        change.remove(key);
        counters.removed++;
      } else {
        if (record?.equals(list)) return;
        change.put(key, list);
      }
      counters.targets++;
    },
    context.signal,
  );
  return counters;
}

export interface LinkRecord {
  readonly from: string;
  readonly anchor: string;
}

/** The links to a page, by the address of their source. */
export async function linksTo({ linkdb }: Tables, url: string): Promise<LinkRecord[]> {
  const value = await linkdb.get(keyOf(url));
  return value ? decodeInlinks(value).map((link) => ({ from: inlinkUrl(link), anchor: anchorLine(link) })) : [];
}

/** Every link that linkdb knows, in key order of the targets. */
export async function* allLinks({
  linkdb,
}: Tables): AsyncGenerator<LinkRecord & { readonly to: string }, void, undefined> {
  for await (const { key, value } of linkdb.records()) {
    const to = urlOf(key);
    for (const link of decodeInlinks(value)) yield { to, from: inlinkUrl(link), anchor: anchorLine(link) };
  }
}
