/**
 * The documents of a term, or of a group of terms in several fields that count as one: BM25F.
 *
 * A member is one term in one field. Members of a group add up their tf before it saturates, so `title:nest` and `text:nest`,
 * or `nest` and `nests`, are one thing said more often, not two things.
 */
import type { PostingsCursor } from '../format/postings.ts';
import { Docs, END, WINDOW, type Window } from './docs.ts';

/** One term in one field of one segment. */
export class Member {
  readonly cursor: PostingsCursor;
  readonly norms: Uint8Array;
  /** By norm: what an occurrence adds to tf (bm25.ts). */
  readonly table: Float64Array;
  /** By block: the largest tf in it; -1 where not asked yet. */
  #bounds: Float64Array | null = null;
  #block = 0;

  constructor(cursor: PostingsCursor, norms: Uint8Array, table: Float64Array) {
    this.cursor = cursor;
    this.norms = norms;
    this.table = table;
  }

  /** The largest tf of block `b`; -1: of the term. */
  bound(b: number): number {
    const { cursor, table } = this;
    if (b >= 0) {
      if (this.#bounds === null) this.#bounds = new Float64Array(cursor.blocks).fill(-1);
      const known = this.#bounds[b]!;
      if (known >= 0) return known;
    }
    const count = cursor.impacts(b);
    let most = 0;
    for (let i = 0; i < count; i++) {
      const tf = cursor.impactFreqs[i]! * table[cursor.impactNorms[i]!]!;
      if (tf > most) most = tf;
    }
    if (b >= 0) this.#bounds![b] = most;
    return most;
  }

  /** The largest tf in documents [from, to); `from` rises from call to call. */
  boundIn(from: number, to: number): number {
    const { cursor } = this;
    if (cursor.doc >= to) return 0;
    const blocks = cursor.blocks;
    let b = this.#block;
    if (cursor.block > b) b = cursor.block;
    while (b < blocks && cursor.blockLast(b) < from) b++;
    this.#block = b;
    let most = 0;
    for (; b < blocks; b++) {
      const tf = this.bound(b);
      if (tf > most) most = tf;
      if (cursor.blockLast(b) >= to - 1) break;
    }
    return most;
  }
}

/** A group of one: the hot path. */
export class TermDocs extends Docs {
  readonly #member: Member;
  readonly #cursor: PostingsCursor;
  readonly #weight: number;
  readonly #k1: number;

  constructor(member: Member, weight: number, k1: number) {
    super();
    this.#member = member;
    this.#cursor = member.cursor;
    this.#weight = weight;
    this.#k1 = k1;
    this.cost = member.cursor.df;
  }
  protected override highest(): number {
    return this.#bounded(this.#member.bound(-1));
  }

