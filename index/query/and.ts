/** Documents that all of several have; optional ones add to the score where they are there too. */
import type { Allowance } from './allowance.ts';
import { Docs, END } from './docs.ts';

export class AndDocs extends Docs {
  /** The rarest first: it leads, the others gallop to where it stands. */
  get parts(): readonly Docs[] {
    return this.#all;
  }
  readonly #all: readonly Docs[];
  /** By place: the most that this one and those behind it can add. */
  readonly #rest: Float64Array;
  /** Bounds were asked up to here. */
  #bounded = -1;
  readonly #allowance: Allowance;

  constructor(all: readonly Docs[], allowance: Allowance) {
    super();
    this.#allowance = allowance;
    this.#all = [...all].sort((a, b) => a.cost - b.cost);
    this.cost = this.#all[0]!.cost;
    this.#rest = new Float64Array(all.length + 1);
    for (let i = all.length - 1; i >= 0; i--) this.#rest[i] = this.#rest[i + 1]! + this.#all[i]!.max;
    this.max = this.#rest[0]!;
  }

  next(): number {
    return this.#meet(this.#all[0]!.next());
  }
  seek(target: number): number {
    return this.doc >= target ? this.doc : this.#meet(this.#all[0]!.seek(target));
  }

  /** From a document of the leader to the first that all have. */
  #meet(start: number): number {
    const all = this.#all;
    const lead = all[0]!;
    const many = all.length;
    let doc = start;
    search: while (doc !== END) {
      if (!this.#allowance.spend(1)) return (this.doc = END);
      if (this.floor >= 0) {
        // While the leader's block cannot lift any document above the floor, go on to its next.
        while (doc > this.#bounded) {
          const end = lead.blockEnd();
          if (lead.maxIn(doc, end + 1) + this.#rest[1]! > this.floor) {
            this.#bounded = end;
            break;
          }
          if (end >= END - 1) return (this.doc = END);
          doc = lead.seek(end + 1);
          if (doc === END) return (this.doc = END);
        }
        if (lead.score() + this.#rest[1]! <= this.floor) {
          doc = lead.next();
          continue;
        }
      }
      for (let i = 1; i < many; i++) {
        const other = all[i]!;
        const found = other.doc < doc ? other.seek(doc) : other.doc;
        if (found !== doc) {
          doc = found === END ? END : lead.seek(found);
          continue search;
        }
      }
      return (this.doc = doc);
    }
    return (this.doc = END);
  }

  score(): number {
    const all = this.#all;
    let sum = 0;
    for (let i = 0; i < all.length; i++) sum += all[i]!.score();
    return sum;
  }
  override maxIn(from: number, to: number): number {
    let sum = 0;
    for (const one of this.#all) sum += one.maxIn(from, to);
    return sum;
  }
}

/** The documents of `must`, scored with those of `more` that are there too. */
export class OptionalDocs extends Docs {
  readonly #must: Docs;
  readonly #more: Docs;

  constructor(must: Docs, more: Docs) {
    super();
    this.#must = must;
    this.#more = more;
    this.cost = must.cost;
    this.max = must.max + more.max;
  }
  next(): number {
    this.#lower();
    return (this.doc = this.#must.next());
  }
  seek(target: number): number {
    this.#lower();
    return (this.doc = this.#must.seek(target));
  }
  /** What `must` may leave out is what `more` could not lift. */
  #lower(): void {
    if (this.floor >= 0) this.#must.floor = this.floor - this.#more.max;
  }
  score(): number {
    const { doc } = this;
    const own = this.#must.score();
    const found = this.#more.doc < doc ? this.#more.seek(doc) : this.#more.doc;
    return found === doc ? own + this.#more.score() : own;
  }
}
