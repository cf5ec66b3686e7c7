/** What a searcher is made with, what it is asked, and what it answers. */
import type { Document } from '../document.ts';
import type { Column } from '../format/columns.ts';
import type { Bm25 } from '../query/bm25.ts';
import type { Explanation } from '../query/explain.ts';
import type { Problem, Query } from '../query/query.ts';
import type { SegmentReader } from '../segment/reader.ts';
import type { Analyzer } from '../text/analyzer.ts';
import type { Highlighted } from './highlight.ts';

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
  /** The field of a document's headings; 'headings' when absent and there is one. null: a heading is text as any other. */
  readonly headingField?: string | null;
  /** A column of numbers >= 0 that lifts documents: a score is multiplied by 1 + (most - 1) * v / (v + half). */
  readonly prior?: { readonly field: string; readonly most?: number; readonly half?: number };
  /** Other names for fields in queries. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Columns that lie beside the segments, by the name they are asked for: one a segment. */
  readonly columns?: Readonly<Record<string, readonly Column[]>>;
  /** Names, of one word or several, that mean about the same, as `readSynonyms` gives them. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
  /** Language of queries that name none; that of most documents when absent, else English. */
  readonly lang?: string;
  /** Clock of time limits, ms. */
  readonly now?: () => number;
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
  /**
   * At most `limit` (1) hits with the same value of a column, the best ones; documents without a value are not held together.
   * The order is that of the same search without it.
   */
  readonly group?: { readonly field: string; readonly limit?: number };
  /** Only documents with this value of a column. */
  readonly only?: { readonly field: string; readonly value: string | number };
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
  /** Time it may take, about, ms; beyond it the search answers with what it has found. No limit when absent. */
  readonly timeLimit?: number;
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
  /** By facet of which not all values are listed: how many more there are. A field without a column is in neither. */
  readonly moreFacets?: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}