  #bounded(tf: number): number {
    // A hair above, so that no rounding on the way makes a bound too low.
    return ((this.#weight * tf) / (this.#k1 + tf)) * 1.000001;
  }

  next(): number {
    return (this.doc = this.#cursor.next());
  }
  seek(target: number): number {
    return (this.doc = this.#cursor.seek(target));
  }
  score(): number {
    const tf = this.#cursor.freq * this.#member.table[this.#member.norms[this.doc]!]!;
    return (this.#weight * tf) / (this.#k1 + tf);
  }
  override maxIn(from: number, to: number): number {
    return this.#bounded(this.#member.boundIn(from, to));
  }
  override blockEnd(): number {
    const cursor = this.#cursor;
    return cursor.size > 0 ? cursor.docs[cursor.size - 1]! : END - 1;
  }
  /** For the kernel over one term (collect.ts), which walks the blocks itself. */
  get blocks(): { member: Member; weight: number; k1: number } {
    return { member: this.#member, weight: this.#weight, k1: this.#k1 };
  }

  override fill(window: Window, to: number): void {
    const cursor = this.#cursor;
    const { scores, found, base } = window;
    const { table, norms } = this.#member;
    const weight = this.#weight;
    const k1 = this.#k1;
    if (cursor.doc < base) cursor.seek(base);
    let count = window.count;
    while (cursor.doc < to) {
      cursor.loadFreqs();
      const { docs, freqs, size } = cursor;
      let at = cursor.at;
      for (; at < size; at++) {
        const doc = docs[at]!;
        if (doc >= to) break;
        const place = doc - base;
        const tf = freqs[at]! * table[norms[doc]!]!;
        const before = scores[place]!;
        if (before === 0) found[count++] = place;
        scores[place] = before + (weight * tf) / (k1 + tf);
      }
      cursor.standAt(at);
    }
    window.count = count;
    this.doc = cursor.doc;
  }
}

/** Sums of tf within a window, shared by all groups: one fills at a time. */
const sums = new Float64Array(WINDOW);
const places = new Int32Array(WINDOW);

export class GroupDocs extends Docs {
  readonly #members: readonly Member[];
  readonly #weight: number;
  readonly #k1: number;

  constructor(members: readonly Member[], weight: number, k1: number) {
    super();
    this.#members = members;
    this.#weight = weight;
    this.#k1 = k1;
    for (const member of members) this.cost += member.cursor.df;
  }
  protected override highest(): number {
    let tf = 0;
    for (const member of this.#members) tf += member.bound(-1);
    return this.#bounded(tf);
  }

  #bounded(tf: number): number {
    return ((this.#weight * tf) / (this.#k1 + tf)) * 1.000001;
  }

  next(): number {
    return this.seek(this.doc + 1);
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc;
    const members = this.#members;
    let least = END;
    for (let i = 0; i < members.length; i++) {
      const cursor = members[i]!.cursor;
      const doc = cursor.doc < target ? cursor.seek(target) : cursor.doc;
      if (doc < least) least = doc;
    }
    return (this.doc = least);
  }
  score(): number {
    const members = this.#members;
    const doc = this.doc;
    let tf = 0;
    for (let i = 0; i < members.length; i++) {
      const member = members[i]!;
      if (member.cursor.doc === doc) tf += member.cursor.freq * member.table[member.norms[doc]!]!;
    }
    return (this.#weight * tf) / (this.#k1 + tf);
  }
  override maxIn(from: number, to: number): number {
    const members = this.#members;
    let tf = 0;
    for (let i = 0; i < members.length; i++) tf += members[i]!.boundIn(from, to);
    return this.#bounded(tf);
  }
  override blockEnd(): number {
    let end = END - 1;
    for (const { cursor } of this.#members)
      if (cursor.size > 0 && cursor.docs[cursor.size - 1]! < end) end = cursor.docs[cursor.size - 1]!;
    return end;
  }

  override fill(window: Window, to: number): void {
    const { scores, found, base } = window;
    const members = this.#members;
    let touched = 0;
    for (let i = 0; i < members.length; i++) {
      const { cursor, table, norms } = members[i]!;
      if (cursor.doc < base) cursor.seek(base);
      while (cursor.doc < to) {
        cursor.loadFreqs();
        const { docs, freqs, size } = cursor;
        let at = cursor.at;
        for (; at < size; at++) {
          const doc = docs[at]!;
          if (doc >= to) break;
          const place = doc - base;
          const before = sums[place]!;
          if (before === 0) places[touched++] = place;
          sums[place] = before + freqs[at]! * table[norms[doc]!]!;
        }
        cursor.standAt(at);
      }
    }
    const weight = this.#weight;
    const k1 = this.#k1;
    let count = window.count;
    for (let i = 0; i < touched; i++) {
      const place = places[i]!;
      const tf = sums[place]!;
      sums[place] = 0;
      if (scores[place] === 0) found[count++] = place;
      scores[place]! += (weight * tf) / (k1 + tf);
    }
    window.count = count;
    let least = END;
    for (let i = 0; i < members.length; i++) if (members[i]!.cursor.doc < least) least = members[i]!.cursor.doc;
    this.doc = least;
  }
}
