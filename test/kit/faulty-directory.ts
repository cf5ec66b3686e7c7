import { IndexError } from '../../index/errors.ts';
import type { Directory, Output, RandomAccess } from '../../index/io/directory.ts';

/**
 * A directory that fails at its Nth call, and from then on at every further one when `forever` is set: a disk that is
 * full, a cable that is out. Calls are those of the directory and of what it opened; reading counts only with `reads`.
 */
export class FaultyDirectory implements Directory {
  /** Calls so far. */
  calls = 0;
  failAt = Number.POSITIVE_INFINITY;
  forever = false;
  reads = true;
  readonly #inner: Directory;

  constructor(inner: Directory) {
    this.#inner = inner;
  }
  get where(): string {
    return this.#inner.where;
  }
  #call(name: string, reading = false): void {
    if (reading && !this.reads) return;
    this.calls++;
    if (this.calls === this.failAt || (this.forever && this.calls > this.failAt)) {
      const cause = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      throw new IndexError('io', `${name} of the index cannot be used: ${cause.message}`, { file: name, cause });
    }
  }
  list(): string[] {
    this.#call('', true);
    return this.#inner.list();
  }
  read(name: string): Uint8Array {
    this.#call(name, true);
    return this.#inner.read(name);
  }
  open(name: string): RandomAccess {
    this.#call(name, true);
    const inner = this.#inner.open(name);
    return {
      size: inner.size,
      read: (offset, length) => {
        this.#call(name, true);
        return inner.read(offset, length);
      },
      close: () => inner.close(),
    };
  }
  create(name: string): Output {
    this.#call(name);
    const inner = this.#inner.create(name);
    return {
      write: (bytes) => {
        this.#call(name);
        inner.write(bytes);
      },
      close: () => {
        inner.close();
        this.#call(name);
      },
    };
  }
  sync(names: readonly string[]): void {
    for (const name of names) this.#call(name);
    this.#inner.sync(names);
  }
  publish(name: string, bytes: Uint8Array): void {
    this.#call(name);
    this.#inner.publish(name, bytes);
    this.#call(name);
  }
  remove(name: string): boolean {
    return this.#inner.remove(name);
  }
  lock(name: string): () => void {
    this.#call(name);
    return this.#inner.lock(name);
  }
}
