import type { Answer, Ask, FacetValue, Hit } from '../search/answer.ts';

export type { Answer, Ask, FacetValue, Hit };

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
  /** What is searched, for the heading where no title is set: the host of a crawl of one site. */
  readonly name?: string | undefined;
}

export interface Explanation {
  readonly url: string;
  /** The address as the crawl writes it; null when it is none. */
  readonly normalized: string | null;
  /** One sentence. */
  readonly verdict: string;
  /** What can be done about it, one sentence. */
  readonly advice?: string;
  readonly steps: readonly {
    readonly step: string;
    readonly ok: boolean;
    readonly reason: string;
    readonly rule?: string;
  }[];
}
