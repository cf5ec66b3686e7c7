import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SegmentPart, segmentPart } from '../page/segment.ts';

/** The files of one part of a segment, in the order of their shards; none when the part is missing. */
export function partFiles(dir: string, segment: string, part: SegmentPart): string[] {
  const folder = dirname(segmentPart(dir, segment, part, 0));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.rec'))
    .sort()
    .map((name) => join(folder, name));
}
