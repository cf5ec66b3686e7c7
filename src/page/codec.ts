/**
 * Page states and outcomes as bytes: the values of crawldb, of `crawl_generate` and of `crawl_fetch`. Integers
 * little-endian, times in ms since the epoch as f64, `varint`, `string`, `bytes` as in io/bytes.
 *
 *     state   := version:u8=1  status:u8  retries:u8  reason:u8  due:f64  score:f64             <- fixed places: read
 *                fetched:f64  modified:f64  unlinked:f64  interval:u32  fixedInterval:u32          without decoding
 *                inlinks:u32  depth:u16  httpStatus:u16  has:u8
 *                [signature:bytes] [segment:string expires:f64] [target:string] [etag:string] [lastModified:string]
 *                [count:varint (name:string value:string)[count]] [rank:f64]                     <- each if its bit is set
 *     outcome := version:u8=1  kind:u8  reason:u8  truncated:u8  httpStatus:u16  responseMs:u32  bytes:u64  fetched:f64
 *                contentType:string  etag:string  lastModified:string  target:string  ip:string  detail:string
 *                signature:bytes (empty: null)
 *
 * Versions: 1 (first).
 */
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';
import { type Outcome, type OutcomeKind, outcomeCode } from './outcome.ts';
import type { Reason } from './reason.ts';
import type { Lease, PageState } from './state.ts';
import { type Status, statusCode } from './status.ts';

const VERSION = 1;

/** Numbers are for ever: a new reason takes the next one, none is given twice. */
const reasonCode: Record<Reason, number> = {
  none: 0,
  ok: 1,
  'not-modified': 2,
  'redirected-permanent': 3,
  'redirected-temporary': 4,
  'redirect-loop': 5,
  'too-many-redirects': 6,
  'redirect-rejected': 7,
  'redirect-invalid': 8,
  'http-401': 9,
  'http-403': 10,
  'http-404': 11,
  'http-410': 12,
  'http-4xx': 13,
  'http-429': 14,
  'http-5xx': 15,
  'http-other': 16,
  'robots-denied': 17,
  'robots-unreachable': 18,
  dns: 19,
  connect: 20,
  tls: 21,
  timeout: 22,
  reset: 23,
  protocol: 24,
  'address-refused': 25,
  'too-large': 26,
  'bad-encoding': 27,
  'not-parsed': 28,
  'parse-failed': 29,
  'parse-died': 30,
  empty: 31,
  noindex: 32,
  canonical: 33,
  'host-failing': 34,
  interrupted: 35,
  'time-limit': 36,
  'scheme-refused': 37,
  'url-invalid': 38,
  'url-too-long': 39,
  'out-of-scope': 40,
  filtered: 41,
  trap: 42,
  nofollow: 43,
  'too-deep': 44,
  'crawl-delay': 45,
  'too-slow': 46,
  'outside-root': 47,
  'special-file': 48,
  unreadable: 49,
  'links-only': 50,
  folder: 51,
  sitemap: 52,
  forgotten: 53,
  unlinked: 54,
};

const invert = <K extends string>(codes: Record<K, number>): (K | undefined)[] => {
  const names: (K | undefined)[] = new Array(256).fill(undefined);
  for (const [name, code] of Object.entries(codes) as [K, number][]) names[code] = name;
  return names;
};
const statusOf = invert<Status>(statusCode);
const kindOf = invert<OutcomeKind>(outcomeCode);
const reasonOf = invert<Reason>(reasonCode);

const SIGNATURE = 1;
const LEASE = 2;
const TARGET = 4;
const ETAG = 8;
const LAST_MODIFIED = 16;
const META = 32;
const RANK = 64;

/** Where the fixed fields of a state lie, for scans that read nothing else. */
export const stateAt = {
  status: 1,
  retries: 2,
  reason: 3,
  due: 4,
  score: 12,
  fetched: 20,
  unlinked: 36,
  inlinks: 52,
  depth: 56,
  has: 60,
} as const;

