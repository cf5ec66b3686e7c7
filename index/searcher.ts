/**
 * The Searcher: one snapshot of an index, asked.
 *
 *     const searcher = new Searcher(snapshot, { prior: { field: 'score' }, aliases: { site: 'host' } });
 *     const { total, hits, problems } = searcher.search('red squirrel "old oak"', { limit: 10, highlight: true });
 *     hits[0]  // { key, score, fields: { title, ... }, doc: { segment, doc }, highlights: { title: { html }, text: { html } } }
 *
 * - A snapshot is `{ segments }`, readers of equal schema in document order. A searcher holds nothing but memory: closing the
 *   segments is for whoever opened them. One searcher serves one thread, one search at a time (it is synchronous).
 * - All fields of index `text` and `bag` are asked where a query names none, with the schema's weights (BM25F); a title
 *   without one weighs 4.
 * - Several words: documents with all of them, if there are at least `relaxBelow` (10); else any of them, and `relaxed` is
 *   true. Small words count only in phrases, with a sign, or where nothing else is asked.
 * - The document whose title is exactly the query comes first, if it matches at all (`titleField`).
 * - The best 50 are put in order once more, with something more where words that follow each other in the query stand near.
 * - Equal scores go by document order (segments in order, then documents), so pages never overlap and lose nothing.
 * - Never throws for a query's sake: what could not be read or was cut short, by its cost (`budget`) or by the clock
 *   (`timeLimit`), is in `problems`.
 * - `total` counts every match up to `countTo` (1,000); above, documents that cannot reach the first page are skipped
 *   uncounted and `isTotalExact` is false. Facets and sorting count all.
 *
 * Cost of a search: some microseconds for rare words, a millisecond for common ones in 100,000 documents, plus one stored block
 * unpacked for each hit. See bench/query.bench.ts.
 */
import { clearBit } from './format/bits.ts';
import { emptyBits } from './query/bits.ts';
import { NONE, type Plan } from './query/plan.ts';
import { type Problem, type Query, queryText } from './query/query.ts';
import type { Statistics } from './query/statistics.ts';
import { type Asked, limitOf } from './search/asked.ts';
import { findBest } from './search/best.ts';
import { didYouMean } from './search/did-you-mean.ts';
import { countFacets } from './search/facets.ts';
import { Filters } from './search/filters.ts';
import type { Found } from './search/found.ts';
import { findGrouped } from './search/grouped.ts';
import { hitsOf } from './search/hit.ts';
import { likePlan } from './search/like.ts';
import { Limits } from './search/limits.ts';
import { Plans } from './search/plans.ts';
import type { DocRef, Searchable, SearcherOptions, SearchOptions, SearchResult } from './search/request.ts';
import { Segments } from './search/segments.ts';
import { findSorted, sortColumns } from './search/sorted.ts';
import { findLive } from './segment/find.ts';

const RELAX_BELOW = 10;
const clock = (): number => performance.now();

export class Searcher {
  readonly snapshot: Searchable;
  /** Number of live documents. */
  readonly docs: number;
  readonly #segments: Segments;
  readonly #plans: Plans;
  readonly #filters: Filters;
  readonly #now: () => number;

  constructor(snapshot: Searchable, options: SearcherOptions = {}) {
    this.snapshot = snapshot;
    this.docs = snapshot.segments.reduce((sum, segment) => sum + segment.liveDocs, 0);
    this.#segments = new Segments(snapshot.segments, options);
    this.#plans = new Plans(this.#segments);
    this.#filters = new Filters(this.#segments, this.#plans);
    this.#now = options.now ?? clock;
  }

  get stats(): Statistics {
    return this.#segments.stats;
  }
  /** Language of queries that name none. */
  get lang(): string {
    return this.#segments.lang;
  }

  /** Fields that hits can be sorted, grouped and counted by. */
  get columns(): readonly string[] {
    return this.#segments.ordered;
  }

  /** Reads a line with this index's field names. */
  parse(text: string): { query: Query; problems: readonly Problem[] } {
    return this.#plans.parse(text);
  }

