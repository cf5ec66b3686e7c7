/**
 * updatedb: what a segment has learned, into crawldb. On the pool, outcomes, signatures and links are mapped to the pages
 * they are about, sorted, and put together a page; then one ordered pass joins them with crawldb, and `transition` says
 * what becomes of each page. Only what changed is written. The whole segment is one step for any reader (store/tables.ts),
 * and a segment that is in already is passed over.
 *
 * A value on its way is one of
 *
 *     outcome      1  the outcome, as in crawl_fetch
 *     parsed       2  signature:bytes  contribution                  (page/contribution.ts), of the page itself
 *     links        3  score:f64  inlinks:i32  depth:u16              to be added up; depth 0xffff: links that go
 *     redirect     4  score:f64  depth:u16  count:varint (name:string value:string)[count]
 *     forgotten    5                                                 the page gives nothing any more
 *     hint         6  as in crawl_sitemap                            (page/hint.ts)
 *
 * and after reducing links alone, as for nine pages of ten, or
 *
 *     news         7  score:f64  inlinks:i32  depth:u16  has:u8  [outcome:bytes] [parsed:bytes] [redirect:bytes] [hint:bytes]
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, decodeState, encodeState, patchLinks } from '../page/codec.ts';
import { contributionKey, quantum, readContribution, writeContribution } from '../page/contribution.ts';
import { decodeHint, encodeHint, type Hint, joinHints } from '../page/hint.ts';
import { LinkScan } from '../page/scan-links.ts';
import { partFiles } from '../page/segment-files.ts';
import { believed, newState } from '../page/state.ts';
import { type LinkNews, type News, transition } from '../page/transition.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Counting, Emit, Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { KeySlices } from '../store/key-slices.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import { hostOfSite, keyOf, siteOfKey } from '../url/key.ts';
import { replacing } from './replacing.ts';
import { transitionRules } from './rules.ts';

export interface UpdateInput {
  /** False: pages that crawldb does not know stay unknown. Default true. */
  readonly additions?: boolean;
}

const OUTCOME = 1;
const PARSED = 2;
const LINKS = 3;
const REDIRECT = 4;
const FORGOTTEN = 5;
const HINT = 6;
const NEWS = 7;
const LINKS_SIZE = 15;
const NO_DEPTH = 0xffff;

interface Split {
  readonly kind: 'outcomes' | 'parsed' | 'before' | 'hints';
  readonly file: string;
}
interface Args {
  /** Links of pages at this depth lead too deep; -1: no limit. */
  readonly maxDepth: number;
}

export const updateJob: Job<Split, Args> = {
  name: 'updatedb',
  map({ kind, file }, args, emit, count) {
    const reader = new RecordReader(file);
    try {
      if (kind === 'outcomes') mapTagged(reader, OUTCOME, emit);
      else if (kind === 'hints') mapTagged(reader, HINT, emit);
      else if (kind === 'parsed') mapParsed(reader, args, emit, count);
      else mapBefore(reader, emit);
      if (reader.cut) count('cutFiles');
    } finally {
      reader.close();
    }
  },
  /** Links to one page are added up as they come; nothing else can be. */
  combine(kept, start, _end, more, from) {
    if (kept[start] !== LINKS || more[from] !== LINKS) return false;
    addLinks(kept, start, more as Buffer, from);
    return true;
  },
  reduce(key, values, _args, emit) {
    let linked = false;
    let outcome: Uint8Array | null = null;
    let parsed: Uint8Array | null = null;
    let redirect: Uint8Array | null = null;
    let hint: Hint | null = null;
    let forgotten = 0;
    while (values.next()) {
      const { bytes, start, end } = values;
      if (bytes[start] === LINKS) {
        if (linked) addLinks(sum, 0, bytes, start);
        else for (let i = 0; i < LINKS_SIZE; i++) sum[i] = bytes[start + i]!;
        linked = true;
        continue;
      }
      const value = new Uint8Array(bytes.subarray(start + 1, end));
      switch (bytes[start]) {
        case OUTCOME:
          outcome = later(outcome, value);
          break;
        case PARSED:
          parsed = value;
          break;
        case REDIRECT:
          redirect = better(redirect, value);
          break;
        case HINT: {
          const said = decodeHint(value);
          hint = hint ? joinHints(hint, said) : said;
          break;
        }
        default:
          forgotten = 8;
      }
    }
    const has = (outcome ? 1 : 0) | (parsed ? 2 : 0) | (redirect ? 4 : 0) | forgotten | (hint ? 16 : 0);
    if (has === 0) {
      emit.slice(key, 0, key.length, sum, 0, LINKS_SIZE);
      return;
    }
    out.reset();
    out.slice(linked ? sum : noLinks, 0, LINKS_SIZE);
    out.data[0] = NEWS;
    out.u8(has);
    if (outcome) out.bytes(outcome);
    if (parsed) out.bytes(parsed);
    if (redirect) out.bytes(redirect);
    if (hint) out.bytes(encodeHint(hint));
    emit(key, out.view());
  },
};

