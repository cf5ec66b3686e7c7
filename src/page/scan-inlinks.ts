/**
 * Reads and writes lists of inlinks (inlinks.ts) without an object a link: for the job that merges millions of them.
 */
import { ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';

/** Goes through a list; after `next`, the source is `source[0..length)`, and the rest lies in `bytes`. */
export class InlinkScan {
  bytes: Uint8Array = new Uint8Array(0);
  /** Links of the list. */
  count = 0;
  source = Buffer.allocUnsafe(256);
  length = 0;
  /** Four bytes, f32. */
  scoreAt = 0;
  anchorStart = 0;
  anchorEnd = 0;
  private at = 0;
  private end = 0;
  private left = 0;
  private alone = false;

  /** Begins with the list `bytes[start..end)`. @throws CrawlError 'damaged' | 'too-new' */
  open(bytes: Uint8Array, start: number, end: number): void {
    if (start < end && bytes[start]! > 1)
      throw new CrawlError('too-new', 'the inlinks of a page were written by a newer nuthatch; use that one or newer');
    this.begin(bytes, start + 1, end, false);
  }

  /** The same for sources alone, `count:varint (shared:varint rest:bytes)[count]`. */
  openSources(bytes: Uint8Array, start: number, end: number): void {
    this.begin(bytes, start, end, true);
  }

  private begin(bytes: Uint8Array, start: number, end: number, alone: boolean): void {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.alone = alone;
    this.length = 0;
    this.count = this.left = this.varint();
  }

  next(): boolean {
    if (this.left-- <= 0) return false;
    const same = this.varint();
    const rest = this.varint();
    const length = same + rest;
    if (same > this.length || this.at + rest > this.end) throw damaged(this.bytes.length);
    if (length > this.source.length) {
      const grown = Buffer.allocUnsafe(length * 2);
      this.source.copy(grown, 0, 0, same);
      this.source = grown;
    }
    const { source, bytes } = this;
    let at = this.at;
    for (let i = same; i < length; i++) source[i] = bytes[at++]!;
    this.length = length;
    if (this.alone) {
      this.at = at;
      return true;
    }
    this.scoreAt = at;
    this.at = at + 4;
    const anchor = this.varint();
    this.anchorStart = this.at;
    this.at = this.anchorEnd = this.at + anchor;
    if (this.at > this.end) throw damaged(this.bytes.length);
    return true;
  }

  private varint(): number {
    const { bytes, end } = this;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      if (this.at >= end) break;
      const byte = bytes[this.at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw damaged(bytes.length);
  }
}

/** Writes a list, links in order of their sources; or sources alone, see `InlinkScan.openSources`. */
export class InlinkWriter {
  readonly out = new ByteWriter(4096);
  count = 0;
  private before = Buffer.allocUnsafe(256);
  private length = 0;

  reset(): void {
    this.out.reset();
    this.count = 0;
    this.length = 0;
  }

  source(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    const { out } = this;
    if (length > this.before.length) {
      const grown = Buffer.allocUnsafe(length * 2);
      this.before.copy(grown, 0, 0, this.length);
      this.before = grown;
    }
    const { before } = this;
    const most = Math.min(this.length, length);
    let same = 0;
    while (same < most && before[same] === bytes[start + same]) same++;
    for (let i = same; i < length; i++) before[i] = bytes[start + i]!;
    this.length = length;
    this.count++;
    out.varint(same);
    out.varint(length - same);
    out.slice(bytes, start + same, end);
  }

  /** What follows the source of a link. */
  rest(bytes: Uint8Array, scoreAt: number, anchorStart: number, anchorEnd: number): void {
    const { out } = this;
    out.slice(bytes, scoreAt, scoreAt + 4);
    out.varint(anchorEnd - anchorStart);
    out.slice(bytes, anchorStart, anchorEnd);
  }

  /** Adds the present link of a scan. */
  add(link: InlinkScan): void {
    this.source(link.source, 0, link.length);
    this.rest(link.bytes, link.scoreAt, link.anchorStart, link.anchorEnd);
  }

  /** Appends the list to `to`. */
  finish(to: ByteWriter): void {
    to.u8(1);
    to.varint(this.count);
    to.slice(this.out.data, 0, this.out.length);
  }
}

const damaged = (length: number): CrawlError =>
  new CrawlError('damaged', `the inlinks of a page, ${length} bytes, cannot be read; repair makes linkdb anew`);