/**
 * What news of links alone make of a record, without decoding it: `record` is changed in place, and false means that
 * nothing was to change. The same as `transition` with only `links`, which a test holds it to. Hot: nine in ten pages
 * of an update.
 */
export function patchLinks(
  record: Buffer,
  links: { readonly score: number; readonly inlinks: number; readonly depth: number },
  now: number,
): boolean {
  if (record[0] !== VERSION || record.length <= stateAt.has) decodeState(record);
  const score = record.readDoubleLE(stateAt.score);
  const had = record.readUInt32LE(stateAt.inlinks);
  const depth = record.readUInt16LE(stateAt.depth);
  const unlinked = record.readDoubleLE(stateAt.unlinked);
  const sum = score + links.score;
  const nextScore = Math.abs(sum) < DUST ? 0 : sum;
  const inlinks = Math.max(0, had + links.inlinks);
  const nextDepth = Math.min(depth, links.depth);
  const nextUnlinked = inlinks > 0 ? 0 : had > 0 && depth > 0 ? now : unlinked;
  if (nextScore === score && inlinks === had && nextDepth === depth && nextUnlinked === unlinked) return false;
  record.writeDoubleLE(finite(nextScore), stateAt.score);
  record.writeUInt32LE(within(inlinks, U32), stateAt.inlinks);
  record.writeUInt16LE(nextDepth, stateAt.depth);
  record.writeDoubleLE(nextUnlinked, stateAt.unlinked);
  return true;
}

/** Half the least share (contribution.ts): what rounding may leave of a score that was taken back. */
export const DUST = 2 ** -41;

const U32 = 0xffff_ffff;
const within = (value: number, most: number): number => (value > 0 ? Math.min(Math.round(value), most) : 0);
/** A time, score or count that is none (NaN, infinite) would poison every order it takes part in. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

const out = new ByteWriter(512);

/** A copy, owned by the caller. */
export function encodeState(state: PageState): Uint8Array {
  out.reset();
  writeState(out, state);
  return out.finish();
}

function writeState(to: ByteWriter, state: PageState): void {
  to.u8(VERSION);
  to.u8(statusCode[state.status]);
  to.u8(within(state.retries, 255));
  to.u8(reasonCode[state.reason]);
  to.f64(finite(state.due));
  to.f64(finite(state.score));
  to.f64(finite(state.fetched));
  to.f64(finite(state.modified));
  to.f64(finite(state.unlinked));
  to.u32(within(state.interval, U32));
  to.u32(within(state.fixedInterval, U32));
  to.u32(within(state.inlinks, U32));
  to.u16(within(state.depth, 0xffff));
  to.u16(within(state.httpStatus, 0xffff));
  to.u8(
    (state.signature ? SIGNATURE : 0) |
      (state.lease ? LEASE : 0) |
      (state.target ? TARGET : 0) |
      (state.etag ? ETAG : 0) |
      (state.lastModified ? LAST_MODIFIED : 0) |
      (state.meta.size > 0 ? META : 0) |
      (state.rank > 0 ? RANK : 0),
  );
  if (state.signature) to.bytes(state.signature);
  if (state.lease) {
    to.string(state.lease.segment);
    to.f64(finite(state.lease.expires));
  }
  if (state.target) to.string(state.target);
  if (state.etag) to.string(state.etag);
  if (state.lastModified) to.string(state.lastModified);
  if (state.meta.size > 0) {
    to.varint(state.meta.size);
    for (const [name, value] of state.meta) {
      to.string(name);
      to.string(value);
    }
  }
  if (state.rank > 0) to.f64(finite(state.rank));
}

const NO_META: ReadonlyMap<string, string> = new Map();

