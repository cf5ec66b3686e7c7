/** Which documents may be hits at all: live ones, which every filter accepts. Filters are remembered. */
import { type Bits, bitsOfDocs, bothBits, emptyBits } from '../query/bits.ts';
import { partsOf } from '../query/plan.ts';
import type { Problem, Query } from '../query/query.ts';
import { docsWith } from './grouped.ts';
import { BUDGET, COST_LIMIT, type Limits } from './limits.ts';
import type { Plans } from './plans.ts';
import type { SearchOptions } from './request.ts';
import type { Segments } from './segments.ts';

/** Filters remembered. */
const FILTERS = 64;

/** Documents that a filter accepts, by segment, and what was odd about it. */
interface Filtered {
  readonly bits: readonly (Bits | null)[];
  readonly problems: readonly Problem[];
}

export class Filters {
  readonly #segments: Segments;
  readonly #plans: Plans;
  readonly #known = new Map<string, Filtered>();

  constructor(segments: Segments, plans: Plans) {
    this.#segments = segments;
    this.#plans = plans;
  }

  /** By segment; null: all. What is odd about the filters goes to `problems`. */
  accepted({ filter, only }: SearchOptions, limits: Limits, problems: Problem[]): readonly (Bits | null)[] {
    let accept: readonly (Bits | null)[] = this.#segments.all.map(({ live }) => live);
    const all = filter === undefined ? [] : Array.isArray(filter) ? filter : [filter];
    for (const one of all as readonly (string | Query)[]) {
      const { query, problems: doubts } =
        typeof one === 'string' ? this.#plans.parse(one) : { query: one, problems: [] };
      const filtered = this.#filtered(query, limits);
      for (const { message, ...rest } of [...doubts, ...filtered.problems])
        problems.push({ ...rest, message: `In the filter: ${message}` });
      accept = accept.map((own, i) => bothBits(own, filtered.bits[i]!));
    }
    return only ? this.#onlyOf(only, accept) : accept;
  }

  #filtered(query: Query, limits: Limits): Filtered {
    const key = JSON.stringify(query);
    const known = this.#known.get(key);
    if (known) return known;
    const problems: Problem[] = [];
    const plan = this.#plans.make(query, 'all', { widen: false }, problems);
    const parts = partsOf(plan);
    const allowance = limits.allowance(BUDGET);
    const bits = this.#segments.all.map((segment) => {
      const docs = this.#segments.docs(plan, segment, allowance);
      return docs ? bitsOfDocs(docs, segment.docs, allowance, parts) : emptyBits(segment.docs);
    });
    const filtered = { bits, problems };
    // What time cut short may be whole the next time; that it was cut is said for the whole search.
    if (limits.isLate) return filtered;
    if (allowance.isSpent) problems.push(COST_LIMIT);
    if (this.#known.size >= FILTERS) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, filtered);
    return filtered;
  }

  /** Narrows what is accepted to the documents with one value of a column. */
  #onlyOf(
    { field, value }: NonNullable<SearchOptions['only']>,
    accept: readonly (Bits | null)[],
  ): readonly (Bits | null)[] {
    const columns = this.#segments.columns(field);
    const values = new Set([value]);
    return this.#segments.all.map(({ docs }, i) =>
      bothBits(docsWith(columns[i]!, values, docs) ?? emptyBits(docs), accept[i]!),
    );
  }
}
