/**
 * Record files: the parts of a segment, the runs of a sort, the journal of a table.
 *
 * File `*.rec`, appended to while open, never changed after. Integers little-endian, `varint` as in io/bytes.
 *
 *     file    := magic "nhrc"  version:u16  0:u16  block*
 *     block   := length:u32  crc32(payload):u32  payload:u8[length]        (length > 0)
 *     payload := record*
 *     record  := keyLength:varint  valueLength:varint  key  value
 *
 * A key is text (UTF-8); in the parts of a segment it is `keyOf(url)`. A record never spans two blocks. A block that
 * the end of the file cuts, or a last block that fails its checksum, is what a killed process leaves: it is dropped on
 * reading. A block that fails its checksum with more behind it is damage and an error.
 * Versions: 1 (first).
 */
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { CrawlError } from '../errors.ts';

const MAGIC = 0x6372_686e; // "nhrc", read as a little-endian u32
const VERSION = 1;
const HEADER = 8;
const FRAME = 8;
/** Payload bytes after which a block is written. */
const BLOCK = 1 << 16;
/** Longest payload believed when reading: a body of the largest size allowed, and room beside it. */
const MOST = 1 << 30;

export class RecordWriter {
  readonly path: string;
  /** Records appended so far. */
  records = 0;
  /** Bytes handed to the file so far, frames included. */
  bytes = HEADER;
  private file: number;
  private block = Buffer.allocUnsafe(BLOCK + (BLOCK >> 2));
  private at = FRAME;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'w');
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(MAGIC, 0);
    header.writeUInt16LE(VERSION, 4);
    this.write(header, HEADER);
  }

  append(key: string, value: Uint8Array): void {
    // A key of n UTF-16 units takes at most 3n bytes; its length is written after the fact where one byte suffices.
    const most = key.length * 3;
    this.room(most + value.length + 16);
    if (most < 0x80) {
      const mark = this.at;
      const lengthBytes = varintLength(value.length);
      const length = this.block.write(key, mark + 1 + lengthBytes, 'utf8');
      this.block[mark] = length;
      this.at = putVarint(this.block, mark + 1, value.length) + length;
    } else {
      const length = Buffer.byteLength(key);
      this.at = putVarint(this.block, this.at, length);
      this.at = putVarint(this.block, this.at, value.length);
      this.at += this.block.write(key, this.at, 'utf8');
    }
    this.block.set(value, this.at);
    this.at += value.length;
    this.records++;
    if (this.at >= BLOCK) this.flush();
  }

  /** As `append`, with key and value as slices of larger buffers. Hot: the runs of a sort. */
  appendBytes(key: Uint8Array, keyStart: number, keyEnd: number, value: Uint8Array, start: number, end: number): void {
    this.room(keyEnd - keyStart + end - start + 16);
    const block = this.block;
    let at = putVarint(block, putVarint(block, this.at, keyEnd - keyStart), end - start);
    at = copy(block, at, key, keyStart, keyEnd);
    this.at = copy(block, at, value, start, end);
    this.records++;
    if (this.at >= BLOCK) this.flush();
  }

  /** As `appendBytes`, a byte before the value. */
  appendTagged(
    tag: number,
    key: Uint8Array,
    keyStart: number,
    keyEnd: number,
    value: Uint8Array,
    start: number,
    end: number,
  ): void {
    this.room(keyEnd - keyStart + end - start + 17);
    const block = this.block;
    let at = putVarint(block, putVarint(block, this.at, keyEnd - keyStart), end - start + 1);
    at = copy(block, at, key, keyStart, keyEnd);
    block[at++] = tag;
    this.at = copy(block, at, value, start, end);
    this.records++;
    if (this.at >= BLOCK) this.flush();
  }

  /** Hands everything appended so far to the operating system: a killed process loses nothing of it. */
  flush(): void {
    if (this.at === FRAME) return;
    this.block.writeUInt32LE(this.at - FRAME, 0);
    this.block.writeUInt32LE(crc32(this.block.subarray(FRAME, this.at)), 4);
    this.write(this.block, this.at);
    this.at = FRAME;
    if (this.block.length > BLOCK * 16) this.block = Buffer.allocUnsafe(BLOCK + (BLOCK >> 2));
  }

  /** Down to the disk: survives a power cut. */
  sync(): void {
    this.flush();
    fsyncSync(this.file);
  }

  close(): void {
    if (this.file < 0) return;
    try {
      this.flush();
    } finally {
      closeSync(this.file);
      this.file = -1;
    }
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.block.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.block.length * 2, this.at + bytes));
    this.block.copy(grown, 0, 0, this.at);
    this.block = grown;
  }

  private write(bytes: Uint8Array, length: number): void {
    try {
      for (let done = 0; done < length; ) done += writeSync(this.file, bytes, done, length - done);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new CrawlError('disk-full', `no room left on the disk while writing ${this.path}; free some and go on`, {
          where: this.path,
          cause,
        });
      throw cause;
    }
    this.bytes += length;
  }
}

