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
 * Cost of a search: some microseconds for rare words, a millisecond for common ones in 100,000 pages, plus one stored block
 * unpacked for each hit. See bench/query.bench.ts.
 */
import type { Document } from './document.ts';
import { clearBit, isSet } from './format/bits.ts';
import type { Column } from './format/columns.ts';
import { Allowance, Deadline } from './query/allowance.ts';
import { BitDocs, type Bits, bitsOfDocs, bothBits, emptyBits } from './query/bits.ts';
import { BM25 } from './query/bm25.ts';
import { Compiler, CursorPool } from './query/compile.ts';
import { type Docs, END } from './query/docs.ts';
import { type Explanation, explainPlan } from './query/explain.ts';
import { parseQuery } from './query/parse.ts';
import { type Plan, partsOf } from './query/plan.ts';
import { type PlanOptions, planNear, planQuery } from './query/planner.ts';
import { type Problem, type Query, queryText } from './query/query.ts';
import { Statistics } from './query/statistics.ts';
import { collectTop, type Prior, TopDocs } from './query/top.ts';
import { didYouMean } from './search/did-you-mean.ts';
import { exactTitles, titleTerms } from './search/exact-title.ts';
import { type Facet, facetOf } from './search/facets.ts';
import { type Found, FoundDocument, type FoundHit, readAfter } from './search/found.ts';
import { docsWith, firstOfEach, type GroupValue } from './search/grouped.ts';
import { type Highlighted, highlight, type Sought } from './search/highlight.ts';
import { likePlan } from './search/like.ts';
import type { DocRef, Hit, Searchable, SearcherOptions, SearchOptions, SearchResult } from './search/request.ts';
import { type Match, sortMatches, sortValue } from './search/sorted.ts';
import { soughtBy } from './search/sought.ts';
import { textsOf } from './search/texts.ts';
import { findLive } from './segment/find.ts';
import type { SegmentReader } from './segment/reader.ts';

/** Weight of the title where the schema gives none: the best of 1 to 4 on the judged collections (bench/relevance.bench.ts). */
const TITLE_WEIGHT = 4;
/** Hits that are looked at for words near each other: a number of its own, so that no page changes another's order. */
const LOOKED_CLOSER = 50;
const COUNT_TO = 1000;
const RELAX_BELOW = 10;
const BUDGET = 200_000_000;
const COST_LIMIT: Problem = {
  code: 'cost-limit',
  message: 'The query costs more than allowed; this is what was found until then.',
};
/** Filters remembered. */
const FILTERS = 64;
/** Lines remembered with their plans. */
const PREPARED = 500;
const MAX_LIMIT = 10_000;
const PASSAGE = 200;

/** Documents that a filter accepts, by segment, and what was odd about it. */
interface Filtered {
  readonly bits: readonly (Bits | null)[];
  readonly problems: readonly Problem[];
}

export class Searcher {
  readonly snapshot: Searchable;
  readonly stats: Statistics;
  /** Number of live documents. */
  readonly docs: number;
  readonly lang: string;
  readonly #options: SearcherOptions;
  readonly #pool = new CursorPool();
  readonly #bases: readonly number[];
  readonly #filters = new Map<string, Filtered>();
  readonly #titleField: string | undefined;
  readonly #ready = new Map<string, Prepared>();
  /** Of the search under way. */
  #deadline: Deadline | null = null;