/** Links summed up, and none. */
const sum = Buffer.alloc(LINKS_SIZE);
const noLinks = Buffer.alloc(LINKS_SIZE);
noLinks.writeUInt16LE(NO_DEPTH, 13);

/** Adds the links of one value to those of another, in place. */
function addLinks(to: Buffer, at: number, more: Buffer, from: number): void {
  to.writeDoubleLE(to.readDoubleLE(at + 1) + more.readDoubleLE(from + 1), at + 1);
  to.writeInt32LE(to.readInt32LE(at + 9) + more.readInt32LE(from + 9), at + 9);
  to.writeUInt16LE(Math.min(to.readUInt16LE(at + 13), more.readUInt16LE(from + 13)), at + 13);
}

const out = new ByteWriter(1024);

/** Of two outcomes for one page the later stands; one that was not tried gives way to any. */
function later(a: Uint8Array | null, b: Uint8Array): Uint8Array {
  if (!a) return b;
  const one = decodeOutcome(a);
  const other = decodeOutcome(b);
  if ((one.kind === 'skipped') !== (other.kind === 'skipped')) return one.kind === 'skipped' ? b : a;
  return other.fetched >= one.fetched ? b : a;
}

/** Of two redirects to one page the one with the higher score stands, then the one nearer to a seed. */
function better(a: Uint8Array | null, b: Uint8Array): Uint8Array {
  if (!a) return b;
  return Buffer.compare(rank(a), rank(b)) < 0 ? b : a;
}
const rank = (redirect: Uint8Array): Buffer => {
  const from = new ByteReader(redirect);
  const order = Buffer.alloc(10);
  order.writeDoubleBE(Math.max(from.f64(), 0), 0);
  order.writeUInt16BE(NO_DEPTH - from.u16(), 8);
  return order;
};

/** Records as they are, behind the tag that tells their kind. */
function mapTagged(reader: RecordReader, tag: number, emit: Emit): void {
  let value = Buffer.allocUnsafe(1024);
  while (reader.next()) {
    const length = reader.valueEnd - reader.valueStart + 1;
    if (value.length < length) value = Buffer.allocUnsafe(length * 2);
    value[0] = tag;
    reader.block.copy(value, 1, reader.valueStart, reader.valueEnd);
    emit.slice(reader.block, reader.keyStart, reader.keyEnd, value, 0, length);
  }
}

function mapParsed(reader: RecordReader, { maxDepth }: Args, emit: Emit, count: Counting): void {
  const scan = new LinkScan();
  const targets = new KeySlices();
  const link = Buffer.alloc(LINKS_SIZE);
  link[0] = LINKS;
  link.writeInt32LE(1, 9);
  let links = 0;
  let tooDeep = 0;
  let nofollow = 0;
  while (reader.next()) {
    scan.open(reader.value);
    const followed = maxDepth < 0 || scan.depth < maxDepth;
    let given = 0;
    while (scan.next()) if (!scan.nofollow) given++;
    nofollow += scan.count - given;
    const share = given > 0 ? quantum(scan.score / given) : 0;
    link.writeDoubleLE(share, 1);
    link.writeUInt16LE(Math.min(scan.depth + 1, NO_DEPTH - 1), 13);
    targets.reset(scan.bytes);
    scan.rewind();
    if (followed)
      while (scan.next()) {
        if (scan.nofollow) continue;
        emit.slice(scan.bytes, scan.keyStart, scan.keyEnd, link, 0, LINKS_SIZE);
        targets.add(scan.keyStart, scan.keyEnd);
      }
    else tooDeep += given;
    links += targets.count;
    out.reset();
    out.u8(PARSED);
    out.bytes(scan.bytes.subarray(scan.signatureStart, scan.signatureEnd));
    writeContribution(out, share, targets.sort());
    emit.slice(reader.block, reader.keyStart, reader.keyEnd, out.data, 0, out.length);
  }
  count('links', links);
  if (tooDeep > 0) count('rejected.tooDeep', tooDeep);
  if (nofollow > 0) count('rejected.nofollow', nofollow);
}

