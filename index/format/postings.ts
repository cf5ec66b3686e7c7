/**
 * Postings: the documents of a term, in order, and how often each has it. Read here, written by postings-writer.ts.
 *
 * File `<segment>.pst`, one array of words. A term of one document is not in it: its posting stands in the dictionary.
 *
 *     postings  := frame("pst", 1) { block* }
 *     block     := patched(n)  packed(n, width)       frequencies less one, then gaps less one; n is 128, or what is left
 *
 * The gap of a term's first document is counted from -1. `patched` and `packed` as in pack.ts; the five bits above the
 * 24 of the patched header hold the width of the gaps.
 *
 * Cost: all in memory, 1.9 bytes a posting. Versions: 1 (first).
 */
import type { RandomAccess } from '../io/directory.ts';
import { unframe } from '../io/frame.ts';
import { NORM_LENGTHS } from './norms.ts';
import { BLOCK, packedWords, unpackPatched, unpackSummed } from './pack.ts';
import { BlockGaps } from './positions.ts';
import { ImpactCollector, SKIP_WORDS } from './skips.ts';
import { type PostingsSource, TermEntry } from './term-entry.ts';
import { asWords, WordFile } from './words.ts';

export const POSTINGS_VERSION = 1;
/** Where the width of the gaps stands in a block's first word. */
export const WIDTH_SHIFT = 24;
/** Beyond the last document. */
export const END = 0x7fffffff;
/** Up to so many positions are picked out of their 128 one by one. */
const FEW = 12;

/**
 * The documents of one term, in increasing order.
 *
 * `doc` is -1 before the first call and END after the last document. `next()` goes one on; `seek(target)` goes to the
 * first document >= target and stays where it is when that is `doc`. Deleted documents are among them: see the reader's `live`.
 *
 * A scorer that must not pay a call a posting walks blocks instead: `load(b)`, then `docs[0..size)` and, after
 * `loadFreqs()`, `freqs[0..size)`; `blockLast(b)` and `impacts(b)` tell of a block without loading it. Both ways may be
 * mixed: after `load(b)` the cursor stands before the first document of block b.
 *
 * `reset` points it at another term, so that cursors can be pooled. The arrays are the cursor's own and change with the
 * next call.
 *
 * Cost: a block of 128 documents is unpacked when it is entered (0.1 µs), its frequencies when first asked for, its
 * positions 128 at a time. Memory: 3 KB.
 */
export class PostingsCursor {
  doc = -1;
  /** Documents of the term, deleted ones included. */
  df = 0;
  /** The sum of the frequencies. */
  ttf = 0;
  /** Number of blocks; all but the last hold 128 documents. */
  blocks = 0;
  /** The block loaded, -1 when none is. */
  block = -1;
  /** Documents in the block loaded. */
  size = 0;
  /** Where in the block `doc` is. */
  at = -1;
  readonly docs = new Int32Array(BLOCK);
  readonly freqs = new Int32Array(BLOCK);
  /** The pairs that `impacts` found, in order of rising norm and frequency. */
  readonly impactFreqs = new Float64Array(256);
  readonly impactNorms = new Uint8Array(256);
  /** The positions that `positions` found, rising. Read this property after the call: it may be another, longer array. */
  positionBuffer = new Uint32Array(64);

  readonly #entry = new TermEntry();
  #source: PostingsSource | null = null;
  #words: Int32Array = NONE;
  #skips: Int32Array = NONE;
  /** Where the frequencies of the block loaded are; 0 when they are loaded. */
  #freqsAt = 0;
  /** The block that the three below speak of; -1 for none. */
  #positionsBlock = -1;
  /** A document by its place in the block, and how many positions stand before its own. */
  #counted = 0;
  #before = 0;
  readonly #gaps = new BlockGaps();

  /** Stands before the first document of term `n`. Returns itself. */
  reset(source: PostingsSource, n: number): this {
    const entry = this.#entry;
    source.entry(n, entry);
    this.#source = source;
    this.#words = source.postingWords;
    this.#skips = source.skipWords;
    this.#gaps.words = source.positionWords;
    this.df = entry.df;
    this.ttf = entry.ttf;
    this.blocks = (entry.df + BLOCK - 1) >>> 7;
    this.doc = -1;
    this.block = -1;
    this.size = 0;
    this.at = -1;
    this.#freqsAt = 0;
    this.#positionsBlock = -1;
    return this;
  }

  next(): number {
    const at = ++this.at;
    if (at < this.size) return (this.doc = this.docs[at]!);
    if (this.block + 1 >= this.blocks) return this.#end();
    this.load(this.block + 1);
    this.at = 0;
    return (this.doc = this.docs[0]!);
  }

