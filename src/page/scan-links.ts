/**
 * Reads the `crawl_parse` value of a page (segment.ts) in place: no string and no object a link. For the jobs that go
 * through millions of them.
 */
import { CrawlError } from '../errors.ts';

export class LinkScan {
  bytes: Buffer = Buffer.alloc(0);
  depth = 0;
  score = 0;
  signatureStart = 0;
  signatureEnd = 0;
  /** Links of the page. */
  count = 0;
  keyStart = 0;
  keyEnd = 0;
  anchorStart = 0;
  anchorEnd = 0;
  nofollow = false;
  private at = 0;
  private left = 0;
  private first = 0;

  /** Begins with a page; the bytes must stay as they are until it is read. @throws CrawlError 'damaged' | 'too-new' */
  open(value: Uint8Array): void {
    this.bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (value[0]! > 1)
      throw new CrawlError('too-new', 'the links of a page were written by a newer nuthatch; use that one or newer');
    if (value[0] !== 1 || value.length < 13) throw damaged(value.length);
    this.depth = this.bytes.readUInt16LE(1);
    this.score = this.bytes.readDoubleLE(3);
    this.at = 11;
    const length = this.varint();
    this.signatureStart = this.at;
    this.at = this.signatureEnd = this.at + length;
    this.count = this.varint();
    this.first = this.at;
    this.left = this.count;
  }

  /** Back to the first link. */
  rewind(): void {
    this.at = this.first;
    this.left = this.count;
  }

  next(): boolean {
    if (this.left-- <= 0) return false;
    const length = this.varint();
    this.keyStart = this.at;
    this.at = this.keyEnd = this.at + length;
    const mark = this.varint();
    this.nofollow = (mark & 1) === 1;
    this.anchorStart = this.at;
    this.at = this.anchorEnd = this.at + (mark >>> 1);
    if (this.at > this.bytes.length) throw damaged(this.bytes.length);
    return true;
  }

  private varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw damaged(bytes.length);
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[this.at++];
      if (byte === undefined || shift > 28) throw damaged(bytes.length);
      value |= (byte & 127) << shift;
    }
    return value;
  }
}

const damaged = (length: number): CrawlError =>
  new CrawlError('damaged', `the links of a page, ${length} bytes, cannot be read; parse its segment again`);
