import { hash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CrawlError } from '../errors.ts';

/**
 * Content as WARC 1.1 (ISO 28500:2017), one gzip member a record, so that any record can be read by its offset and a
 * cut file loses only its last one.
 *
 *     file    := gzip(record)*
 *     record  := "WARC/1.1" CRLF (name ": " value CRLF)* CRLF block CRLF CRLF
 *     block   := status line CRLF (header CRLF)* CRLF body             for response, request
 *
 * A body is kept as it was transferred, coded where the server coded it, but without chunks: so the line
 * Transfer-Encoding is left out. Append-only while open, never changed after. Readable by warcio, jwarc, pywb.
 */
export interface Captured {
  readonly url: string;
  /** ms since the epoch. */
  readonly date: number;
  readonly ip: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without chunks, with its content coding. */
  readonly body: Uint8Array;
  /** Why the body is not whole; '' when it is. */
  readonly truncated: '' | 'length' | 'time' | 'disconnect' | 'unspecified';
}

/** `segments/<name>/content/<shard>.warc.gz`. */
export const contentFile = (segmentFolder: string, shard: number): string =>
  join(segmentFolder, 'content', `${String(shard).padStart(5, '0')}.warc.gz`);

/** Bytes gathered at most before the file is written to. */
const GATHER = 1 << 20;
const FIRST_SCRATCH = 128 << 10;
const MOST_SCRATCH = 2 << 20;
/** Digests remembered to recognise an identical payload; the oldest go first. */
const DIGESTS = 4096;

export class WarcWriter {
  readonly path: string;
  /** Bytes of the file, those gathered included. */
  bytes = 0;
  readonly #file: number;
  readonly #agent: string;
  /** Members that wait to be written, in one piece: made with the first, many shards keep no content. */
  #gathered = NOTHING;
  #gatheredBytes = 0;
  #started = false;
  /** A record is put together here; one allocation a page less. */
  #scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH);
  readonly #digests = new Map<string, { readonly url: string; readonly date: string }>();

  /** @param agent who crawled, for the warcinfo record that opens the file */
  constructor(path: string, agent: string) {
    this.path = path;
    this.#agent = agent;
    this.#file = openSync(path, 'w');
  }

