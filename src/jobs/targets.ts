import type { SortedKeys } from '../page/contribution.ts';
import type { LinkScan } from '../page/scan-links.ts';
import { KeySort } from '../store/key-sort.ts';

/** The targets of the links of a page, where they lie in its bytes; used again for the next page. */
export class Targets implements SortedKeys {
  bytes: Uint8Array = new Uint8Array(0);
  at = new Uint32Array(256);
  length = new Uint32Array(256);
  order = new Uint32Array(256);
  count = 0;
  private readonly keys = new KeySort();

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.count = 0;
  }
  /** The present link of a scan. */
  add({ keyStart, keyEnd }: LinkScan): void {
    const n = this.count++;
    if (n === this.at.length) this.grow();
    this.at[n] = keyStart;
    this.length[n] = keyEnd - keyStart;
  }
  /** Puts `order` right. */
  sort(): this {
    const { at, length, order, count } = this;
    for (let i = 0; i < count; i++) order[i] = i;
    this.keys.sort(this.bytes, at, length, order, 0, count);
    return this;
  }
  private grow(): void {
    const grown = (from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const to = new Uint32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.at = grown(this.at);
    this.length = grown(this.length);
    this.order = new Uint32Array(this.at.length);
  }
}
