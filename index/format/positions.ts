/**
 * Positions: where in a field each posting stands, block by block beside the postings.
 *
 * File `<segment>.pos`, one array of words. The positions of one posting block (128 documents) lie together, so that a
 * phrase reads only the blocks in which its words meet.
 *
 *     positions  := frame("pos", 1) { block* }
 *     block      := patched(128)[n / 128]  patched(n % 128)?     n: the sum of the block's frequencies
 *
 * A number is the gap to the position before it in the same document, the first of a document counted from 0.
 * `patched` as in pack.ts. Where a term's blocks start stands in .skp, or in the dictionary if it has but one.
 * A term in one document with up to 8 positions has them in the dictionary instead.
 *
 * Cost: all in memory, 1.3 bytes a token. Versions: 1 (first).
 */
import type { Directory, RandomAccess } from '../io/directory.ts';
import { type FileSeal, unframe } from '../io/frame.ts';
import { BLOCK, packPatched } from './pack.ts';
import { asWords, WordFile, WordWriter } from './words.ts';

const VERSION = 1;

export class PositionsWriter {
  readonly #out: WordWriter;
  readonly #gaps = new Int32Array(BLOCK);
  #count = 0;

  constructor(directory: Directory, file: string) {
    this.#out = new WordWriter(directory, file, 'pos', VERSION);
  }
  get position(): number {
    return this.#out.position;
  }
  /** Gaps in their order: source[from .. from + count). */
  add(source: Uint32Array, from: number, count: number): void {
    const gaps = this.#gaps;
    let at = this.#count;
    for (let i = from, end = from + count; i < end; i++) {
      gaps[at++] = source[i]!;
      if (at < BLOCK) continue;
      this.#count = at;
      this.endBlock();
      at = 0;
    }
    this.#count = at;
  }
  /** To be called after the last position of a posting block. */
  endBlock(): void {
    if (this.#count === 0) return;
    this.#out.reserve(BLOCK + 8);
    this.#out.at = packPatched(this.#gaps, this.#count, this.#out.words, this.#out.at);
    this.#count = 0;
  }
  close(): FileSeal {
    return this.#out.close();
  }
  abandon(): void {
    this.#out.abandon();
  }
}

export function readPositions(bytes: Uint8Array, file: string): Int32Array {
  return asWords(unframe(bytes, file, 'pos', VERSION));
}

/** The same file, not read into memory; `checked` when its checksum was compared before. */
export function openPositions(access: RandomAccess, file: string, checked: boolean): WordFile {
  return new WordFile(access, file, 'pos', VERSION, checked);
}
