/**
 * What a segment has to say of the links to one page, and what becomes of those that linkdb has of it; see invertlinks.ts
 * for the bytes. Links that lie in each other's order are merged as bytes, without an object for each.
 */
import { ByteWriter } from '../../index/io/bytes.ts';
import { decodeInlinks, encodeInlinks, MOST_INLINKS } from '../page/inlinks.ts';
import { InlinkScan, InlinkWriter } from '../page/scan-inlinks.ts';
import type { Emit, Values } from '../run/job.ts';
import { KeySlices } from '../store/key-slices.ts';
import { compareBytes } from '../store/merge.ts';

const THERE = 1;

/** The values of one key, in memory of its own, which is used again for the next. */
export class GatheredLinks {
  private bytes = Buffer.allocUnsafe(1 << 16);
  /** By value: what follows its first byte. */
  private readonly rests = new KeySlices();
  /** The sources of the links, one a value. */
  private readonly sources = new KeySlices();
  private readonly gone = new InlinkWriter();
  private readonly there = new InlinkWriter();
  private readonly out = new ByteWriter(4096);

  read(values: Values): void {
    let used = 0;
    this.rests.reset(this.bytes);
    while (values.next()) {
      const { start, end } = values;
      this.room(used, end - start);
      values.bytes.copy(this.bytes, used, start, end);
      this.rests.add(used + 1, used + end - start);
      used += end - start;
    }
  }

  /** The values are lists of links, of which the last that is there stands, or that they are gone. */
  list(key: Uint8Array, emit: Emit): void {
    const { at, length, count } = this.rests;
    let chosen = count - 1;
    for (let n = 0; n < count; n++) if (this.bytes[at[n]! - 1] === THERE) chosen = n;
    emit.slice(key, 0, key.length, this.bytes, at[chosen]! - 1, at[chosen]! + length[chosen]!);
  }

  /** The values are links. One that went and is there again is there. */
  news(key: Uint8Array, emit: Emit): void {
    const { bytes, rests, sources, gone, there, out } = this;
    const { count } = rests;
    sources.reset(bytes);
    for (let n = 0; n < count; n++) {
      const from = rests.at[n]! + 4;
      sources.add(from, from + bytes.readUInt32LE(from - 4));
    }
    const { at, length, order } = sources.sort();
    gone.reset();
    there.reset();
    for (let i = 0; i < count; ) {
      let chosen = order[i]!;
      const from = at[chosen]!;
      const to = from + length[chosen]!;
      for (i++; i < count; i++) {
        const n = order[i]!;
        if (compareBytes(bytes, from, to, bytes, at[n]!, at[n]! + length[n]!) !== 0) break;
        if (bytes[at[n]! - 5] === THERE) chosen = n;
      }
      if (bytes[at[chosen]! - 5] === THERE) {
        const scoreAt = at[chosen]! + length[chosen]!;
        there.source(bytes, from, to);
        there.rest(bytes, scoreAt, scoreAt + 4, rests.at[chosen]! + rests.length[chosen]!);
      } else gone.source(bytes, from, to);
    }
    out.reset();
    out.u32(varintLength(gone.count) + gone.out.length);
    out.varint(gone.count);
    out.slice(gone.out.data, 0, gone.out.length);
    there.finish(out);
    emit.slice(key, 0, key.length, out.data, 0, out.length);
  }

  private room(used: number, more: number): void {
    if (used + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe((used + more) * 2);
    this.bytes.copy(grown, 0, 0, used);
    this.bytes = grown;
  }
}

/** Merges news into the list of a page. */
export class InlinkMerge {
  private readonly old = new InlinkScan();
  private readonly gone = new InlinkScan();
  private readonly there = new InlinkScan();
  private readonly writer = new InlinkWriter();
  private readonly out = new ByteWriter(4096);

  /**
   * The list that `record` becomes by the news `bytes[start..end)`; empty when no link is left. A view, good until the
   * next call.
   */
  merge(record: Buffer | undefined, bytes: Buffer, start: number, end: number): Uint8Array {
    const { old, gone, there, writer, out } = this;
    const list = start + 4 + bytes.readUInt32LE(start);
    there.open(bytes, list, end);
    if (!record) return there.count === 0 ? NOTHING : bounded(bytes.subarray(list, end), there.count);
    gone.openSources(bytes, start + 4, list);
    old.open(record, 0, record.length);
    let moreGone = gone.next();
    writer.reset();
    let moreOld = old.next();
    let moreThere = there.next();
    while (moreOld || moreThere) {
      const order = !moreOld ? 1 : !moreThere ? -1 : compareSources(old, there);
      if (order >= 0) {
        writer.add(there);
        moreThere = there.next();
        if (order === 0) moreOld = old.next();
        continue;
      }
      let left = 1;
      while (moreGone && (left = compareSources(gone, old)) < 0) moreGone = gone.next();
      if (!moreGone || left !== 0) writer.add(old);
      moreOld = old.next();
    }
    if (writer.count === 0) return NOTHING;
    out.reset();
    writer.finish(out);
    return bounded(out.view(), writer.count);
  }
}

const varintLength = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

const NOTHING = new Uint8Array(0);

const compareSources = (a: InlinkScan, b: InlinkScan): number =>
  compareBytes(a.source, 0, a.length, b.source, 0, b.length);

/** A list too long for a page is cut to the best of its links. */
const bounded = (list: Uint8Array, count: number): Uint8Array =>
  count > MOST_INLINKS ? encodeInlinks(decodeInlinks(list)) : list;
