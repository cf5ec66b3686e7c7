/**
 * Live documents: is it still there?
 *
 * File `<segment>_<generation>.liv`, read whole when the segment is opened. A segment is never changed; what is deleted
 * from it is said beside it, in a new file a commit. A segment without such a file has all its documents.
 *
 *     live  := frame("liv", 1) { docs:u32 deleted:u32 zero:u32 zero:u32  bits:u32[ceil(docs / 32)] }
 *
 * Bit d % 32 of word d / 32 says that document d is there; bits behind the last document are zero.
 *
 * Cost: a bit a document in memory. Versions: 1 (first).
 */
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter, unframe } from '../io/frame.ts';
import { clearBit, isSet } from './bits.ts';
import { asWords } from './words.ts';

const VERSION = 1;

/** The document is there; null: nothing was deleted. */
export const isLive = isSet;

export function allLive(docs: number): Int32Array {
  const bits = new Int32Array(new SharedArrayBuffer(((docs + 31) >>> 5) * 4)).fill(-1);
  if (docs & 31) bits[bits.length - 1] = (1 << (docs & 31)) - 1;
  return bits;
}

/** True when the document was there until now. */
export function kill(live: Int32Array, doc: number): boolean {
  const was = isLive(live, doc);
  clearBit(live, doc);
  return was;
}

export function countLive(live: Int32Array): number {
  let count = 0;
  for (let i = 0; i < live.length; i++) {
    let word = live[i]!;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

export function writeLive(directory: Directory, file: string, live: Int32Array, docs: number): FileSeal {
  const out = new FrameWriter(directory, file, 'liv', VERSION);
  const head = new ByteWriter(16);
  head.u32(docs);
  head.u32(docs - countLive(live));
  head.u32(0);
  head.u32(0);
  out.write(head.view());
  out.write(new Uint8Array(live.buffer, live.byteOffset, live.byteLength));
  return out.close();
}

export function readLive(bytes: Uint8Array, file: string, docs: number): Int32Array {
  const body = unframe(bytes, file, 'liv', VERSION);
  const input = new ByteReader(body, file);
  const found = input.u32();
  const deleted = input.u32();
  if (found !== docs) throw corrupt(file, `it speaks of ${found} documents, its segment has ${docs}`);
  if (body.length !== 16 + ((docs + 31) >>> 5) * 4) throw corrupt(file, 'its length does not fit its documents');
  const live = asWords(body.subarray(16));
  if (countLive(live) !== docs - deleted) throw corrupt(file, 'its count does not fit its bits');
  return live;
}
