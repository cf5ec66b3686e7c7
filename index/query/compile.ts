/** A plan on one segment: its documents. Cursors come from a pool and go back to it when the search is over. */
import { PostingsCursor } from '../format/postings.ts';
import type { SegmentReader } from '../segment/reader.ts';
import { Allowance } from './allowance.ts';
import { AndDocs, OptionalDocs } from './and.ts';
import { BitDocs, type Bits, emptyBits } from './bits.ts';
import { Docs, END, NoDocs } from './docs.ts';
import { NotDocs } from './not.ts';
import { BestDocs, OrDocs } from './or.ts';
import { FieldPhrase, PhraseDocs } from './phrase.ts';
import type { Plan } from './plan.ts';
import { rangeBits } from './range.ts';
import type { Statistics } from './statistics.ts';
import { GroupDocs, Member, TermDocs } from './term.ts';
import { TermsDocs } from './terms.ts';

/** What a term looked up costs, in postings. */
const LOOK_UP = 16;
/** Sets kept for the next search. */
const SPARE_BITS = 8;

/** Cursors keep 2 KB of arrays each: making them costs more than most queries. */
export class CursorPool {
  readonly #cursors: PostingsCursor[] = [];
  #used = 0;
  readonly #spareBits: Bits[] = [];
  readonly #usedBits: Bits[] = [];

  take(): PostingsCursor {
    if (this.#used === this.#cursors.length) this.#cursors.push(new PostingsCursor());
    return this.#cursors[this.#used++]!;
  }
  /** An empty set for so many documents: making one anew costs as much as filling it. */
  takeBits(docs: number): Bits {
    const words = (docs + 31) >>> 5;
    const at = this.#spareBits.findIndex((bits) => bits.length === words);
    const bits = at < 0 ? emptyBits(docs) : this.#spareBits.splice(at, 1)[0]!.fill(0);
    if (this.#usedBits.length < SPARE_BITS) this.#usedBits.push(bits);
    return bits;
  }
  /** All that was taken may be used anew. A few hundred cursors and a few sets are kept. */
  release(): void {
    this.#used = 0;
    if (this.#cursors.length > 512) this.#cursors.length = 512;
    if (this.#usedBits.length === 0) return;
    this.#spareBits.push(...this.#usedBits);
    this.#usedBits.length = 0;
    this.#spareBits.splice(0, Math.max(0, this.#spareBits.length - SPARE_BITS));
  }
}

const noNorms = new WeakMap<SegmentReader, Uint8Array>();

export class Compiler {
  readonly #segment: SegmentReader;
  /** Which of those of the statistics it is. */
  readonly #place: number;
  readonly #stats: Statistics;
  readonly #pool: CursorPool;
  readonly #allowance: Allowance;

  /** @param allowance what may be read on the way from one document to the next; without an end when absent */
  constructor(segment: SegmentReader, stats: Statistics, pool: CursorPool, allowance = new Allowance(Infinity)) {
    this.#allowance = allowance;
    this.#segment = segment;
    this.#place = stats.segments.indexOf(segment);
    this.#stats = stats;
    this.#pool = pool;
  }

  /** Documents of the plan here; null when there are none. */
  docs(plan: Plan): Docs | null {
    const k1 = this.#stats.bm25.k1;
    switch (plan.kind) {
      case 'none':
        return null;
      case 'all':
        return new AllDocs(this.#segment.docs, plan.score);
      case 'group': {
        const members: Member[] = [];
        for (const { field, term, weight } of plan.members) {
          const member = this.member(field, term, weight);
          if (member) members.push(member);
        }
        if (members.length === 0) return null;
        return members.length === 1
          ? new TermDocs(members[0]!, plan.weight, k1)
          : new GroupDocs(members, plan.weight, k1);
      }
      case 'phrase': {
        const fields: FieldPhrase[] = [];
        for (const { field, weight } of plan.fields) {
          const members = plan.terms.map((term) => this.member(field, term, weight));
          if (members.every((member) => member !== null))
            fields.push(new FieldPhrase(members, plan.terms, plan.slop, this.#allowance));
        }
        return fields.length === 0 ? null : new PhraseDocs(fields, plan.weight, k1);
      }
      case 'terms':
        return this.#terms(plan);
      case 'range': {
        const bits = rangeBits(plan.query, this.#segment);
        return bits ? new BitDocs(bits, plan.score) : null;
      }
      case 'and': {
        const all: Docs[] = [];
        for (const part of plan.of) {
          const docs = this.docs(part);
          if (!docs) return null;
          all.push(docs);
        }
        return new AndDocs(all, this.#allowance);
      }
      case 'or':
      case 'best': {
        const some = plan.of.map((part) => this.docs(part)).filter((docs) => docs !== null);
        if (some.length === 0) return null;
        if (some.length === 1) return some[0]!;
        return plan.kind === 'or' ? new OrDocs(some) : new BestDocs(some);
      }
      case 'not': {
        const from = this.docs(plan.from);
        if (!from) return null;
        const without = this.docs(plan.without);
        return without ? new NotDocs(from, without, this.#allowance) : from;
      }
      case 'optional': {
        const must = this.docs(plan.must);
        if (!must) return null;
        const more = this.docs(plan.more);
        return more ? new OptionalDocs(must, more) : must;
      }
    }
  }

  member(field: string, term: string, weight: number): Member | null {
    const n = this.#stats.term(field, term).numbers[this.#place]!;
    if (n < 0) return null;
    const cursor = this.#segment.terms(field).postings(n, this.#pool.take());
    return new Member(cursor, this.#segment.norms(field) ?? zeros(this.#segment), this.#stats.table(field, weight));
  }

  #terms({ fields, terms, prefix, score }: Extract<Plan, { kind: 'terms' }>): Docs {
    const { docs } = this.#segment;
    const set = new TermsDocs(docs, score, this.#pool.take(), this.#pool.takeBits(docs), this.#allowance);
    for (const field of fields) {
      const dictionary = this.#segment.terms(field);
      for (const term of terms) {
        if (!this.#allowance.spend(LOOK_UP)) break;
        const n = dictionary.find(term);
        if (n >= 0) set.add(dictionary, n, n + 1);
      }
      if (prefix !== undefined) set.add(dictionary, dictionary.ceil(prefix), dictionary.ceil(`${prefix}\uffff`));
    }
    return set;
  }
}

function zeros(segment: SegmentReader): Uint8Array {
  let norms = noNorms.get(segment);
  if (!norms) noNorms.set(segment, (norms = new Uint8Array(segment.docs)));
  return norms;
}

class AllDocs extends Docs {
  readonly #docs: number;
  readonly #score: number;

  constructor(docs: number, score: number) {
    super();
    this.#docs = docs;
    this.#score = score;
    this.max = score;
    this.cost = docs;
  }
  next(): number {
    return this.seek(this.doc + 1);
  }
  seek(target: number): number {
    return (this.doc = Math.max(this.doc, target) < this.#docs ? Math.max(this.doc, target) : END);
  }
  score(): number {
    return this.#score;
  }
}

export { NoDocs };
