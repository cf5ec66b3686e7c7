/**
 * mergedb, mergesegs: the crawl of another folder into this one, and several segments into one.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, decodeState, encodeState } from '../page/codec.ts';
import { decodeInlinks, encodeInlinks, type Inlink } from '../page/inlinks.ts';
import { urlOf } from '../page/key.ts';
import { type SegmentPart, segmentFolder, segmentParts } from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import { openTables, type Table } from '../store/tables.ts';
import { createAdmit } from '../url/admit.ts';
import { decides } from './decisive.ts';
import { later } from './purge.ts';

/**
 * Takes over crawldb and linkdb of another crawl folder: of two records of a page the one fetched later stands, with the
 * metadata of both (its own first); links of both are kept. The other folder is not changed. Scores are those of the
 * record that stands: run linkrank where the links of both shall count.
 */
export async function mergedb(context: JobContext, from: string, filter = false): Promise<Counters> {
  if (!existsSync(joinPath(from, 'crawldb')))
    throw new CrawlError('missing-input', `${from} holds no crawldb; name a crawl folder`, { where: from });
  const admit = filter ? createAdmit(context.options.scope, context.seeds, 'crawldb') : null;
  const counters = { pages: 0, added: 0, changed: 0, rejected: 0, targets: 0 };
  const copy = joinPath(context.dir, 'tmp', 'mergedb.rec');
  mkdirSync(joinPath(context.dir, 'tmp'), { recursive: true });
  const other = await openTables(from);
  try {
    const { crawldb, linkdb } = context.tables;
    const pages = crawldb.change();
    await over(other.crawldb, copy, crawldb, pages, context.signal, ({ key, value, record }) => {
      if (admit && key[0] !== 1 && admit(urlOf(key.toString())).url === null) {
        counters.rejected++;
        return;
      }
      if (key[0] === 1) {
        if (!record) pages.put(key, value);
        return;
      }
      counters.pages++;
      if (!record) {
        counters.added++;
        pages.put(key, value);
        return;
      }
      const [mine, theirs] = [decodeState(record), decodeState(value)];
      const [winner, loser] = later(theirs, mine) ? [theirs, mine] : [mine, theirs];
      const merged = encodeState({ ...winner, meta: new Map([...loser.meta, ...winner.meta]) });
      if (record.equals(merged)) return;
      counters.changed++;
      pages.put(key, merged);
    });
    const links = linkdb.change();
    await over(other.linkdb, copy, linkdb, links, context.signal, ({ key, value, record }) => {
      if (key[0] === 1) {
        if (!record) links.put(key, value);
        return;
      }
      const merged = record ? unionOf(decodeInlinks(record), decodeInlinks(value)) : null;
      const bytes = merged ? encodeInlinks(merged) : value;
      if (record?.equals(bytes)) return;
      counters.targets++;
      links.put(key, bytes);
    });
    return counters;
  } finally {
    await other.close();
    rmSync(copy, { force: true });
  }
}

async function over(
  from: Table,
  copy: string,
  to: Table,
  change: ReturnType<Table['change']>,
  signal: AbortSignal,
  visit: Parameters<typeof join>[2],
): Promise<void> {
  const writer = new RecordWriter(copy);
  try {
    for await (const entries of from.chunks({ gte: '\x01' }))
      for (const [key, value] of entries) writer.appendBytes(key, 0, key.length, value, 0, value.length);
    writer.close();
    await join([copy], to, visit, signal);
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    writer.close();
  }
}

/** Both ascend by source; of two links of one source the first stands. */
function unionOf(mine: readonly Inlink[], theirs: readonly Inlink[]): Inlink[] {
  const all = new Map(theirs.map((link) => [link.source.toString('latin1'), link]));
  for (const link of mine) all.set(link.source.toString('latin1'), link);
  return [...all.values()].sort((a, b) => a.source.compare(b.source));
}

interface Split {
  readonly file: string;
  /** Place of its segment among those merged: of two records of a page the one of the higher place stands. */
  readonly place: number;
  readonly outcomes: boolean;
}

export const mergeSegmentsJob: Job<Split, null> = {
  name: 'mergesegs',
  map({ file, place, outcomes }, _args, emit, count) {
    const reader = new RecordReader(file);
    try {
      while (reader.next()) {
        // A try that decided nothing does not stand before one that did.
        const decided = !outcomes || decides(decodeOutcome(reader.value));
        const value = Buffer.allocUnsafe(reader.valueEnd - reader.valueStart + 5);
        value[0] = decided ? 1 : 0;
        value.writeUInt32BE(place, 1);
        reader.block.copy(value, 5, reader.valueStart, reader.valueEnd);
        emit.slice(reader.block, reader.keyStart, reader.keyEnd, value, 0, value.length);
      }
      if (reader.cut) count('cutFiles');
    } finally {
      reader.close();
    }
  },
  reduce(key, values, _args, emit) {
    let best: Buffer | null = null;
    for (const value of values) {
      const bytes = value as Buffer;
      if (!best || Buffer.compare(bytes.subarray(0, 5), best.subarray(0, 5)) >= 0) best = Buffer.from(bytes);
    }
    emit(key, best!.subarray(5));
  },
};

export interface MergeSegmentsInput {
  /** Name of the segment made. */
  readonly name: string;
  /** Pages in one segment; more make `name`-1, `name`-2 and so on; -1: all in one. */
  readonly slice?: number;
  readonly filter?: boolean;
}

