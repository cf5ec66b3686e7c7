/**
 * Hadoop's SequenceFile, version 6, and MapFile, a folder of two of them. Keys and values come and go as bytes.
 *
 *     file   := "SEQ" 6:i8 keyClass:Text valueClass:Text compressed:i8 block:i8 [codec:Text] 0:i32 (no metadata)
 *               sync:u8[16]  (record | escape)*  or, with block compression, (escape block)*
 *     escape := -1:i32 sync:u8[16]          before a record, once `interval` bytes have passed since the last
 *     record := length:i32 keyLength:i32 key value          length: of key and value; the value alone is compressed
 *     block  := count:vint keyLengths keys valueLengths values       each length:vint and zlib data
 *
 * A MapFile is `data`, sorted by key, and `index`, which names every 128th record and where it begins. Beside each file
 * lies `.<name>.crc`: "crc" 0, 512:i32, and the CRC-32 of every 512 bytes, without which Hadoop reads it as well.
 */
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32, gunzipSync, inflateSync } from 'node:zlib';
import { deflate } from 'pako';
import { CrawlError } from '../../errors.ts';
import { DataIn, DataOut } from './data.ts';

const TEXT = 'org.apache.hadoop.io.Text';
const LONG = 'org.apache.hadoop.io.LongWritable';
const DEFAULT_CODEC = 'org.apache.hadoop.io.compress.DefaultCodec';
const GZIP_CODEC = 'org.apache.hadoop.io.compress.GzipCodec';
/** Longest record believed. */
const MOST = 1 << 30;
const CHUNK = 1 << 16;

export interface SequenceHeader {
  readonly keyClass: string;
  readonly valueClass: string;
  readonly compression: 'none' | 'record' | 'block';
  readonly codec: string | null;
  readonly sync: Buffer;
}

/** Bytes of a file, some at a time. */
class Bytes {
  readonly path: string;
  private readonly file: number;
  private buffer = Buffer.alloc(0);
  private at = 0;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'r');
  }
  /** A view, good until the next call; null at the end of the file. @throws RangeError when the file ends within */
  take(count: number): Buffer | null {
    if (count < 0 || count > MOST) throw new RangeError(`${count} bytes wanted`);
    if (this.at + count > this.buffer.length) this.fill(count);
    if (count > 0 && this.at === this.buffer.length) return null;
    if (this.at + count > this.buffer.length) throw new RangeError('the file ends within a record');
    this.at += count;
    return this.buffer.subarray(this.at - count, this.at);
  }
  private fill(count: number): void {
    const left = this.buffer.subarray(this.at);
    const grown = Buffer.allocUnsafe(Math.max(CHUNK, count));
    left.copy(grown);
    let length = left.length;
    while (length < grown.length) {
      const got = readSync(this.file, grown, length, grown.length - length, null);
      if (got === 0) break;
      length += got;
    }
    this.buffer = grown.subarray(0, length);
    this.at = 0;
  }
  need(count: number): Buffer {
    const bytes = this.take(count);
    if (!bytes) throw new RangeError('the file ends within a record');
    return bytes;
  }
  i32(): number {
    return this.need(4).readInt32BE();
  }
  vint(): number {
    const first = this.need(1).readInt8();
    if (first >= -112) return first;
    const rest = this.need(first >= -120 ? -112 - first : -120 - first);
    return new DataIn(Buffer.concat([Buffer.from([first]), rest])).vint();
  }
  text(): string {
    return this.need(this.vint()).toString();
  }
  close(): void {
    closeSync(this.file);
  }
}

/**
 * Every record of a file, in order; key and value are views, good until the next. Key bytes are those of the Writable,
 * its length included. @throws CrawlError 'damaged' when the file ends early or makes no sense
 */