  seek(target: number): number {
    if (this.doc >= target) return this.doc;
    const docs = this.docs;
    let size = this.size;
    if (size === 0 || docs[size - 1]! < target) {
      const block = this.#blockOf(target);
      if (block >= this.blocks) return this.#end();
      this.load(block);
      size = this.size;
      if (docs[size - 1]! < target) return this.#end();
    }
    // Galloping from where we stand: the next one is often near.
    let low = this.at + 1;
    if (docs[low]! >= target) {
      this.at = low;
      return (this.doc = docs[low]!);
    }
    let step = 1;
    while (low + step < size && docs[low + step]! < target) {
      low += step;
      step <<= 1;
    }
    let high = low + step < size ? low + step : size - 1;
    // docs[low] < target <= docs[high]
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < target) low = middle;
      else high = middle;
    }
    this.at = high;
    return (this.doc = docs[high]!);
  }

  /** After a walk over the block loaded: stands at place `at` of it or, where that is `size`, at the first document behind it. */
  standAt(at: number): number {
    if (at < this.size) {
      this.at = at;
      return (this.doc = this.docs[at]!);
    }
    this.at = this.size - 1;
    return this.next();
  }

  /** How often `doc` has the term. */
  get freq(): number {
    if (this.#freqsAt !== 0) this.loadFreqs();
    return this.freqs[this.at]!;
  }

  /** Unpacks block `b` and stands before its first document; how many documents it has. */
  load(b: number): number {
    this.block = b;
    this.at = -1;
    this.doc = -1;
    if (this.df === 1) {
      this.docs[0] = this.#entry.doc;
      this.freqs[0] = this.ttf;
      this.#freqsAt = 0;
      return (this.size = 1);
    }
    const entry = this.#entry;
    const words = this.#words;
    let at = entry.postings;
    let size = BLOCK;
    let before = -1;
    if (this.blocks > 1) {
      const skip = entry.skips + b * SKIP_WORDS;
      at += this.#skips[skip + 1]!;
      if (b > 0) this.doc = before = this.#skips[skip - SKIP_WORDS]!;
    }
    if (b === this.blocks - 1) size = this.df - b * BLOCK;
    const header = words[at]!;
    const gaps = at + 1 + (((header >>> 5) & 15) >>> 1) + packedWords(size, header & 31);
    unpackSummed(words, gaps, size, (header >>> WIDTH_SHIFT) & 31, this.docs, before);
    this.#freqsAt = at + 1;
    return (this.size = size);
  }

  /** Fills `freqs` for the block loaded. */
  loadFreqs(): void {
    if (this.#freqsAt === 0) return;
    const freqs = this.freqs;
    const size = this.size;
    unpackPatched(this.#words, this.#freqsAt - 1, size, freqs);
    for (let i = 0; i < size; i++) freqs[i]!++;
    this.#freqsAt = 0;
  }

  /** The last document of block `b`. */
  blockLast(b: number): number {
    if (this.blocks > 1) return this.#skips[this.#entry.skips + b * SKIP_WORDS]!;
    if (this.block !== 0) this.#loadInPlace();
    return this.docs[this.size - 1]!;
  }

  /**
   * The (frequency, norm) pairs that none of block `b` beats, into `impactFreqs` and `impactNorms`; how many. Frequencies
   * are rounded up. `b` = -1 asks for the whole term.
   */
  impacts(b: number): number {
    if (this.blocks > 1) {
      const skips = this.#skips;
      const start = this.#entry.skips;
      const all = start + this.blocks * SKIP_WORDS;
      const where = skips[b < 0 ? all : start + b * SKIP_WORDS + 3]!;
      const count = where & 255;
      const first = where >>> 8;
      for (let i = 0; i < count; i++) {
        const pair = skips[all + 1 + ((first + i) >>> 1)]! >>> ((first + i) & 1 ? 16 : 0);
        this.impactNorms[i] = pair & 255;
        this.impactFreqs[i] = NORM_LENGTHS[(pair >>> 8) & 255]!;
      }
      return count;
    }
    // One block: its documents tell as quickly as an entry would.
    if (this.block !== 0) this.#loadInPlace();
    this.loadFreqs();
    const norms = this.#source!.norms;
    const collector = scratch;
    for (let i = 0; i < this.size; i++) collector.add(this.freqs[i]!, norms ? norms[this.docs[i]!]! : 0);
    const count = collector.take(pairs, 0, null);
    for (let i = 0; i < count; i++) {
      this.impactNorms[i] = pairs[i]! & 255;
      this.impactFreqs[i] = NORM_LENGTHS[pairs[i]! >>> 8]!;
    }
    return count;
  }

  /**
   * Gaps of the positions of all documents of the block loaded, one after the other, into `positionBuffer`; how many. Those
   * of a document are as many as its frequency, each from the position before it, the first from 0. For a merge.
   */
  blockGaps(): number {
    const source = this.#source;
    if (!source?.hasPositions) return 0;
    const entry = this.#entry;
    if (entry.inlineCount > 0) {
      for (let i = 0; i < entry.inlineCount; i++) this.positionBuffer[i] = entry.inline[i]!;
      return entry.inlineCount;
    }
    this.loadFreqs();
    this.#enterPositions();
    const count = this.#positionsInBlock();
    if (count > this.positionBuffer.length) this.positionBuffer = new Uint32Array(2 * count);
    const buffer = this.positionBuffer;
    for (let first = 0; first < count; first += BLOCK) {
      const size = Math.min(BLOCK, count - first);
      const gaps = this.#gaps.unpacked(first >>> 7, size);
      for (let i = 0; i < size; i++) buffer[first + i] = gaps[i]!;
    }
    return count;
  }

  /**
   * Where `doc` has the term: fills `positionBuffer` and returns how many (its frequency), or 0 where the field keeps no
   * positions. Cheapest when asked in the order of documents.
   */
  positions(): number {
    const source = this.#source;
    if (!source?.hasPositions) return 0;
    if (this.#freqsAt !== 0) this.loadFreqs();
    const count = this.freqs[this.at]!;
    if (count > this.positionBuffer.length) this.positionBuffer = new Uint32Array(2 * count);
    const buffer = this.positionBuffer;
    const entry = this.#entry;
    if (entry.inlineCount > 0) {
      for (let i = 0, position = 0; i < count; i++) buffer[i] = position += entry.inline[i]!;
      return count;
    }
    if (this.#positionsBlock !== this.block || this.at < this.#counted) this.#enterPositions();
    const freqs = this.freqs;
    let nth = this.#before;
    for (let i = this.#counted, end = this.at; i < end; i++) nth += freqs[i]!;
    this.#before = nth;
    this.#counted = this.at;
    for (let filled = 0; filled < count; ) {
      const from = nth & (BLOCK - 1);
      const some = Math.min(BLOCK - from, count - filled);
      if (some > FEW) {
        const size = Math.min(BLOCK, this.#positionsInBlock() - (nth & -BLOCK));
        const gaps = this.#gaps.unpacked(nth >>> 7, size);
        for (let i = 0; i < some; i++) buffer[filled + i] = gaps[from + i]!;
      } else this.#gaps.pick(nth >>> 7, from, some, buffer, filled);
      filled += some;
      nth += some;
    }
    let position = 0;
    for (let i = 0; i < count; i++) buffer[i] = position += buffer[i]!;
    return count;
  }

  #end(): number {
    this.at = this.size;
    this.block = this.blocks;
    this.size = 0;
    return (this.doc = END);
  }

  /** Loads the only block and keeps the place. */
  #loadInPlace(): void {
    const { at, doc } = this;
    this.load(0);
    this.doc = doc;
    this.at = doc === END ? this.size : at;
  }

  /** The first block after the one loaded whose last document is >= target; `blocks` when there is none. */
  #blockOf(target: number): number {
    let low = this.block;
    const blocks = this.blocks;
    if (blocks === 1) return low + 1;
    const skips = this.#skips;
    const start = this.#entry.skips;
    let step = 1;
    while (low + step < blocks && skips[start + (low + step) * SKIP_WORDS]! < target) {
      low += step;
      step <<= 1;
    }
    let high = Math.min(low + step, blocks);
    // last(low) < target <= last(high), where last(-1) is below and last(blocks) above everything
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (skips[start + middle * SKIP_WORDS]! < target) low = middle;
      else high = middle;
    }
    return high;
  }

  #enterPositions(): void {
    this.#positionsBlock = this.block;
    this.#counted = 0;
    this.#before = 0;
    const entry = this.#entry;
    let at = entry.positions;
    if (this.blocks > 1) at += this.#skips[entry.skips + this.block * SKIP_WORDS + 2]!;
    this.#gaps.enter(at);
  }

  /** Of the block loaded; its frequencies are loaded too. */
  #positionsInBlock(): number {
    const { freqs, size } = this;
    let sum = 0;
    for (let i = 0; i < size; i++) sum += freqs[i]!;
    return sum;
  }
}

const NONE = new Int32Array(new SharedArrayBuffer(0));
const scratch = new ImpactCollector();
const pairs = new Uint16Array(257);

export function readPostings(bytes: Uint8Array, file: string): Int32Array {
  return asWords(unframe(bytes, file, 'pst', POSTINGS_VERSION));
}

/** The same file, not read into memory; `checked` when its checksum was compared before. */
export function openPostings(access: RandomAccess, file: string, checked: boolean): WordFile {
  return new WordFile(access, file, 'pst', POSTINGS_VERSION, checked);
}
