/**
 * Buffers of bodies, used again: a buffer a page costs the collector more than the copy into it. By powers of two from
 * 16 KB to 256 KB, a few of each; larger ones come and go.
 */
const POOLED = 5;
/** The smallest, and what a body of unknown length begins with. */
export const FIRST_PIECE = 16 << 10;
const pooled: Buffer[][] = Array.from({ length: POOLED }, () => []);
const classOf = (size: number): number => Math.max(0, 32 - Math.clz32((size - 1) >> 14));

/** At least `size` bytes; what is in them is left from whoever had them before. */
export function takeBuffer(size: number): Buffer {
  const kind = classOf(size);
  if (kind >= POOLED) return Buffer.allocUnsafeSlow(size);
  return pooled[kind]!.pop() ?? Buffer.allocUnsafeSlow(FIRST_PIECE << kind);
}

/** Only a buffer that nobody looks at any more. */
export function giveBuffer(buffer: Buffer): void {
  const kind = classOf(buffer.length);
  if (kind < POOLED && buffer.length === FIRST_PIECE << kind && pooled[kind]!.length < 8) pooled[kind]!.push(buffer);
}
