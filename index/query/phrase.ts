/**
 * Terms side by side in a field, scored as one thing: the sum of their idf, the number of times they stand so.
 *
 * First the documents that have all the terms, the rarest leading; then, only where their frequencies could lift the
 * document above the floor, their positions. With slop, a way to place the terms counts 1 / (1 + steps), steps being how far
 * the positions, less the terms' own places in the phrase, lie apart; two terms of one spelling do not share an occurrence,
 * and a phrase never counts more often than its scarcest term.
 */
import type { PostingsCursor } from '../format/postings.ts';
import type { Allowance } from './allowance.ts';
import { Docs, END } from './docs.ts';
import type { Member } from './term.ts';

/** Documents passed at a time while a term catches up within a block. */
const STRIDE = 8;

/** A phrase in one field of one segment. */
export class FieldPhrase {
  doc = -1;
  /** How often the phrase stands in `doc`; with slop not a whole number. */
  freq = 0;
  readonly lead: Member;
  readonly cost: number;
  readonly #members: readonly Member[];
  readonly #cursors: readonly PostingsCursor[];
  /** Place in the phrase, by cursor. */
  readonly #offsets: Int32Array;
  /** Cursors of one term have one number. */
  readonly #kinds: Int32Array;
  readonly #pointers: Int32Array;
  readonly #counts: Int32Array;
  readonly #slop: number;
  #starts = new Uint32Array(32);
  readonly #allowance: Allowance;
  /** The lead's block that was paid for. */
  #paid = -1;

  /** @param members in the order of the phrase; `terms` tells which are the same */
  constructor(members: readonly Member[], terms: readonly string[], slop: number, allowance: Allowance) {
    this.#allowance = allowance;
    const order = members.map((_, i) => i).sort((a, b) => members[a]!.cursor.df - members[b]!.cursor.df || a - b);
    this.#members = order.map((i) => members[i]!);
    this.#cursors = this.#members.map((member) => member.cursor);
    this.#offsets = Int32Array.from(order);
    this.#kinds = Int32Array.from(order, (i) => terms.indexOf(terms[i]!));
    this.#pointers = new Int32Array(members.length);
    this.#counts = new Int32Array(members.length);
    this.#slop = slop;
    this.lead = this.#members[0]!;
    this.cost = this.lead.cursor.df;
  }

  /** The largest tf of a document: that of the scarcest term. */
  bound(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const member of this.#members) least = Math.min(least, member.bound(-1));
    return least;
  }
  boundIn(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const member of this.#members) least = Math.min(least, member.boundIn(from, to));
    return least;
  }

  /**
   * The first document >= target with the phrase, whose tf is above `leastTf`.
   *
   * The two rarest terms are walked side by side through the blocks that they have loaded, since most documents of the
   * one are none of the other; the others, and the positions, are asked only where these two meet.
   */
  seek(target: number, leastTf: number): number {
    if (this.doc >= target) return this.doc;
    const cursors = this.#cursors;
    const lead = cursors[0]!;
    const second = cursors[1]!;
    const { table, norms } = this.lead;
    const { docs, freqs } = lead;
    const others = second.docs;
    if (lead.doc < target) lead.seek(target);
    while (lead.doc !== END) {
      const size = lead.size;
      const last = docs[size - 1]!;
      if (lead.block !== this.#paid) {
        this.#paid = lead.block;
        if (!this.#allowance.spend(size)) break;
      }
      if (leastTf > 0) {
        if (this.lead.bound(lead.block) <= leastTf) {
          lead.seek(last + 1);
          continue;
        }
        lead.loadFreqs();
      }
      let at = lead.at;
      /** Where the lead has to go on, once it is through its block or the others are beyond it. */
      let beyond = last + 1;
      while (at < size) {
        const doc = docs[at]!;
        if (leastTf > 0 && freqs[at]! * table[norms[doc]!]! <= leastTf) {
          at++;
          continue;
        }
        let found = second.doc;
        if (found < doc) {
          if (second.size > 0 && others[second.size - 1]! >= doc) {
            let place = second.at + 1;
            const end = second.size - STRIDE;
            while (place < end && others[place + STRIDE]! < doc) place += STRIDE;
            while (others[place]! < doc) place++;
            second.at = place;
            second.doc = found = others[place]!;
          } else found = second.seek(doc);
        }
        for (let i = 2; found === doc && i < cursors.length; i++) {
          const other = cursors[i]!;
          found = other.doc < doc ? other.seek(doc) : other.doc;
        }
        if (found === doc) {
          lead.at = at++;
          lead.doc = doc;
          if (this.#mayExceed(doc, leastTf)) {
            this.freq = this.#slop === 0 ? this.#countExact() : this.#countSloppy();
            if (this.freq > 0) return (this.doc = doc);
          }
        } else if (found > last) {
          beyond = found;
          break;
        } else
          do at++;
          while (docs[at]! < found);
      }
      if (beyond === END) break;
      lead.at = size - 1;
      lead.doc = last;
      lead.seek(beyond);
    }
    return (this.doc = END);
  }

  #mayExceed(doc: number, leastTf: number): boolean {
    if (leastTf <= 0) return true;
    const cursors = this.#cursors;
    let least = cursors[0]!.freq;
    for (let i = 1; i < cursors.length; i++) {
      const freq = cursors[i]!.freq;
      if (freq < least) least = freq;
    }
    return least * this.lead.table[this.lead.norms[doc]!]! > leastTf;
  }

