/** Writes .pst, .skp and .pos together, a term at a time; the grammars stand in postings.ts, skips.ts and positions.ts. */
import type { Directory } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { BLOCK, bitsOf, pack, packPatched } from './pack.ts';
import { PositionsWriter } from './positions.ts';
import { POSTINGS_VERSION, WIDTH_SHIFT } from './postings.ts';
import { ImpactCollector, SkipWriter } from './skips.ts';
import { INLINE_POSITIONS, TermEntry } from './term-entry.ts';
import { WordWriter } from './words.ts';

/**
 * Takes the postings of one term after the other: for each document, in order, `document`, or `block` for many at once; then
 * `finish()`.
 */
export class PostingsWriter {
  readonly entry = new TermEntry();
  readonly #out: WordWriter;
  readonly #skips: SkipWriter;
  readonly #positions: PositionsWriter;
  readonly #impacts = new ImpactCollector();
  /** The block that is being filled; see `block`. */
  readonly docs: Int32Array = new Int32Array(BLOCK);
  readonly freqs: Int32Array = new Int32Array(BLOCK);
  /** Gaps of the term's first positions, held back until it is known whether the dictionary keeps them. */
  readonly #held = new Uint32Array(INLINE_POSITIONS);
  #heldCount = 0;
  #norms: Uint8Array | null = null;
  #withPositions = false;
  #count = 0;
  #before = -1;
  #df = 0;
  #ttf = 0;
  #start = 0;
  #positionsStart = 0;
  #blockPositions = 0;
  #skipStart = 0;