export function* readSequence(
  path: string,
): Generator<{ header: SequenceHeader; key: Buffer; value: Buffer }, void, undefined> {
  const bytes = new Bytes(path);
  try {
    const header = readHeader(bytes);
    const undo = header.codec === GZIP_CODEC ? gunzipSync : inflateSync;
    for (;;) {
      const head = bytes.take(4);
      if (!head) return;
      const length = head.readInt32BE();
      if (length === -1) {
        if (!bytes.need(16).equals(header.sync)) throw new RangeError('a sync marker is not that of the file');
        if (header.compression === 'block') yield* readBlock(bytes, header, undo);
        continue;
      }
      if (header.compression === 'block') throw new RangeError('a block starts without its marker');
      const keyLength = bytes.i32();
      if (keyLength > length) throw new RangeError('a key is longer than its record');
      const record = bytes.need(length);
      const value = record.subarray(keyLength);
      yield {
        header,
        key: record.subarray(0, keyLength),
        value: header.compression === 'record' ? undo(value) : value,
      };
    }
  } catch (cause) {
    if (cause instanceof CrawlError) throw cause;
    throw new CrawlError('damaged', `${path} is no whole SequenceFile: ${(cause as Error).message}`, {
      where: path,
      cause,
    });
  } finally {
    bytes.close();
  }
}

function readHeader(bytes: Bytes): SequenceHeader {
  const head = bytes.need(4);
  if (head.toString('latin1', 0, 3) !== 'SEQ') throw new RangeError('it does not start with SEQ');
  if (head[3] !== 6) throw new RangeError(`it is of version ${head[3]}, only 6 can be read`);
  const keyClass = bytes.text();
  const valueClass = bytes.text();
  const [compressed, block] = [...bytes.need(2)];
  const codec = compressed ? bytes.text() : null;
  if (codec !== null && codec !== DEFAULT_CODEC && codec !== GZIP_CODEC)
    throw new RangeError(`it is compressed by ${codec}; DefaultCodec and GzipCodec can be read`);
  for (let left = bytes.i32() * 2; left > 0; left--) bytes.text();
  const sync = Buffer.from(bytes.need(16));
  return { keyClass, valueClass, compression: !compressed ? 'none' : block ? 'block' : 'record', codec, sync };
}

function* readBlock(
  bytes: Bytes,
  header: SequenceHeader,
  undo: (data: Uint8Array) => Buffer,
): Generator<{ header: SequenceHeader; key: Buffer; value: Buffer }, void, undefined> {
  const count = bytes.vint();
  const parts = Array.from({ length: 4 }, () => new DataIn(undo(bytes.need(bytes.vint()))));
  const [keyLengths, keys, valueLengths, values] = parts as [DataIn, DataIn, DataIn, DataIn];
  for (let i = 0; i < count; i++)
    yield { header, key: keys.raw(keyLengths.vint()), value: values.raw(valueLengths.vint()) };
}

export interface SequenceOptions {
  readonly valueClass: string;
  readonly compression?: 'none' | 'record';
  /** 16 bytes that no record holds by chance; the same for the same input, so that a file can be made again. */
  readonly sync: Uint8Array;
  /** Bytes between two sync markers: 2,000 up to Hadoop 2, 102,400 since. */
  readonly interval?: number;
}

/** Writes records in the order they are given; keys are Text. */
export class SequenceWriter {
  private readonly file: FileWithCrc;
  private readonly sync: Buffer;
  private readonly interval: number;
  private readonly compressed: boolean;
  private readonly head = new DataOut();
  /** Where the last sync marker ended; the one of the header does not count. */
  private lastSync = 0;

  constructor(path: string, options: SequenceOptions) {
    this.sync = Buffer.from(options.sync);
    this.interval = options.interval ?? 102_400;
    this.compressed = options.compression === 'record';
    this.file = new FileWithCrc(path);
    this.file.write(headerOf(options.valueClass, this.compressed, false, this.sync));
  }
  get position(): number {
    return this.file.length;
  }
  append(key: string, value: Uint8Array): void {
    const { head } = this;
    head.reset();
    if (this.position >= this.lastSync + this.interval) {
      head.i32(-1);
      head.raw(this.sync);
      this.lastSync = this.position + head.length;
    }
    const text = new DataOut();
    text.text(key);
    const body = this.compressed ? deflate(value) : value;
    head.i32(text.length + body.length);
    head.i32(text.length);
    head.raw(text.finish());
    this.file.write(head.finish());
    this.file.write(body);
  }
  close(): void {
    this.file.close();
  }
}

