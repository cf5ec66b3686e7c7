/**
 * Norms: how many tokens each document has in each field, one byte a document.
 *
 * File `<segment>.nrm`, read whole when the segment is opened.
 *
 *     norms   := frame("nrm", 1) { fields:varint  field[fields] }
 *     field   := id:varint  docs:varint  norm:u8[docs]       norm[i] belongs to document i
 *
 * Only fields of index `text` and `bag` have norms. A token at the position of the one before it (a part of a word) is
 * not counted. 0 says that the document has no token in the field.
 *
 * The byte is a step on a logarithmic scale, so that BM25 can look its length factor up in a table of 256: 0..40 exact,
 * above the 24 that are given away the four highest bits count. Same scale as Lucene's SmallFloat, so scores compare.
 *
 * Cost: docs bytes in memory a field. Versions: 1 (first).
 */
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter, unframe } from '../io/frame.ts';

const VERSION = 1;
/** Lengths that have a byte of their own before the scale begins, so that its last step is about 2^31. */
const FREE = 24;

/** By byte: the smallest length that is written as it. */
export const NORM_LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, norm) => {
  const code = norm - FREE;
  if (code < 8) return norm;
  return FREE + (8 + (code & 7)) * 2 ** ((code >> 3) - 1);
});

/** The byte of a length in tokens, rounded down. */
export function encodeLength(length: number): number {
  if (length < FREE) return length;
  const rest = Math.min(length - FREE, 0x7fffffff);
  const bits = 32 - Math.clz32(rest);
  if (bits < 4) return FREE + rest;
  const shift = bits - 4;
  return FREE + (((rest >>> shift) & 7) | ((shift + 1) << 3));
}

/** The byte whose length is at least `value`: for bounds that must not be too small. */
export function encodeAtLeast(value: number): number {
  const norm = encodeLength(value);
  return NORM_LENGTHS[norm]! < value && norm < 255 ? norm + 1 : norm;
}

/** By field number. */
export type Norms = ReadonlyMap<number, Uint8Array>;

export function writeNorms(directory: Directory, file: string, norms: Norms): FileSeal {
  const out = new FrameWriter(directory, file, 'nrm', VERSION);
  const head = new ByteWriter(32);
  head.varint(norms.size);
  for (const [id, bytes] of norms) {
    head.varint(id);
    head.varint(bytes.length);
    out.write(head.view());
    head.length = 0;
    out.write(bytes);
  }
  out.write(head.view());
  return out.close();
}

export function readNorms(bytes: Uint8Array, file: string): Norms {
  const input = new ByteReader(unframe(bytes, file, 'nrm', VERSION), file);
  const norms = new Map<number, Uint8Array>();
  for (let left = input.varint(); left > 0; left--) {
    const id = input.varint();
    norms.set(id, input.bytes());
  }
  if (input.left !== 0) throw corrupt(file, 'something follows its end');
  return norms;
}
