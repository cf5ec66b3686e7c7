/**
 * Makes a plan of a query: which of its clauses must be there, which may be, which small words are passed over, and what
 * stands near what. What becomes of a single word or phrase is leaves.ts. Knows no segment.
 */
import { stopWords } from '../text/stop.ts';
import { fold } from '../text/table.ts';
import { Leaves, type PlanOptions } from './leaves.ts';
import { boosted, joined, NONE, optional, type Plan } from './plan.ts';
import type { Clause, Query } from './query.ts';
import type { Statistics } from './statistics.ts';
import { SYNONYM_WORDS } from './synonyms.ts';

export type { PlanOptions } from './leaves.ts';

/** A field that weighs less is beside the point of a document: a word there does not take the document out. */
const ASIDE = 0.25;

export function planQuery(query: Query, stats: Statistics, options: PlanOptions): Plan {
  return new Planner(stats, options).plan(query);
}

/** Share of their weight that neighbours of a query have for standing near each other, and how near (bench/relevance.bench.ts). */
const NEAR = 0.1;
const NEAR_STEPS = 6;
const MAX_NEIGHBOURS = 8;

/** What a document gets more where words that follow each other in the query stand near each other; `none` for most queries. */
export function planNear(query: Query, stats: Statistics, options: PlanOptions): Plan {
  return new Planner(stats, options).near(query);
}

/** Words that stand nowhere: so many are named, so much of each. */
const MOST_HINTS = 5;
const HINT_LENGTH = 40;

class Planner {
  readonly #stats: Statistics;
  readonly #options: PlanOptions;
  readonly #leaves: Leaves;
  readonly #isWanted: boolean;

  constructor(stats: Statistics, options: PlanOptions, isWanted = true) {
    this.#isWanted = isWanted;
    this.#stats = stats;
    this.#options = options;
    this.#leaves = new Leaves(stats, options);
  }