/**
 * Merges the parts that all of the segments have, and what any of their sitemaps said, page by page: the newest segment's record stands, but an outcome that
 * decided nothing gives way. Content stays where it is. The segments merged are not removed.
 */
export async function mergeSegments(
  context: JobContext,
  segments: readonly string[],
  input: MergeSegmentsInput,
): Promise<{ readonly counters: Counters; readonly segments: readonly string[] }> {
  const ordered = [...segments].sort();
  const has = (part: SegmentPart) => (segment: string) => partFiles(context.dir, segment, part).length > 0;
  // A segment without sitemaps has no part of them, and nothing to say against those of the others.
  const parts = segmentParts.filter((part) =>
    part === 'crawl_sitemap' ? ordered.some(has(part)) : ordered.every(has(part)),
  );
  if (ordered.length === 0 || parts.every((part) => part === 'crawl_sitemap'))
    throw new CrawlError('missing-input', 'no part is in all of the segments to merge; fetch them first');
  const admit = input.filter ? createAdmit(context.options.scope, context.seeds, 'crawldb') : null;
  const counters: Record<string, number> = { segments: 0, pages: 0, rejected: 0 };
  const writers = new SliceWriters(context.dir, input.name, input.slice ?? -1);
  try {
    for (const part of parts) {
      const splits = ordered.flatMap((segment, place) =>
        partFiles(context.dir, segment, part).map((file): Split => ({ file, place, outcomes: part === 'crawl_fetch' })),
      );
      const bytes = splits.reduce((sum, { file }) => sum + statSync(file).size, 0);
      // One partition: the pages of every part come in one order, so that a page lies in one slice with all its parts.
      const output = await runJob(mergeSegmentsJob, { splits, args: null, bytes, partitions: 1 }, context);
      const reader = new RecordReader(output.files[0]!);
      try {
        while (reader.next()) {
          if (admit && admit(urlOf(reader.key)).url === null) counters.rejected!++;
          else writers.append(part, reader);
        }
      } finally {
        reader.close();
        output.discard();
      }
    }
    const made = writers.finish();
    await carryMarks(context, ordered, made);
    return { counters: { ...counters, segments: made.length, pages: writers.pages }, segments: made };
  } catch (error) {
    writers.abandon();
    throw error;
  }
}

/** What all of the segments have been through, those made of them have too. */
async function carryMarks(context: JobContext, from: readonly string[], to: readonly string[]): Promise<void> {
  const done = (segment: string): string => joinPath(segmentFolder(context.dir, segment), 'fetch.done');
  if (from.every((segment) => existsSync(done(segment))))
    for (const segment of to) copyFileSync(done(from[from.length - 1]!), done(segment));
  for (const table of [context.tables.crawldb, context.tables.linkdb, context.tables.hosts]) {
    let all = true;
    for (const segment of from) all &&= await table.applied(segment);
    if (all) for (const segment of to) await table.change().commit(segment);
  }
}

/** One folder a slice. The first part written decides in which slice a page lies. */
class SliceWriters {
  private readonly dir: string;
  private readonly name: string;
  private readonly slice: number;
  private readonly made = new Map<string, RecordWriter>();
  private readonly folders = new Set<number>();
  /** Last key of each slice, as the first part was divided. */
  private readonly ends: string[] = [];
  private first: SegmentPart | undefined;
  pages = 0;

  constructor(dir: string, name: string, slice: number) {
    this.dir = dir;
    this.name = name;
    this.slice = slice;
  }

  append(part: SegmentPart, reader: RecordReader): void {
    this.first ??= part;
    const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
    let at = 0;
    if (part === this.first) {
      at = this.slice > 0 ? Math.floor(this.pages / this.slice) : 0;
      this.pages++;
      this.ends[at] = reader.key;
    } else if (this.slice > 0) {
      const { key } = reader;
      at = this.ends.findIndex((end) => key <= end);
      if (at < 0) at = this.ends.length - 1;
    }
    this.writer(at, part).appendBytes(block, keyStart, keyEnd, block, valueStart, valueEnd);
  }

  private nameOf(at: number): string {
    return this.slice > 0 && this.ends.length > 1 ? `${this.name}-${at + 1}` : this.name;
  }
  private making(at: number): string {
    return `${segmentFolder(this.dir, this.name)}-${at}.making`;
  }
  private writer(at: number, part: SegmentPart): RecordWriter {
    const place = `${at} ${part}`;
    let writer = this.made.get(place);
    if (!writer) {
      const folder = joinPath(this.making(at), part);
      if (!this.folders.has(at)) rmSync(this.making(at), { recursive: true, force: true });
      this.folders.add(at);
      mkdirSync(folder, { recursive: true });
      writer = new RecordWriter(joinPath(folder, '00000.rec'));
      this.made.set(place, writer);
    }
    return writer;
  }

  finish(): string[] {
    for (const writer of this.made.values()) writer.close();
    return [...this.folders]
      .sort((a, b) => a - b)
      .map((at) => {
        const name = this.nameOf(at);
        renameSync(this.making(at), segmentFolder(this.dir, name));
        return name;
      });
  }

  abandon(): void {
    for (const writer of this.made.values()) writer.close();
    for (const at of this.folders) rmSync(this.making(at), { recursive: true, force: true });
  }
}
