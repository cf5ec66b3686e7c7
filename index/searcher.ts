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
 * - Never throws for a query's sake: what could not be read or was cut short is in `problems`.
 * - `total` counts every match up to `countTo` (1,000); above, documents that cannot reach the first page are skipped
 *   uncounted and `isTotalExact` is false. Facets, sorting and grouping count all.
 *
 * Cost of a search: some microseconds for rare words, a millisecond for common ones in 100,000 pages, plus one stored block
 * unpacked for each hit. See bench/query.bench.ts.
 */
import type { Document, FieldValue } from './document.ts';
import { type Column, columnValue } from './format/columns.ts';
import { encodeLength } from './format/norms.ts';
import { type Highlighted, highlight, type Sought } from './highlight.ts';
import { type Bits, bitsOfDocs, bothBits, emptyBits, hasBit } from './query/bits.ts';
import { BM25, type Bm25 } from './query/bm25.ts';
import { Compiler, CursorPool } from './query/compile.ts';
import { cut, tokensOf } from './query/cut.ts';
import { type Docs, END } from './query/docs.ts';
import { byMistake } from './query/expand.ts';
import { type Explanation, explainPlan } from './query/explain.ts';
import { parseQuery } from './query/parse.ts';
import { joined, type Plan, type PlanOptions, planNear, planQuery } from './query/plan.ts';
import { type Problem, type Query, queryText } from './query/query.ts';
import { Statistics } from './query/statistics.ts';
import { collectTop, type Prior, TopDocs } from './query/top.ts';
import type { SegmentReader } from './segment/reader.ts';
import { ACCENTED, type Analyzer, BARE } from './text/analyzer.ts';
import { stopWords } from './text/stop.ts';

/** What is searched: `openSnapshot` gives one, and so do readers in an array. */
export interface Searchable {
  readonly segments: readonly SegmentReader[];
}

export interface SearcherOptions {
  /** Chains by name; those of text/chains.ts when absent. */
  readonly analyzers?: (name?: string) => Analyzer | undefined;
  readonly bm25?: Bm25;
  /** Weights of fields asked by default, over those of the schema; 0 leaves a field out. */
  readonly fields?: Readonly<Record<string, number>>;
  /** The field that names a document; 'title' when absent and there is one. null: no rule of exact titles. */
  readonly titleField?: string | null;
  /** A column of numbers >= 0 that lifts documents: a score is multiplied by 1 + (most - 1) * v / (v + half). */
  readonly prior?: { readonly field: string; readonly most?: number; readonly half?: number };
  /** Other names for fields in queries. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** By folded word, words that mean about the same. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
  /** Language of queries that name none; that of most documents when absent, else English. */
  readonly lang?: string;
}

export interface SearchOptions {
  /** Hits given; 10. */
  readonly limit?: number;
  /** Hits passed over. */
  readonly from?: number;
  /** The `after` of the last hit of the page before: goes on right behind it. With the same query and options. */
  readonly after?: string;
  /** A field with a column, `-field` for the largest first; documents without a value come last. By score when absent. */
  readonly sort?: string;
  /** Queries whose documents alone are looked at; they do not score. Remembered from search to search. */
  readonly filter?: string | Query | readonly (string | Query)[];
  /** Fields with a column: how many hits have which value, most first. */
  readonly facets?: readonly (string | { readonly field: string; readonly limit?: number })[];
  /** At most `limit` (1) hits with the same value of a column; documents without a value are not held together. */
  readonly group?: { readonly field: string; readonly limit?: number };
  readonly lang?: string;
  readonly explain?: boolean;
  /** true: all stored text fields, the title whole; or the fields with the length of their passage, 0 for the whole. */
  readonly highlight?: boolean | Readonly<Record<string, number>>;
  /** Stored fields to give; all when absent. */
  readonly stored?: readonly string[] | false;
  readonly fields?: Readonly<Record<string, number>>;
  /** `all`, `any`, or `auto`: all, and any where that finds too few. */
  readonly mode?: 'auto' | 'all' | 'any';
  readonly relaxBelow?: number;
  readonly countTo?: number;
  /** Postings read at most, about; beyond it the search answers with what it has found. 200 million. */
  readonly budget?: number;
  /** False: words in the form typed alone, small words too. */
  readonly widen?: boolean;
  /** False: words near each other count no more than words far apart. */
  readonly near?: boolean;
  /** False: without the rule of exact titles. */
  readonly exactTitle?: boolean;
}