  /** Where the first cursor's term stands, kept where the next one stands right: most documents fail at the second. */
  #countExact(): number {
    const cursors = this.#cursors;
    const offsets = this.#offsets;
    const many = cursors.length;
    const first = cursors[0]!;
    let count = first.positions();
    let starts = first.positionBuffer;
    for (let i = 1; i < many; i++) {
      const other = cursors[i]!;
      const otherCount = other.positions();
      const others = other.positionBuffer;
      const by = offsets[i]! - offsets[0]!;
      const last = i === many - 1;
      const kept = this.#starts.length < count ? (this.#starts = new Uint32Array(2 * count)) : this.#starts;
      let found = 0;
      let j = 0;
      for (let k = 0; k < count; k++) {
        const start = starts[k]!;
        const want = start + by;
        while (j < otherCount && others[j]! < want) j++;
        if (j === otherCount) break;
        if (others[j] === want) {
          if (!last) kept[found] = start;
          found++;
        }
      }
      if (found === 0) return 0;
      count = found;
      starts = kept;
    }
    return count;
  }

  #countSloppy(): number {
    const cursors = this.#cursors;
    const offsets = this.#offsets;
    const pointers = this.#pointers;
    const counts = this.#counts;
    const many = cursors.length;
    for (let i = 0; i < many; i++) {
      counts[i] = cursors[i]!.positions();
      pointers[i] = 0;
    }
    const at = (i: number): number => cursors[i]!.positionBuffer[pointers[i]!]! - offsets[i]!;
    let freq = 0;
    for (;;) {
      let lowest = 0;
      let low = at(0);
      let high = low;
      for (let i = 1; i < many; i++) {
        const place = at(i);
        if (place < low || (place === low && offsets[i]! < offsets[lowest]!)) {
          low = place;
          lowest = i;
        }
        if (place > high) high = place;
      }
      if (high - low <= this.#slop && this.#isDistinct()) freq += 1 / (1 + high - low);
      if (++pointers[lowest]! >= counts[lowest]!) break;
    }
    let least = counts[0]!;
    for (let i = 1; i < many; i++) if (counts[i]! < least) least = counts[i]!;
    return Math.min(freq, least);
  }

  /** No two terms of one spelling at one position. */
  #isDistinct(): boolean {
    const kinds = this.#kinds;
    for (let i = 1; i < kinds.length; i++)
      for (let j = 0; j < i; j++)
        if (
          kinds[i] === kinds[j] &&
          this.#cursors[i]!.positionBuffer[this.#pointers[i]!] === this.#cursors[j]!.positionBuffer[this.#pointers[j]!]
        )
          return false;
    return true;
  }
}

/** A phrase in any of several fields: their tf adds up, as that of a word does. */
export class PhraseDocs extends Docs {
  readonly #fields: readonly FieldPhrase[];
  readonly #weight: number;
  readonly #k1: number;

  constructor(fields: readonly FieldPhrase[], weight: number, k1: number) {
    super();
    this.#fields = fields;
    this.#weight = weight;
    this.#k1 = k1;
    for (const field of fields) this.cost += field.cost;
  }
  protected override highest(): number {
    let tf = 0;
    for (const field of this.#fields) tf += field.bound();
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
    // The tf that a score above the floor needs, where one field decides alone.
    const { floor } = this;
    const weight = this.#weight;
    const leastTf =
      floor >= 0 && this.#fields.length === 1
        ? floor >= weight
          ? Number.POSITIVE_INFINITY
          : ((floor * this.#k1) / (weight - floor)) * 0.999999
        : 0;
    let least = END;
    for (const field of this.#fields) {
      const doc = field.doc < target ? field.seek(target, leastTf) : field.doc;
      if (doc < least) least = doc;
    }
    return (this.doc = least);
  }
  score(): number {
    let tf = 0;
    for (const field of this.#fields)
      if (field.doc === this.doc) tf += field.freq * field.lead.table[field.lead.norms[this.doc]!]!;
    return (this.#weight * tf) / (this.#k1 + tf);
  }
  override maxIn(from: number, to: number): number {
    let tf = 0;
    for (const field of this.#fields) tf += field.boundIn(from, to);
    return this.#bounded(tf);
  }
}
