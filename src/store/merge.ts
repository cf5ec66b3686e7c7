/**
 * Sorted record files as one sorted stream: a heap of readers, the smallest key on top; equal keys in the order of the
 * files. Memory: one block a file, so at most MOST_FILES are open at once; more are merged into fewer first.
 */
import { RecordReader, RecordWriter } from './records.ts';

const MOST_FILES = 100;

/** Readers as `RecordReader` is read: `next()`, then the fields, valid until the next call. */
export class MergeReader {
  /** The reader that holds the present record: `block`, `keyStart` and the other fields are its. */
  top!: RecordReader;
  private readonly heap: RecordReader[] = [];
  private readonly rank = new Map<RecordReader, number>();
  private started = false;

  constructor(paths: readonly string[]) {
    try {
      for (const path of paths) {
        const reader = new RecordReader(path);
        this.rank.set(reader, this.rank.size);
        if (reader.next()) this.heap.push(reader);
        else reader.close();
      }
    } catch (error) {
      this.close();
      throw error;
    }
    for (let i = (this.heap.length >>> 1) - 1; i >= 0; i--) this.sink(i);
  }

  next(): boolean {
    if (this.started && this.heap.length > 0) {
      if (!this.heap[0]!.next()) {
        this.heap[0]!.close();
        const last = this.heap.pop()!;
        if (this.heap.length > 0) this.heap[0] = last;
      }
      if (this.heap.length > 1) this.sink(0);
    }
    this.started = true;
    if (this.heap.length === 0) return false;
    this.top = this.heap[0]!;
    return true;
  }

  close(): void {
    for (const reader of this.rank.keys()) reader.close();
    this.heap.length = 0;
  }

  private sink(from: number): void {
    const { heap } = this;
    const moved = heap[from]!;
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.before(heap[child + 1]!, heap[child]!)) child++;
      if (!this.before(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }

  private before(a: RecordReader, b: RecordReader): boolean {
    const order = compareBytes(a.block, a.keyStart, a.keyEnd, b.block, b.keyStart, b.keyEnd);
    return order === 0 ? this.rank.get(a)! < this.rank.get(b)! : order < 0;
  }
}

/** Merges until few enough files are left to be read together; the files it makes lie in `folder`. */
export function narrow(paths: readonly string[], folder: string): readonly string[] {
  let left = paths;
  for (let round = 0; left.length > MOST_FILES; round++) {
    const merged: string[] = [];
    for (let at = 0; at < left.length; at += MOST_FILES) {
      const path = `${folder}/merged-${round}-${merged.length}.rec`;
      const reader = new MergeReader(left.slice(at, at + MOST_FILES));
      const writer = new RecordWriter(path);
      try {
        while (reader.next()) {
          const { block, keyStart, keyEnd, valueStart, valueEnd } = reader.top;
          writer.appendBytes(block, keyStart, keyEnd, block, valueStart, valueEnd);
        }
      } finally {
        reader.close();
        writer.close();
      }
      merged.push(path);
    }
    left = merged;
  }
  return left;
}

/** Order of two slices as bytes: below, at, or above zero. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aLength = aEnd - aStart;
  const bLength = bEnd - bStart;
  const both = Math.min(aLength, bLength);
  for (let i = 0; i < both; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}
