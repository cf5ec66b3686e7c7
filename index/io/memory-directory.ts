import { corrupt, IndexError } from '../errors.ts';
import type { Directory, Output, RandomAccess } from './directory.ts';

let made = 0;

/** Files in memory, for tests and for small indexes that need no disk. */
export class MemoryDirectory implements Directory {
  readonly where: string;
  /** What each name holds, over SharedArrayBuffers. Tests damage indexes here. */
  readonly files = new Map<string, Uint8Array>();
  readonly #locks = new Set<string>();

  constructor(files: Iterable<readonly [string, Uint8Array]> = []) {
    this.where = `memory ${++made}`;
    for (const [name, bytes] of files) this.files.set(name, shared([bytes], bytes.length));
  }
  list(): string[] {
    return [...this.files.keys()].sort();
  }
  read(name: string): Uint8Array {
    const bytes = this.files.get(name);
    if (!bytes) throw corrupt(name, 'it is missing');
    return bytes;
  }
  open(name: string): RandomAccess {
    const bytes = this.read(name);
    return {
      size: bytes.length,
      read: (offset, length) => {
        if (offset + length > bytes.length) throw corrupt(name, 'it ends early');
        return bytes.subarray(offset, offset + length);
      },
      close: () => {},
    };
  }
  create(name: string): Output {
    if (this.files.has(name)) throw new IndexError('exists', `${name} exists; files are written once`, { file: name });
    const parts: Uint8Array[] = [];
    let length = 0;
    this.files.set(name, shared([], 0));
    return {
      write: (bytes) => {
        parts.push(bytes.slice());
        length += bytes.length;
      },
      close: () => void this.files.set(name, shared(parts, length)),
    };
  }
  sync(names: readonly string[]): void {
    for (const name of names) this.read(name);
  }
  publish(name: string, bytes: Uint8Array): void {
    if (this.files.has(name)) throw new IndexError('exists', `${name} exists; files are written once`, { file: name });
    this.files.set(name, shared([bytes], bytes.length));
  }
  remove(name: string): boolean {
    this.files.delete(name);
    return true;
  }
  lock(name: string): () => void {
    if (this.#locks.has(name))
      throw new IndexError('locked', 'the index has a writer already; close it first', { file: name });
    this.#locks.add(name);
    return () => void this.#locks.delete(name);
  }
}

function shared(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
