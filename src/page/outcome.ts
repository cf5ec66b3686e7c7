import type { Reason } from './reason.ts';

/**
 * What became of one URL of a fetchlist: the record of `crawl_fetch`. Every URL of a fetchlist ends with exactly one;
 * a redirect adds one for each hop under its own URL.
 */
export const outcomeCode = {
  success: 33,
  retry: 34,
  'redirect-temporary': 35,
  'redirect-permanent': 36,
  gone: 37,
  'not-modified': 38,
  'parse-failed': 69,
  /** Not tried in this round: the page stays due, nothing else changes. */
  skipped: 70,
} as const;
export type OutcomeKind = keyof typeof outcomeCode;

export interface Outcome {
  readonly kind: OutcomeKind;
  readonly reason: Reason;
  /** When the request ended, ms since the epoch. */
  readonly fetched: number;
  /** 0 when there was no response. */
  readonly httpStatus: number;
  /** From the first byte sent to the last received, ms. */
  readonly responseMs: number;
  /** Body bytes as kept, after decoding. */
  readonly bytes: number;
  /** The body was longer than allowed and is cut. */
  readonly truncated: boolean;
  /** MIME type found, lower-case, without parameters; '' when unknown. */
  readonly contentType: string;
  readonly etag: string;
  /** As sent; '' when absent. */
  readonly lastModified: string;
  /** Where a redirect leads, normalised; '' for the others. */
  readonly target: string;
  /** Digest of the content; null when there is none. */
  readonly signature: Uint8Array | null;
  /** Address connected to, '' when none was. */
  readonly ip: string;
  /** Free detail for people: an error text, a robots rule; never a credential. */
  readonly detail: string;
}
