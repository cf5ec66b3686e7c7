/**
 * The dumb searcher: every document scored by the formula, in doubles, from its plain text. What the real one is measured by.
 */
import type { Schema } from '../../index/document.ts';
import { encodeLength, NORM_LENGTHS } from '../../index/format/norms.ts';
import type { Plan } from '../../index/query/plan.ts';
import type { Analyzer } from '../../index/text/analyzer.ts';
import { createChain } from '../../index/text/chains.ts';
import { tokensOf } from './tokens.ts';

export type PlainDocument = Readonly<Record<string, string>>;

export class SlowIndex {
  readonly docs: readonly PlainDocument[];
  /** By field and document: positions by term. */
  readonly #positions = new Map<string, Map<string, number[]>[]>();
  readonly #averages = new Map<string, number>();
  readonly #lengths = new Map<string, number[]>();
  readonly #analysed = new Set<string>();

  constructor(docs: readonly PlainDocument[], schema: Schema) {
    this.docs = docs;
    for (const field of schema.fields) {
      if (field.index === 'none') continue;
      const chain: Analyzer = field.index === 'keyword' ? createChain('keyword')! : createChain(field.analyzer)!;
      if (field.index !== 'keyword') this.#analysed.add(field.name);
      const cut = docs.map((doc) => tokensOf(chain, doc[field.name] ?? '').tokens);
      const byDoc = cut.map((tokens) => {
        const positions = new Map<string, number[]>();
        for (const { term, position } of tokens) positions.set(term, [...(positions.get(term) ?? []), position]);
        return positions;
      });
      this.#positions.set(field.name, byDoc);
      const having = cut.filter((tokens) => tokens.length > 0);
      const sum = having.reduce((sum, tokens) => sum + tokens.length, 0);
      this.#averages.set(field.name, having.length === 0 ? 1 : sum / having.length);
      this.#lengths.set(
        field.name,
        cut.map((tokens) => new Set(tokens.map((token) => token.position)).size),
      );
    }
  }
  df(field: string, term: string): number {
    return this.#positions.get(field)!.filter((positions) => positions.has(term)).length;
  }
  positions(field: string, doc: number, term: string): number[] {
    return this.#positions.get(field)![doc]!.get(term) ?? [];
  }
  terms(field: string, doc: number): string[] {
    return [...this.#positions.get(field)![doc]!.keys()];
  }
  /** What `freq` occurrences add to tf. */
  tf(field: string, doc: number, freq: number, weight: number): number {
    if (!this.#analysed.has(field)) return freq * weight;
    const length = NORM_LENGTHS[encodeLength(this.#lengths.get(field)![doc]!)]!;
    return (freq * weight) / (1 - 0.75 + (0.75 * length) / this.#averages.get(field)!);
  }

  /** The score of a document, or null when it does not match. */
  score(plan: Plan, doc: number): number | null {
    const saturated = (weight: number, tf: number): number | null => (tf > 0 ? (weight * tf) / (1.2 + tf) : null);
    switch (plan.kind) {
      case 'none':
        return null;
      case 'range': {
        // By the terms of the field: both ends, either open, with or without the end itself.
        const { field, from, to, withFrom, withTo } = plan.query;
        const terms = [...this.#positions.get(field)![doc]!.keys()];
        const isIn = (term: string): boolean =>
          (from === undefined || (withFrom ? term >= from : term > from)) &&
          (to === undefined || (withTo ? term <= to : term < to));
        return terms.some(isIn) ? plan.score : null;
      }
      case 'all':
        return plan.score;
      case 'group':
        return saturated(
          plan.weight,
          plan.members.reduce(
            (sum, { field, term, weight }) =>
              sum + this.tf(field, doc, this.positions(field, doc, term).length, weight),
            0,
          ),
        );
      case 'phrase':
        return saturated(
          plan.weight,
          plan.fields.reduce((sum, { field, weight }) => {
            const lists = plan.terms.map((term) => this.positions(field, doc, term));
            const freq = plan.slop === 0 ? exact(lists) : sloppy(lists, plan.terms, plan.slop);
            return sum + (freq > 0 ? this.tf(field, doc, freq, weight) : 0);
          }, 0),
        );
      case 'terms':
        return plan.fields.some(
          (field) =>
            plan.terms.some((term) => this.positions(field, doc, term).length > 0) ||
            (plan.prefix !== undefined && this.terms(field, doc).some((term) => term.startsWith(plan.prefix!))),
        )
          ? plan.score
          : null;
      case 'and': {
        const scores = plan.of.map((part) => this.score(part, doc));
        return scores.includes(null) ? null : scores.reduce<number>((sum, score) => sum + score!, 0);
      }
      case 'or':
      case 'best': {
        const scores = plan.of.map((part) => this.score(part, doc)).filter((score) => score !== null);
        if (scores.length === 0) return null;
        return plan.kind === 'or' ? scores.reduce((sum, score) => sum + score, 0) : Math.max(...scores);
      }
      case 'not':
        return this.score(plan.without, doc) === null ? this.score(plan.from, doc) : null;
      case 'optional': {
        const must = this.score(plan.must, doc);
        return must === null ? null : must + (this.score(plan.more, doc) ?? 0);
      }
    }
  }

  search(plan: Plan, deleted: ReadonlySet<number> = new Set()): { doc: number; score: number }[] {
    return this.docs
      .flatMap((_, doc) => {
        const score = deleted.has(doc) ? null : this.score(plan, doc);
        return score === null ? [] : [{ doc, score: Math.fround(score) }];
      })
      .sort((a, b) => b.score - a.score || a.doc - b.doc);
  }
}

function exact(lists: readonly number[][]): number {
  return lists[0]!.filter((start) => lists.every((list, i) => list.includes(start + i))).length;
}

/** All in one window of `slop` steps: walked by always moving the one furthest behind, of equals the first. */
function sloppy(lists: readonly number[][], terms: readonly string[], slop: number): number {
  if (lists.some((list) => list.length === 0)) return 0;
  const shifted = lists.map((list, i) => list.map((position) => position - i));
  const at = lists.map(() => 0);
  let freq = 0;
  for (;;) {
    const places = shifted.map((list, i) => list[at[i]!]!);
    const low = Math.min(...places);
    const high = Math.max(...places);
    const used = lists.map((list, i) => `${terms[i]} ${list[at[i]!]}`);
    if (high - low <= slop && new Set(used).size === used.length) freq += 1 / (1 + high - low);
    const lowest = places.indexOf(low);
    at[lowest]!++;
    if (at[lowest]! >= lists[lowest]!.length) return Math.min(freq, ...lists.map((list) => list.length));
  }
}
