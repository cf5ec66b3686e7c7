/**
 * What a page gives to the pages it links to: kept beside it in crawldb, so that the next fetch of the page replaces what
 * it gave instead of adding to it, and a page that goes takes it back. Without it scores grow with every recrawl, as
 * those of Nutch's OPIC do.
 *
 *     key   := 1:u8  keyOf(source)
 *     value := version:u8=1  share:f64  count:varint  (shared:varint  rest:bytes)[count]
 *
 * Targets ascend, each as what it shares with the one before (bytes) and the rest: the links of a page lie close
 * together, so they take a fifth of the space of their keys. Versions: 1 (first).
 */
import type { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { guarded } from './codec.ts';

export const contributionKey = (key: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(key.length + 1);
  bytes[0] = 1;
  bytes.set(key, 1);
  return bytes;
};

/**
 * Shares are whole multiples of 2^-40: their sums are then exact up to 8192, so a score does not depend on the order in
 * which links are added up, and what is taken back is what was given.
 */
export const quantum = (share: number): number => Math.round(share * 2 ** 40) / 2 ** 40;

/** Key n is `bytes[at[n] .. at[n] + length[n])`; `order[0..count)` are the targets, ascending as bytes, each once. */
export function writeContribution(
  out: ByteWriter,
  share: number,
  { bytes, at, length, order, count }: SortedKeys,
): void {
  out.u8(1);
  out.f64(share);
  out.varint(count);
  let before = 0;
  let beforeLength = 0;
  for (let i = 0; i < count; i++) {
    const n = order[i]!;
    const from = at[n]!;
    const size = length[n]!;
    const most = Math.min(beforeLength, size);
    let same = 0;
    while (same < most && bytes[before + same] === bytes[from + same]) same++;
    out.varint(same);
    out.varint(size - same);
    out.slice(bytes, from + same, from + size);
    before = from;
    beforeLength = size;
  }
}

export interface SortedKeys {
  readonly bytes: Uint8Array;
  readonly at: Uint32Array;
  readonly length: Uint32Array;
  readonly order: Uint32Array;
  readonly count: number;
}

/** Calls back with each target; its bytes are good until the next call. */
export const readContribution = (
  value: Uint8Array,
  visit: (target: Buffer, length: number, share: number) => void,
): void =>
  guarded('the contribution of a page', value, (from: ByteReader) => {
    const share = from.f64();
    let target = Buffer.allocUnsafe(256);
    for (let left = from.varint(); left > 0; left--) {
      const same = from.varint();
      const rest = from.bytes();
      const length = same + rest.length;
      if (length > target.length) {
        const grown = Buffer.allocUnsafe(length * 2);
        target.copy(grown, 0, 0, same);
        target = grown;
      }
      target.set(rest, same);
      visit(target, length, share);
    }
  });
