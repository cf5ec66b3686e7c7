/** How a search handler behaves; every member may be left out. */
export interface ServeOptions {
  /** Heading of the page; the `name` of the source, or `Search`, when absent. */
  readonly title?: string;
  /**
   * Path the handler is mounted at, `/search`, without a slash at the end. Express takes its mount path off the address
   * and says so in `req.baseUrl`, which is understood without this.
   */
  readonly base?: string;
  /** Hits on a page of the search page. */
  readonly pageSize?: number;
  /** Fields offered beside the hits for narrowing them. */
  readonly facets?: readonly string[];
  /** Longest query, filter or address accepted, in characters. */
  readonly maxQuery?: number;
  /** Longest time that one search may take, ms; it then answers with what was found until there. -1: no limit. */
  readonly timeLimit?: number;
  /** Requests of one client: tokens a second, and how many may come at once. `null`: no limit. */
  readonly rate?: { readonly perSecond: number; readonly burst: number } | null;
  /**
   * Address of the client, for the rate limit; the socket's when absent. Behind a proxy that you run yourself, give a
   * function that reads the header your proxy sets.
   */
  readonly clientAddress?: (headers: (name: string) => string | undefined, socketAddress: string) => string;
  /** Secret of the calls that change something, and of `why` and `/metrics` where `internals` says so; '' or absent: those calls are refused. */
  readonly token?: string;
  /** Who may ask `why` and read `/metrics`: `everyone`, or only who has the `token`. */
  readonly internals?: 'everyone' | 'token';
  /** Add figures of the whole process to `/metrics`. */
  readonly processMetrics?: boolean;
  /** Hosts (without port) that requests must be addressed to, against DNS rebinding; absent: any. */
  readonly hosts?: readonly string[];
  /** Told of every failure; the client gets one sentence and no detail. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Clock, ms. */
  readonly now?: () => number;
}

export const serveDefaults = {
  title: 'Search',
  base: '',
  pageSize: 10,
  facets: ['site', 'type', 'lang'] as readonly string[],
  maxQuery: 1000,
  timeLimit: 3000,
  rate: { perSecond: 20, burst: 60 } as { readonly perSecond: number; readonly burst: number } | null,
  clientAddress: (_headers: (name: string) => string | undefined, socketAddress: string): string => socketAddress,
  token: '',
  internals: 'token' as 'everyone' | 'token',
  processMetrics: false,
  hosts: null as readonly string[] | null,
  onError: (_error: unknown, _where: string): void => {},
  now: (): number => performance.now(),
};
export type ServeSettings = typeof serveDefaults;

/** Hits further down than this are not asked for: nobody reads them, and their cost grows with their depth. */
export const DEEPEST_HIT = 10_000;
/** Most hits in one answer of the API. */
export const MOST_HITS = 100;
export const MOST_SUGGESTIONS = 20;
