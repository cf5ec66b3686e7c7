import type { Reason } from './reason.ts';
import type { Status } from './status.ts';

/**
 * Everything crawldb remembers about one URL. Due time and last fetch time are apart (Nutch overloads one field and
 * pays for it in dedup, merge and statistics).
 */
export interface PageState {
  readonly status: Status;
  /** When it may be fetched next, ms since the epoch. */
  readonly due: number;
  /** When it was last fetched, ms since the epoch; 0: never. */
  readonly fetched: number;
  /** Time between two fetches, in seconds. */
  readonly interval: number;
  /** An interval that no adaptive schedule may change, in seconds; 0: none. */
  readonly fixedInterval: number;
  /** Failed tries in a row; saturates at 255. */
  readonly retries: number;
  readonly score: number;
  /** When the content last changed, ms since the epoch; 0: unknown. */
  readonly modified: number;
  /** As the server sent it; '' when there was none. */
  readonly etag: string;
  /** Last-Modified as the server sent it; '' when there was none. */
  readonly lastModified: string;
  /** Digest of the content at the last successful fetch; null before it. Owned by the record: never written to. */
  readonly signature: Uint8Array | null;
  /** Links from a seed: 0 for a seed. */
  readonly depth: number;
  /** Held by a segment that is being fetched: cleared by a fetch result or by expiry, nothing else. */
  readonly lease: Lease | null;
  /** Why the last outcome was what it was. */
  readonly reason: Reason;
  /** HTTP status of the last response; 0 when there was none. */
  readonly httpStatus: number;
  /** Where it redirects to; '' when it does not. */
  readonly target: string;
  /** How many other pages are known to link here. */
  readonly inlinks: number;
  /** Since when no page links here any more, ms since the epoch; 0: some page does, or none ever did. */
  readonly unlinked: number;
  /** What the links of the whole crawl give it (linkrank), 1 being the mean; 0: not computed. */
  readonly rank: number;
  /** User metadata from the seed line, handed down to redirect targets only. */
  readonly meta: ReadonlyMap<string, string>;
}

export interface Lease {
  /** Name of the segment the URL was generated into. */
  readonly segment: string;
  /** ms since the epoch. */
  readonly expires: number;
}

const NO_META: ReadonlyMap<string, string> = new Map();

/** A page just heard of: never tried, due at once. `interval` in seconds. */
export const newState = (now: number, interval: number, given: Partial<PageState> = {}): PageState => ({
  status: 'unfetched',
  due: now,
  fetched: 0,
  interval,
  fixedInterval: 0,
  retries: 0,
  score: 0,
  modified: 0,
  etag: '',
  lastModified: '',
  signature: null,
  depth: 0,
  lease: null,
  reason: 'none',
  httpStatus: 0,
  target: '',
  inlinks: 0,
  unlinked: 0,
  rank: 0,
  meta: NO_META,
  ...given,
});

/** A clock may be off by so much, ms, and still be believed. */
const SLACK = 86_400_000;

/**
 * The time of a fetch as far as it can be believed: one that lies ahead of now was told by a clock that was wrong, and says
 * nothing (0).
 */
export const believed = (fetched: number, now: number): number => (fetched - now > SLACK ? 0 : fetched);
