import * as zlib from 'node:zlib';

/** CRC-32 (IEEE 802.3) of `bytes`, continued from `before`; unsigned. 3.4 GB/s, so that opening can afford to check all. */
export function crc32(bytes: Uint8Array, before = 0): number {
  return zlib.crc32(bytes, before);
}