/** @throws CrawlError 'damaged' | 'too-new' */
export function decodeState(bytes: Uint8Array): PageState {
  return guarded('a page state', bytes, (from) => {
    const status = named(statusOf, from.u8());
    const retries = from.u8();
    const reason = named(reasonOf, from.u8());
    const due = from.f64();
    const score = from.f64();
    const fetched = from.f64();
    const modified = from.f64();
    const unlinked = from.f64();
    const interval = from.u32();
    const fixedInterval = from.u32();
    const inlinks = from.u32();
    const depth = from.u16();
    const httpStatus = from.u16();
    const has = from.u8();
    const signature = has & SIGNATURE ? new Uint8Array(from.bytes()) : null;
    const lease: Lease | null = has & LEASE ? { segment: from.string(), expires: from.f64() } : null;
    const target = has & TARGET ? from.string() : '';
    const etag = has & ETAG ? from.string() : '';
    const lastModified = has & LAST_MODIFIED ? from.string() : '';
    let meta = NO_META;
    if (has & META) {
      const pairs = new Map<string, string>();
      for (let left = from.varint(); left > 0; left--) pairs.set(from.string(), from.string());
      meta = pairs;
    }
    const rank = has & RANK ? from.f64() : 0;
    return {
      status,
      due,
      fetched,
      interval,
      fixedInterval,
      retries,
      score,
      modified,
      etag,
      lastModified,
      signature,
      depth,
      lease,
      reason,
      httpStatus,
      target,
      inlinks,
      unlinked,
      rank,
      meta,
    };
  });
}

/** A copy, owned by the caller. */
export function encodeOutcome(outcome: Outcome): Uint8Array {
  out.reset();
  out.u8(VERSION);
  out.u8(outcomeCode[outcome.kind]);
  out.u8(reasonCode[outcome.reason]);
  out.u8(outcome.truncated ? 1 : 0);
  out.u16(within(outcome.httpStatus, 0xffff));
  out.u32(within(outcome.responseMs, U32));
  out.u64(within(outcome.bytes, Number.MAX_SAFE_INTEGER));
  out.f64(finite(outcome.fetched));
  out.string(outcome.contentType);
  out.string(outcome.etag);
  out.string(outcome.lastModified);
  out.string(outcome.target);
  out.string(outcome.ip);
  out.string(outcome.detail);
  out.bytes(outcome.signature ?? NONE);
  return out.finish();
}
const NONE = new Uint8Array(0);

/** @throws CrawlError 'damaged' | 'too-new' */
export function decodeOutcome(bytes: Uint8Array): Outcome {
  return guarded('an outcome', bytes, (from) => {
    const kind = named(kindOf, from.u8());
    const reason = named(reasonOf, from.u8());
    const truncated = from.u8() === 1;
    const httpStatus = from.u16();
    const responseMs = from.u32();
    const size = from.u64();
    const fetched = from.f64();
    const contentType = from.string();
    const etag = from.string();
    const lastModified = from.string();
    const target = from.string();
    const ip = from.string();
    const detail = from.string();
    const digest = from.bytes();
    const signature = digest.length > 0 ? new Uint8Array(digest) : null;
    return {
      kind,
      reason,
      fetched,
      httpStatus,
      responseMs,
      bytes: size,
      truncated,
      contentType,
      etag,
      lastModified,
      target,
      signature,
      ip,
      detail,
    };
  });
}

function named<K extends string>(names: readonly (K | undefined)[], code: number): K {
  const name = names[code];
  if (name === undefined) throw new RangeError(`number ${code} stands for nothing`);
  return name;
}

/** Reads a value that starts with its version; whatever is wrong with its bytes becomes one error. */
export function guarded<T>(what: string, bytes: Uint8Array, read: (from: ByteReader) => T, version = VERSION): T {
  const found = bytes[0] ?? 0;
  if (found > version)
    throw new CrawlError('too-new', `${what} was written by a newer nuthatch; use that one or newer`);
  try {
    const from = new ByteReader(bytes);
    from.u8();
    return read(from);
  } catch (cause) {
    throw new CrawlError('damaged', `${what} of ${bytes.length} bytes cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}
