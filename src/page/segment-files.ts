import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SegmentPart, segmentFolder } from './segment.ts';

/** The files of one part of a segment, in the order of their shards; none when the step that makes them was not run. */
export function partFiles(dir: string, segment: string, part: SegmentPart | 'content'): string[] {
  const folder = join(segmentFolder(dir, segment), part);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(?:rec|warc\.gz)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