  constructor(out: WordWriter, skips: SkipWriter, positions: PositionsWriter) {
    this.#out = out;
    this.#skips = skips;
    this.#positions = positions;
    this.#reset();
  }
  static create(directory: Directory, postings: string, skips: string, positions: string): PostingsWriter {
    return new PostingsWriter(
      new WordWriter(directory, postings, 'pst', POSTINGS_VERSION),
      new SkipWriter(directory, skips),
      new PositionsWriter(directory, positions),
    );
  }
  /** The terms that follow are of a field with these norms (by document), with or without positions. */
  field(norms: Uint8Array | null, withPositions: boolean): void {
    this.#norms = norms;
    this.#withPositions = withPositions;
  }
  /**
   * A document with `freq` occurrences, greater than the one before.
   * @param gaps where the field keeps positions: `freq` of them from `from` on, each from the one before it, the first from 0
   */
  document(doc: number, freq: number, gaps: Uint32Array, from: number): void {
    if (this.#count === BLOCK) this.#flush(true);
    this.docs[this.#count] = doc;
    this.freqs[this.#count++] = freq;
    this.#df++;
    this.#ttf += freq;
    if (!this.#withPositions) return;
    if (this.#heldCount >= 0) {
      if (this.#df === 1 && freq <= INLINE_POSITIONS) {
        for (let i = 0; i < freq; i++) this.#held[i] = gaps[from + i]!;
        this.#heldCount = freq;
        return;
      }
      this.#release();
    }
    this.#positions.add(gaps, from, freq);
  }
  /** The same for the first `count` of `docs` at once; the positions of all stand one behind the other from gaps[0] on. */
  documents(docs: Int32Array, freqs: Int32Array, count: number, gaps: Uint32Array): void {
    let i = 0;
    let at = 0;
    // The first ones decide whether the dictionary keeps their positions.
    for (; i < count && this.#df < 2; i++) {
      this.document(docs[i]!, freqs[i]!, gaps, at);
      at += freqs[i]!;
    }
    while (i < count) {
      if (this.#count === BLOCK) this.#flush(true);
      const some = Math.min(BLOCK - this.#count, count - i);
      let total = 0;
      for (const end = i + some; i < end; i++) {
        this.docs[this.#count] = docs[i]!;
        this.freqs[this.#count++] = freqs[i]!;
        total += freqs[i]!;
      }
      this.#df += some;
      this.#ttf += total;
      if (this.#withPositions) this.#positions.add(gaps, at, total);
      at += total;
    }
  }
  /**
   * `count` documents that the caller has laid into `docs` and `freqs`: BLOCK of them, or fewer for the last of the term. No
   * call of `document` goes before it in the same term.
   * @param gaps where the field keeps positions: `total` of them, of all these documents
   */
  block(count: number, gaps: Uint32Array, total: number, isLast: boolean): void {
    if (isLast && count === 1 && this.#df === 0) {
      this.document(this.docs[0]!, this.freqs[0]!, gaps, 0);
      return;
    }
    this.#count = count;
    this.#df += count;
    this.#ttf += total;
    this.#heldCount = -1;
    if (this.#withPositions) this.#positions.add(gaps, 0, total);
    if (!isLast) this.#flush(true);
  }
  /** Ends the term; false when it had no document. `entry` says where it went, until the next call. */
  finish(): boolean {
    const entry = this.entry;
    entry.df = this.#df;
    entry.ttf = this.#ttf;
    entry.skips = this.#skipStart;
    entry.postings = this.#start;
    entry.positions = this.#positionsStart;
    entry.inlineCount = 0;
    if (this.#df === 0) return false;
    if (this.#df === 1) {
      entry.doc = this.docs[0]!;
      if (this.#heldCount >= 0 && this.#withPositions) {
        entry.inline.set(this.#held);
        entry.inlineCount = this.#heldCount;
      } else this.#positions.endBlock();
      entry.skipWords = 0;
      this.#count = 0;
    } else {
      if (this.#heldCount >= 0) this.#release();
      this.#flush(this.#df > BLOCK);
      entry.skipWords = this.#skips.finish();
    }
    entry.postingsWords = this.#out.position - this.#start;
    entry.positionsWords = this.#positions.position - this.#positionsStart;
    this.#reset();
    return true;
  }
  close(): { postings: FileSeal; skips: FileSeal; positions: FileSeal } {
    return { postings: this.#out.close(), skips: this.#skips.close(), positions: this.#positions.close() };
  }
  abandon(): void {
    this.#out.abandon();
    this.#skips.abandon();
    this.#positions.abandon();
  }
  #reset(): void {
    this.#count = 0;
    this.#before = -1;
    this.#df = 0;
    this.#ttf = 0;
    this.#heldCount = 0;
    this.#start = this.#out.position;
    this.#positionsStart = this.#positions.position;
    this.#blockPositions = 0;
    this.#skipStart = this.#skips.position;
  }
  #release(): void {
    this.#positions.add(this.#held, 0, this.#heldCount);
    this.#heldCount = -1;
  }
  /** Writes a block; `withSkip` unless it is the only one of its term. */
  #flush(withSkip: boolean): void {
    const docs = this.docs;
    const freqs = this.freqs;
    const norms = this.#norms;
    const count = this.#count;
    const out = this.#out;
    if (withSkip) {
      if (norms) for (let i = 0; i < count; i++) this.#impacts.add(freqs[i]!, norms[docs[i]!]!);
      else for (let i = 0; i < count; i++) this.#impacts.add(freqs[i]!, 0);
      this.#skips.block(docs[count - 1]!, out.position - this.#start, this.#blockPositions, this.#impacts);
    }
    let before = this.#before;
    let widest = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const gap = doc - before - 1;
      before = doc;
      docs[i] = gap;
      widest |= gap;
      freqs[i]!--;
    }
    this.#before = before;
    const width = bitsOf(widest);
    out.reserve(2 * BLOCK + 16);
    const words = out.words;
    const head = out.at;
    const gaps = packPatched(freqs, count, words, head);
    words[head]! |= width << WIDTH_SHIFT;
    out.at = pack(docs, count, width, words, gaps);
    this.#positions.endBlock();
    this.#blockPositions = this.#positions.position - this.#positionsStart;
    this.#count = 0;
  }
}
