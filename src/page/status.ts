/**
 * The nine states of a page in crawldb, with the byte that stands for each on disk (Nutch's own numbers, so that an
 * exchange with it needs no table). Source: nutch CrawlDatum.
 */
export const statusCode = {
  /** Known, never fetched (or to be fetched anew). */
  unfetched: 1,
  fetched: 2,
  /** Definitely not there, or given up after retries. */
  gone: 3,
  'redirect-temporary': 4,
  'redirect-permanent': 5,
  /** Fetched again and found the same. */
  'not-modified': 6,
  duplicate: 7,
  /** No page links here any more. */
  orphan: 8,
  'parse-failed': 9,
} as const;
export type Status = keyof typeof statusCode;
