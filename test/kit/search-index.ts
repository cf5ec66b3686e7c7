/** Small indexes in memory, cut into segments as a test likes. */
import type { Document, Schema } from '../../index/document.ts';
import { allLive, kill } from '../../index/format/live.ts';
import { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { openSegment, openShared, type SegmentReader } from '../../index/segment/reader.ts';

/**
 * @param cuts numbers of the documents at which a new segment begins
 * @param deleted numbers of documents that are dead
 */
export function buildSegments(
  docs: readonly Document[],
  schema: Schema,
  cuts: readonly number[] = [],
  deleted: ReadonlySet<number> = new Set(),
): SegmentReader[] {
  const directory = new MemoryDirectory();
  const bounds = [0, ...[...cuts].sort((a, b) => a - b), docs.length];
  const segments: SegmentReader[] = [];
  for (let s = 0; s + 1 < bounds.length; s++) {
    const [from, to] = [bounds[s]!, bounds[s + 1]!];
    if (from === to && docs.length > 0) continue;
    const builder = new SegmentBuilder(schema);
    for (const doc of docs.slice(from, to)) builder.add(doc);
    builder.write(directory, `s${s}`);
    const reader = openSegment(directory, `s${s}`);
    const dead = [...deleted].filter((doc) => doc >= from && doc < to);
    if (dead.length === 0) segments.push(reader);
    else {
      const live = allLive(to - from);
      for (const doc of dead) kill(live, doc - from);
      segments.push(openShared(directory, { ...reader.share(), live }));
    }
  }
  return segments;
}

/** Seeded numbers 0..n-1 (a Lehmer generator). */
export function randomOf(seed: number): (n: number) => number {
  let state = (seed % 2147483646) + 1;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}
