import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, decodeState } from '../page/codec.ts';
import { keyOf } from '../page/key.ts';
import type { Outcome } from '../page/outcome.ts';
import {
  decodePageData,
  decodePageLinks,
  decodePageText,
  type PageData,
  type PageLinks,
  type PageText,
  type SegmentPart,
} from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import { readRecords } from '../store/records.ts';
import { type PageRecord, pageRecord } from './pages.ts';

/** Names of all segments, oldest first. */
export function segmentsOf(dir: string): string[] {
  const folder = join(dir, 'segments');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{14}/.test(name) && !name.includes('.') && statSync(join(folder, name)).isDirectory())
    .sort();
}

/** Records of a part, shard after shard, in the order written. */
export function* partRecords(
  dir: string,
  segment: string,
  part: SegmentPart,
): Generator<{ key: string; value: Uint8Array }> {
  for (const path of partFiles(dir, segment, part)) yield* readRecords(path);
}

export interface SegmentStats {
  readonly segment: string;
  readonly generated: number;
  /** Reason -> pages. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Kind of outcome -> pages. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly fetched: number;
  readonly parsed: number;
  readonly bytes: number;
  readonly started: string | null;
  readonly ended: string | null;
}

export function segmentStats(dir: string, segment: string): SegmentStats {
  known(dir, segment);
  let generated = 0;
  for (const _ of partRecords(dir, segment, 'crawl_generate')) generated++;
  const outcomes: Record<string, number> = {};
  const kinds: Record<string, number> = {};
  let [fetched, parsed, bytes, first, last] = [0, 0, 0, Number.POSITIVE_INFINITY, 0];
  for (const { value } of partRecords(dir, segment, 'crawl_fetch')) {
    const outcome = decodeOutcome(value);
    outcomes[outcome.reason] = (outcomes[outcome.reason] ?? 0) + 1;
    kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
    if (outcome.kind === 'success') fetched++;
    bytes += outcome.bytes;
    first = Math.min(first, outcome.fetched);
    last = Math.max(last, outcome.fetched);
  }
  for (const _ of partRecords(dir, segment, 'parse_data')) parsed++;
  const time = (ms: number): string | null => (Number.isFinite(ms) && ms > 0 ? new Date(ms).toISOString() : null);
  return { segment, generated, outcomes, kinds, fetched, parsed, bytes, started: time(first), ended: time(last) };
}

/** All that one segment holds of one page; members are absent where a part says nothing of it. */
export interface SegmentPage {
  readonly segment: string;
  readonly url: string;
  generated?: PageRecord;
  outcome?: Outcome;
  data?: PageData;
  text?: PageText;
  links?: PageLinks;
}

/** Null when the segment says nothing of the page. Cost: the parts are read through; they are not sorted. */
export function segmentPage(dir: string, segment: string, url: string): SegmentPage | null {
  known(dir, segment);
  const key = keyOf(url);
  const page: SegmentPage = { segment, url };
  // The last record of a page stands: a page fetched again in one segment is written again.
  const last = (part: SegmentPart): Uint8Array | undefined => {
    let value: Uint8Array | undefined;
    for (const record of partRecords(dir, segment, part))
      if (record.key === key) value = Uint8Array.prototype.slice.call(record.value);
    return value;
  };
  const generated = last('crawl_generate');
  const outcome = last('crawl_fetch');
  const data = last('parse_data');
  const text = last('parse_text');
  const links = last('crawl_parse');
  if (generated) page.generated = pageRecord(url, decodeState(generated));
  if (outcome) page.outcome = decodeOutcome(outcome);
  if (data) page.data = decodePageData(data);
  if (text) page.text = decodePageText(text);
  if (links) page.links = decodePageLinks(links);
  return generated || outcome || data || text || links ? page : null;
}

function known(dir: string, segment: string): void {
  if (!segmentsOf(dir).includes(segment))
    throw new CrawlError('usage', `there is no segment ${segment} in ${dir}; nuthatch readseg lists them`, {
      where: segment,
    });
}

/** Signatures as hex, for JSON. */
export const plain = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : value instanceof Map
      ? Object.fromEntries(value)
      : value;
