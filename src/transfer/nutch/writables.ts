/**
 * The values that Nutch writes, as they are: every field, in order, with metadata of any type, so that what was read is
 * written back byte for byte. Source: Nutch CrawlDatum, ProtocolStatus, ParseData, Inlinks; Hadoop MapWritable.
 */
import { DataIn, type DataOut } from './data.ts';

/** A value with its class; the name without package where it is Hadoop's. */
export type Writable =
  | { readonly kind: 'Text'; readonly value: string }
  | {
      readonly kind: 'IntWritable' | 'LongWritable' | 'FloatWritable' | 'VIntWritable' | 'VLongWritable';
      readonly value: number;
    }
  | { readonly kind: 'BooleanWritable'; readonly value: boolean }
  | { readonly kind: 'BytesWritable' | 'MD5Hash'; readonly value: Buffer }
  | { readonly kind: 'NullWritable' }
  | { readonly kind: 'MapWritable'; readonly value: MapValue }
  | { readonly kind: 'ProtocolStatus'; readonly value: ProtocolStatus };
export interface MapValue {
  /** Classes beside those that Hadoop knows, in the order of their numbers from 1. */
  readonly classes: readonly string[];
  readonly entries: readonly (readonly [key: Writable, value: Writable])[];
}
export interface ProtocolStatus {
  readonly code: number;
  readonly lastModified: number;
  readonly args: readonly (string | null)[] | null;
}

const IDS = {
  BooleanWritable: -126,
  BytesWritable: -125,
  FloatWritable: -124,
  IntWritable: -123,
  LongWritable: -122,
  MapWritable: -121,
  MD5Hash: -120,
  NullWritable: -119,
  Text: -116,
  VIntWritable: -114,
  VLongWritable: -113,
} as const;
const KINDS = new Map<number, keyof typeof IDS>(
  (Object.entries(IDS) as [keyof typeof IDS, number][]).map(([kind, id]) => [id, kind]),
);
/** The map that Nutch had of its own before version 1.0 (datum versions 4 to 6): other numbers, both before the key. */
const OLD_KINDS = new Map<number, keyof typeof IDS | 'ProtocolStatus'>([
  [-127, 'NullWritable'],
  [-126, 'LongWritable'],
  [-125, 'Text'],
  [-124, 'MD5Hash'],
  [-119, 'MapWritable'],
  [-118, 'BytesWritable'],
  [-117, 'FloatWritable'],
  [-116, 'IntWritable'],
  [-114, 'ProtocolStatus'],
]);
export const PROTOCOL_STATUS = 'org.apache.nutch.protocol.ProtocolStatus';

const kindOf = (
  id: number,
  classes: readonly string[],
  kinds: ReadonlyMap<number, Writable['kind']>,
): Writable['kind'] => {
  const known = kinds.get(id) ?? (classes[id - 1] === PROTOCOL_STATUS ? 'ProtocolStatus' : undefined);
  if (!known) throw new RangeError(`metadata of class ${classes[id - 1] ?? id} cannot be read`);
  return known;
};

function readValue(kind: Writable['kind'], from: DataIn): Writable {
  switch (kind) {
    case 'Text':
      return { kind, value: from.text() };
    case 'IntWritable':
      return { kind, value: from.i32() };
    case 'LongWritable':
      return { kind, value: from.i64() };
    case 'FloatWritable':
      return { kind, value: from.f32() };
    case 'VIntWritable':
    case 'VLongWritable':
      return { kind, value: from.vint() };
    case 'BooleanWritable':
      return { kind, value: from.i8() !== 0 };
    case 'BytesWritable':
      return { kind, value: from.raw(from.i32()) };
    case 'MD5Hash':
      return { kind, value: from.raw(16) };
    case 'NullWritable':
      return { kind };
    case 'MapWritable':
      return { kind, value: readMap(from) };
    case 'ProtocolStatus':
      return { kind, value: readProtocolStatus(from) };
  }
}

function writeValue(writable: Writable, to: DataOut): void {
  switch (writable.kind) {
    case 'Text':
      to.text(writable.value);
      break;
    case 'IntWritable':
      to.i32(writable.value);
      break;
    case 'LongWritable':
      to.i64(writable.value);
      break;
    case 'FloatWritable':
      to.f32(writable.value);
      break;
    case 'VIntWritable':
    case 'VLongWritable':
      to.vint(writable.value);
      break;
    case 'BooleanWritable':
      to.i8(writable.value ? 1 : 0);
      break;
    case 'BytesWritable':
      to.i32(writable.value.length);
      to.raw(writable.value);
      break;
    case 'MD5Hash':
      to.raw(writable.value);
      break;
    case 'NullWritable':
      break;
    case 'MapWritable':
      writeMap(writable.value, to);
      break;
    case 'ProtocolStatus':
      writeProtocolStatus(writable.value, to);
  }
}

