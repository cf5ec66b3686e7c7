/**
 * A set of keys that only answers whether one is in it: 8 bytes a key, 53 bits of a hash. A key that is not in a set of a
 * million is taken for one that is once in nine thousand million times.
 */
export class KeySet {
  private hashes = new Float64Array(1024);
  private count = 0;
  private isSorted = true;

  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (this.count === this.hashes.length) {
      const grown = new Float64Array(this.count * 2);
      grown.set(this.hashes);
      this.hashes = grown;
    }
    this.hashes[this.count++] = hash53(bytes, from, to);
    this.isSorted = false;
  }

  has(bytes: Uint8Array): boolean {
    if (!this.isSorted) this.hashes.subarray(0, this.count).sort();
    this.isSorted = true;
    const wanted = hash53(bytes, 0, bytes.length);
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.hashes[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.hashes[low] === wanted;
  }
}

/** Two rounds of FNV-1a, the second from another start, as one number. */
function hash53(bytes: Uint8Array, from: number, to: number): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = from; i < to; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193);
    b = Math.imul(b ^ bytes[i]!, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}
