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
import { BLOCK, packPatched, skipPatched, unpackFew, unpackPatched } from './pack.ts';
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

/** The gaps of one posting block, 128 at a time: a chunk, counted from 0. Cheapest when asked in rising order. */
export class BlockGaps {
  /** Of the whole file. */
  words: Int32Array = NONE;
  /** First word of the block. */
  #start = 0;
  /** The chunk come to last, and its first word. */
  #chunk = 0;
  #at = 0;
  /** The chunk that lies in #gaps; -1 for none. */
  #unpacked = -1;
  readonly #gaps = new Int32Array(BLOCK);

  /** Goes to the block that begins at word `start`. */
  enter(start: number): void {
    this.#start = start;
    this.#chunk = 0;
    this.#at = start;
    this.#unpacked = -1;
  }

  /** All gaps of a chunk, which has `size`; good until the next call. */
  unpacked(chunk: number, size: number): Int32Array {
    if (this.#unpacked !== chunk) {
      this.#to(chunk);
      unpackPatched(this.words, this.#at, size, this.#gaps);
      this.#unpacked = chunk;
    }
    return this.#gaps;
  }

  /** Gaps [from, from + count) of a chunk to out[to ..], the others left packed. */
  pick(chunk: number, from: number, count: number, out: Uint32Array, to: number): void {
    this.#to(chunk);
    unpackFew(this.words, this.#at, from, count, out, to);
  }

  #to(chunk: number): void {
    if (chunk < this.#chunk) {
      this.#chunk = 0;
      this.#at = this.#start;
    }
    let at = this.#at;
    for (let c = this.#chunk; c < chunk; c++) at = skipPatched(this.words, at, BLOCK);
    this.#at = at;
    this.#chunk = chunk;
  }
}

const NONE = new Int32Array(new SharedArrayBuffer(0));

export function readPositions(bytes: Uint8Array, file: string): Int32Array {
  return asWords(unframe(bytes, file, 'pos', VERSION));
}

/** The same file, not read into memory; `checked` when its checksum was compared before. */
export function openPositions(access: RandomAccess, file: string, checked: boolean): WordFile {
  return new WordFile(access, file, 'pos', VERSION, checked);
}