function readMap(from: DataIn): MapValue {
  const classes: string[] = [];
  for (let left = from.i8(); left > 0; left--) {
    const id = from.i8();
    classes[id - 1] = from.name();
  }
  const entries: [Writable, Writable][] = [];
  for (let left = from.i32(); left > 0; left--) {
    const key = readValue(kindOf(from.i8(), classes, KINDS), from);
    entries.push([key, readValue(kindOf(from.i8(), classes, KINDS), from)]);
  }
  return { classes, entries };
}

function writeMap({ classes, entries }: MapValue, to: DataOut): void {
  to.i8(classes.length);
  classes.forEach((name, at) => {
    to.i8(at + 1);
    to.name(name);
  });
  to.i32(entries.length);
  for (const pair of entries)
    for (const writable of pair) {
      to.i8(writable.kind === 'ProtocolStatus' ? classes.indexOf(PROTOCOL_STATUS) + 1 : IDS[writable.kind]);
      writeValue(writable, to);
    }
}

function readOldMap(from: DataIn): MapValue {
  const size = from.i32();
  if (size <= 0) return { classes: [], entries: [] };
  const classes: string[] = [];
  for (let left = from.i8(); left > 0; left--) {
    const id = from.i8();
    classes[id - 1] = from.text();
  }
  const entries: [Writable, Writable][] = [];
  for (let left = size; left > 0; left--) {
    const key = kindOf(from.i8(), classes, OLD_KINDS);
    const value = kindOf(from.i8(), classes, OLD_KINDS);
    entries.push([readValue(key, from), readValue(value, from)]);
  }
  return { classes, entries };
}

function readProtocolStatus(from: DataIn): ProtocolStatus {
  from.i8();
  const code = from.i8();
  const lastModified = from.i64();
  return { code, lastModified, args: readArgs(from) };
}
function writeProtocolStatus({ code, lastModified, args }: ProtocolStatus, to: DataOut): void {
  to.i8(2);
  to.i8(code);
  to.i64(lastModified);
  writeArgs(args, to);
}
function readArgs(from: DataIn): (string | null)[] | null {
  const count = from.i32();
  if (count < 0) return null;
  return Array.from({ length: count }, () => {
    const length = from.i32();
    return length < 0 ? null : from.raw(length).toString();
  });
}
function writeArgs(args: readonly (string | null)[] | null, to: DataOut): void {
  to.i32(args ? args.length : -1);
  for (const arg of args ?? []) {
    const bytes = arg === null ? null : Buffer.from(arg);
    to.i32(bytes ? bytes.length : -1);
    if (bytes) to.raw(bytes);
  }
}

export interface Datum {
  readonly status: number;
  /** ms: when due in a crawldb, when fetched in a segment. */
  readonly fetchTime: number;
  readonly retries: number;
  /** s. */
  readonly interval: number;
  readonly score: number;
  readonly modifiedTime: number;
  readonly signature: Buffer | null;
  readonly metadata: MapValue | null;
}

/** Versions 3 to 7; written is 7. Status numbers of versions below 5 were others. */
export function readDatum(from: DataIn): Datum {
  const version = from.i8();
  if (version < 3 || version > 7) throw new RangeError(`a CrawlDatum of version ${version}; 3 to 7 can be read`);
  const written = from.i8();
  const status = version < 5 ? (OLD_STATUS.get(written) ?? written) : written;
  const fetchTime = from.i64();
  const retries = from.i8();
  const interval = version > 5 ? from.i32() : Math.round(from.f32());
  const score = from.f32();
  const modifiedTime = from.i64();
  const length = from.i8();
  const signature = length > 0 ? Buffer.from(from.raw(length)) : null;
  const has = version > 3 && from.i8() !== 0;
  const metadata = has ? (version === 7 ? readMap(from) : readOldMap(from)) : null;
  return { status, fetchTime, retries, interval, score, modifiedTime, signature, metadata };
}
const OLD_STATUS = new Map([
  [0, 65],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 67],
  [5, 33],
  [6, 34],
  [7, 37],
]);

