/**
 * Sorting what may not fit: records are collected, sorted by key, and written as runs whenever memory is full.
 *
 * A record's key decides its partition by hash, so equal keys meet in one partition however many sorters there are.
 * Equal keys keep the order in which they came (key-sort.ts).
 * Cost (bench/update.bench.ts): see there. Memory: the budget, and 24 bytes a record.
 */
import { KeySort } from './key-sort.ts';
import { RecordWriter } from './records.ts';

/** Folds `more[from..to)` into `kept[start..end)`, in place; see Job.combine. */
export type Combine = (kept: Buffer, start: number, end: number, more: Uint8Array, from: number, to: number) => boolean;

export interface SorterOptions {
  /** Where the runs go: `run-<n>-<partition>.rec`. */
  readonly folder: string;
  readonly partitions: number;
  /** Bytes of keys and values held before a run is written. */
  readonly memory: number;
  /** See Job.combine. */
  readonly combine?: Combine | undefined;
}

/** Records of one run at most; the tables beside the bytes are made for it. */
const MOST = 1 << 20;

export class RecordSorter {
  private readonly options: SorterOptions;
  private bytes: Buffer;
  private used = 0;
  private count = 0;
  private keyAt = new Uint32Array(1024);
  private keyLength = new Uint32Array(1024);
  private valueLength = new Uint32Array(1024);
  private hash = new Uint32Array(1024);
  /** Open addressing over the records that may be folded: record number + 1, 0 is free. Load at most one half. */
  private slots = new Uint32Array(2048);
  private readonly runs: string[][];
  private spills = 0;
  private readonly keys = new KeySort();

  constructor(options: SorterOptions) {
    this.options = options;
    this.bytes = Buffer.allocUnsafeSlow(Math.min(options.memory, 1 << 16));
    this.runs = Array.from({ length: options.partitions }, () => []);
  }

  add(key: Uint8Array, keyStart: number, keyEnd: number, value: Uint8Array, start: number, end: number): void {
    let hash = 0x811c9dc5;
    for (let i = keyStart; i < keyEnd; i++) hash = Math.imul(hash ^ key[i]!, 0x01000193);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash = (hash ^ (hash >>> 12)) >>> 0;
    const { combine } = this.options;
    if (combine && this.fold(combine, hash, key, keyStart, keyEnd, value, start, end)) return;
    const length = keyEnd - keyStart;
    const size = length + end - start;
    if ((this.used + size > this.options.memory && this.count > 0) || this.count === MOST) this.spill();
    this.room(size);
    const bytes = this.bytes;
    let at = this.used;
    const record = this.count++;
    this.keyAt[record] = at;
    this.keyLength[record] = length;
    this.valueLength[record] = end - start;
    this.hash[record] = hash;
    for (let i = keyStart; i < keyEnd; i++) bytes[at++] = key[i]!;
    if (end - start > 64) bytes.set(value.subarray(start, end), at);
    else for (let i = start; i < end; i++) bytes[at++] = value[i]!;
    this.used += size;
    if (combine) {
      const mask = this.slots.length - 1;
      let slot = (hash >>> 3) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = record + 1;
    }
  }

  /** Writes what is left. Paths of the runs by partition, in the order written. */
  finish(): string[][] {
    this.spill();
    return this.runs;
  }

  private fold(
    combine: Combine,
    hash: number,
    key: Uint8Array,
    keyStart: number,
    keyEnd: number,
    value: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const mask = this.slots.length - 1;
    const bytes = this.bytes;
    const length = keyEnd - keyStart;
    for (let slot = (hash >>> 3) & mask; ; slot = (slot + 1) & mask) {
      const record = this.slots[slot]! - 1;
      if (record < 0) return false;
      if (this.hash[record] !== hash || this.keyLength[record] !== length) continue;
      const at = this.keyAt[record]!;
      let same = 0;
      while (same < length && bytes[at + same] === key[keyStart + same]) same++;
      if (same < length) continue;
      const from = at + length;
      if (combine(bytes, from, from + this.valueLength[record]!, value, start, end)) return true;
    }
  }

  private room(size: number): void {
    if (this.used + size > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.max(this.used + size, Math.min(this.bytes.length * 2, this.options.memory)),
      );
      this.bytes.copy(grown, 0, 0, this.used);
      this.bytes = grown;
    }
    if (this.count < this.keyAt.length) return;
    const capacity = this.keyAt.length * 2;
    const grow = (from: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(capacity);
      grown.set(from);
      return grown;
    };
    this.keyAt = grow(this.keyAt);
    this.keyLength = grow(this.keyLength);
    this.valueLength = grow(this.valueLength);
    this.hash = grow(this.hash);
    if (!this.options.combine) return;
    this.slots = new Uint32Array(capacity * 2);
    const mask = this.slots.length - 1;
    for (let record = 0; record < this.count; record++) {
      let slot = (this.hash[record]! >>> 3) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = record + 1;
    }
  }

  private spill(): void {
    if (this.count === 0) return;
    const { partitions, folder } = this.options;
    // By partition first: a counting sort, which keeps the order of coming.
    const starts = new Uint32Array(partitions + 1);
    for (let record = 0; record < this.count; record++) starts[(this.hash[record]! % partitions) + 1]!++;
    for (let p = 0; p < partitions; p++) starts[p + 1]! += starts[p]!;
    const order = new Uint32Array(this.count);
    const next = starts.slice();
    for (let record = 0; record < this.count; record++) order[next[this.hash[record]! % partitions]!++] = record;
    for (let p = 0; p < partitions; p++) {
      const from = starts[p]!;
      const to = starts[p + 1]!;
      if (from === to) continue;
      this.keys.sort(this.bytes, this.keyAt, this.keyLength, order, from, to);
      const name = `run-${this.spills}-${p}.rec`;
      const writer = new RecordWriter(`${folder}/${name}`);
      try {
        for (let i = from; i < to; i++) {
          const record = order[i]!;
          const at = this.keyAt[record]!;
          const middle = at + this.keyLength[record]!;
          writer.appendBytes(this.bytes, at, middle, this.bytes, middle, middle + this.valueLength[record]!);
        }
      } finally {
        writer.close();
      }
      this.runs[p]!.push(name);
    }
    this.spills++;
    this.count = 0;
    this.used = 0;
    this.slots.fill(0);
  }
}
