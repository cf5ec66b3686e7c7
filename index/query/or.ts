/** Documents that at least one of several has; the scores of those that have it add up. */
import { Docs, END, type Window } from './docs.ts';

export class OrDocs extends Docs {
  readonly parts: readonly Docs[];

  constructor(parts: readonly Docs[]) {
    super();
    this.parts = parts;
    for (const part of parts) this.cost += part.cost;
  }
  protected override highest(): number {
    return this.parts.reduce((sum, part) => sum + part.max, 0);
  }
  next(): number {
    return this.seek(this.doc + 1);
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc;
    let least = END;
    for (const part of this.parts) {
      const doc = part.doc < target ? part.seek(target) : part.doc;
      if (doc < least) least = doc;
    }
    return (this.doc = least);
  }
  score(): number {
    let sum = 0;
    for (const part of this.parts) if (part.doc === this.doc) sum += part.score();
    return sum;
  }
  override maxIn(from: number, to: number): number {
    let sum = 0;
    for (const part of this.parts) sum += part.maxIn(from, to);
    return sum;
  }
  override fill(window: Window, to: number): void {
    let least = END;
    for (const part of this.parts) {
      part.fill(window, to);
      if (part.doc < least) least = part.doc;
    }
    this.doc = least;
  }
}

/** The same, but the best part alone counts: for readings of one thing. */
export class BestDocs extends OrDocs {
  protected override highest(): number {
    return this.parts.reduce((most, part) => Math.max(most, part.max), 0);
  }
  override score(): number {
    let best = 0;
    for (const part of this.parts)
      if (part.doc === this.doc) {
        const score = part.score();
        if (score > best) best = score;
      }
    return best;
  }
  override maxIn(from: number, to: number): number {
    let best = 0;
    for (const part of this.parts) best = Math.max(best, part.maxIn(from, to));
    return best;
  }
  override fill(window: Window, to: number): void {
    Docs.prototype.fill.call(this, window, to);
  }
}
