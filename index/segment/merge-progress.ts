import type { SegmentReader } from './reader.ts';

/** By reader of a merge: old number -> new number, -1 for a deleted document. */
export type DocumentMaps = readonly Int32Array[];

/** Terms or documents between two looks at the signal. */
export const STRIDE = 512;

export interface ProgressOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Documents stored and terms written, against those there are. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #total: number;
  #done = 0;
  #told = 0;

  constructor(readers: readonly SegmentReader[], options: ProgressOptions) {
    this.#options = options;
    let total = 1;
    for (const reader of readers) {
      total += reader.docs;
      for (const { name } of reader.schema.fields) total += reader.terms(name).size;
    }
    this.#total = total;
    options.signal?.throwIfAborted();
  }
  step(count: number): void {
    this.#done += count;
    if (this.#done - this.#told < STRIDE) return;
    this.#told = this.#done;
    this.#options.signal?.throwIfAborted();
    this.#options.onProgress?.(Math.min(1, this.#done / this.#total));
  }
  end(): void {
    this.#options.onProgress?.(1);
  }
}
