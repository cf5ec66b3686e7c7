import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { FsDirectory, isLive, openSnapshot } from '../../index/index.ts';
import { decodeState } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import { segmentParts } from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import type { JobContext } from '../run/context.ts';
import { tableDamages } from '../store/level-table.ts';
import { RecordReader } from '../store/records.ts';
import type { Table } from '../store/tables.ts';
import { gapsOf } from './gaps.ts';
import { segmentsOf } from './segment.ts';
import { unknownIds } from './unknown.ts';

export interface Verdict {
  readonly ok: boolean;
  /** A plain sentence each, at most MOST of one kind. */
  readonly problems: readonly string[];
}

/** Problems of one kind that are told one by one; the rest is counted. */
const MOST = 20;

/**
 * Reads every file of a crawl folder with its checksums, and compares the stores: each document that came from a crawl
 * is known to crawldb, each record of crawldb can be decoded. Changes nothing. Cost: one pass over all bytes.
 */
export async function verify(context: Pick<JobContext, 'dir' | 'tables' | 'onEvent'>): Promise<Verdict> {
  const problems: string[] = [];
  const { dir, tables, onEvent } = context;
  const segments = segmentsOf(dir);
  for (const [done, segment] of segments.entries()) {
    for (const part of segmentParts)
      for (const path of partFiles(dir, segment, part)) problems.push(...recordFile(path));
    for (const path of partFiles(dir, segment, 'content')) problems.push(...(await gzipFile(path)));
    problems.push(...(await told(async () => gapsOf(dir, segment))));
    onEvent({ kind: 'step-progress', step: 'verify', done: done + 1, total: segments.length + 1, unit: 'segments' });
  }
  for (const name of ['crawldb', 'linkdb', 'hosts'])
    problems.push(...(await told(async () => tableDamages(join(dir, name)))));
  problems.push(...(await crawldb(tables.crawldb)));
  for (const table of [tables.linkdb, tables.hosts]) problems.push(...(await told(() => readable(table))));
  problems.push(...(await told(() => index(join(dir, 'index'), tables.crawldb, segments))));
  return { ok: problems.length === 0, problems };
}

function recordFile(path: string): string[] {
  try {
    const reader = new RecordReader(path);
    try {
      while (reader.next());
      return [];
    } finally {
      reader.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}

async function gzipFile(path: string): Promise<string[]> {
  try {
    await finished(createReadStream(path).pipe(createGunzip()).resume());
    return [];
  } catch (error) {
    // A killed process cuts the last member; what lies before it is whole.
    if (/unexpected end of file/.test((error as Error).message)) return [];
    return [`${path}: ${(error as Error).message}`];
  }
}

async function crawldb(table: Table): Promise<string[]> {
  const problems: string[] = [];
  const unreadable = await told(async () => {
    for await (const entries of table.chunks())
      for (const [key, value] of entries)
        try {
          decodeState(value);
        } catch (error) {
          problems.push(`crawldb: ${urlOf(key.toString())}: ${(error as Error).message}`);
        }
    return [];
  });
  return [...shortened(problems, 'records of crawldb'), ...unreadable];
}

async function readable(table: Table): Promise<string[]> {
  for await (const _entries of table.chunks());
  return [];
}

/** What stops an inspection is one more problem. */
async function told(inspect: () => Promise<string[]>): Promise<string[]> {
  try {
    return await inspect();
  } catch (error) {
    return [(error as Error).message];
  }
}

async function index(folder: string, table: Table, known: readonly string[]): Promise<string[]> {
  let snapshot: ReturnType<typeof openSnapshot>;
  try {
    snapshot = openSnapshot(new FsDirectory(folder));
  } catch (error) {
    return [(error as Error).message];
  }
  if (!snapshot) return [];
  try {
    const problems = snapshot.passedOver.map((error) => error.message);
    try {
      snapshot.verify();
    } catch (error) {
      return [...problems, (error as Error).message];
    }
    const unknown = await unknownIn(snapshot, table, 1);
    return [...problems, ...(unknown === null ? [] : [unknown]), ...withoutSegment(snapshot, known)];
  } finally {
    snapshot.close();
  }
}

/** Documents that are looked at after a run; spread over the index, so that a crawldb that was lost is seen. */
const SAMPLE = 1000;

/**
 * Documents of the published index that crawldb knows nothing of, in one sentence for people; null: none. Looks at a
 * sample of a large index: `verify` looks at all.
 */
export async function unknownDocuments(folder: string, crawldb: Table): Promise<string | null> {
  const snapshot = openSnapshot(new FsDirectory(folder));
  if (!snapshot) return null;
  try {
    const documents = snapshot.segments.reduce((sum, { docs }) => sum + docs, 0);
    return await unknownIn(snapshot, crawldb, Math.max(1, Math.ceil(documents / SAMPLE)));
  } finally {
    snapshot.close();
  }
}

/** @param every one id of so many is looked at */
async function unknownIn(
  snapshot: NonNullable<ReturnType<typeof openSnapshot>>,
  table: Table,
  every: number,
): Promise<string | null> {
  let unknown = 0;
  let looked = 0;
  let first = '';
  const count = (ids: number): void => void (looked += ids);
  for await (const id of unknownIds(snapshot.segments, table, every, count)) if (unknown++ === 0) first = id;
  return unknown === 0
    ? null
    : `${every > 1 ? `of ${looked} indexed documents looked at ${unknown}` : `${unknown} indexed document${unknown === 1 ? '' : 's'}`} ` +
        `${unknown === 1 ? 'is' : 'are'} unknown to crawldb, such as ${first}; ` +
        'nuthatch clean takes them out of the search, and so does nuthatch index --all';
}

/** Documents whose text lies in the index alone, since the segment that they were fetched in is gone; a sentence a segment. */
function withoutSegment(snapshot: NonNullable<ReturnType<typeof openSnapshot>>, known: readonly string[]): string[] {
  const lacking = new Map<string, number>();
  for (const { docs, live, column } of snapshot.segments.map((segment) => ({
    docs: segment.docs,
    live: segment.live,
    column: segment.column('segment'),
  }))) {
    if (column?.kind !== 'string') continue;
    for (let doc = 0; doc < docs; doc++) {
      const segment = isLive(live, doc) ? (column.dictionary.value(column.ordinals[doc]!) ?? '') : '';
      if (segment !== '' && !known.includes(segment)) lacking.set(segment, (lacking.get(segment) ?? 0) + 1);
    }
  }
  return [...lacking].map(
    ([segment, documents]) =>
      `segment ${segment} is gone, and ${documents} indexed document${documents === 1 ? '' : 's'} came from it: ` +
      'nuthatch index --all would lose what has not been fetched again since',
  );
}

const shortened = (problems: string[], what: string): string[] =>
  problems.length <= MOST ? problems : [...problems.slice(0, MOST), `and ${problems.length - MOST} more ${what}`];