function headerOf(valueClass: string, compressed: boolean, block: boolean, sync: Uint8Array): Buffer {
  const head = new DataOut();
  head.raw(Buffer.from('SEQ\x06', 'latin1'));
  head.text(TEXT);
  head.text(valueClass);
  head.i8(compressed ? 1 : 0);
  head.i8(block ? 1 : 0);
  if (compressed) head.text(DEFAULT_CODEC);
  head.i32(0);
  head.raw(sync);
  return head.finish();
}

/** A MapFile: `append` keys in ascending order, as bytes. */
export class MapFileWriter {
  private readonly data: SequenceWriter;
  private readonly folder: string;
  private readonly options: SequenceOptions;
  private readonly places: { key: string; at: number }[] = [];
  private records = 0;

  constructor(folder: string, options: SequenceOptions) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.options = options;
    this.data = new SequenceWriter(join(folder, 'data'), options);
  }
  append(key: string, value: Uint8Array): void {
    if (this.records++ % 128 === 0) this.places.push({ key, at: this.data.position });
    this.data.append(key, value);
  }
  close(): void {
    this.data.close();
    const file = new FileWithCrc(join(this.folder, 'index'));
    file.write(indexOf(this.places, this.options.sync));
    file.close();
  }
}

/** The index, one block: a record for every 128 of the data. */
function indexOf(places: readonly { key: string; at: number }[], sync: Uint8Array): Buffer {
  const parts = Array.from({ length: 4 }, () => new DataOut()) as [DataOut, DataOut, DataOut, DataOut];
  const [keyLengths, keys, valueLengths, values] = parts;
  for (const { key, at } of places) {
    const before = keys.length;
    keys.text(key);
    keyLengths.vint(keys.length - before);
    valueLengths.vint(8);
    values.i64(at);
  }
  const out = new DataOut();
  out.raw(headerOf(LONG, true, true, sync));
  if (places.length === 0) return out.finish();
  out.i32(-1);
  out.raw(sync);
  out.vint(places.length);
  for (const part of parts) {
    const body = deflate(part.finish());
    out.vint(body.length);
    out.raw(body);
  }
  return out.finish();
}

/** Hadoop's bytes a checksum. */
const SUM = 512;

class FileWithCrc {
  length = 0;
  private readonly path: string;
  private readonly file: number;
  private buffer = Buffer.allocUnsafe(CHUNK);
  private used = 0;
  private readonly sums = new DataOut();
  private sum = 0;
  private summed = 0;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.file = openSync(path, 'w');
    this.sums.raw(Buffer.from('crc\0', 'latin1'));
    this.sums.i32(SUM);
  }
  write(bytes: Uint8Array): void {
    this.length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(SUM - this.summed, bytes.length - at);
      this.sum = crc32(bytes.subarray(at, at + count), this.sum);
      this.summed += count;
      at += count;
      if (this.summed === SUM) this.endSum();
    }
    if (this.used + bytes.length > this.buffer.length) this.flush();
    if (bytes.length > this.buffer.length) writeAll(this.file, bytes);
    else {
      this.buffer.set(bytes, this.used);
      this.used += bytes.length;
    }
  }
  private endSum(): void {
    this.sums.i32(this.sum | 0);
    this.sum = this.summed = 0;
  }
  private flush(): void {
    writeAll(this.file, this.buffer.subarray(0, this.used));
    this.used = 0;
  }
  close(): void {
    this.flush();
    closeSync(this.file);
    if (this.summed > 0) this.endSum();
    const beside = openSync(join(dirname(this.path), `.${basename(this.path)}.crc`), 'w');
    writeAll(beside, this.sums.finish());
    closeSync(beside);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** The files with the records of a part: `part-*` that are files, or the `data` of those that are MapFiles. */
export function partsOf(folder: string, names: readonly string[]): string[] {
  return names
    .filter((name) => /^part-(?:r-)?\d+$/.test(name))
    .sort()
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? join(path, 'data') : path))
    .filter((path) => existsSync(path));
}