export interface DocRef {
  /** Place of the segment in the snapshot. */
  readonly segment: number;
  readonly doc: number;
}

export interface Hit {
  readonly doc: DocRef;
  /** Value of the schema's key field; undefined where it is not stored. */
  readonly key: string | undefined;
  readonly score: number;
  /** Stored fields. */
  readonly fields: Document;
  /** To go on behind this hit. */
  readonly after: string;
  readonly highlights?: Readonly<Record<string, Highlighted>>;
  readonly explain?: Explanation;
  /** Value of the column grouped by, and how many more hits have it. */
  readonly group?: { readonly value: string | number | undefined; readonly more: number };
}

export interface SearchResult {
  readonly total: number;
  readonly isTotalExact: boolean;
  readonly hits: readonly Hit[];
  /** The query as it was understood. */
  readonly query: string;
  /** Too few documents had all the words: these have some. */
  readonly relaxed: boolean;
  /** The query with words of the index for those it does not know; only where that may help. */
  readonly suggestion?: string;
  readonly facets?: Readonly<Record<string, readonly { readonly value: string | number; readonly count: number }[]>>;
  readonly problems: readonly Problem[];
}

/** Weight of the title where the schema gives none: the best of 1 to 4 on the judged collections (bench/relevance.bench.ts). */
const TITLE_WEIGHT = 4;
/** Hits that are looked at for words near each other: a number of its own, so that no page changes another's order. */
const LOOKED_CLOSER = 50;
const COUNT_TO = 1000;
const RELAX_BELOW = 10;
const BUDGET = 200_000_000;
/** Filters remembered. */
const FILTERS = 64;
/** Lines remembered with their plans. */
const PREPARED = 500;
const MAX_LIMIT = 10_000;
/** Titles that are looked at word by word for the rule of exact titles, in a segment. */
const TITLES_VERIFIED = 20;
const PASSAGE = 200;

export class Searcher {
  readonly snapshot: Searchable;
  readonly stats: Statistics;
  /** Number of live documents. */
  readonly docs: number;
  readonly lang: string;
  readonly #options: SearcherOptions;
  readonly #pool = new CursorPool();
  readonly #bases: readonly number[];
  readonly #filters = new Map<string, readonly (Bits | null)[]>();
  readonly #titleField: string | undefined;
  readonly #ready = new Map<string, Prepared>();

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

  search(asked: string | Query, options: SearchOptions = {}): SearchResult {
    const ready = this.#prepare(asked, options);
    const { query } = ready;
    const filter = this.#filterOf(options.filter, []);
    const mode = options.mode ?? 'auto';
    let plan = this.#planOf(ready, mode === 'any' ? 'any' : 'all', options);
    const problems = [...ready.problems];
    let relaxed = mode === 'any';
    let found = this.#find(plan, ready, filter, options);
    // Fewer than wished for: documents with some of the words; none for one word: with some of its parts.
    const enough = isSeveral(query) ? (options.relaxBelow ?? RELAX_BELOW) : 1;
    if (mode === 'auto' && found.total < enough) {
      const wider = this.#planOf(ready, 'any', options);
      const more = this.#find(wider, ready, filter, options);
      if (more.total > found.total) {
        plan = wider;
        found = more;
        relaxed = true;
      }
    }
    if (found.isOver)
      problems.push({
        code: 'cost-limit',
        message: 'The query costs more than allowed; these are the hits found until then.',
      });
    const suggestion = found.total === 0 || relaxed ? this.#suggestion(asked, query) : undefined;
    const facets = options.facets ? this.#facets(plan, filter, options.facets) : undefined;
    const sought = options.highlight ? soughtBy(plan) : undefined;
    const result: SearchResult = {
      total: found.total,
      isTotalExact: found.isExact,
      hits: found.hits.map((hit) => this.#hit(hit, plan, sought, options)),
      query: (ready.text ??= queryText(query)),
      relaxed,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(facets ? { facets } : {}),
      problems,
    };
    this.#pool.release();
    return result;
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
    const segment = this.snapshot.segments[ref.segment];
    if (!segment || ref.doc < 0 || ref.doc >= segment.docs)
      return { total: 0, isTotalExact: true, hits: [], query: '', relaxed: false, problems: [] };
    const plan = this.#likePlan(segment.stored(ref.doc));
    const filter = this.#filterOf(options.filter, []).map((bits, i) => {
      if (i !== ref.segment) return bits;
      const without = bits ? bits.slice() : emptyBits(segment.docs).fill(-1);
      without[ref.doc >>> 5]! &= ~(1 << (ref.doc & 31));
      return without;
    });
    const found = this.#find(plan, this.#prepare({ kind: 'none' }, options), filter, options);
    const sought = options.highlight ? soughtBy(plan) : undefined;
    const hits = found.hits.map((hit) => this.#hit(hit, plan, sought, options));
    this.#pool.release();
    return { total: found.total, isTotalExact: found.isExact, hits, query: '', relaxed: true, problems: [] };
  }