  near(query: Query): Plan {
    if (query.kind !== 'bool' || !this.#options.widen) return NONE;
    const words = this.#withoutSmall(query.clauses).flatMap(({ occur, query }) =>
      occur !== 'not' && query.kind === 'word' && query.field === undefined ? [query.text] : [],
    );
    const pairs: Plan[] = [];
    for (let i = 0; i + 1 < words.length && pairs.length < MAX_NEIGHBOURS; i++)
      if (words[i] !== words[i + 1])
        pairs.push(this.#leaves.phrase(`${words[i]} ${words[i + 1]}`, NEAR_STEPS, this.#options.fields, NEAR));
    return joined('or', pairs);
  }

  plan(query: Query): Plan {
    switch (query.kind) {
      case 'or':
        return joined(
          'or',
          query.of.map((part) => this.plan(part)),
        );
      case 'bool':
        return this.#bool(query.clauses);
      default: {
        const plan = this.#leaves.plan(query);
        if (plan.kind === 'none') this.#hint(query);
        return plan;
      }
    }
  }

  #bool(clauses: readonly Clause[]): Plan {
    const isAny = this.#options.mode === 'any';
    // A field that was named, or a range, says where to look: it is never given up, and words are looked for within it.
    const narrow: Plan[] = [];
    const must: Plan[] = [];
    const want: Plan[] = [];
    const not: Plan[] = [];
    const { named, rest } = this.#names(clauses);
    for (const { occur, plan } of named) (occur === 'must' ? must : want).push(plan);
    for (const { clause, count } of this.#counted(this.#withoutSmall(rest, named.length > 0))) {
      if (clause.occur === 'not') {
        not.push(this.#unwanted(clause.query));
        continue;
      }
      const plan = boosted(this.plan(clause.query), count);
      if (isNarrowing(clause.query)) narrow.push(plan);
      else (clause.occur === 'must' ? must : want).push(plan);
    }
    let plan: Plan;
    if (isAny && want.length > 0) {
      const wanted = joined('or', want);
      plan = must.length === 0 ? wanted : optional(joined('and', must), wanted);
      if (narrow.length > 0) plan = joined('and', [plan, ...narrow]);
    } else plan = joined('and', [...must, ...want, ...narrow]);
    const without = not.filter((one) => one.kind !== 'none');
    return without.length > 0 && plan.kind !== 'none'
      ? { kind: 'not', from: plan, without: joined('or', without) }
      : plan;
  }

  /**
   * What takes a document out: said in a field that speaks for it. A word that every document has beside the
   * point, as of a menu, would leave nothing. A field that the query names is asked whatever it weighs.
   */
  #unwanted(query: Query): Plan {
    const { fields } = this.#options;
    const spoken = new Map([...fields].filter(([, weight]) => weight >= ASIDE));
    return new Planner(this.#stats, { ...this.#options, fields: spoken.size > 0 ? spoken : fields }, false).plan(query);
  }

  /** Says which word it is that nothing has: the one that leaves a line of several with few hits or none. */
  #hint(query: Query): void {
    const { problems, widen } = this.#options;
    if (query.kind !== 'word' || query.field !== undefined || !widen || !this.#isWanted) return;
    const message = `"${query.text.slice(0, HINT_LENGTH)}" stands nowhere in the index.`;
    const known = problems.filter(({ code }) => code === 'unknown-word');
    if (known.length < MOST_HINTS && known.every((one) => one.message !== message))
      problems.push({ code: 'unknown-word', message });
  }

  /** Words that follow each other and are a name with synonyms are one thing asked for; the longest name counts. */
  #names(clauses: readonly Clause[]): { named: { occur: Clause['occur']; plan: Plan }[]; rest: readonly Clause[] } {
    const { synonyms, widen, mode } = this.#options;
    if (!synonyms || !widen) return { named: [], rest: clauses };
    const named: { occur: Clause['occur']; plan: Plan }[] = [];
    const rest: Clause[] = [];
    for (let i = 0; i < clauses.length; ) {
      const { occur } = clauses[i]!;
      const words: string[] = [];
      for (let j = i; j < clauses.length && words.length < SYNONYM_WORDS; j++) {
        const { occur: next, query } = clauses[j]!;
        if (next === 'not' || next !== occur || query.kind !== 'word') break;
        if (query.field !== undefined || query.boost !== undefined) break;
        words.push(fold(query.text));
      }
      while (words.length > 1 && !synonyms.has(words.join(' '))) words.pop();
      if (words.length < 2) {
        rest.push(clauses[i++]!);
        continue;
      }
      const run = this.#withoutSmall(clauses.slice(i, i + words.length));
      const own = joined(
        mode === 'any' && occur === 'want' ? 'or' : 'and',
        run.map(({ query }) => this.plan(query)),
      );
      named.push({ occur, plan: this.#leaves.orSynonyms(own, words.join(' ')) });
      i += words.length;
    }
    return { named, rest };
  }

  /** Small words are not asked for where other plain words are; with a sign or in a phrase they always are. */
  #withoutSmall(clauses: readonly Clause[], others = false): readonly Clause[] {
    if (!this.#options.widen) return clauses;
    const stops = stopWords(this.#options.lang);
    const isSmall = ({ occur, query }: Clause): boolean =>
      occur === 'want' &&
      query.kind === 'word' &&
      query.field === undefined &&
      stops.has(fold(query.text).replace(/[.']/g, ''));
    const rest = clauses.filter((clause) => !isSmall(clause));
    return others || rest.some(({ occur }) => occur !== 'not') ? rest : clauses;
  }

  /** The same word said twice counts twice, once. */
  #counted(clauses: readonly Clause[]): { clause: Clause; count: number }[] {
    const seen = new Map<string, { clause: Clause; count: number }>();
    clauses.forEach((clause, i) => {
      const { query } = clause;
      const key = query.kind === 'word' ? `${clause.occur} ${query.field ?? ''} ${fold(query.text)}` : `#${i}`;
      const known = seen.get(key);
      if (known) known.count++;
      else seen.set(key, { clause, count: 1 });
    });
    return [...seen.values()];
  }
}

const isNarrowing = (query: Query): boolean =>
  query.kind === 'range' || ('field' in query && query.field !== undefined);
