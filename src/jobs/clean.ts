/** clean: what nothing needs any more goes: gone pages out of the index, old segments from the disk. */
import { rmSync } from 'node:fs';
import { decodeState, stateAt } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import type { Reason } from '../page/reason.ts';
import { segmentFolder, segmentName } from '../page/segment.ts';
import { statusCode } from '../page/status.ts';
import { segmentsOf } from '../read/segment.ts';
import { unknownIds } from '../read/unknown.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { IndexSession } from './index-session.ts';
import { neededSegments } from './needed.ts';
import { isInverted, isUpdated } from './progress.ts';

const GONE: ReadonlySet<number> = new Set([
  statusCode.gone,
  statusCode['redirect-permanent'],
  statusCode['redirect-temporary'],
  statusCode.duplicate,
]);
/** Addresses looked up in the index at once. */
const BATCH = 10_000;
const DAY = 86_400_000;

export interface Cleaned {
  readonly counters: Counters;
  /** Segments that nothing needs once the session is published: until then the index that stands may need them. */
  readonly unneeded: readonly string[];
}

/**
 * Takes pages out of the index that are gone, redirect, or are not known to crawldb any more, and names the segments that
 * neither this index nor one of all segments needs; the `keep` newest, and those that a step still waits for, stay.
 */
export async function clean(context: JobContext, session: IndexSession, keep: number): Promise<Cleaned> {
  const { tables, dir } = context;
  let removed = 0;
  let batch = new Map<string, Reason>();
  const drop = (): void => {
    removed += session.drop(batch);
    batch = new Map();
  };
  for await (const entries of tables.crawldb.chunks())
    for (const [key, value] of entries) {
      if (!GONE.has(value[stateAt.status]!)) continue;
      batch.set(urlOf(key.toString()), decodeState(value).reason);
      if (batch.size >= BATCH) drop();
    }
  for await (const id of unknownIds(session.writer.readers(), tables.crawldb)) batch.set(id, 'forgotten');
  drop();
  const revived = await session.settle();

  const done: string[] = [];
  const all = segmentsOf(dir);
  for (const segment of all)
    if ((await isUpdated(tables, segment)) && (await isInverted(tables, segment)) && session.has(segment))
      done.push(segment);
  const needed = session.segmentsInUse();
  for (const segment of await neededSegments(context, done)) needed.add(segment);
  // A name of the future is of a clock that was wrong: it makes no segment a new one.
  const named = all.filter((segment) => segment <= segmentName(context.now + DAY));
  const newest = new Set(keep > 0 ? named.slice(-keep) : []);
  const unneeded = done.filter((segment) => !needed.has(segment) && !newest.has(segment));
  return { counters: { removed, segments: unneeded.length, ...(revived > 0 ? { revived } : {}) }, unneeded };
}

/** To be called once the index without them is published. */
export function removeSegments(dir: string, segments: readonly string[]): void {
  for (const segment of segments) rmSync(segmentFolder(dir, segment), { recursive: true, force: true });
}
