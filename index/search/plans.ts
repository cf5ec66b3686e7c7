/** Lines that were typed, with what was made of them: one asked again (the next page, another sort) is not made ready again. */
import { parseQuery } from '../query/parse.ts';
import { joined, NONE, optional, type Plan } from '../query/plan.ts';
import { type PlanOptions, planNear, planQuery } from '../query/planner.ts';
import type { Problem, Query } from '../query/query.ts';
import { plainText } from './exact-title.ts';
import type { SearchOptions } from './request.ts';
import type { Segments } from './segments.ts';

/** Weight of the title where the schema gives none: the best of 1 to 4 on the judged collections (bench/relevance.bench.ts). */
const TITLE_WEIGHT = 4;
/**
 * Share of its weight that a query has once more where a heading holds all of it: enough that a page with a section of that
 * name comes before one that mentions it fifty times.
 */
const HEADED = 0.5;
/** Lines remembered with their plans, and the longest that is. */
const PREPARED = 500;
const LONGEST = 1000;

/** A query read and, as it is needed, made ready in either mode. */
export interface Prepared {
  readonly query: Query;
  /** Planning finds some of them, so they are complete only with the first plan. */
  readonly problems: Problem[];
  all: Plan | null;
  any: Plan | null;
  near: Plan | null;
  text: string | null;
}

export class Plans {
  readonly #segments: Segments;
  readonly #ready = new Map<string, Prepared>();
  #usual: ReadonlyMap<string, number> | null = null;

  constructor(segments: Segments) {
    this.#segments = segments;
  }

  /** Reads a line with this index's field names. */
  parse(text: string): { query: Query; problems: readonly Problem[] } {
    return parseQuery(text, { isField: (name) => this.#segments.fieldOf(name) !== undefined });
  }

  prepare(asked: string | Query, options: SearchOptions): Prepared {
    if (typeof asked !== 'string') return { query: asked, problems: [], all: null, any: null, near: null, text: null };
    const fields = options.fields ? JSON.stringify(options.fields) : '';
    const key = `${options.lang ?? ''} ${options.widen ?? true} ${fields} ${asked}`;
    let ready = this.#ready.get(key);
    if (ready) return ready;
    const { query, problems } = this.parse(asked);
    ready = { query, problems: [...problems], all: null, any: null, near: null, text: null };
    if (this.#ready.size >= PREPARED) this.#ready.delete(this.#ready.keys().next().value!);
    if (asked.length <= LONGEST) this.#ready.set(key, ready);
    return ready;
  }

  of(ready: Prepared, mode: 'all' | 'any', options: SearchOptions): Plan {
    const known = ready[mode];
    if (known) return known;
    const problems = ready.all || ready.any ? [] : ready.problems;
    return (ready[mode] = this.make(ready.query, mode, options, problems));
  }

  /** What words near each other add. */
  near(ready: Prepared, options: SearchOptions): Plan {
    if (options.near === false) return NONE;
    return (ready.near ??= planNear(ready.query, this.#segments.stats, this.#options('all', options, [])));
  }

  make(query: Query, mode: 'all' | 'any', options: SearchOptions, problems: Problem[]): Plan {
    const plan = planQuery(query, this.#segments.stats, this.#options(mode, options, problems));
    return this.#headed(plan, query, options);
  }

  /** The same documents, those with a heading that says it with more. */
  #headed(plan: Plan, query: Query, options: SearchOptions): Plan {
    const { headingField: field, stats } = this.#segments;
    const text = field === undefined || plan.kind === 'none' ? null : plainText(query);
    if (text === null || !this.defaultFields(options.fields).has(field!)) return plan;
    // As typed: what has it so in a heading has it in a field that is asked anyhow.
    const asked = { ...this.#options('all', options, []), fields: new Map([[field!, 1]]), widen: false };
    const phrase: Query = { kind: 'phrase', text, slop: 0, boost: HEADED };
    const planned = planQuery(phrase, stats, asked);
    const headed = 'label' in planned ? { ...planned, label: `${planned.label} in a heading` } : planned;
    return plan.kind === 'and' ? optional(plan, headed) : joined('or', [plan, headed]);
  }

  /** Fields asked where a query names none, with their weights. */
  defaultFields(over?: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
    if (over === undefined && this.#usual) return this.#usual;
    const { stats, options, titleField } = this.#segments;
    const given = new Map(Object.entries({ ...options.fields, ...over }));
    const fields = new Map<string, number>();
    for (const field of stats.fields.values()) {
      if (field.index !== 'text' && field.index !== 'bag') continue;
      const weight = given.get(field.name) ?? field.weight ?? (field.name === titleField ? TITLE_WEIGHT : 1);
      if (weight > 0) fields.set(field.name, weight);
    }
    if (over === undefined) this.#usual = fields;
    return fields;
  }

  #options(mode: 'all' | 'any', options: SearchOptions, problems: Problem[]): PlanOptions {
    const { synonyms } = this.#segments.options;
    return {
      fields: this.defaultFields(options.fields),
      lang: options.lang ?? this.#segments.lang,
      mode,
      aliases: this.#segments.aliases,
      ...(synonyms ? { synonyms } : {}),
      problems,
      widen: options.widen ?? true,
    };
  }
}