  /** The document with this key; undefined when there is none. */
  find(key: string): DocRef | undefined {
    const field = this.snapshot.segments[0]?.schema.key;
    if (field === undefined) return undefined;
    for (const [i, segment] of this.snapshot.segments.entries()) {
      const dictionary = segment.terms(field);
      const n = dictionary.find(key);
      if (n < 0) continue;
      const cursor = dictionary.postings(n);
      while (cursor.next() !== END)
        if (!segment.live || hasBit(segment.live, cursor.doc)) return { segment: i, doc: cursor.doc };
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
  #filterOf(filter: SearchOptions['filter'], problems: Problem[]): readonly (Bits | null)[] {
    let accept: readonly (Bits | null)[] = this.snapshot.segments.map(({ live }) => live);
    const all = filter === undefined ? [] : Array.isArray(filter) ? filter : [filter];
    for (const one of all as readonly (string | Query)[]) {
      const query = typeof one === 'string' ? this.parse(one).query : one;
      const bits = this.#filterBits(query, problems);
      accept = accept.map((own, i) => bothBits(own, bits[i]!));
    }
    return accept;
  }

  #filterBits(query: Query, problems: Problem[]): readonly (Bits | null)[] {
    const key = JSON.stringify(query);
    const known = this.#filters.get(key);
    if (known) return known;
    const plan = this.plan(query, 'all', { widen: false }, problems);
    const bits = this.snapshot.segments.map((segment) => {
      const docs = new Compiler(segment, this.stats, this.#pool).docs(plan);
      return docs ? bitsOfDocs(docs, segment.docs) : emptyBits(segment.docs);
    });
    if (this.#filters.size >= FILTERS) this.#filters.delete(this.#filters.keys().next().value!);
    this.#filters.set(key, bits);
    return bits;
  }

  #find(plan: Plan, ready: Prepared, accept: readonly (Bits | null)[], options: SearchOptions): Found {
    if (plan.kind === 'none') return { total: 0, isExact: true, isOver: false, hits: [] };
    if (options.sort !== undefined || options.group) return this.#findAll(plan, accept, options);
    const limit = Math.min(Math.max(0, options.limit ?? 10), MAX_LIMIT);
    const behind = readAfter(options.after);
    const from = behind ? (behind.rank ?? 0) : Math.min(Math.max(0, options.from ?? 0), MAX_LIMIT);
    const near = limit > 0 && !(behind && behind.rank === undefined) ? this.#nearPlan(ready, options) : NOTHING;
    const top = new TopDocs(
      near.kind === 'none' ? limit + from : Math.max(limit + from, LOOKED_CLOSER),
      options.facets ? Number.POSITIVE_INFINITY : (options.countTo ?? COUNT_TO),
      behind && behind.rank === undefined ? behind : null,
      options.budget ?? BUDGET,
    );
    const { segments } = this.snapshot;
    const compiled = segments.map((segment) => new Compiler(segment, this.stats, this.#pool).docs(plan));
    const titleTerms = options.exactTitle === false ? null : this.#titleTerms(ready.query);
    // More than any other document can have.
    const bonus = titleTerms
      ? compiled.reduce((most, docs) => Math.max(most, docs?.max ?? 0), 0) *
          ((this.#options.prior?.most ?? 1.3) + 0.3) +
        1
      : 0;
    for (const [i, segment] of segments.entries()) {
      const docs = compiled[i];
      if (!docs) continue;
      const prior = this.#prior(segment);
      const exact = titleTerms ? this.#exactTitles(titleTerms, segment) : null;
      top.segment(this.#bases[i]!, accept[i]!, prior, exact && exact.size > 0 ? exact : null);
      if (exact && exact.size > 0) {
        const again = new Compiler(segment, this.stats, this.#pool).docs(plan)!;
        for (const doc of exact) if (again.seek(doc) === doc) top.pushFirst(doc, again.score(), bonus);
      }
      collectTop(docs, top, segment.docs);
      if (top.budget < 0) break;
    }
    return {
      total: top.total,
      isExact: top.isExact && top.budget >= 0,
      isOver: top.budget < 0,
      hits: this.#lookCloser(top.results(), near).slice(from, from + limit),
    };
  }

  /** Puts the best in order once more, by what their words' nearness adds. */
  #lookCloser(best: readonly { readonly doc: number; readonly score: number }[], near: Plan): FoundHit[] {
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
    if (near.kind === 'none') return hits;
    const first = hits.slice(0, LOOKED_CLOSER).sort((a, b) => a.global - b.global);
    let segment = -1;
    let docs: Docs | null = null;
    for (const hit of first) {
      if (hit.segment !== segment) {
        segment = hit.segment;
        docs = new Compiler(this.snapshot.segments[segment]!, this.stats, this.#pool).docs(near);
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

  /** Every match, sorted or grouped. */
  #findAll(plan: Plan, accept: readonly (Bits | null)[], options: SearchOptions): Found {
    const limit = Math.min(Math.max(0, options.limit ?? 10), MAX_LIMIT);
    const matches: Match[] = [];
    const columns = this.#sortColumns(options.sort);
    let budget = options.budget ?? BUDGET;
    for (const [i, segment] of this.snapshot.segments.entries()) {
      const docs = new Compiler(segment, this.stats, this.#pool).docs(plan);
      if (!docs) continue;
      const bits = accept[i]!;
      const prior = this.#prior(segment);
      for (let doc = docs.next(); doc !== END && --budget >= 0; doc = docs.next()) {
        if (bits && !hasBit(bits, doc)) continue;
        const score = Math.fround(docs.score() * (prior?.factor(doc) ?? 1));
        const column = columns?.[i];
        matches.push({
          segment: i,
          doc,
          score,
          value: column ? (columnValue(column, doc) as string | number | undefined) : score,
        });
      }
    }
    const isDown = options.sort === undefined || options.sort.startsWith('-');
    matches.sort((a, b) => {
      if (a.value !== b.value) {
        if (a.value === undefined) return 1;
        if (b.value === undefined) return -1;
        return a.value < b.value === isDown ? 1 : -1;
      }
      return a.segment - b.segment || a.doc - b.doc;
    });
    const kept = options.group ? this.#grouped(matches, options.group) : matches;
    let from = Math.max(0, options.from ?? 0);
    const after = readAfter(options.after);
    if (after && after.rank === undefined)
      from = kept.findIndex((match) => this.#bases[match.segment]! + match.doc === after.doc) + 1;
    return {
      total: matches.length,
      isExact: budget >= 0,
      isOver: budget < 0,
      hits: kept.slice(from, from + limit).map((match) => ({
        segment: match.segment,
        doc: match.doc,
        score: match.score,
        base: match.score,
        near: 0,
        rank: undefined,
        global: this.#bases[match.segment]! + match.doc,
        group: match.group,
      })),
    };
  }

  #sortColumns(sort: string | undefined): readonly (Column | null)[] | null {
    if (sort === undefined) return null;
    const field = this.#fieldOf(sort.replace(/^-/, ''));
    return field === undefined ? null : this.snapshot.segments.map((segment) => segment.column(field));
  }

  #grouped(matches: readonly Match[], group: { readonly field: string; readonly limit?: number }): Match[] {
    const field = this.#fieldOf(group.field);
    const columns = this.snapshot.segments.map((segment) => (field === undefined ? null : segment.column(field)));
    const most = group.limit ?? 1;
    const counts = new Map<string | number, number>();
    const kept: { match: Match; value: string | number | undefined }[] = [];
    for (const match of matches) {
      const column = columns[match.segment];
      const value = column ? (columnValue(column, match.doc) as string | number | undefined) : undefined;
      if (value === undefined) {
        kept.push({ match, value });
        continue;
      }
      const count = (counts.get(value) ?? 0) + 1;
      counts.set(value, count);
      if (count <= most) kept.push({ match, value });
    }
    return kept.map(({ match, value }) => ({
      ...match,
      group: { value, more: value === undefined ? 0 : Math.max(0, counts.get(value)! - most) },
    }));
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

  /** Terms that a title must have, one a position, when the query is nothing but words and phrases; else null. */
  #titleTerms(query: Query): TitleTerms | null {
    if (this.#titleField === undefined) return null;
    const text = plainText(query);
    const chain = this.stats.chain(this.#titleField);
    if (text === null || !chain) return null;
    const { tokens, positions } = tokensOf(chain, text, this.lang);
    const atoms = cut(chain, text, this.lang).atoms;
    if (atoms.length === 0 || atoms.length > 64) return null;
    return { atoms, positions, shape: shapeOf(tokens) };
  }

  /** Documents whose title has these words and no other. */
  #exactTitles(terms: TitleTerms, segment: SegmentReader): Set<number> {
    const field = this.#titleField!;
    const found = new Set<number>();
    const norms = segment.norms(field);
    const docs = new Compiler(segment, this.stats, this.#pool).docs(
      terms.atoms.length === 1
        ? { kind: 'terms', label: '', fields: [field], terms: terms.atoms, score: 1 }
        : { kind: 'phrase', label: '', fields: [{ field, weight: 1 }], terms: terms.atoms, slop: 0, weight: 1 },
    );
    if (!docs || !norms) return found;
    const length = encodeLength(terms.positions);
    for (let doc = docs.next(); doc !== END && found.size < 1000; doc = docs.next())
      if (norms[doc] === length) found.add(doc);
    // Signs count: C is not C++. Where the title is kept and candidates are few, it is read.
    if (found.size > 0 && found.size <= TITLES_VERIFIED && this.stats.fields.get(field)?.stored) {
      const chain = this.stats.chain(field)!;
      for (const doc of found) {
        const title = segment.stored(doc)[field];
        const texts = typeof title === 'string' ? [title] : Array.isArray(title) ? (title as string[]) : [];
        if (!texts.some((text) => shapeOf(tokensOf(chain, text, this.lang).tokens) === terms.shape)) found.delete(doc);
      }
    }
    return found;
  }

  #suggestion(asked: string | Query, query: Query): string | undefined {
    if (typeof asked !== 'string') return undefined;
    const fields = [...this.#defaultFields().keys()];
    let text = asked;
    let changed = false;
    for (const word of plainWords(query).slice(0, 8)) {
      for (const field of fields) {
        const chain = this.stats.chain(field);
        if (!chain) continue;
        const { atoms } = cut(chain, word, this.lang);
        const [atom] = atoms;
        if (
          atoms.length !== 1 ||
          atom!.length < 4 ||
          /\d/.test(atom!) ||
          fields.some((one) => this.stats.df(one, atom!) > 0)
        )
          break;
        const dictionaries = fields.flatMap((one) => this.stats.dictionaries(one));
        const guess =
          byMistake(atom!, 1, dictionaries)[0] ?? (atom!.length > 5 ? byMistake(atom!, 2, dictionaries)[0] : undefined);
        if (guess) {
          const at = text.indexOf(word);
          text = text.slice(0, at) + guess.term + text.slice(at + word.length);
          changed = true;
        }
        break;
      }
    }
    return changed ? text : undefined;
  }

  #facets(
    plan: Plan,
    accept: readonly (Bits | null)[],
    asked: NonNullable<SearchOptions['facets']>,
  ): NonNullable<SearchResult['facets']> {
    const hits = this.snapshot.segments.map((segment, i) => {
      const docs = new Compiler(segment, this.stats, this.#pool).docs(plan);
      return docs ? bothBits(bitsOfDocs(docs, segment.docs), accept[i]!) : null;
    });
    const out: Record<string, readonly { value: string | number; count: number }[]> = {};
    for (const one of asked) {
      const { field: name, limit = 10 } = typeof one === 'string' ? { field: one } : one;
      const field = this.#fieldOf(name);
      const counts = new Map<string | number, number>();
      if (field !== undefined)
        this.snapshot.segments.forEach((segment, i) => {
          const column = segment.column(field);
          const bits = hits[i];
          if (column && bits) countValues(column, bits, segment.docs, counts);
        });
      out[name] = [...counts.entries()]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, limit);
    }
    return out;
  }

  #likePlan(document: Document): Plan {
    const fields = this.#defaultFields();
    const counts = new Map<string, number>();
    const stops = stopWords(this.lang);
    for (const field of fields.keys()) {
      const chain = this.stats.chain(field);
      const value = document[field];
      if (!chain || value === undefined) continue;
      for (const text of textsOf(value))
        for (const { term, kind } of tokensOf(chain, text.slice(0, 50_000), this.lang).tokens)
          if (kind !== ACCENTED && kind !== BARE && term.length > 2 && !stops.has(term))
            counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const weighed = [...counts.entries()].flatMap(([term, count]) => {
      const df = Math.max(...[...fields.keys()].map((field) => this.stats.df(field, term)));
      return df < 2 ? [] : [{ term, df, weight: this.stats.idf(df) * (count / (count + 1.2)) }];
    });
    weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
    return joined(
      'or',
      weighed.slice(0, 25).map(({ term, df, weight }) => ({
        kind: 'group',
        label: term,
        df,
        weight,
        members: [...fields].map(([field, fieldWeight]) => ({ field, term, weight: fieldWeight })),
      })),
    );
  }

  #hit(found: FoundHit, plan: Plan, sought: Sought | undefined, options: SearchOptions): Hit {
    const segment = this.snapshot.segments[found.segment]!;
    const all = options.stored !== false || sought ? segment.stored(found.doc) : NO_FIELDS;
    const key = all[segment.schema.key];
    const kept = options.stored;
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
    for (const field of this.stats.fields.values()) {
      if (field.index !== 'text' || !field.stored || (asked && asked[field.name] === undefined)) continue;
      const value = document[field.name];
      const analyzer = this.stats.chain(field.name);
      if (value === undefined || !analyzer) continue;
      const length = asked?.[field.name] ?? (field.name === this.#titleField ? 0 : PASSAGE);
      out[field.name] = highlight(textsOf(value).join('\n'), sought, {
        analyzer,
        lang: options.lang ?? this.lang,
        length,
      });
    }
    return out;
  }
}

const NO_FIELDS: Document = {};

/** A hit; `after` is made when it is asked for, since turning a score into text costs more than finding it. */
class FoundDocument implements Hit {
  readonly doc: DocRef;
  readonly key: string | undefined;
  readonly score: number;
  readonly fields: Document;
  highlights?: Readonly<Record<string, Highlighted>>;
  explain?: Explanation;
  group?: { readonly value: string | number | undefined; readonly more: number };
  readonly #found: FoundHit;

  constructor(doc: DocRef, key: string | undefined, score: number, fields: Document, found: FoundHit) {
    this.doc = doc;
    this.key = key;
    this.score = score;
    this.fields = fields;
    this.#found = found;
  }
  get after(): string {
    const { rank, base, global } = this.#found;
    return rank === undefined ? `${base}:${global}` : `~${rank}`;
  }
}

interface FoundHit extends DocRef {
  score: number;
  /** The score before words near each other were looked at, and what these add. */
  readonly base: number;
  near: number;
  /** Place from 1 where these decided the order; to go on behind a hit that has one, it is counted to. */
  rank: number | undefined;
  /** Number of the document over all segments. */
  readonly global: number;
  readonly group: { readonly value: string | number | undefined; readonly more: number } | undefined;
}
interface Found {
  readonly total: number;
  readonly isExact: boolean;
  readonly isOver: boolean;
  readonly hits: readonly FoundHit[];
}
interface Match {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  readonly value: string | number | undefined;
  readonly group?: { readonly value: string | number | undefined; readonly more: number };
}
/** A query read and, as it is needed, made ready in either mode. */
interface Prepared {
  readonly query: Query;
  readonly problems: Problem[];
  all: Plan | null;
  any: Plan | null;
  near: Plan | null;
  text: string | null;
}
interface TitleTerms {
  readonly atoms: readonly string[];
  readonly positions: number;
  readonly shape: string;
}

const shapeOf = (tokens: readonly { readonly term: string; readonly kind: number }[]): string =>
  tokens.flatMap(({ term, kind }) => (kind === ACCENTED || kind === BARE ? [] : [term])).join('\n');

const textsOf = (value: FieldValue): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];

/** `score:doc`, or `~rank` among the hits that were looked at closer. Null for anything else: from the beginning. */
function readAfter(after: string | undefined): { score: number; doc: number; rank?: number } | null {
  const rank = after === undefined ? null : /^~(\d{1,5})$/.exec(after);
  if (rank) return { score: 0, doc: 0, rank: Number(rank[1]) };
  const match = after === undefined ? null : /^(-?[\d.e+-]+):(\d+)$/.exec(after);
  return match ? { score: Number(match[1]), doc: Number(match[2]) } : null;
}

const NOTHING: Plan = { kind: 'none' };

/** Are there several wanted clauses anywhere? Only then does `any` find more than `all`. */
function isSeveral(query: Query): boolean {
  if (query.kind === 'or') return query.of.some(isSeveral);
  return (
    query.kind === 'bool' &&
    (query.clauses.filter(({ occur }) => occur === 'want').length > 1 ||
      query.clauses.some((clause) => clause.occur !== 'not' && isSeveral(clause.query)))
  );
}

/** The text of a query of nothing but wanted words and phrases; null for any other. */
function plainText(query: Query): string | null {
  switch (query.kind) {
    case 'word':
    case 'phrase':
      return query.field === undefined ? query.text : null;
    case 'bool': {
      const texts = query.clauses.map((clause) => (clause.occur === 'want' ? plainText(clause.query) : null));
      return texts.some((text) => text === null) ? null : texts.join(' ');
    }
    default:
      return null;
  }
}

function plainWords(query: Query): string[] {
  switch (query.kind) {
    case 'word':
      return query.field === undefined ? [query.text] : [];
    case 'bool':
      return query.clauses.flatMap((clause) => (clause.occur === 'not' ? [] : plainWords(clause.query)));
    case 'or':
      return query.of.flatMap(plainWords);
    default:
      return [];
  }
}

/** What a plan looks for, for marking: each term with its weight, each phrase whole. */
export function soughtBy(plan: Plan): Sought {
  const terms = new Map<string, number>();
  const phrases: { terms: readonly string[]; slop: number; weight: number }[] = [];
  const prefixes = new Map<string, number>();
  const visit = (plan: Plan): void => {
    switch (plan.kind) {
      case 'group':
        for (const { term } of plan.members) terms.set(term, Math.max(terms.get(term) ?? 0, plan.weight));
        break;
      case 'terms':
        for (const term of plan.terms) terms.set(term, Math.max(terms.get(term) ?? 0, plan.score));
        if (plan.prefix !== undefined) prefixes.set(plan.prefix, plan.score);
        break;
      case 'phrase':
        phrases.push({ terms: plan.terms, slop: plan.slop, weight: plan.weight });
        break;
      case 'and':
      case 'or':
      case 'best':
        plan.of.forEach(visit);
        break;
      case 'not':
        visit(plan.from);
        break;
      case 'optional':
        visit(plan.must);
        visit(plan.more);
        break;
      default:
        break;
    }
  };
  visit(plan);
  return { terms, phrases, prefixes };
}

function countValues(column: Column, bits: Bits, docs: number, counts: Map<string | number, number>): void {
  if (column.kind === 'string') {
    const byOrdinal = new Int32Array(column.dictionary.size + 1);
    for (let doc = 0; doc < docs; doc++) if (hasBit(bits, doc)) byOrdinal[column.ordinals[doc]!]!++;
    for (let ordinal = 1; ordinal < byOrdinal.length; ordinal++) {
      const count = byOrdinal[ordinal]!;
      if (count === 0) continue;
      const value = column.dictionary.value(ordinal)!;
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    return;
  }
  for (let doc = 0; doc < docs; doc++) {
    if (!hasBit(bits, doc)) continue;
    const value = columnValue(column, doc);
    if (typeof value === 'number') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
}
