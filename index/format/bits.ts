/** One bit a document, 32 a word: bit d % 32 of word d / 32. Null stands for all. */
export const isSet = (bits: Int32Array | null, doc: number): boolean =>
  bits === null || (bits[doc >>> 5]! & (1 << (doc & 31))) !== 0;

export function setBit(bits: Int32Array, doc: number): void {
  bits[doc >>> 5]! |= 1 << (doc & 31);
}

export function clearBit(bits: Int32Array, doc: number): void {
  bits[doc >>> 5]! &= ~(1 << (doc & 31));
}
