/**
 * linkrank: how much of all links lead to a page, by power iteration over linkdb. A page hands its rank on in equal parts
 * to the pages it links to; a page without links hands it to all.
 *
 *     rank(p) = (1 - d) + d * (sum of rank(q) / links(q), q links to p  +  rank of pages without links / pages)
 *
 * with d = 0.85, so the mean is 1: the index takes it for its prior in place of the score. Source: Page et al., The
 * PageRank citation ranking (1998), in the scaling of Nutch's LinkRank. Each iteration is a map/reduce job: the graph
 * never has to fit into memory. Cost: all links sorted once an iteration, folded by target as they come.
 *
 *     value := 1:u8  rank:f64  [count:u32 and targets, as in page/contribution.ts]     a page
 *            | 2:u8  share:f64                                                         what one hands to another
 */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { CrawlError } from '../errors.ts';
import { decodeState, encodeState } from '../page/codec.ts';
import { readContribution } from '../page/contribution.ts';
import { siteOfKey } from '../page/key.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';

export interface LinkRankInput {
  /** Default 10. */
  readonly iterations?: number;
  /** Ends earlier once ranks move by less than this in the mean. Default 0.001. */
  readonly until?: number;
  /** False: links within a host do not count. Default true. */
  readonly internal?: boolean;
}

const PAGE = 1;
const SHARE = 2;
const DAMPING = 0.85;
/** Counters are whole numbers, so that they do not depend on the order of adding: ranks are counted in millionths. */
const UNIT = 1_000_000;

interface Args {
  /** Rank of the pages without links, shared out over all pages. */
  readonly dangling: number;
  /** The first pass finds the pages: every one has rank 1. */
  readonly first: boolean;
  readonly internal: boolean;
}

export const rankJob: Job<string, Args> = {
  name: 'linkrank',
  map(file, { first, internal }, emit) {
    const reader = new RecordReader(file);
    const share = Buffer.alloc(9);
    share[0] = SHARE;
    try {
      while (reader.next()) {
        const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
        emit.slice(block, keyStart, keyEnd, block, valueStart, valueEnd);
        if (valueEnd - valueStart === 9) continue;
        const links = block.subarray(valueStart + 9, valueEnd);
        const site = internal ? '' : siteOfKey(block.toString('latin1', keyStart, keyEnd));
        const counts = (target: Buffer, length: number): boolean =>
          internal || siteOfKey(target.toString('latin1', 0, length)) !== site;
        let given = 0;
        readContribution(links, (target, length) => {
          if (counts(target, length)) given++;
        });
        share.writeDoubleLE(first ? 0 : block.readDoubleLE(valueStart + 1) / Math.max(given, 1), 1);
        readContribution(links, (target, length) => {
          if (counts(target, length)) emit.slice(target, 0, length, share, 0, 9);
        });
      }
    } finally {
      reader.close();
    }
  },
  combine(kept, start, _end, more, from) {
    if (kept[start] !== SHARE || more[from] !== SHARE) return false;
    kept.writeDoubleLE(kept.readDoubleLE(start + 1) + (more as Buffer).readDoubleLE(from + 1), start + 1);
    return true;
  },
  reduce(key, values, { dangling, first }, emit, count) {
    let sum = 0;
    let before = 1;
    let page: Buffer | null = null;
    for (const value of values) {
      const bytes = value as Buffer;
      if (bytes[0] === SHARE) sum += bytes.readDoubleLE(1);
      else {
        page = Buffer.from(bytes);
        before = bytes.readDoubleLE(1);
      }
    }
    const rank = first ? 1 : 1 - DAMPING + DAMPING * (sum + dangling);
    page ??= Buffer.from([PAGE, 0, 0, 0, 0, 0, 0, 0, 0]);
    page.writeDoubleLE(rank, 1);
    count('pages');
    count('moved', Math.round(Math.abs(rank - before) * UNIT));
    if (page.length === 9) count('dangling', Math.round(rank * UNIT));
    emit(key, page);
  },
};

/** `pages`, `iterations`, and `changed` records of crawldb whose rank moved by more than one part in a hundred. */
export async function linkrank(context: JobContext, input: LinkRankInput = {}): Promise<Counters> {
  const { iterations = 10, until = 0.001, internal = true } = input;
  const folder = joinPath(context.dir, 'tmp', 'linkrank-pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const change = context.tables.crawldb.change();
  try {
    let files: readonly string[] = [await writePages(context, joinPath(folder, 'links.rec'), internal)];
    let counters: Counters = {};
    let done = 0;
    for (; done <= iterations; done++) {
      const pages = counters.pages ?? 0;
      const args = { dangling: pages > 0 ? (counters.dangling ?? 0) / UNIT / pages : 0, first: done === 0, internal };
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      const output = await runJob(rankJob, { splits: files, args, bytes }, context);
      const used = files;
      files = output.files.map((file, at) => {
        const kept = joinPath(folder, `pages-${done}-${at}.rec`);
        renameSync(file, kept);
        return kept;
      });
      output.discard();
      for (const file of used) rmSync(file);
      counters = output.counters;
      if (!counters.pages) return { pages: 0, iterations: 0, changed: 0 };
      if (done > 0 && (counters.moved ?? 0) / UNIT / counters.pages < until) break;
    }
    let changed = 0;
    await join(
      files,
      context.tables.crawldb,
      ({ key, value, record }) => {
        if (!record) return;
        const state = decodeState(record);
        const rank = value.readDoubleLE(1);
        if (Math.abs(rank - state.rank) <= 0.01 * state.rank) return;
        change.put(key, encodeState({ ...state, rank }));
        changed++;
      },
      context.signal,
    );
    await change.commit();
    return { pages: counters.pages!, iterations: Math.min(done, iterations), changed };
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The links of all pages as linkdb holds them by source. */
async function writePages({ tables, signal }: JobContext, path: string, internal: boolean): Promise<string> {
  const writer = new RecordWriter(path);
  try {
    for await (const entries of tables.linkdb.chunks({ gte: '\x01', lt: '\x02' })) {
      if (signal.aborted) throw new CrawlError('interrupted', 'linkrank was stopped; ranks are as they were');
      for (const [key, list] of entries) {
        let links = 0;
        const site = siteOfKey(key.toString('latin1', 1));
        readContribution(list, (target, length) => {
          if (internal || siteOfKey(target.toString('latin1', 0, length)) !== site) links++;
        });
        const value = Buffer.alloc(9 + (links > 0 ? list.length : 0));
        value[0] = PAGE;
        value.writeDoubleLE(1, 1);
        if (links > 0) value.set(list, 9);
        writer.appendBytes(key, 1, key.length, value, 0, value.length);
      }
    }
  } finally {
    writer.close();
  }
  return path;
}
