/**
 * What the search page and the HTTP API are served from. A `Crawl` is one; so is anything that can answer the same
 * three questions, which is how a search over other documents gets the same page.
 */
export interface SearchSource {
  search(query: string, ask: Ask): Promise<Answer>;
  /** Type-ahead: whole titles and phrases that occur, best first. */
  suggest(prefix: string, limit: number): Promise<readonly string[]>;
  /** Follows one address from seed to hit; absent when there is no crawl behind the index. */
  why?(url: string): Promise<Explanation>;
  /** Looks for a newer commit and answers from it from now on. */
  reload?(): Promise<void>;
  /** Documents that can be found now. */
  documents?(): Promise<number>;
}

export interface Ask {
  /** Hits wanted. */
  readonly limit: number;
  /** Hits skipped. */
  readonly from: number;
  /** Field to sort by, `-field` for descending; absent: by relevance. */
  readonly sort?: string;
  /** A query that hits must match as well, without a say in their score. */
  readonly filter?: string;
  /** Fields whose values are counted over all hits. */
  readonly facets?: readonly string[];
  /** BCP 47. */
  readonly lang?: string;
}

export interface Answer {
  /** All hits there are, not only those returned. */
  readonly total: number;
  readonly hits: readonly Hit[];
  /** Did you mean: a query that finds more. */
  readonly suggestion?: string;
  readonly facets?: Readonly<Record<string, readonly FacetValue[]>>;
  /** What was odd about the query, one plain sentence each. */
  readonly problems?: readonly string[];
}

export interface Hit {
  readonly id: string;
  /** Absent for documents that are no pages. */
  readonly url?: string;
  /** Plain text. */
  readonly title: string;
  readonly score: number;
  /** HTML: text escaped, what matched inside `<mark>`. */
  readonly snippet: string;
  /** The part of the page that the snippet is from: its heading as plain text, its fragment, its address. */
  readonly section?: { readonly text: string; readonly anchor: string; readonly url: string };
  /** ISO 8601. */
  readonly modified?: string;
  /** MIME type. */
  readonly type?: string;
  readonly lang?: string;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Explanation {
  readonly url: string;
  /** The address as the crawl writes it; null when it is none. */
  readonly normalized: string | null;
  /** One sentence. */
  readonly verdict: string;
  readonly steps: readonly {
    readonly step: string;
    readonly ok: boolean;
    readonly reason: string;
    readonly rule?: string;
  }[];
}