  /** The id of its record. */
  response(page: Captured): string {
    const date = warcDate(page.date);
    const digest = payloadDigest(page.body);
    const first = page.body.length > 0 && page.truncated === '' ? this.#digests.get(digest) : undefined;
    const fields: Fields = [
      ['WARC-Target-URI', page.url],
      ['WARC-Payload-Digest', digest],
      ...(page.ip === '' ? [] : ([['WARC-IP-Address', page.ip]] as const)),
      ...(page.truncated === '' ? [] : ([['WARC-Truncated', page.truncated]] as const)),
    ];
    const head = httpHead(page);
    if (first) {
      const profile = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
      const refers: Fields = [
        ['WARC-Profile', profile],
        ['WARC-Refers-To-Target-URI', first.url],
        ['WARC-Refers-To-Date', first.date],
      ];
      return this.#write('revisit', date, [...fields, ...refers], HTTP_RESPONSE, head, NOTHING, 1);
    }
    if (this.#digests.size >= DIGESTS) this.#digests.delete(this.#digests.keys().next().value!);
    this.#digests.set(digest, { url: page.url, date });
    const coded = page.headers.some(([name, value]) => is(name, 'content-encoding') && value !== 'identity');
    return this.#write('response', date, fields, HTTP_RESPONSE, head, page.body, coded ? 0 : 1);
  }

  /** A 304: the page is as it was when it was last captured. */
  notModified(page: Captured): string {
    const fields: Fields = [
      ['WARC-Target-URI', page.url],
      ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/server-not-modified'],
      ...(page.ip === '' ? [] : ([['WARC-IP-Address', page.ip]] as const)),
    ];
    return this.#write('revisit', warcDate(page.date), fields, HTTP_RESPONSE, httpHead(page), NOTHING, 1);
  }

  /**
   * What was asked for the answer that lies in the record `answer`. `headers` are names and values in turn; those with
   * credentials are the caller's to leave out.
   */
  request(url: string, date: number, headers: readonly string[], answer: string): void {
    const { host, pathname, search } = new URL(url);
    let head = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n`;
    for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    const fields: Fields = [
      ['WARC-Target-URI', url],
      ['WARC-Concurrent-To', answer],
    ];
    const block = Buffer.from(`${head}\r\n`, 'latin1');
    this.#write('request', warcDate(date), fields, HTTP_REQUEST, block, NOTHING, 1);
  }

  #write(
    type: string,
    date: string,
    fields: Fields,
    contentType: string,
    head: Uint8Array,
    body: Uint8Array,
    level: number,
  ): string {
    if (!this.#started) {
      this.#started = true;
      const about = Buffer.from(
        `software: nuthatch\r\nformat: WARC File Format 1.1\r\nhttp-header-user-agent: ${this.#agent}\r\n`,
      );
      this.#write('warcinfo', date, [], 'application/warc-fields', about, NOTHING, 1);
    }
    const id = `<urn:uuid:${randomUUID()}>`;
    let lines = `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: ${id}\r\nWARC-Date: ${date}\r\n`;
    for (const [name, value] of fields) lines += `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`;
    lines += `Content-Type: ${contentType}\r\nContent-Length: ${head.length + body.length}\r\n\r\n`;
    const size = lines.length * 3 + head.length + body.length + 4; // UTF-8 takes at most three octets a unit
    if (this.#scratch.length < size) this.#scratch = Buffer.allocUnsafeSlow(Math.max(size, this.#scratch.length * 2));
    const record = this.#scratch;
    let at = record.write(lines);
    record.set(head, at);
    at += head.length;
    record.set(body, at);
    at += body.length;
    at += record.write('\r\n\r\n', at, 'latin1');
    // Room for the whole member, mostly: in pieces of 16 KB, Node's default, it costs a tenth more.
    const room = level === 0 ? at + 1024 : (at >> 1) + 1024;
    const member = gzipSync(record.subarray(0, at), { level, chunkSize: room });
    if (record.length > MOST_SCRATCH) this.#scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH);
    this.bytes += member.length;
    this.#gather(member);
    return id;
  }

  #gather(member: Uint8Array): void {
    if (this.#gatheredBytes + member.length > GATHER) this.flush();
    if (member.length > GATHER) {
      this.#put(member, member.length);
      return;
    }
    if (this.#gathered.length === 0) this.#gathered = Buffer.allocUnsafeSlow(GATHER);
    this.#gathered.set(member, this.#gatheredBytes);
    this.#gatheredBytes += member.length;
  }

  /** Hands everything to the operating system: a killed process loses nothing of it. */
  flush(): void {
    const length = this.#gatheredBytes;
    this.#gatheredBytes = 0;
    this.#put(this.#gathered, length);
  }

  #put(bytes: Uint8Array, length: number): void {
    try {
      for (let done = 0; done < length; ) done += writeSync(this.#file, bytes, done, length - done);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
      throw new CrawlError('disk-full', `no room left on the disk while writing ${this.path}; free some and go on`, {
        where: this.path,
        cause,
      });
    }
  }

  close(): void {
    try {
      this.flush();
      fsyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }
}

/** Cuts a file back to a length it had once; a shorter one stays as it is. */
export function cutFile(path: string, bytes: number): void {
  const file = openSync(path, 'r+');
  try {
    if (fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

type Fields = readonly (readonly [name: string, value: string])[];
const HTTP_RESPONSE = 'application/http;msgtype=response';
const HTTP_REQUEST = 'application/http;msgtype=request';
const NOTHING: Uint8Array = new Uint8Array(0);

const warcDate = (ms: number): string => new Date(ms).toISOString();

function httpHead(page: Captured): Uint8Array {
  let head = `HTTP/1.1 ${page.status} ${page.statusText}\r\n`;
  for (const [name, value] of page.headers) if (!is(name, 'transfer-encoding')) head += `${name}: ${value}\r\n`;
  return Buffer.from(`${head}\r\n`, 'latin1');
}

/** Whether a header is that one. */
const is = (name: string, lower: string): boolean => name.length === lower.length && name.toLowerCase() === lower;

/** SHA-1 in base 32, as the crawling community writes it. */
export function payloadDigest(body: Uint8Array): string {
  const digest = hash('sha1', body, 'buffer');
  let text = '';
  let bits = 0;
  let held = 0;
  for (const octet of digest) {
    held = (held << 8) | octet;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return `sha1:${text}`;
}
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
