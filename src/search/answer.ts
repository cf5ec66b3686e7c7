/** What is asked of a search, and what it answers. */
export interface Ask {
  /** Hits wanted. */
  readonly limit: number;
  /** Hits skipped. */
  readonly from: number;
  /** Field to sort by, `-field` for descending; absent: by relevance. */
  readonly sort?: string;
  /** A query that hits must match as well, without a say in their score; an empty query then finds all that match it. */
  readonly filter?: string;
  /** Values that hits have: each of these fields this very value, as a facet names it. */
  readonly narrow?: readonly { readonly field: string; readonly value: string }[];
  /** Fields whose values are counted over all hits. */
  readonly facets?: readonly string[];
  /**
   * One hit a value of this field, the best: `site`, `domain`, `type`...; `near`: one of pages with nearly the same text;
   * `none`. Absent: `near` in an index that has such groups (`index.nearDuplicates`).
   */
  readonly group?: string;
  /** An id: only this page and those with nearly the same text, each of them; an empty query then finds them all. */
  readonly near?: string;
  /** BCP 47. */
  readonly lang?: string;
  /** Time that the search may take, about, ms; it then answers with what it has found, and says so. Absent: no limit. */
  readonly timeLimit?: number;
  /** Each hit says how its score came about. */
  readonly explain?: boolean;
}

export interface Answer {
  /** All hits there are, not only those returned; that many at least where `isTotalExact` is false. */
  readonly total: number;
  /** False where the rest was not counted: ten thousand are, and what the cost or time limit allows. Absent: true. */
  readonly isTotalExact?: boolean;
  readonly hits: readonly Hit[];
  /** Did you mean: a query that finds more. */
  readonly suggestion?: string;
  readonly facets?: Readonly<Record<string, readonly FacetValue[]>>;
  /** By facet of which not all values are listed: how many more there are. */
  readonly moreFacets?: Readonly<Record<string, number>>;
  /** What was odd about the query, one plain sentence each. */
  readonly problems?: readonly string[];
  /** Of `sort`, `group` and `facets` those that name no field of the index which could be used so: a sentence each. */
  readonly unmet?: { readonly [K in 'sort' | 'group' | 'facets']?: string };
}

export interface Hit {
  readonly id: string;
  /** Absent for documents that are no pages. */
  readonly url?: string;
  /** The address under which people reach it, where `search.links` names one; that of the section then lies there too. */
  readonly link?: string;
  /** Of a file without `link`: its path below the folder that was crawled, for people. */
  readonly path?: string;
  /** Plain text. */
  readonly title: string;
  readonly score: number;
  /** HTML: text escaped, what matched inside `<mark>`. */
  readonly snippet: string;
  /**
   * The part of the page that the snippet is from: its heading as plain text, its fragment, its address. Absent where the query
   * is the title of the page.
   */
  readonly section?: { readonly text: string; readonly anchor: string; readonly url: string };
  /** ISO 8601. */
  readonly modified?: string;
  /** MIME type. */
  readonly type?: string;
  readonly lang?: string;
  /** Further hits of its group, for which it stands; absent when none. */
  readonly more?: number;
  /** Lines of text, when asked for. */
  readonly explanation?: string;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}
