/**
 * Sorted record files as one sorted stream; equal keys in the order of the files. Memory: one block a file, so at most
 * MOST_FILES are open at once; more are merged into fewer first.
 *
 * A tree of losers in which each reader knows how many bytes its key shares with that of the one it lost to. Of two keys
 * not below the last one, the one that shares more with it is the smaller, so most matches read no byte of a key, and
 * every byte is read about once: the keys of a site share their first twenty to sixty. Source: Ng and Kakehi, Merging
 * string sequences by longest common prefixes (2008).
 */
import { RecordReader, RecordWriter } from './records.ts';

const MOST_FILES = 100;

/** Readers as `RecordReader` is read: `next()`, then the fields, valid until the next call. */
export class MergeReader {
  /** The reader that holds the present record: `block`, `keyStart` and the other fields are its. */
  top!: RecordReader;
  /** Whether the present record has the key of the one before. */
  same = false;
  private readonly readers: RecordReader[] = [];
  /** By reader: bytes its key shares with the last key, or, within the tree, with the key it lost to. -1: at its end. */
  private readonly shared: Int32Array;
  /** Losers, by node 1 .. n-1 of a binary tree whose leaves n .. 2n-1 are the readers; at 0 the winner. */
  private readonly tree: Int32Array;
  private started = false;
  /** Length of the last key, and where it was copied to when its block was about to be overwritten. */
  private length = -1;
  private copy = Buffer.allocUnsafe(256);

  constructor(paths: readonly string[]) {
    this.shared = new Int32Array(paths.length);
    this.tree = new Int32Array(Math.max(1, paths.length)).fill(-1);
    try {
      for (const path of paths) {
        const reader = new RecordReader(path);
        this.readers.push(reader);
        if (!reader.next()) this.ended(this.readers.length - 1);
      }
    } catch (error) {
      this.close();
      throw error;
    }
    for (let i = paths.length - 1; i >= 0; i--) this.play(i);
  }

  next(): boolean {
    const { readers, shared } = this;
    if (readers.length === 0) return false;
    if (this.started) {
      const last = this.tree[0]!;
      if (shared[last]! < 0) return false;
      this.advance(last);
      this.play(last);
    }
    this.started = true;
    const winner = this.tree[0]!;
    if (shared[winner]! < 0) return false;
    const top = readers[winner]!;
    this.same = shared[winner] === this.length && top.keyEnd - top.keyStart === this.length;
    this.length = top.keyEnd - top.keyStart;
    this.top = top;
    return true;
  }

  close(): void {
    for (const reader of this.readers) reader.close();
    this.shared.fill(-1);
  }

  private ended(i: number): void {
    this.readers[i]!.close();
    this.shared[i] = -1;
  }

  /** The next record of the reader that was the winner, and what its key shares with that of the last. */
  private advance(i: number): void {
    const reader = this.readers[i]!;
    let before = reader.block;
    let at = reader.keyStart;
    const { length } = this;
    if (reader.drained) {
      if (this.copy.length < length) this.copy = Buffer.allocUnsafe(length * 2);
      before.copy(this.copy, 0, at, at + length);
      before = this.copy;
      at = 0;
    }
    if (!reader.next()) {
      this.ended(i);
      return;
    }
    const { block, keyStart, keyEnd } = reader;
    const most = Math.min(length, keyEnd - keyStart);
    let same = 0;
    while (same < most && before[at + same] === block[keyStart + same]) same++;
    this.shared[i] = same;
  }

  /** From its leaf up to the root: who loses stays, who wins goes on. A node that nobody has come to yet takes who comes. */
  private play(reader: number): void {
    const { tree } = this;
    let winner = reader;
    for (let node = (reader + this.readers.length) >>> 1; node > 0; node >>>= 1) {
      const other = tree[node]!;
      if (other < 0) {
        tree[node] = winner;
        return;
      }
      if (this.before(other, winner)) {
        tree[node] = winner;
        winner = other;
      }
    }
    tree[0] = winner;
  }

  /** Whether a comes before b; notes what the loser shares with the winner. */
  private before(a: number, b: number): boolean {
    const { shared } = this;
    const ofA = shared[a]!;
    const ofB = shared[b]!;
    if (ofA !== ofB) return ofA > ofB;
    if (ofA < 0) return a < b;
    const one = this.readers[a]!;
    const other = this.readers[b]!;
    const x = one.block;
    const y = other.block;
    const xAt = one.keyStart;
    const yAt = other.keyStart;
    const xLength = one.keyEnd - xAt;
    const yLength = other.keyEnd - yAt;
    const most = Math.min(xLength, yLength);
    let at = ofA;
    while (at < most && x[xAt + at] === y[yAt + at]) at++;
    const first = at < most ? x[xAt + at]! < y[yAt + at]! : xLength === yLength ? a < b : xLength < yLength;
    shared[first ? b : a] = at;
    return first;
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
