/**
 * Where an index lies: a flat set of files that are written once.
 *
 * - A file is made by `create`, written from beginning to end, closed, and never changed after. A name is used once.
 * - `publish` is the one atomic step: the file is there whole or not at all, also after a power cut.
 * - What was made by `create` is sure to survive a power cut only after `sync` named it.
 * - Calls are synchronous: builders and merges run in threads of their own, and a searcher reads a block in microseconds.
 *
 * Every failure is an IndexError that names the file: 'corrupt' when a file is missing or shorter than asked for,
 * 'exists', 'locked', or 'io' with the system's error as `cause`. test/suite/directory.ts is the specification.
 */
export interface Directory {
  /** Names the place in messages, and tells whether two directories are the same place. */
  readonly where: string;
  /** Names of all files, sorted. */
  list(): string[];
  /** The whole file, over a SharedArrayBuffer, so that threads can share one copy; not to be changed. */
  read(name: string): Uint8Array;
  /** Opened for reading parts; stays readable when the file is removed. */
  open(name: string): RandomAccess;
  create(name: string): Output;
  /** Makes closed files durable. */
  sync(names: readonly string[]): void;
  /** Writes, makes durable and names the file in one step; `name` must be new. */
  publish(name: string, bytes: Uint8Array): void;
  /** Removing what is not there is no error. False when a reader elsewhere keeps the system from removing it. */
  remove(name: string): boolean;
  /** Takes the lock or throws 'locked', saying who has it; the answer gives it back. A dead owner's lock is taken over. */
  lock(name: string): () => void;
}

export interface RandomAccess {
  readonly size: number;
  /** `length` bytes at `offset`; a view that the caller may keep and must not change. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

export interface Output {
  /** `bytes` is taken before the call returns. */
  write(bytes: Uint8Array): void;
  close(): void;
}
