/** The files that are committed with an index and are no segments: those of the next commit. */
import { IndexError } from './errors.ts';
import { crc32 } from './io/crc32.ts';
import type { Directory } from './io/directory.ts';
import type { FileSeal } from './io/frame.ts';
import { dropFiles } from './io/kept.ts';

export class Extras {
  readonly #directory: Directory;
  #committed: ReadonlyMap<string, FileSeal> = new Map();
  #next = new Map<string, FileSeal>();
  /** Written since the last commit. */
  readonly #fresh = new Set<string>();

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  get names(): readonly string[] {
    return [...this.#next.keys()];
  }
  get fresh(): readonly string[] {
    return [...this.#fresh];
  }
  seals(): Map<string, FileSeal> {
    return new Map(this.#next);
  }

  /** @throws IndexError 'exists' for a name that the last commit has: its readers may have it open */
  add(name: string, bytes: Uint8Array): void {
    if (this.#committed.has(name)) throw new IndexError('exists', `${name} is committed already`, { file: name });
    // A dead writer's, or one that was written since the last commit: nobody reads it.
    this.#directory.remove(name);
    const output = this.#directory.create(name);
    try {
      output.write(bytes);
    } finally {
      output.close();
    }
    this.#next.set(name, { size: bytes.length, crc: crc32(bytes) });
    this.#fresh.add(name);
  }

  remove(name: string): void {
    this.#next.delete(name);
  }

  /** What was added is in a commit now. */
  commit(committed: ReadonlyMap<string, FileSeal>): void {
    this.#committed = committed;
    this.#fresh.clear();
  }

  /** Back to those of a commit: what was written since goes. */
  reset(committed: ReadonlyMap<string, FileSeal>): void {
    dropFiles(this.#directory, this.#fresh);
    this.#next = new Map(committed);
    this.commit(committed);
  }
}
