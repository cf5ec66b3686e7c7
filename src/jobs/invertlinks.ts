/**
 * invertlinks: the links of a segment, turned round, into linkdb.
 *
 *     linkdb := keyOf(page) -> who links to it (page/inlinks.ts)  |  1:u8 keyOf(page) -> whom it links to, as last inverted
 *
 * A page that was fetched anew, went, or redirects loses the links it had, as its second record tells them, and gets
 * those it has now. Links are mapped to `target 0 source`, so that sorting brings the links of a page together, in order
 * of their sources, ready to be merged with those that linkdb has. A segment that is in already is passed over.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';
import { contributionKey, readContribution, writeContribution } from '../page/contribution.ts';
import { anchorLine, anchorsOf, decodeInlinks, encodeInlinks, type Inlink, inlinkUrl } from '../page/inlinks.ts';
import { LinkScan } from '../page/scan-links.ts';
import { partFiles } from '../page/segment-files.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Counting, Emit, Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { compareBytes, MergeReader } from '../store/merge.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import type { TableChange, Tables } from '../store/tables.ts';
import { keyOf, urlOf } from '../url/key.ts';
import { replacing } from './replacing.ts';
import { Targets } from './targets.ts';

export { anchorsOf };

interface Split {
  readonly kind: 'parsed' | 'before';
  readonly file: string;
}

/** First byte of a value: the link (or list) is gone, or there with what follows: score:f32 anchor, or a list. */
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
  /** A link that went and is there again is there. */
  reduce(key, values, _args, emit) {
    // Into memory of ours, used again for each key: a copy of its own for a million links would be garbage by the MB.
    let length = 0;
    for (const value of values) {
      if (length > 0 && value[0] !== THERE) continue;
      length = value.length;
      if (kept.length < length) kept = Buffer.allocUnsafe(length * 2);
      kept.set(value);
    }
    emit.slice(key, 0, key.length, kept, 0, length);
  },
};

let kept = Buffer.allocUnsafe(4096);
let pair = Buffer.allocUnsafe(1024);
/** `target 0 source`; the length. */
function pairOf(target: Uint8Array, from: number, to: number, source: Uint8Array, start: number, end: number): number {
  const length = to - from + 1 + end - start;
  if (pair.length < length) pair = Buffer.allocUnsafe(length * 2);
  pair.set(target.subarray(from, to), 0);
  pair[to - from] = 0;
  pair.set(source.subarray(start, end), to - from + 1);
  return length;
}

function mapParsed(reader: RecordReader, emit: Emit, count: Counting): void {
  const scan = new LinkScan();
  const targets = new Targets();
  const out = new ByteWriter(4096);
  let value = Buffer.allocUnsafe(1024);
  let links = 0;
  while (reader.next()) {
    const { block, keyStart, keyEnd } = reader;
    scan.open(reader.value);
    targets.reset(scan.bytes);
    value[0] = THERE;
    value.writeFloatLE(scan.score, 1);
    while (scan.next()) {
      if (scan.nofollow) continue;
      const size = scan.anchorEnd - scan.anchorStart + 5;
      if (value.length < size) value = Buffer.concat([value.subarray(0, 5), Buffer.allocUnsafe(size * 2)]);
      scan.bytes.copy(value, 5, scan.anchorStart, scan.anchorEnd);
      const length = pairOf(scan.bytes, scan.keyStart, scan.keyEnd, block, keyStart, keyEnd);
      emit.slice(pair, 0, length, value, 0, size);
      targets.add(scan);
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
  const gone = Buffer.from([GONE]);
  while (reader.next()) {
    const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
    readContribution(block.subarray(valueStart, valueEnd), (target, length) => {
      const size = pairOf(target, 0, length, block, keyStart, keyEnd);
      emit.slice(pair, 0, size, gone, 0, 1);
    });
    emit(contributionKey(block.subarray(keyStart, keyEnd)), gone);
  }
}

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
  const before = join(context.dir, 'tmp', 'invertlinks-before.rec');
  mkdirSync(join(context.dir, 'tmp'), { recursive: true });
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

interface News {
  readonly source: Buffer;
  /** Null: the link is gone. */
  readonly link: Inlink | null;
}
/** Bytes of news read ahead of the table. */
const BATCH_BYTES = 1 << 20;

async function merge(
  context: JobContext,
  files: readonly string[],
  change: TableChange,
): Promise<{ targets: number; removed: number }> {
  const { linkdb } = context.tables;
  const reader = new MergeReader(files);
  const counters = { targets: 0, removed: 0 };
  let more = reader.next();
  try {
    while (more) {
      const keys: Buffer[] = [];
      const news: News[][] = [];
      for (let bytes = 0; more && bytes < BATCH_BYTES; ) {
        const { block, keyStart, keyEnd, valueStart, valueEnd } = reader.top;
        bytes += valueEnd - keyStart;
        if (block[keyStart] === OWN) {
          const key = block.subarray(keyStart, keyEnd);
          if (block[valueStart] === THERE) change.put(key, block.subarray(valueStart + 1, valueEnd));
          else change.remove(key);
        } else {
          const copy = Buffer.from(block.subarray(keyStart, valueEnd));
          const zero = copy.indexOf(0);
          const value = copy.subarray(keyEnd - keyStart);
          const last = keys[keys.length - 1];
          if (!last || compareBytes(last, 0, last.length, copy, 0, zero) !== 0) {
            keys.push(copy.subarray(0, zero));
            news.push([]);
          }
          const source = copy.subarray(zero + 1, keyEnd - keyStart);
          const link = value[0] === THERE ? { source, score: value.readFloatLE(1), anchor: value.subarray(5) } : null;
          news[news.length - 1]!.push({ source, link });
        }
        more = reader.next();
        // The links of one target are never torn apart, however many they are.
        if (bytes >= BATCH_BYTES && more) bytes = sameTarget(reader, keys[keys.length - 1]) ? 0 : bytes;
      }
      if (context.signal.aborted) throw new CrawlError('interrupted', 'invertlinks was stopped; nothing has changed');
      const records = await linkdb.getMany(keys);
      for (const [i, key] of keys.entries()) {
        const record = records[i];
        const links = mergeLinks(record ? decodeInlinks(record) : [], news[i]!);
        if (links.length === 0) {
          if (!record) continue;
          change.remove(key);
          counters.removed++;
        } else {
          const value = encodeInlinks(links);
          if (record?.equals(value)) continue;
          change.put(key, value);
        }
        counters.targets++;
      }
    }
  } finally {
    reader.close();
  }
  return counters;
}

function sameTarget(reader: MergeReader, last: Buffer | undefined): boolean {
  if (!last) return false;
  const { block, keyStart } = reader.top;
  return (
    block[keyStart + last.length] === 0 &&
    compareBytes(last, 0, last.length, block, keyStart, keyStart + last.length) === 0
  );
}

/** Both ascend by source; what is new stands in for what was. */
function mergeLinks(old: readonly Inlink[], news: readonly News[]): Inlink[] {
  if (old.length === 0) return news.flatMap(({ link }) => link ?? []);
  const links: Inlink[] = [];
  let at = 0;
  for (const { source, link } of news) {
    let order = -1;
    while (at < old.length && (order = old[at]!.source.compare(source)) < 0) links.push(old[at++]!);
    if (at < old.length && order === 0) at++;
    if (link) links.push(link);
  }
  while (at < old.length) links.push(old[at++]!);
  return links;
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