/**
 * Reads a record file front to back. After `next()` has answered true, `block[keyStart..keyEnd]` and
 * `block[valueStart..valueEnd]` are the record, valid until the next call. Memory: one block.
 */
export class RecordReader {
  readonly path: string;
  block: Buffer = Buffer.alloc(0);
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  /** True once the end was reached and a cut tail was dropped there. */
  cut = false;
  private file: number;
  private at = 0;
  private end = 0;
  private readonly head = Buffer.alloc(FRAME);

  /** @throws CrawlError 'missing-input' | 'damaged' | 'too-new' */
  constructor(path: string) {
    this.path = path;
    try {
      this.file = openSync(path, 'r');
    } catch (cause) {
      throw new CrawlError('missing-input', `${path} cannot be opened: ${(cause as Error).message}`, {
        where: path,
        cause,
      });
    }
    const header = Buffer.alloc(HEADER);
    const got = this.read(header, HEADER);
    if (got < HEADER) {
      this.cut = true;
      this.close();
    } else if (header.readUInt32LE(0) !== MAGIC) {
      this.close();
      throw new CrawlError('damaged', `${path} is no record file; remove it, or take it from a backup`, {
        where: path,
      });
    } else if (header.readUInt16LE(4) > VERSION) {
      this.close();
      throw new CrawlError('too-new', `${path} was written by a newer nuthatch; use that one or newer`, {
        where: path,
      });
    }
  }

  next(): boolean {
    if (this.at >= this.end && !this.fill()) return false;
    const block = this.block;
    let at = this.at;
    let byte = block[at++]!;
    let keyLength = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) keyLength |= ((byte = block[at++]!) & 0x7f) << shift;
    byte = block[at++]!;
    let valueLength = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) valueLength |= ((byte = block[at++]!) & 0x7f) << shift;
    this.keyStart = at;
    this.keyEnd = this.valueStart = at + keyLength;
    this.at = this.valueEnd = this.valueStart + valueLength;
    if (this.at > this.end) throw this.damaged();
    return true;
  }

  /** True when the next call of `next` overwrites the block. */
  get drained(): boolean {
    return this.at >= this.end;
  }
  get key(): string {
    return this.block.toString('utf8', this.keyStart, this.keyEnd);
  }
  /** Shares the memory of the block: gone after the next call of `next`. */
  get value(): Uint8Array {
    return this.block.subarray(this.valueStart, this.valueEnd);
  }

  close(): void {
    if (this.file >= 0) closeSync(this.file);
    this.file = -1;
    this.at = this.end = 0;
  }

  private fill(): boolean {
    if (this.file < 0) return false;
    const head = this.head;
    const got = this.read(head, FRAME);
    if (got < FRAME) return this.tail(got > 0);
    const length = head.readUInt32LE(0);
    if (length === 0 || length > MOST) return this.bad();
    if (this.block.length < length) this.block = Buffer.allocUnsafeSlow(Math.max(length, BLOCK + 1024));
    if (this.read(this.block, length) < length) return this.tail(true);
    if (crc32(this.block.subarray(0, length)) !== head.readUInt32LE(4)) return this.bad();
    this.at = 0;
    this.end = length;
    return true;
  }

  /** A bad block: the torn end of the file when nothing lies behind it, damage otherwise. */
  private bad(): boolean {
    if (this.read(this.head, 1) === 0) return this.tail(true);
    throw this.damaged();
  }

  private tail(cut: boolean): boolean {
    this.cut = cut;
    this.close();
    return false;
  }

  private damaged(): CrawlError {
    this.close();
    return new CrawlError('damaged', `${this.path} fails its checksum in the middle; take it from a backup`, {
      where: this.path,
    });
  }

  private read(into: Buffer, length: number): number {
    let done = 0;
    while (done < length) {
      const got = readSync(this.file, into, done, length - done, null);
      if (got === 0) break;
      done += got;
    }
    return done;
  }
}

/** Every record of a file, in order; values are copies. The file is closed at the end, and when the loop is left. */
export function* readRecords(path: string): Generator<{ key: string; value: Uint8Array }, void, undefined> {
  const reader = new RecordReader(path);
  try {
    while (reader.next()) yield { key: reader.key, value: new Uint8Array(reader.value) };
  } finally {
    reader.close();
  }
}

const varintLength = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

function putVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let to = at;
  while (rest >= 0x80) {
    into[to++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[to++] = rest;
  return to;
}

/** Short runs byte by byte (a call into native code costs more than 64 of them), long ones in one go. */
function copy(into: Buffer, at: number, from: Uint8Array, start: number, end: number): number {
  if (end - start > 64) {
    into.set(from.subarray(start, end), at);
    return at + end - start;
  }
  let to = at;
  for (let i = start; i < end; i++) into[to++] = from[i]!;
  return to;
}