export function writeDatum(datum: Datum, to: DataOut): void {
  to.i8(7);
  to.i8(datum.status);
  to.i64(datum.fetchTime);
  to.i8(Math.min(datum.retries, 127));
  to.i32(Math.min(datum.interval, 0x7fff_ffff));
  to.f32(datum.score);
  to.i64(datum.modifiedTime);
  // A longer one could be written, and not be read again: its length is a signed byte.
  const signature = datum.signature?.subarray(0, 127);
  to.i8(signature?.length ?? 0);
  if (signature) to.raw(signature);
  to.i8(datum.metadata ? 1 : 0);
  if (datum.metadata) writeMap(datum.metadata, to);
}

export interface NutchLink {
  readonly url: string;
  readonly anchor: string;
  readonly metadata: MapValue | null;
}

/** Inlinks have metadata since 1.21 and nothing says so: both layouts are tried, and the one that fits the bytes holds. */
export function readInlinks(bytes: Uint8Array): { links: NutchLink[]; metadata: boolean } {
  let failure: unknown;
  for (const metadata of [false, true]) {
    const from = new DataIn(bytes);
    try {
      const links: NutchLink[] = [];
      for (let left = from.i32(); left > 0; left--) links.push(readLink(from, metadata));
      if (from.left === 0) return { links, metadata };
    } catch (error) {
      failure = error;
    }
  }
  throw new RangeError('inlinks of neither layout', { cause: failure });
}
export function writeInlinks(links: readonly NutchLink[], metadata: boolean, to: DataOut): void {
  to.i32(links.length);
  for (const link of links) writeLink(link, metadata, to);
}
const readLink = (from: DataIn, metadata: boolean): NutchLink => ({
  url: from.text(),
  anchor: from.text(),
  metadata: metadata && from.i8() !== 0 ? readMap(from) : null,
});
function writeLink({ url, anchor, metadata }: NutchLink, has: boolean, to: DataOut): void {
  to.text(url);
  to.text(anchor);
  if (!has) return;
  to.i8(metadata ? 1 : 0);
  if (metadata) writeMap(metadata, to);
}

/** Names with their values, as written. */
export type Metadata = readonly (readonly [name: string, values: readonly string[]])[];
function readMetadata(from: DataIn): Metadata {
  return Array.from({ length: from.i32() }, () => {
    const name = from.text();
    return [name, Array.from({ length: from.i32() }, () => from.text())] as const;
  });
}
function writeMetadata(metadata: Metadata, to: DataOut): void {
  to.i32(metadata.length);
  for (const [name, values] of metadata) {
    to.text(name);
    to.i32(values.length);
    for (const value of values) to.text(value);
  }
}

export interface NutchParse {
  readonly status: { readonly major: number; readonly minor: number; readonly args: readonly (string | null)[] | null };
  readonly title: string;
  readonly links: readonly NutchLink[];
  readonly content: Metadata;
  readonly parse: Metadata;
}
export function readParseData(from: DataIn): NutchParse {
  const version = from.i8();
  if (version !== 5) throw new RangeError(`a ParseData of version ${version}; only 5 can be read`);
  from.i8();
  const status = { major: from.i8(), minor: from.i16(), args: readArgs(from) };
  const title = from.text();
  const links = Array.from({ length: from.i32() }, () => readLink(from, true));
  return { status, title, links, content: readMetadata(from), parse: readMetadata(from) };
}
export function writeParseData({ status, title, links, content, parse }: NutchParse, to: DataOut): void {
  to.i8(5);
  to.i8(2);
  to.i8(status.major);
  to.i16(status.minor);
  writeArgs(status.args, to);
  to.text(title);
  to.i32(links.length);
  for (const link of links) writeLink(link, true, to);
  writeMetadata(content, to);
  writeMetadata(parse, to);
}

export function readParseText(from: DataIn): string {
  const version = from.i8();
  if (version !== 2) throw new RangeError(`a ParseText of version ${version}; only 2 can be read`);
  return from.text();
}
export function writeParseText(text: string, to: DataOut): void {
  to.i8(2);
  to.text(text);
}

export interface NutchContent {
  readonly url: string;
  readonly base: string;
  readonly body: Buffer;
  readonly contentType: string;
  readonly metadata: Metadata;
}
export function readContent(from: DataIn): NutchContent {
  const version = from.i32();
  if (version !== -1) throw new RangeError(`a Content of version ${version}; only -1 can be read`);
  const url = from.text();
  const base = from.text();
  const body = from.raw(from.i32());
  return { url, base, body, contentType: from.text(), metadata: readMetadata(from) };
}
export function writeContent({ url, base, body, contentType, metadata }: NutchContent, to: DataOut): void {
  to.i32(-1);
  to.text(url);
  to.text(base);
  to.i32(body.length);
  to.raw(body);
  to.text(contentType);
  writeMetadata(metadata, to);
}
