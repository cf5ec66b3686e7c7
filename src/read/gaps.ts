import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decodeOutcome } from '../page/codec.ts';
import { type SegmentPart, segmentFolder } from '../page/segment.ts';
import { partRecords } from './segment.ts';

/**
 * What a fetched segment lacks; nothing of one that is still being fetched. A part that was cut or taken away can still read well to its end, so parts are compared:
 * every address of the fetchlist has an outcome, and every page that was read has its data, text and links.
 * One sentence a part. Memory: the keys of one segment.
 */
export function gapsOf(dir: string, segment: string): string[] {
  if (!existsSync(join(segmentFolder(dir, segment), 'fetch.done'))) return [];
  const problems: string[] = [];
  const missing = (wanted: ReadonlySet<string>, part: SegmentPart, has: ReadonlySet<string>): void => {
    let lacking = 0;
    for (const key of wanted) if (!has.has(key)) lacking++;
    if (lacking > 0)
      problems.push(
        `segment ${segment}: ${lacking} of ${wanted.size} pages are missing in ${part}; what is there is still used, ` +
          'and the pages come again with their next fetch',
      );
  };
  const read = new Set<string>();
  const outcomes = new Set<string>();
  for (const { key, value } of partRecords(dir, segment, 'crawl_fetch')) {
    outcomes.add(key);
    if (decodeOutcome(value).reason === 'ok') read.add(key);
  }
  missing(keysOf(dir, segment, 'crawl_generate'), 'crawl_fetch', outcomes);
  for (const part of ['parse_data', 'parse_text', 'crawl_parse'] as const)
    missing(read, part, keysOf(dir, segment, part));
  return problems;
}

function keysOf(dir: string, segment: string, part: SegmentPart): Set<string> {
  const keys = new Set<string>();
  for (const { key } of partRecords(dir, segment, part)) keys.add(key);
  return keys;
}
