import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { segmentFolder } from '../page/segment.ts';
import type { Suspect } from './task.ts';

/**
 * The pages that a shard is reading, on disk: should one end the whole process, the attempt that takes the segment up
 * reads these apart, in a process of their own, where the one that kills loses only itself.
 *
 *     File `checkpoint/<shard>.suspects`:   slot[]     slot := length:u16 url:u8[length] u8[SLOT - 2 - length]
 *
 * A slot is written before its page is read, and written over by the next: one write to the page cache a page (6 us),
 * which outlives the process; nothing waits for the disk, since a machine that lost its power was not ended by a page.
 * Slot 0 is that of the shard's own thread, the others are for pages that other threads read for it. What stands in a
 * slot may be long done, so it counts only while the page has no outcome.
 */
const SLOT = 4096;

const suspectsFile = (dir: string, segment: string, shard: number): string =>
  join(segmentFolder(dir, segment), 'checkpoint', `${String(shard).padStart(5, '0')}.suspects`);

export class Suspects {
  readonly #fd: number;
  readonly #memory: Suspect;
  readonly #slot = Buffer.alloc(SLOT);
  /** Slots after the first, and which of them are free. */
  #slots = 1;
  readonly #free: number[] = [];

  /** `memory`: of the page that this thread reads, for who has to do with its death alone. */
  constructor(dir: string, segment: string, shard: number, memory: Suspect) {
    const file = suspectsFile(dir, segment, shard);
    mkdirSync(dirname(file), { recursive: true });
    this.#fd = openSync(file, 'w');
    this.#memory = memory;
  }

  /** Read next by this thread, until `read`. */
  here(url: string): void {
    this.#write(url, 0);
    this.#memory.set(url);
  }
  read(): void {
    this.#memory.set('');
  }

  /** Read by another thread, until `back` is called with what this gives. */
  away(url: string): number {
    const slot = this.#free.pop() ?? this.#slots++;
    this.#write(url, slot);
    return slot;
  }
  back(slot: number): void {
    this.#free.push(slot);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(url: string, slot: number): void {
    // An address longer than a slot is cut, and then is none of the segment's: such a page is read as any other.
    const length = this.#slot.write(url, 2);
    this.#slot.writeUInt16LE(length);
    writeSync(this.#fd, this.#slot, 0, 2 + length, slot * SLOT);
  }
}

/** URLs that a shard was reading when it ended, and others that it had read; none where it did not begin. */
export function suspectsOf(dir: string, segment: string, shard: number): string[] {
  const file = suspectsFile(dir, segment, shard);
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const urls: string[] = [];
  for (let at = 0; at + 2 <= bytes.length; at += SLOT) {
    const length = bytes.readUInt16LE(at);
    if (length > 0 && at + 2 + length <= bytes.length) urls.push(bytes.toString('utf8', at + 2, at + 2 + length));
  }
  return urls;
}