/** What pages gave before: taken back from each target, and forgotten by the page itself. Redirects pass as they are. */
function mapBefore(reader: RecordReader, emit: Emit): void {
  const link = Buffer.alloc(LINKS_SIZE);
  link[0] = LINKS;
  link.writeInt32LE(-1, 9);
  link.writeUInt16LE(NO_DEPTH, 13);
  const forgotten = Buffer.from([FORGOTTEN]);
  while (reader.next()) {
    const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
    if (block[valueStart] === REDIRECT) {
      emit.slice(block, keyStart, keyEnd, block, valueStart, valueEnd);
      continue;
    }
    readContribution(block.subarray(valueStart + 1, valueEnd), (target, length, share) => {
      link.writeDoubleLE(-share, 1);
      emit.slice(target, 0, length, link, 0, LINKS_SIZE);
    });
    emit.slice(block, keyStart, keyEnd, forgotten, 0, 1);
  }
}

/**
 * `pages` with an outcome, `added`, `changed`, `unchanged`, `links`, `rejected.tooDeep`, `rejected.nofollow`, and a
 * counter for each status that pages came to; `stale` outcomes older
 * than what is known; `alreadyApplied` 1 when the segment was in before.
 * @throws CrawlError 'missing-input' when the segment has not been fetched
 */
export async function updatedb(context: JobContext, segment: string, input: UpdateInput = {}): Promise<Counters> {
  const { crawldb } = context.tables;
  if (await crawldb.applied(segment)) return { alreadyApplied: 1 };
  const outcomes = partFiles(context.dir, segment, 'crawl_fetch');
  if (outcomes.length === 0)
    throw new CrawlError('missing-input', `segment ${segment} has no crawl_fetch; run fetch on it first`, {
      where: segment,
    });
  const parsed = partFiles(context.dir, segment, 'crawl_parse');
  if (parsed.length === 0)
    context.onEvent({ kind: 'warning', message: `segment ${segment} has no crawl_parse: it brings no links` });
  const rules = transitionRules(context, input);
  // What a page just heard of is written as, but for its links.
  const heardOf = Buffer.from(encodeState(newState(context.now, rules.schedule.interval, { depth: NO_DEPTH })));
  const fresh = Buffer.from(heardOf);
  const before = joinPath(context.dir, 'tmp', 'updatedb-before.rec');
  mkdirSync(joinPath(context.dir, 'tmp'), { recursive: true });
  const change = crawldb.change();
  try {
    await gatherBefore(context, outcomes, before);
    const splits: Split[] = [
      ...parsed.map((file): Split => ({ kind: 'parsed', file })),
      ...outcomes.map((file): Split => ({ kind: 'outcomes', file })),
      ...partFiles(context.dir, segment, 'crawl_sitemap').map((file): Split => ({ kind: 'hints', file })),
      { kind: 'before', file: before },
    ];
    const bytes = splits.reduce((sum, { file }) => sum + statSync(file).size, 0);
    const args: Args = { maxDepth: context.options.scope.depth };
    const output = await runJob(updateJob, { splits, args, bytes }, context);
    const counters: Record<string, number> = { pages: 0, added: 0, changed: 0, unchanged: 0, ...output.counters };
    const count = (name: string): void => void (counters[name] = (counters[name] ?? 0) + 1);
    try {
      await join(
        output.files,
        crawldb,
        (joined) => {
          const { key, record, bytes, start } = joined;
          if (bytes[start] === LINKS) {
            // Nothing is decoded.
            const links = linksOf(bytes, start);
            if (record) {
              if (patchLinks(record, links, rules.now)) {
                change.put(key, record);
                counters.changed!++;
              } else counters.unchanged!++;
            } else if (rules.additions && links.depth !== Number.POSITIVE_INFINITY) {
              for (let i = 0; i < fresh.length; i++) fresh[i] = heardOf[i]!;
              patchLinks(fresh, links, rules.now);
              change.put(key, fresh);
              counters.added!++;
            }
            return;
          }
          const { news: all, contribution, forgotten } = readNews(joined.value);
          const old = record ? decodeState(record) : null;
          // A segment that comes late does not undo what was learned since.
          const stale =
            old !== null && all.outcome !== null && all.outcome.fetched < believed(old.fetched, context.now);
          const news = stale ? { ...all, outcome: null } : all;
          if (stale) count('stale');
          const host = news.outcome || news.hint ? hostOfSite(siteOfKey(key.toString('latin1'))) : '';
          const state = transition(old, news, rules, host);
          if (news.outcome) {
            count('pages');
            if (state) count(state.status);
          }
          if (contribution) change.put(contributionKey(key), contribution);
          else if (forgotten) change.remove(contributionKey(key));
          if (!state) return;
          if (state === old) {
            counters.unchanged!++;
            return;
          }
          const encoded = encodeState(state);
          if (record?.equals(encoded)) counters.unchanged!++;
          else {
            change.put(key, encoded);
            if (record) counters.changed!++;
            else counters.added!++;
          }
        },
        context.signal,
      );
    } finally {
      output.discard();
    }
    if (counters.cutFiles)
      context.onEvent({
        kind: 'warning',
        message: `${counters.cutFiles} file${counters.cutFiles === 1 ? '' : 's'} of segment ${segment} end in the middle of a block; what lies before is used`,
      });
    await change.commit(segment);
    return counters;
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    rmSync(before, { force: true });
  }
}

