/**
 * Skips: what a term's blocks hold, without reading them.
 *
 * File `<segment>.skp`, one array of words. Only terms of more than one block (128 documents) have an entry; its place
 * and length stand in the dictionary.
 *
 *     skips    := frame("skp", 1) { entry* }
 *     entry    := block[blocks]  all:u32  pairs:u16[]                  padded with zero to a whole word
 *     block    := last:u32  postings:u32  positions:u32  impacts:u32
 *     impacts, all  := count:8  first:24                               pairs first .. first + count of `pairs`
 *     pair     := norm:u8  freq:u8
 *
 * `last` is the block's last document; `postings` and `positions` are words from the term's first word in .pst and .pos.
 *
 * Impacts: the (frequency, norm) pairs of a block that no other of it beats by a higher frequency at no longer a field;
 * `all` is the same for the whole term. Any score that grows with frequency and falls with length has its maximum at
 * one of them, so a bound can be computed for any average length, which a baked score cannot. The frequency is rounded
 * up on the scale of norms (exact to 40), so that a bound is never too low. Norm is 0 where the field has no norms.
 * Pairs stand in order of rising norm and rising frequency.
 *
 * Cost: 16 bytes and some 8 of impacts a block in memory. Versions: 1 (first).
 */
import type { Directory, RandomAccess } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { unframe } from '../io/frame.ts';
import { encodeAtLeast } from './norms.ts';
import { asWords, WordFile, WordWriter } from './words.ts';

const VERSION = 1;
/** Words of a block's fixed part. */
export const SKIP_WORDS = 4;

/** Collects the (frequency, norm) pairs of a set of documents and keeps those that none beats. */
export class ImpactCollector {
  /** Highest rounded frequency by norm. */
  readonly #best = new Uint8Array(256);
  #lowest = 256;
  #highest = -1;

  add(freq: number, norm: number): void {
    const coded = freq < 41 ? freq : encodeAtLeast(freq);
    if (norm < this.#lowest) this.#lowest = norm;
    if (norm > this.#highest) this.#highest = norm;
    if (coded > this.#best[norm]!) this.#best[norm] = coded;
  }
  /** Writes the pairs to `out` from `at` on, each `norm | freq << 8`; how many. Adds them to `whole`; empties itself. */
  take(out: Uint16Array, at: number, whole: ImpactCollector | null): number {
    const best = this.#best;
    let count = 0;
    let top = 0;
    for (let norm = this.#lowest; norm <= this.#highest; norm++) {
      const freq = best[norm]!;
      best[norm] = 0;
      if (freq <= top) continue;
      top = freq;
      out[at + count++] = norm | (freq << 8);
      whole?.addCoded(freq, norm);
    }
    this.#lowest = 256;
    this.#highest = -1;
    return count;
  }
  addCoded(coded: number, norm: number): void {
    if (norm < this.#lowest) this.#lowest = norm;
    if (norm > this.#highest) this.#highest = norm;
    if (coded > this.#best[norm]!) this.#best[norm] = coded;
  }
}

/** Takes the blocks of one term after the other. */
export class SkipWriter {
  readonly #out: WordWriter;
  readonly #whole = new ImpactCollector();
  #blocks = new Int32Array(SKIP_WORDS * 1024);
  #used = 0;
  #pairs = new Uint16Array(8192);
  #pairCount = 0;

  constructor(directory: Directory, file: string) {
    this.#out = new WordWriter(directory, file, 'skp', VERSION);
  }
  get position(): number {
    return this.#out.position;
  }
  block(last: number, postings: number, positions: number, impacts: ImpactCollector): void {
    if (this.#used + SKIP_WORDS > this.#blocks.length) {
      const grown = new Int32Array(this.#blocks.length * 2);
      grown.set(this.#blocks);
      this.#blocks = grown;
    }
    this.#makeRoom();
    const first = this.#pairCount;
    const count = impacts.take(this.#pairs, first, this.#whole);
    this.#pairCount += count;
    const blocks = this.#blocks;
    blocks[this.#used++] = last;
    blocks[this.#used++] = postings;
    blocks[this.#used++] = positions;
    blocks[this.#used++] = count | (first << 8);
  }
  /** Ends a term: how many words its entry took; none when it had no block. */
  finish(): number {
    const out = this.#out;
    const blocks = this.#blocks;
    const used = this.#used;
    if (used === 0) return 0;
    this.#makeRoom();
    const first = this.#pairCount;
    const count = this.#whole.take(this.#pairs, first, null);
    this.#used = 0;
    this.#pairCount = 0;
    const before = out.position;
    for (let i = 0; i < used; i++) {
      out.reserve(1);
      out.words[out.at++] = blocks[i]!;
    }
    out.reserve(1);
    out.words[out.at++] = count | (first << 8);
    const total = first + count;
    const pairs = this.#pairs;
    if (total & 1) pairs[total] = 0;
    for (let i = 0; i < total; i += 2) {
      out.reserve(1);
      out.words[out.at++] = pairs[i]! | (pairs[i + 1]! << 16);
    }
    return out.position - before;
  }
  close(): FileSeal {
    return this.#out.close();
  }
  abandon(): void {
    this.#out.abandon();
  }
  /** Room for the pairs of one more block: at most one a norm. */
  #makeRoom(): void {
    if (this.#pairCount + 257 <= this.#pairs.length) return;
    const grown = new Uint16Array(this.#pairs.length * 2);
    grown.set(this.#pairs);
    this.#pairs = grown;
  }
}

export function readSkips(bytes: Uint8Array, file: string): Int32Array {
  return asWords(unframe(bytes, file, 'skp', VERSION));
}

/** The same file, not read into memory; `checked` when its checksum was compared before. */
export function openSkips(access: RandomAccess, file: string, checked: boolean): WordFile {
  return new WordFile(access, file, 'skp', VERSION, checked);
}
