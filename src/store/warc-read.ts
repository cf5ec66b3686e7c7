import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { CrawlError } from '../errors.ts';

/**
 * Reads WARC files record by record, ours and others': 1.0 and 1.1, plain or a gzip member a record. Fields of a record
 * have lower-case names; of a field that stands twice the first counts. What the end of the file cuts is dropped.
 */
export interface WarcRecord {
  /** `response`, `revisit`, `request`, `warcinfo`, ... */
  readonly type: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly block: Buffer;
  /** Where it starts in the file, for `readWarcRecord`. */
  readonly offset: number;
}

/** Largest record believed, bytes uncompressed. */
const MOST = 1 << 30;
const WINDOW = 1 << 18;
/** Longest head of an answer looked for. */
const MOST_HEAD = 1 << 20;

/** @throws CrawlError 'missing-input', 'damaged' naming the offset */
export function* readWarc(path: string): Generator<WarcRecord, void, undefined> {
  const file = open(path);
  try {
    const { size } = fstatSync(file);
    for (let offset = 0; offset < size; ) {
      const next = recordAt(path, file, offset, size);
      if (!next) return;
      if (next.record) yield next.record;
      offset = next.end;
    }
  } finally {
    closeSync(file);
  }
}

/** One record by its offset. */
export function readWarcRecord(path: string, offset: number): WarcRecord {
  const file = open(path);
  try {
    const next = recordAt(path, file, offset, fstatSync(file).size);
    if (!next?.record) throw damaged(path, offset, 'no record starts here');
    return next.record;
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new CrawlError('missing-input', `${path} cannot be opened: ${(cause as Error).message}`, {
      where: path,
      cause,
    });
  }
}
const damaged = (path: string, offset: number, what: string, cause?: unknown): CrawlError =>
  new CrawlError('damaged', `${path}, byte ${offset}: ${what}; take the file from a backup`, { where: path, cause });

interface Next {
  readonly record: WarcRecord | null;
  readonly end: number;
}

/** Null when the end of the file cuts it. */
function recordAt(path: string, file: number, offset: number, size: number): Next | null {
  for (let window = WINDOW; ; window *= 4) {
    const length = Math.min(window, size - offset);
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const got = readSync(file, bytes, done, length - done, offset + done);
      if (got === 0) return null;
      done += got;
    }
    const whole = offset + length >= size;
    if (length < 2) return null;
    const next = bytes[0] === 0x1f && bytes[1] === 0x8b ? member(path, bytes, offset) : plain(path, bytes, offset);
    if (next) return next;
    if (whole) return null;
    if (window > MOST) throw damaged(path, offset, 'a record is larger than any that is written');
  }
}

/** A gzip member that holds one record; null when `bytes` ends too early. Source: RFC 1952. */
function member(path: string, bytes: Buffer, offset: number): Next | null {
  if (bytes.length < 18) return null;
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += 2 + bytes.readUInt16LE(at);
  for (const flag of [8, 16])
    if (flags & flag) {
      const end = bytes.indexOf(0, at);
      if (end < 0) return null;
      at = end + 1;
    }
  if (flags & 2) at += 2;
  let record: Buffer;
  let used: number;
  try {
    const { buffer, engine } = inflateRawSync(bytes.subarray(at), { info: true, maxOutputLength: MOST }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    record = buffer;
    used = engine.bytesWritten;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return null;
    throw damaged(path, offset, 'a record cannot be decompressed', cause);
  }
  const end = at + used + 8;
  if (end > bytes.length) return null;
  const inner = plain(path, record, offset);
  return { record: inner?.record ?? null, end: offset + end };
}

/** A record as text and block; null when `bytes` ends too early. */
function plain(path: string, bytes: Buffer, offset: number): Next | null {
  // Some writers leave more empty lines between records than the two that belong there.
  let start = 0;
  while (bytes[start] === 13 || bytes[start] === 10) start++;
  if (start === bytes.length) return { record: null, end: offset + bytes.length };
  const headEnd = bytes.indexOf('\r\n\r\n', start, 'latin1');
  if (headEnd < 0) {
    if (!'WARC/'.startsWith(bytes.toString('latin1', start, start + 5).slice(0, 5)))
      throw damaged(path, offset, 'this is no WARC record');
    return null;
  }
  const lines = bytes
    .toString('utf8', start, headEnd)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  if (!/^WARC\/[01]\.\d+$/.test(lines[0]!)) throw damaged(path, offset, 'this is no WARC record');
  const fields = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  const length = Number(fields.get('content-length'));
  if (!Number.isSafeInteger(length) || length < 0 || length > MOST)
    throw damaged(path, offset, 'a record does not say its length');
  const block = headEnd + 4;
  if (block + length > bytes.length) return null;
  const end = Math.min(block + length + 4, bytes.length);
  const record = {
    type: fields.get('warc-type')?.toLowerCase() ?? '',
    fields,
    block: bytes.subarray(block, block + length),
    offset,
  };
  return { record, end: offset + end };
}

export interface WarcResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As transferred, with its content coding, without chunks. */
  readonly body: Buffer;
}

/** The block of a `response` or `revisit` record as an answer; null when it is none. */
export function parseResponse(block: Buffer): WarcResponse | null {
  // Servers that end their lines with LF alone are in other people's archives.
  const blank = /\r?\n\r?\n/.exec(block.toString('latin1', 0, Math.min(block.length, MOST_HEAD)));
  const headEnd = blank ? blank.index : block.length;
  const lines = block
    .toString('latin1', 0, headEnd)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const status = /^HTTP\/\d(?:\.\d)?\s+(\d{3})/.exec(lines[0]!);
  if (!status) return null;
  const headers = lines.slice(1).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : [];
  });
  const body = block.subarray(headEnd + (blank ? blank[0].length : 0));
  const chunked = headers.some(([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value));
  return { status: Number(status[1]), headers, body: chunked ? dechunked(body) : body };
}

/** Other writers keep the chunks; one that breaks off ends the body. */
function dechunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at, 'latin1');
    const size = end < 0 ? Number.NaN : Number.parseInt(body.toString('latin1', at, end), 16);
    // Some writers leave the line of chunks out of the body but not out of the headers.
    if (Number.isNaN(size)) return at === 0 ? body : Buffer.concat(parts);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
