import { KeySort } from './key-sort.ts';

/** Keys by where they lie in one block of bytes, and their order; used again for the next block. */
export class KeySlices {
  bytes: Uint8Array = new Uint8Array(0);
  at = new Uint32Array(256);
  length = new Uint32Array(256);
  /** Numbers of the keys, from the smallest on; good after `sort`. */
  order = new Uint32Array(256);
  count = 0;
  private readonly keys = new KeySort();

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.count = 0;
  }
  add(start: number, end: number): void {
    const n = this.count++;
    if (n === this.at.length) this.grow();
    this.at[n] = start;
    this.length[n] = end - start;
  }
  sort(): this {
    const { at, length, order, count } = this;
    for (let i = 0; i < count; i++) order[i] = i;
    this.keys.sort(this.bytes, at, length, order, 0, count);
    return this;
  }
  private grow(): void {
    const { at, length } = this;
    this.at = new Uint32Array(at.length * 2);
    this.at.set(at);
    this.length = new Uint32Array(at.length * 2);
    this.length.set(length);
    this.order = new Uint32Array(at.length * 2);
  }
}