/**
 * What must be looked up in crawldb before the links can be counted: what the pages of the segment gave before, and for
 * each redirect the score, depth and metadata that its target takes over. One sorted look a page, none a link.
 */
async function gatherBefore(context: JobContext, files: readonly string[], path: string): Promise<void> {
  const { crawldb } = context.tables;
  const writer = new RecordWriter(path);
  try {
    for (const batch of replacing(files)) {
      const given = await crawldb.getMany(batch.map(({ key }) => contributionKey(key)));
      for (const [i, value] of given.entries()) {
        if (!value) continue;
        out.reset();
        out.u8(FORGOTTEN);
        out.raw(value);
        const { key } = batch[i]!;
        writer.appendBytes(key, 0, key.length, out.data, 0, out.length);
      }
      const redirects = batch.filter(({ target }) => target !== '');
      const sources = await crawldb.getMany(redirects.map(({ key }) => key));
      for (const [i, { target }] of redirects.entries()) {
        const source = sources[i] && decodeState(sources[i]);
        out.reset();
        out.u8(REDIRECT);
        out.f64(source?.score ?? 0);
        out.u16(Math.min(source?.depth ?? 1, NO_DEPTH - 1));
        out.varint(source?.meta.size ?? 0);
        for (const [name, value] of source?.meta ?? []) {
          out.string(name);
          out.string(value);
        }
        writer.append(keyOf(target), out.view());
      }
    }
  } finally {
    writer.close();
  }
}

function linksOf(value: Buffer, start: number): LinkNews {
  const depth = value.readUInt16LE(start + 13);
  return {
    score: value.readDoubleLE(start + 1),
    inlinks: value.readInt32LE(start + 9),
    depth: depth === NO_DEPTH ? Number.POSITIVE_INFINITY : depth,
  };
}

function readNews(value: Buffer): { news: News; contribution: Uint8Array | null; forgotten: boolean } {
  const from = new ByteReader(value, '', LINKS_SIZE);
  const has = from.u8();
  const outcome = has & 1 ? decodeOutcome(from.bytes()) : null;
  let signature: Uint8Array | null = null;
  let contribution: Uint8Array | null = null;
  if (has & 2) {
    const parsed = new ByteReader(from.bytes());
    const digest = parsed.bytes();
    if (digest.length > 0) signature = new Uint8Array(digest);
    contribution = parsed.raw(parsed.left);
  }
  let redirect: News['redirect'] = null;
  if (has & 4) {
    const bytes = new ByteReader(from.bytes());
    const given = { score: bytes.f64(), depth: bytes.u16() };
    const meta = new Map<string, string>();
    for (let left = bytes.varint(); left > 0; left--) meta.set(bytes.string(), bytes.string());
    redirect = { ...given, meta };
  }
  const given = linksOf(value, 0);
  const links = given.score === 0 && given.inlinks === 0 && given.depth === Number.POSITIVE_INFINITY ? null : given;
  const hint = has & 16 ? decodeHint(from.bytes()) : null;
  return { news: { outcome, signature, links, redirect, hint }, contribution, forgotten: (has & 8) > 0 };
}
