import type { Allowance } from './allowance.ts';
import { Docs, END } from './docs.ts';

/** The documents of one that another does not have. */
export class NotDocs extends Docs {
  readonly #from: Docs;
  readonly #without: Docs;
  readonly #allowance: Allowance;

  /** @param allowance of `without`: when it is spent, nothing more can be said not to be there */
  constructor(from: Docs, without: Docs, allowance: Allowance) {
    super();
    this.#from = from;
    this.#without = without;
    this.#allowance = allowance;
    this.cost = from.cost;
    this.max = from.max;
  }
  next(): number {
    return this.#pass(this.#from.next());
  }
  seek(target: number): number {
    return this.doc >= target ? this.doc : this.#pass(this.#from.seek(target));
  }
  #pass(start: number): number {
    let doc = start;
    while (doc !== END) {
      const found = this.#without.doc < doc ? this.#without.seek(doc) : this.#without.doc;
      if (!this.#allowance.spend(1)) return (this.doc = END);
      if (found !== doc) break;
      doc = this.#from.next();
    }
    return (this.doc = doc);
  }
  score(): number {
    return this.#from.score();
  }
  override maxIn(from: number, to: number): number {
    return this.#from.maxIn(from, to);
  }
}
