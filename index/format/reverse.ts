/**
 * Reverse permutation: the terms of a field, ordered from their end.
 *
 * File `<segment>.rev`, read whole when the segment is opened. What a dictionary does for beginnings, this does for
 * endings: leading wildcards, and typos in the first half of a word.
 *
 *     reverse  := frame("rev", 1) { field* table  table_start:u64 }
 *     field    := packed(terms, width)                 rank -> number of the term in .trm; words as in pack.ts
 *     table    := fields:varint { id:varint terms:varint first_word:varint }[fields]
 *
 * Ranks are in the order of the reversed bytes of the terms (units.ts). width = bits of terms - 1. Only fields of index
 * `text` and `bag` have one.
 *
 * Cost: width bits a term in memory. Versions: 1 (first).
 */
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter, unframe } from '../io/frame.ts';
import { bitsOf, packedWords } from './pack.ts';
import { sortTerms } from './sort-terms.ts';
import { asWords } from './words.ts';

const VERSION = 1;

export class ReverseWriter {
  readonly #frame: FrameWriter;
  readonly #table = new ByteWriter();
  #fields = 0;

  constructor(directory: Directory, file: string) {
    this.#frame = new FrameWriter(directory, file, 'rev', VERSION);
  }
  /** The terms of a field in their order: term n is bytes[starts[n] .. starts[n + 1]). */
  field(id: number, bytes: Uint8Array, starts: Uint32Array, count: number): void {
    const order = sortTerms(bytes, starts, count, true);
    const width = bitsOf(Math.max(0, count - 1));
    const words = new Int32Array(packedWords(count, width));
    let word = 0;
    let filled = 0;
    let at = 0;
    for (let i = 0; i < count && width > 0; i++) {
      const value = order[i]!;
      word |= value << filled;
      filled += width;
      if (filled >= 32) {
        words[at++] = word;
        filled -= 32;
        word = filled ? value >>> (width - filled) : 0;
      }
    }
    if (filled) words[at] = word;
    this.#fields++;
    this.#table.varint(id);
    this.#table.varint(count);
    this.#table.varint(this.#frame.length / 4);
    this.#frame.write(new Uint8Array(words.buffer));
  }
  close(): FileSeal {
    const start = this.#frame.length;
    const head = new ByteWriter(8);
    head.varint(this.#fields);
    this.#frame.write(head.view());
    this.#frame.write(this.#table.view());
    const foot = new ByteWriter(8);
    foot.u64(start);
    this.#frame.write(foot.view());
    return this.#frame.close();
  }
  abandon(): void {
    this.#frame.abandon();
  }
}

/** Rank -> number of the term. */
export class ReversePermutation {
  readonly size: number;
  readonly #words: Int32Array;
  readonly #first: number;
  readonly #width: number;
  readonly #mask: number;

  constructor(words: Int32Array, first: number, size: number) {
    this.size = size;
    this.#words = words;
    this.#first = first;
    this.#width = bitsOf(Math.max(0, size - 1));
    this.#mask = 2 ** this.#width - 1;
  }
  at(rank: number): number {
    const width = this.#width;
    if (width === 0) return 0;
    const bit = rank * width;
    const at = this.#first + Math.floor(bit / 32);
    const shift = bit & 31;
    let value = this.#words[at]! >>> shift;
    if (shift + width > 32) value |= this.#words[at + 1]! << (32 - shift);
    return value & this.#mask;
  }
}

export function readReverse(bytes: Uint8Array, file: string): ReadonlyMap<number, ReversePermutation> {
  const body = unframe(bytes, file, 'rev', VERSION);
  const start = new ByteReader(body, file, Math.max(0, body.length - 8)).u64();
  if (start > body.length - 8 || start % 4 !== 0) throw corrupt(file, 'its table is not where it says');
  const words = asWords(body.subarray(0, start));
  const table = new ByteReader(body.subarray(0, body.length - 8), file, start);
  const fields = new Map<number, ReversePermutation>();
  for (let left = table.varint(); left > 0; left--) {
    const id = table.varint();
    const count = table.varint();
    fields.set(id, new ReversePermutation(words, table.varint(), count));
  }
  return fields;
}