  constructor(snapshot: Searchable, options: SearcherOptions = {}) {
    this.snapshot = snapshot;
    this.#options = options;
    this.stats = new Statistics(snapshot.segments, options.bm25 ?? BM25, options.analyzers);
    let base = 0;
    this.#bases = snapshot.segments.map((segment) => {
      const own = base;
      base += segment.docs;
      return own;
    });
    this.docs = snapshot.segments.reduce((sum, segment) => sum + segment.liveDocs, 0);
    const title = options.titleField === undefined ? 'title' : options.titleField;
    this.#titleField = title !== null && this.stats.fields.get(title)?.index === 'text' ? title : undefined;
    this.lang = options.lang ?? this.#commonLang() ?? 'en';
  }

  /** Reads a line with this index's field names. */
  parse(text: string): { query: Query; problems: readonly Problem[] } {
    return parseQuery(text, { isField: (name) => this.#fieldOf(name) !== undefined });
  }

  search(asked: string | Query, wishes: SearchOptions = {}): SearchResult {
    this.#begin(wishes);
    const unsorted = wishes.sort !== undefined && this.#sortColumns(wishes.sort) === null;
    const { sort: _, ...without } = wishes;
    const options: SearchOptions = unsorted ? without : wishes;
    const ready = this.#prepare(asked, options);
    const { query } = ready;
    const problems: Problem[] = [];
    const filter = this.#onlyOf(options.only, this.#filterOf(options, problems));
    const mode = options.mode ?? 'auto';
    let plan = this.#planOf(ready, mode === 'any' ? 'any' : 'all', options);
    if (unsorted && this.snapshot.segments.length > 0)
      problems.push({
        code: 'no-sort',
        message: `Nothing can be sorted by "${wishes.sort!.replace(/^-/, '').slice(0, 40)}"; the best hits come first.`,
      });
    if (options.group && this.snapshot.segments.length > 0 && !this.#hasColumn(options.group.field))
      problems.push({
        code: 'no-group',
        message: `Nothing can be grouped by "${options.group.field.slice(0, 40)}"; each hit stands for itself.`,
      });
    let relaxed = mode === 'any';
    let found = this.#find(plan, ready, filter, options);
    // Fewer than wished for: documents with some of the words; none for one word: with some of its parts.
    const enough = isSeveral(query) ? (options.relaxBelow ?? RELAX_BELOW) : 1;
    if (mode === 'auto' && found.total < enough && !found.isOver) {
      const wider = this.#planOf(ready, 'any', options);
      const more = this.#find(wider, ready, filter, options);
      if (more.total > found.total) {
        plan = wider;
        found = more;
        relaxed = true;
      }
    }
    const allowance = this.#allowance(options);
    const facets = options.facets ? this.#facets(plan, filter, options.facets, allowance) : undefined;
    problems.push(...this.#limits(found.isOver || allowance.isSpent, options));
    const suggestion =
      typeof asked === 'string' && (found.total === 0 || relaxed)
        ? didYouMean(
            asked,
            query,
            [...this.#defaultFields().keys()],
            this.stats,
            options.lang ?? this.lang,
            options.lang !== undefined,
          )
        : undefined;
    const sought = options.highlight ? soughtBy(plan) : undefined;
    const result: SearchResult = {
      total: found.total,
      isTotalExact: found.isExact && this.#deadline?.isPast !== true,
      hits: found.hits.map((hit) => this.#hit(hit, plan, sought, options)),
      query: (ready.text ??= queryText(query)),
      relaxed,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(facets ?? {}),
      // Planning finds some of them, so they are complete only now.
      problems: [...ready.problems, ...problems],
    };
    this.#pool.release();
    return result;
  }

  #begin(options: SearchOptions): void {
    const { timeLimit } = options;
    this.#deadline =
      timeLimit === undefined ? null : new Deadline(this.#options.now ?? (() => performance.now()), timeLimit);
  }
  #allowance(options: SearchOptions): Allowance {
    return new Allowance(options.budget ?? BUDGET, this.#deadline);
  }
  /** Which of the two limits was reached, if any. */
  #limits(isOver: boolean, { timeLimit }: SearchOptions): Problem[] {
    if (!this.#deadline?.isPast) return isOver ? [COST_LIMIT] : [];
    const message = `The search took longer than the ${timeLimit} ms it is allowed; this is what was found until then.`;
    return [{ code: 'time-limit', message }];
  }

  /** A line asked again (the next page, another sort) is neither parsed nor widened again. */
  #prepare(asked: string | Query, options: SearchOptions): Prepared {
    if (typeof asked !== 'string') return { query: asked, problems: [], all: null, any: null, near: null, text: null };
    const fields = options.fields ? JSON.stringify(options.fields) : '';
    const key = `${options.lang ?? ''} ${options.widen ?? true} ${fields} ${asked}`;
    let ready = this.#ready.get(key);
    if (ready) return ready;
    const { query, problems } = this.parse(asked);
    ready = { query, problems: [...problems], all: null, any: null, near: null, text: null };
    if (this.#ready.size >= PREPARED) this.#ready.delete(this.#ready.keys().next().value!);
    if (asked.length <= 1000) this.#ready.set(key, ready);
    return ready;
  }

  #planOf(ready: Prepared, mode: 'all' | 'any', options: SearchOptions): Plan {
    const known = ready[mode];
    if (known) return known;
    const problems = ready.all || ready.any ? [] : ready.problems;
    return (ready[mode] = this.plan(ready.query, mode, options, problems));
  }

  /** Documents like one, by its rarest words; without itself. */
  moreLike(ref: DocRef, options: SearchOptions = {}): SearchResult {
    this.#begin(options);
    const segment = this.snapshot.segments[ref.segment];
    if (!segment || ref.doc < 0 || ref.doc >= segment.docs)
      return { total: 0, isTotalExact: true, hits: [], query: '', relaxed: false, problems: [] };
    const fields = this.#defaultFields();
    const plan = likePlan(segment.stored(ref.doc, segment.fieldIds(fields.keys())), fields, this.stats, this.lang);
    const filter = this.#filterOf(options, []).map((bits, i) => {
      if (i !== ref.segment) return bits;
      const without = bits ? bits.slice() : emptyBits(segment.docs).fill(-1);
      clearBit(without, ref.doc);
      return without;
    });
    const found = this.#find(plan, this.#prepare({ kind: 'none' }, options), filter, options);
    const sought = options.highlight ? soughtBy(plan) : undefined;
    const hits = found.hits.map((hit) => this.#hit(hit, plan, sought, options));
    this.#pool.release();
    return {
      total: found.total,
      isTotalExact: found.isExact,
      hits,
      query: '',
      relaxed: true,
      problems: this.#limits(found.isOver, options),
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

  plan(query: Query, mode: 'all' | 'any', options: SearchOptions, problems: Problem[]): Plan {
    return planQuery(query, this.stats, this.#planOptions(mode, options, problems));
  }

  #planOptions(mode: 'all' | 'any', options: SearchOptions, problems: Problem[]): PlanOptions {
    return {
      fields: this.#defaultFields(options.fields),
      lang: options.lang ?? this.lang,
      mode,
      aliases: this.#options.aliases ?? {},
      ...(this.#options.synonyms ? { synonyms: this.#options.synonyms } : {}),
      problems,
      widen: options.widen ?? true,
    };
  }

  #defaultFields(over?: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
    const fields = new Map<string, number>();
    for (const field of this.stats.fields.values()) {
      if (field.index !== 'text' && field.index !== 'bag') continue;
      const weight =
        over?.[field.name] ??
        this.#options.fields?.[field.name] ??
        field.weight ??
        (field.name === this.#titleField ? TITLE_WEIGHT : 1);
      if (weight > 0) fields.set(field.name, weight);
    }
    return fields;
  }

  #fieldOf(name: string): string | undefined {
    const field = this.#options.aliases?.[name] ?? name;
    return this.stats.fields.has(field) ? field : undefined;
  }

  #commonLang(): string | undefined {
    const name = this.snapshot.segments[0]?.schema.lang;
    if (name === undefined) return undefined;
    const counts = new Map<string, number>();
    for (const segment of this.snapshot.segments) {
      const column = segment.column(name);
      if (column?.kind !== 'string') continue;
      // A sample of evenly spread documents is enough to know which language leads.
      const step = Math.max(1, Math.floor(segment.docs / 500));
      for (let doc = 0; doc < segment.docs; doc += step) {
        const lang = column.dictionary.value(column.ordinals[doc]!);
        if (lang) counts.set(lang, (counts.get(lang) ?? 0) + 1);
      }
    }
    return [...counts.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  }

  /** Documents that may be hits, by segment: live, and in every filter; null: all. */
  #filterOf(options: SearchOptions, problems: Problem[]): readonly (Bits | null)[] {
    const { filter } = options;
    let accept: readonly (Bits | null)[] = this.snapshot.segments.map(({ live }) => live);
    const all = filter === undefined ? [] : Array.isArray(filter) ? filter : [filter];
    for (const one of all as readonly (string | Query)[]) {
      const { query, problems: doubts } = typeof one === 'string' ? this.parse(one) : { query: one, problems: [] };
      const filtered = this.#filtered(query);
      for (const { message, ...rest } of [...doubts, ...filtered.problems])
        problems.push({ ...rest, message: `In the filter: ${message}` });
      accept = accept.map((own, i) => bothBits(own, filtered.bits[i]!));
    }
    return accept;
  }

  #filtered(query: Query): Filtered {
    const key = JSON.stringify(query);
    const known = this.#filters.get(key);
    if (known) return known;
    const problems: Problem[] = [];
    const plan = this.plan(query, 'all', { widen: false }, problems);
    const allowance = this.#allowance({});
    const bits = this.snapshot.segments.map((segment) => {
      const docs = this.#docs(plan, segment, allowance);
      return docs ? bitsOfDocs(docs, segment.docs, allowance, partsOf(plan)) : emptyBits(segment.docs);
    });
    const filtered = { bits, problems };
    // What time cut short may be whole the next time; that it was cut is said for the whole search.
    if (this.#deadline?.isPast) return filtered;
    if (allowance.isSpent) problems.push(COST_LIMIT);
    if (this.#filters.size >= FILTERS) this.#filters.delete(this.#filters.keys().next().value!);
    this.#filters.set(key, filtered);
    return filtered;
  }

  /** Narrows what is accepted to the documents with one value of a column. */
  #onlyOf(only: SearchOptions['only'], accept: readonly (Bits | null)[]): readonly (Bits | null)[] {
    if (!only) return accept;
    const columns = this.#columns(only.field);
    const values = new Set([only.value]);
    return this.snapshot.segments.map(({ docs }, i) =>
      bothBits(docsWith(columns[i]!, values, docs) ?? emptyBits(docs), accept[i]!),
    );
  }

  #find(plan: Plan, ready: Prepared, accept: readonly (Bits | null)[], options: SearchOptions): Found {
    if (plan.kind === 'none') return { total: 0, isExact: true, isOver: false, hits: [] };
    if (options.group) return this.#findGrouped(plan, ready, accept, options, options.group);
    if (options.sort !== undefined) return this.#findAll(plan, accept, options, limitOf(options));
    return this.#findBest(plan, ready, accept, options, limitOf(options));
  }

  /**
   * Takes as many of the best as it needs to have enough different ones, so that few groups cost no look at every match; then
   * counts the members of those shown.
   */
  #findGrouped(
    plan: Plan,
    ready: Prepared,
    accept: readonly (Bits | null)[],
    options: SearchOptions,
    group: NonNullable<SearchOptions['group']>,
  ): Found {
    const columns = this.#columns(group.field);
    const most = group.limit ?? 1;
    const limit = limitOf(options);
    const behind = readAfter(options.after);
    const from = behind ? 0 : Math.min(Math.max(0, options.from ?? 0), MAX_LIMIT);
    const { after: _, ...fromFirst } = options;
    const whole = { ...fromFirst, from: 0 };
    for (let depth = Math.max(LOOKED_CLOSER, 2 * (from + limit)); ; depth *= 8) {
      const found =
        options.sort === undefined
          ? this.#findBest(plan, ready, accept, whole, Math.min(depth, Math.max(1, this.docs)))
          : this.#findAll(plan, accept, whole, Number.POSITIVE_INFINITY);
      const isAll = options.sort !== undefined || found.isOver || found.hits.length < depth;
      const kept = firstOfEach(found.hits, columns, most);
      const at = behind
        ? kept.findIndex(
            ({ hit }) => hit.rank === behind.rank && (behind.rank !== undefined || hit.global === behind.doc),
          )
        : -1;
      if (!isAll && (kept.length < from + limit || (behind && (at < 0 || kept.length < at + 1 + limit)))) continue;
      const start = behind ? at + 1 : from;
      const shown = kept.slice(start, start + limit);
      const counts = this.#countGroups(plan, accept, columns, new Set(shown.map(({ value }) => value)), options);
      return {
        ...found,
        hits: shown.map(({ hit, value }) => ({
          ...hit,
          group: { value, more: value === undefined ? 0 : Math.max(0, counts.get(value)! - most) },
        })),
      };
    }
  }

  /** How many matches have each of some values of a column. */
  #countGroups(
    plan: Plan,
    accept: readonly (Bits | null)[],
    columns: readonly (Column | null)[],
    wanted: ReadonlySet<GroupValue | undefined>,
    options: SearchOptions,
  ): ReadonlyMap<GroupValue, number> {
    const values = new Set([...wanted].filter((value) => value !== undefined));
    const counts = new Map<GroupValue, number>([...values].map((value) => [value, 0]));
    const allowance = this.#allowance(options);
    for (const [i, segment] of this.snapshot.segments.entries()) {
      const bits = docsWith(columns[i]!, values, segment.docs);
      const docs = bits ? this.#docs(plan, segment, allowance) : null;
      if (!docs) continue;
      const members = new BitDocs(bothBits(bits, accept[i]!)!, 0);
      for (let doc = members.next(); doc !== END; doc = members.seek(doc + 1)) {
        const match = docs.seek(doc);
        if (match === END || !allowance.spend(1)) break;
        if (match !== doc) continue;
        const value = sortValue(columns[i], doc)!;
        counts.set(value, counts.get(value)! + 1);
      }
    }
    return counts;
  }

  /** The best `limit` by score behind `from`. */
  #findBest(
    plan: Plan,
    ready: Prepared,
    accept: readonly (Bits | null)[],
    options: SearchOptions,
    limit: number,
  ): Found {
    const behind = readAfter(options.after);
    const from = behind ? (behind.rank ?? 0) : Math.min(Math.max(0, options.from ?? 0), MAX_LIMIT);
    const near = limit > 0 && !(behind && behind.rank === undefined) ? this.#nearPlan(ready, options) : NOTHING;
    const top = new TopDocs(
      near.kind === 'none' ? limit + from : Math.max(limit + from, LOOKED_CLOSER),
      options.facets ? Number.POSITIVE_INFINITY : (options.countTo ?? COUNT_TO),
      behind && behind.rank === undefined ? behind : null,
      this.#allowance(options),
    );
    const { segments } = this.snapshot;
    const allowance = this.#allowance(options);
    const compiled = segments.map((segment) => this.#docs(plan, segment, allowance));
    const field = options.exactTitle === false ? undefined : this.#titleField;
    const title = field === undefined ? null : titleTerms(ready.query, field, this.stats, this.lang);
    // More than any other document can have.
    const bonus = title
      ? compiled.reduce((most, docs) => Math.max(most, docs?.max ?? 0), 0) *
          ((this.#options.prior?.most ?? 1.3) + 0.3) +
        1
      : 0;
    for (const [i, segment] of segments.entries()) {
      const docs = compiled[i];
      if (!docs) continue;
      const prior = this.#prior(segment);
      const exact = title ? exactTitles(title, field!, segment, this.stats, this.#pool, this.lang, allowance) : null;
      top.segment(this.#bases[i]!, accept[i]!, prior, exact && exact.size > 0 ? exact : null);
      if (exact && exact.size > 0) {
        const again = this.#docs(plan, segment)!;
        for (const doc of exact) if (again.seek(doc) === doc) top.pushFirst(doc, again.score(), bonus);
      }
      collectTop(docs, top, segment.docs);
      if (top.allowance.isSpent) break;
    }
    const isExact = top.isExact && !top.allowance.isSpent && !allowance.isSpent;
    const hits = this.#lookCloser(top.results(), near, allowance);
    return {
      total: top.total,
      isExact,
      isOver: top.allowance.isSpent || allowance.isSpent,
      hits: hits.slice(from, from + limit),
    };
  }

  /** Puts the best in order once more, by what their words' nearness adds. */
  #lookCloser(
    best: readonly { readonly doc: number; readonly score: number }[],
    near: Plan,
    allowance: Allowance,
  ): FoundHit[] {
    const hits = best.map(({ doc, score }): FoundHit => {
      const ref = this.#ref(doc);
      return {
        segment: ref.segment,
        doc: ref.doc,
        global: doc,
        score,
        base: score,
        near: 0,
        rank: undefined,
        group: undefined,
      };
    });
    if (near.kind === 'none' || allowance.isSpent) return hits;
    const first = hits.slice(0, LOOKED_CLOSER).sort((a, b) => a.global - b.global);
    let segment = -1;
    let docs: Docs | null = null;
    for (const hit of first) {
      if (hit.segment !== segment) {
        segment = hit.segment;
        docs = this.#docs(near, this.snapshot.segments[segment]!, allowance);
      }
      if (docs && docs.seek(hit.doc) === hit.doc) {
        hit.near = docs.score();
        hit.score = Math.fround(hit.base + hit.near);
      }
    }
    first.sort((a, b) => b.score - a.score || a.global - b.global);
    first.forEach((hit, i) => {
      hit.rank = i + 1;
    });
    return [...first, ...hits.slice(LOOKED_CLOSER)];
  }

  #nearPlan(ready: Prepared, options: SearchOptions): Plan {
    if (options.near === false) return NOTHING;
    return (ready.near ??= planNear(ready.query, this.stats, this.#planOptions('all', options, [])));
  }

  /** Every match, sorted; `limit` of them. */
  #findAll(plan: Plan, accept: readonly (Bits | null)[], options: SearchOptions, limit: number): Found {
    const columns = this.#sortColumns(options.sort);
    const matches: Match[] = [];
    const allowance = this.#allowance(options);
    const parts = partsOf(plan);
    for (const [i, segment] of this.snapshot.segments.entries()) {
      const docs = this.#docs(plan, segment, allowance);
      if (!docs) continue;
      const bits = accept[i]!;
      const prior = this.#prior(segment);
      const column = columns?.[i];
      for (let doc = docs.next(); doc !== END && allowance.spend(parts); doc = docs.next()) {
        if (bits && !isSet(bits, doc)) continue;
        const score = Math.fround(docs.score() * (prior?.factor(doc) ?? 1));
        matches.push({ segment: i, doc, score, value: columns ? sortValue(column, doc) : score });
      }
    }
    sortMatches(matches, columns === null || options.sort!.startsWith('-'));
    const after = readAfter(options.after);
    const from =
      after && after.rank === undefined
        ? matches.findIndex((match) => this.#bases[match.segment]! + match.doc === after.doc) + 1
        : Math.max(0, options.from ?? 0);
    return {
      total: matches.length,
      isExact: !allowance.isSpent,
      isOver: allowance.isSpent,
      hits: matches.slice(from, from + limit).map(({ segment, doc, score }) => ({
        segment,
        doc,
        score,
        base: score,
        near: 0,
        rank: undefined,
        global: this.#bases[segment]! + doc,
        group: undefined,
      })),
    };
  }

  /** The column of a field in each segment. */
  #columns(name: string): readonly (Column | null)[] {
    const beside = this.#options.columns?.[name];
    if (beside) return beside;
    const field = this.#fieldOf(name);
    return this.snapshot.segments.map((segment) => (field === undefined ? null : segment.column(field)));
  }

  #hasColumn(name: string): boolean {
    return this.#columns(name).some((column) => column !== null);
  }

  /** Null when no segment has such a column. */
  #sortColumns(sort: string | undefined): readonly (Column | null)[] | null {
    if (sort === undefined) return null;
    const name = sort.replace(/^-/, '');
    return this.#hasColumn(name) ? this.#columns(name) : null;
  }

  #docs(plan: Plan, segment: SegmentReader, allowance?: Allowance): Docs | null {
    return new Compiler(segment, this.stats, this.#pool, allowance).docs(plan);
  }

  #ref(global: number): DocRef {
    let segment = this.#bases.length - 1;
    while (this.#bases[segment]! > global) segment--;
    return { segment, doc: global - this.#bases[segment]! };
  }

  #prior(segment: SegmentReader): Prior | null {
    const { prior } = this.#options;
    if (!prior) return null;
    const column = segment.column(prior.field);
    if (column?.kind !== 'f64' && column?.kind !== 'u32') return null;
    const { values } = column;
    const most = prior.most ?? 1.3;
    const half = prior.half ?? 1;
    return {
      most,
      factor(doc) {
        const value = values[doc]!;
        return value > 0 ? 1 + ((most - 1) * value) / (value + half) : 1;
      },
    };
  }

  #facets(
    plan: Plan,
    accept: readonly (Bits | null)[],
    asked: NonNullable<SearchOptions['facets']>,
    allowance: Allowance,
  ): Pick<SearchResult, 'facets' | 'moreFacets'> {
    const parts = partsOf(plan);
    const hits = this.snapshot.segments.map((segment, i) => {
      const docs = this.#docs(plan, segment, allowance);
      return docs ? bothBits(bitsOfDocs(docs, segment.docs, allowance, parts), accept[i]!) : null;
    });
    const out: Record<string, readonly Facet[]> = {};
    const more: Record<string, number> = {};
    for (const one of asked) {
      const { field: name, limit = 10 } = typeof one === 'string' ? { field: one } : one;
      const columns = this.#columns(name);
      // A field without a column anywhere has nothing to count, which is not the same as no values.
      if (hits.length > 0 && columns.every((column) => column === null)) continue;
      const counted = facetOf(
        this.snapshot.segments.map(({ docs }, i) => ({ column: columns[i]!, hits: hits[i]!, docs })),
      );
      out[name] = counted.slice(0, limit);
      if (counted.length > limit) more[name] = counted.length - limit;
    }
    return { facets: out, ...(Object.keys(more).length > 0 ? { moreFacets: more } : {}) };
  }

  #hit(found: FoundHit, plan: Plan, sought: Sought | undefined, options: SearchOptions): Hit {
    const segment = this.snapshot.segments[found.segment]!;
    const kept = options.stored;
    const all =
      kept === undefined
        ? segment.stored(found.doc)
        : kept === false && !sought
          ? NO_FIELDS
          : segment.stored(found.doc, this.#wanted(segment, sought, options));
    const key = all[segment.schema.key];
    const hit = new FoundDocument(
      { segment: found.segment, doc: found.doc },
      typeof key === 'string' ? key : undefined,
      found.score,
      kept === undefined
        ? all
        : kept === false
          ? NO_FIELDS
          : Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))),
      found,
    );
    if (sought) hit.highlights = this.#highlights(all, sought, options);
    if (options.explain) hit.explain = this.#explain(plan, segment, found);
    if (found.group) hit.group = found.group;
    return hit;
  }

  /** Fields that are shown or looked at for passages: others stay packed. */
  #wanted(segment: SegmentReader, sought: Sought | undefined, options: SearchOptions): ReadonlySet<number> {
    const names = new Set([segment.schema.key, ...(options.stored || [])]);
    if (sought) for (const name of this.#passageFields(options)) names.add(name);
    return segment.fieldIds(names);
  }

  #passageFields({ highlight }: SearchOptions): readonly string[] {
    const asked = typeof highlight === 'object' ? highlight : undefined;
    return [...this.stats.fields.values()]
      .filter(({ index, stored, name }) => index === 'text' && stored && (!asked || asked[name] !== undefined))
      .map(({ name }) => name);
  }

  #explain(plan: Plan, segment: SegmentReader, found: FoundHit): Explanation {
    const text = explainPlan(plan, segment, this.stats, found.doc) ?? {
      value: 0,
      description: 'no match',
      details: [],
    };
    const factor = this.#prior(segment)?.factor(found.doc) ?? 1;
    const details: Explanation[] = [text];
    if (factor !== 1)
      details.push({ value: factor, description: `times the prior of ${this.#options.prior!.field}`, details: [] });
    if (found.near > 0)
      details.push({
        value: found.near,
        description: 'words that follow each other in the query stand near',
        details: [],
      });
    const rest = found.base - text.value * factor;
    if (rest > 1e-3 * Math.max(1, found.score))
      details.push({ value: rest, description: 'its title is exactly the query', details: [] });
    return details.length === 1 ? text : { value: found.score, description: 'score', details };
  }

  #highlights(document: Document, sought: Sought, options: SearchOptions): Record<string, Highlighted> {
    const out: Record<string, Highlighted> = {};
    const asked = typeof options.highlight === 'object' ? options.highlight : undefined;
    for (const field of this.#passageFields(options)) {
      const value = document[field];
      const analyzer = this.stats.chain(field);
      if (value === undefined || !analyzer) continue;
      const length = asked?.[field] ?? (field === this.#titleField ? 0 : PASSAGE);
      out[field] = highlight(textsOf(value).join('\n'), sought, {
        analyzer,
        lang: options.lang ?? this.lang,
        length,
      });
    }
    return out;
  }
}

const NO_FIELDS: Document = {};

/** A query read and, as it is needed, made ready in either mode. */
interface Prepared {
  readonly query: Query;
  readonly problems: Problem[];
  all: Plan | null;
  any: Plan | null;
  near: Plan | null;
  text: string | null;
}
const NOTHING: Plan = { kind: 'none' };
const limitOf = ({ limit }: SearchOptions): number => Math.min(Math.max(0, limit ?? 10), MAX_LIMIT);

/** Are there several wanted clauses anywhere? Only then does `any` find more than `all`. */
function isSeveral(query: Query): boolean {
  if (query.kind === 'or') return query.of.some(isSeveral);
  return (
    query.kind === 'bool' &&
    (query.clauses.filter(({ occur }) => occur === 'want').length > 1 ||
      query.clauses.some((clause) => clause.occur !== 'not' && isSeveral(clause.query)))
  );
}
