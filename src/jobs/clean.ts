/** clean: what nothing needs any more goes: gone pages out of the index, old segments from the disk. */
import { rmSync } from 'node:fs';
import { stateAt } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import { segmentFolder } from '../page/segment.ts';
import { statusCode } from '../page/status.ts';
import { segmentsOf } from '../read/segment.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { IndexSession } from './index-session.ts';
import { isInverted, isUpdated } from './progress.ts';

const GONE = [
  statusCode.gone,
  statusCode['redirect-permanent'],
  statusCode['redirect-temporary'],
  statusCode.duplicate,
];
/** Addresses looked up in the index at once. */
const BATCH = 10_000;

export interface Cleaned {
  readonly counters: Counters;
  /** Segments that nothing needs once the session is published: until then the index that stands may need them. */
  readonly unneeded: readonly string[];
}

/**
 * Takes pages that are gone or redirect out of the index, and names the segments of which no page is in the index any
 * more; the `keep` newest, and those that a step still waits for, stay.
 */
export async function clean(context: JobContext, session: IndexSession, keep: number): Promise<Cleaned> {
  const { tables, dir } = context;
  let removed = 0;
  let batch: string[] = [];
  for await (const entries of tables.crawldb.chunks())
    for (const [key, value] of entries) {
      if (!(GONE as number[]).includes(value[stateAt.status]!)) continue;
      batch.push(urlOf(key.toString()));
      if (batch.length < BATCH) continue;
      removed += session.remove(batch);
      batch = [];
    }
  removed += session.remove(batch);

  const used = session.segmentsInUse();
  const all = segmentsOf(dir);
  const unneeded: string[] = [];
  for (const segment of keep > 0 ? all.slice(0, -keep) : all) {
    const done = (await isUpdated(tables, segment)) && (await isInverted(tables, segment)) && session.has(segment);
    if (done && !used.has(segment)) unneeded.push(segment);
  }
  return { counters: { removed, segments: unneeded.length }, unneeded };
}

/** To be called once the index without them is published. */
export function removeSegments(dir: string, segments: readonly string[]): void {
  for (const segment of segments) rmSync(segmentFolder(dir, segment), { recursive: true, force: true });
}