  search(asked: string | Query, wishes: SearchOptions = {}): SearchResult {
    const limits = new Limits(wishes, this.#now);
    const unsorted = wishes.sort !== undefined && sortColumns(this.#segments, wishes.sort) === null;
    const { sort: _, ...without } = wishes;
    const options: SearchOptions = unsorted ? without : wishes;
    const plans = this.#plans;
    const ready = plans.prepare(asked, options);
    const { query } = ready;
    const problems: Problem[] = [];
    const accept = this.#filters.accepted(options, limits, problems);
    const mode = options.mode ?? 'auto';
    const near = (): Plan => plans.near(ready, options);
    let one: Asked = {
      ready,
      plan: plans.of(ready, mode === 'any' ? 'any' : 'all', options),
      near,
      accept,
      options,
      limits,
    };
    if (this.snapshot.segments.length > 0) problems.push(...this.#unordered(wishes));
    let relaxed = mode === 'any';
    let found = this.#find(one);
    // Fewer than wished for: documents with some of the words; none for one word: with some of its parts.
    const enough = isSeveral(query) ? (options.relaxBelow ?? RELAX_BELOW) : 1;
    if (mode === 'auto' && found.total < enough && !found.isOver) {
      const wider: Asked = { ...one, plan: plans.of(ready, 'any', options) };
      const more = this.#find(wider);
      if (more.total > found.total) {
        one = wider;
        found = more;
        relaxed = true;
      }
    }
    const allowance = limits.allowance();
    const facets = options.facets ? countFacets(this.#segments, one, options.facets, allowance) : undefined;
    problems.push(...limits.problems(found.isOver || allowance.isSpent));
    const suggestion =
      typeof asked === 'string' && (found.total === 0 || relaxed)
        ? didYouMean(
            asked,
            query,
            [...plans.defaultFields().keys()],
            this.stats,
            options.lang ?? this.lang,
            options.lang !== undefined,
          )
        : undefined;
    const result: SearchResult = {
      total: found.total,
      isTotalExact: found.isExact && !limits.isLate,
      hits: hitsOf(this.#segments, found.hits, one.plan, options),
      query: (ready.text ??= queryText(query)),
      relaxed,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(facets ?? {}),
      // Planning finds some of them, so they are complete only now.
      problems: [...ready.problems, ...problems],
    };
    this.#segments.pool.release();
    return result;
  }

  /** Documents like one, by its rarest words; without itself. */
  moreLike(ref: DocRef, options: SearchOptions = {}): SearchResult {
    const segment = this.snapshot.segments[ref.segment];
    if (!segment || ref.doc < 0 || ref.doc >= segment.docs)
      return { total: 0, isTotalExact: true, hits: [], query: '', relaxed: false, problems: [] };
    const limits = new Limits(options, this.#now);
    const fields = this.#plans.defaultFields();
    const plan = likePlan(segment.stored(ref.doc, segment.fieldIds(fields.keys())), fields, this.stats, this.lang);
    const accept = this.#filters.accepted(options, limits, []).map((bits, i) => {
      if (i !== ref.segment) return bits;
      const without = bits ? bits.slice() : emptyBits(segment.docs).fill(-1);
      clearBit(without, ref.doc);
      return without;
    });
    const ready = this.#plans.prepare({ kind: 'none' }, options);
    const found = this.#find({ ready, plan, near: () => NONE, accept, options, limits });
    const hits = hitsOf(this.#segments, found.hits, plan, options);
    this.#segments.pool.release();
    return {
      total: found.total,
      isTotalExact: found.isExact && !limits.isLate,
      hits,
      query: '',
      relaxed: true,
      problems: limits.problems(found.isOver),
    };
  }

  /** The document with this key; undefined when there is none. */
  find(key: string): DocRef | undefined {
    for (const [i, segment] of this.snapshot.segments.entries()) {
      const doc = findLive(segment, key);
      if (doc >= 0) return { segment: i, doc };
    }
    return undefined;
  }

  #find(asked: Asked): Found {
    const { plan, options } = asked;
    if (plan.kind === 'none') return { total: 0, isExact: true, isOver: false, hits: [] };
    if (options.group) return findGrouped(this.#segments, asked, options.group);
    if (options.sort !== undefined) return findSorted(this.#segments, asked, limitOf(options));
    return findBest(this.#segments, asked, limitOf(options));
  }

  /** What is odd about the order that was asked for. */
  #unordered({ sort, group }: SearchOptions): readonly Problem[] {
    const problems: Problem[] = [];
    if (sort !== undefined && sortColumns(this.#segments, sort) === null)
      problems.push({
        code: 'no-sort',
        message: `Nothing can be sorted by "${sort.replace(/^-/, '').slice(0, 40)}"; the best hits come first. ${this.#thatCan()}`,
      });
    if (group && !this.#segments.hasColumn(group.field))
      problems.push({
        code: 'no-group',
        message: `Nothing can be grouped by "${group.field.slice(0, 40)}"; each hit stands for itself. ${this.#thatCan()}`,
      });
    return problems;
  }
  #thatCan(): string {
    const names = this.columns;
    return names.length > 0 ? `Fields that can: ${names.join(', ')}.` : 'No field can.';
  }
}

/** Are there several wanted clauses anywhere? Only then does `any` find more than `all`. */
function isSeveral(query: Query): boolean {
  if (query.kind === 'or') return query.of.some(isSeveral);
  return (
    query.kind === 'bool' &&
    (query.clauses.filter(({ occur }) => occur === 'want').length > 1 ||
      query.clauses.some((clause) => clause.occur !== 'not' && isSeveral(clause.query)))
  );
}
