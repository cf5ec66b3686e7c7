import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { segmentFolder } from '../page/segment.ts';
import type { Tables } from '../store/tables.ts';

/** How far a segment has come. Fetched: every page of its list has an outcome. */
export const isFetched = (dir: string, segment: string): boolean =>
  existsSync(join(segmentFolder(dir, segment), 'fetch.done'));
export const isUpdated = (tables: Tables, segment: string): Promise<boolean> => tables.crawldb.applied(segment);
export const isInverted = (tables: Tables, segment: string): Promise<boolean> => tables.linkdb.applied(segment);

/** Written by a `parse` that read the segment again: its time, ms since the epoch. */
export const parsedAgain = (dir: string, segment: string): string => join(segmentFolder(dir, segment), 'parse.done');
/** What the index remembers of a segment that is in it: its name, and when it was last parsed again. */
export function stamp(dir: string, segment: string): string {
  const marker = parsedAgain(dir, segment);
  return existsSync(marker) ? `${segment}@${readFileSync(marker, 'utf8').trim()}` : segment;
}
