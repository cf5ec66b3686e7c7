/**
 * The first half of `index`: what several segments say of a page, brought together. The newest fetch that decides
 * anything wins, for all parts of the page at once, so that no text is mixed with another fetch's title.
 *
 *     value   := verdict:u8  ordinal:u16  fetched:f64  reason:string  canonical:string  data:bytes  text:bytes
 *     verdict := 1 a document | 2 to be taken out | 3 failed       ordinal: place of the segment in the job's list
 *
 * `canonical` is the address the page names as its own, '' when it names none or itself. A page that only failed stays as
 * the index has it, unless crawldb has given it up. One of which nothing was decided (not fetched, not modified) does not
 * appear at all.
 */
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { decodeOutcome } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import type { Outcome } from '../page/outcome.ts';
import type { Reason } from '../page/reason.ts';
import { decodePageData, isEmptyText, type SegmentPart } from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import { believed } from '../page/state.ts';
import type { Job } from '../run/job.ts';
import { RecordReader } from '../store/records.ts';
import { isFolder } from '../url/files.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { decides, isNewer, type Told } from './decisive.ts';

/** One file of one part of one segment. */
export interface IndexSplit {
  readonly path: string;
  readonly part: (typeof parts)[number];
  readonly ordinal: number;
}
const parts = ['crawl_fetch', 'parse_data', 'parse_text'] as const satisfies readonly SegmentPart[];

export const indexSplits = (dir: string, segments: readonly string[]): IndexSplit[] =>
  segments.flatMap((segment, ordinal) =>
    parts.flatMap((part) => partFiles(dir, segment, part).map((path) => ({ path, part, ordinal }))),
  );

/** What the job decided of one page. `data` and `text` are encoded PageData and PageText, empty for a page taken out. */
export interface Decided {
  readonly document: boolean;
  /** Nothing was decided: the fetch failed, and may have been the last of too many. */
  readonly failed: boolean;
  readonly ordinal: number;
  readonly fetched: number;
  readonly reason: Reason;
  readonly canonical: string;
  readonly data: Uint8Array;
  readonly text: Uint8Array;
}

const out = new ByteWriter(1 << 16);
function encodeDecided(decided: Decided): Uint8Array {
  out.reset();
  out.u8(decided.document ? 1 : decided.failed ? 3 : 2);
  out.u16(decided.ordinal);
  out.f64(decided.fetched);
  out.string(decided.reason);
  out.string(decided.canonical);
  out.bytes(decided.data);
  out.bytes(decided.text);
  return out.view();
}

/** Views into `value`. */
export function decodeDecided(value: Uint8Array): Decided {
  const from = new ByteReader(value);
  const verdict = from.u8();
  return {
    document: verdict === 1,
    failed: verdict === 3,
    ordinal: from.u16(),
    fetched: from.f64(),
    reason: from.string() as Reason,
    canonical: from.string(),
    data: from.bytes(),
    text: from.bytes(),
  };
}

interface Parts {
  outcome?: Outcome;
  data?: Uint8Array;
  text?: Uint8Array;
}

export interface IndexArgs {
  /** Keys of the pages to look at; null: all. */
  readonly only: readonly string[] | null;
  /** ms since the epoch: of what was fetched later by far, it is not known when. */
  readonly now: number;
}

export const indexJoin: Job<IndexSplit, IndexArgs> = {
  name: 'index',
  map({ path, part, ordinal }, args, emit) {
    const only = args.only && new Set(args.only);
    const reader = new RecordReader(path);
    const tag = parts.indexOf(part);
    let value = Buffer.allocUnsafe(1 << 16);
    try {
      while (reader.next()) {
        const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
        if (only && !only.has(reader.key)) continue;
        const length = valueEnd - valueStart + 3;
        if (value.length < length) value = Buffer.allocUnsafe(length * 2);
        value[0] = tag;
        value.writeUInt16LE(ordinal, 1);
        block.copy(value, 3, valueStart, valueEnd);
        emit.slice(block, keyStart, keyEnd, value, 0, length);
      }
    } finally {
      reader.close();
    }
  },
  reduce(key, values, { now }, emit, count) {
    const bySegment = new Map<number, Parts>();
    let failed: (Told & { reason: Reason }) | undefined;
    for (const value of values) {
      const ordinal = value[1]! | (value[2]! << 8);
      let parts = bySegment.get(ordinal);
      if (!parts) bySegment.set(ordinal, (parts = {}));
      const bytes = new Uint8Array(value.subarray(3));
      if (value[0] === 1) parts.data = bytes;
      else if (value[0] === 2) parts.text = bytes;
      else {
        const outcome = decodeOutcome(bytes);
        if (outcome.kind === 'retry' && (!failed || isNewer({ ordinal, fetched: outcome.fetched }, failed)))
          failed = { ordinal, fetched: outcome.fetched, reason: outcome.reason };
        // A hop writes an outcome under each address it passes, so one page may have several: the last decisive stands.
        if (decides(outcome) && (!parts.outcome || outcome.fetched >= parts.outcome.fetched)) parts.outcome = outcome;
      }
    }
    let newest: (Told & { outcome: Outcome; parts: Parts }) | undefined;
    for (const [ordinal, parts] of bySegment) {
      const { outcome } = parts;
      // Of a page read for its links alone the index keeps what it has; it may have been parsed from its content since.
      if (!outcome || (outcome.reason === 'links-only' && !parts.data)) continue;
      const told = { ordinal, fetched: believed(outcome.fetched, now) };
      if (!newest || isNewer(told, newest)) newest = { ...told, outcome, parts };
    }
    if (!newest) {
      if (failed) emit(key, encodeDecided({ ...NO_TEXT, ...failed, failed: true }));
      return;
    }
    const decided = decide(urlOf(Buffer.from(key).toString()), newest.ordinal, newest.outcome, newest.parts);
    count(decided.document ? 'documents' : 'refused');
    if (decided.document && decided.canonical) count('canonicalised');
    emit(key, encodeDecided(decided));
  },
};

const NONE = new Uint8Array(0);
const NO_TEXT = { document: false, failed: false, canonical: '', data: NONE, text: NONE };

function decide(url: string, ordinal: number, outcome: Outcome, parts: Parts): Decided {
  const { fetched } = outcome;
  const refuse = (reason: Reason): Decided => ({ ...NO_TEXT, ordinal, fetched, reason });
  if (outcome.kind !== 'success') return refuse(outcome.reason);
  if (!parts.data || !parts.text) return refuse(outcome.reason === 'ok' ? 'not-parsed' : outcome.reason);
  const data = decodePageData(parts.data);
  if (isFolder(url)) return refuse('folder');
  if (data.robots.noindex) return refuse('noindex');
  if (!data.title && data.headings.length === 0 && isEmptyText(parts.text)) return refuse('empty');
  const canonical = data.canonical ? (normalizeUrl(data.canonical) ?? '') : '';
  return {
    document: true,
    failed: false,
    ordinal,
    fetched,
    reason: 'ok',
    canonical: canonical === url ? '' : canonical,
    data: parts.data,
    text: parts.text,
  };
}
