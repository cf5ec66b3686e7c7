/**
 * Views of the beginning of one block of memory, made once a length: a view of its own for each of millions of keys costs
 * more than to copy the key (half a microsecond against a tenth).
 */
const LONGEST = 1024;

export class Views {
  private bytes = Buffer.allocUnsafeSlow(LONGEST);
  private readonly views: (Buffer | undefined)[] = new Array(LONGEST + 1).fill(undefined);

  /** A copy of the slice, which the next call overwrites. */
  of(from: Uint8Array, start: number, end: number): Buffer {
    const length = end - start;
    if (length > LONGEST) return Buffer.from(from.subarray(start, end));
    const { bytes } = this;
    for (let i = 0; i < length; i++) bytes[i] = from[start + i]!;
    return (this.views[length] ??= bytes.subarray(0, length));
  }
}
