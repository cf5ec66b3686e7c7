/**
 * A map/reduce job: what it does to one split, and what becomes of the values of one key. Keys and values are bytes;
 * keys order as bytes. A job is found by its name (jobs/all.ts), so that a thread needs no closure.
 */
export interface Job<Split = unknown, Args = unknown> {
  readonly name: string;
  /** `emit` copies what it is given. Counters add up over tasks. */
  map(split: Split, args: Args, emit: Emit, counters: Counting): void | Promise<void>;
  /**
   * Folds a value, `more[from..to)`, into one kept for the same key, `kept[start..end)`, in place, before it is written;
   * false: cannot, keep both. Must be free to happen in any grouping: how much is folded depends on memory.
   */
  combine?(kept: Buffer, start: number, end: number, more: Uint8Array, from: number, to: number): boolean;
  /**
   * Called once a key, keys ascending; the key is valid until it returns. `values` come in the order of splits, and within
   * a split in the order emitted (folded ones where the first stood). Without it, records pass unchanged.
   */
  reduce?(key: Uint8Array, values: Values, args: Args, emit: Emit, counters: Counting): void;
}

export interface Emit {
  (key: Uint8Array, value: Uint8Array): void;
  /** Slices of larger buffers, without making views: for jobs that emit millions. */
  slice(key: Uint8Array, keyStart: number, keyEnd: number, value: Uint8Array, start: number, end: number): void;
}

/** The values of one key, read once: in a loop, each a view; or by `next`, for jobs that reduce millions. */
export interface Values extends Iterable<Uint8Array> {
  /** On to the next value, the first one to begin with: then `bytes[start..end)` is it, until the next call. */
  next(): boolean;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Adds to a counter. */
export type Counting = (name: string, by?: number) => void;

export interface MapTask {
  readonly job: string;
  readonly split: unknown;
  readonly args: unknown;
  /** Own folder of the attempt; what a task leaves in it counts only once the runner has renamed it. */
  readonly folder: string;
  readonly partitions: number;
  /** Bytes of records held before a sorted run is written. */
  readonly memory: number;
}
export interface MapDone {
  /** Runs by partition: file names within the folder, in the order written. */
  readonly runs: readonly (readonly string[])[];
  readonly counters: Readonly<Record<string, number>>;
}
export interface ReduceTask {
  readonly job: string;
  readonly args: unknown;
  /** Paths of sorted runs, in the order of their splits. */
  readonly runs: readonly string[];
  readonly folder: string;
}
export interface ReduceDone {
  /** File name within the folder: a sorted record file. */
  readonly output: string;
  readonly records: number;
  readonly counters: Readonly<Record<string, number>>;
}
