import type { Reason } from './page/reason.ts';

/**
 * All that a crawl can tell while it runs, one union: published on the diagnostics channel `nuthatch` and handed to
 * `onEvent`. Plain data. The library prints nothing.
 */
export type CrawlEvent =
  | { readonly kind: 'round-started'; readonly round: number }
  | { readonly kind: 'step-started'; readonly step: string; readonly segment?: string }
  | {
      readonly kind: 'step-progress';
      readonly step: string;
      readonly done: number;
      readonly total: number;
      /** What is counted: 'pages', 'records', 'tasks'. */
      readonly unit: string;
    }
  | {
      readonly kind: 'step-finished';
      readonly step: string;
      readonly seconds: number;
      readonly cpuSeconds: number;
      readonly counters: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'fetch-progress';
      readonly fetched: number;
      readonly failed: number;
      readonly queued: number;
      readonly bytes: number;
      readonly inFlight: number;
      /** Of bodies in flight, waiting to be read, and not yet written, over all shards: what `work.memory` bounds. */
      readonly bytesHeld: number;
      readonly hostsReady: number;
      readonly hostsWaiting: number;
      /** ms until the slowest host is through, at its present pace. */
      readonly remainingMs: number;
      /** Over the last half second. */
      readonly pagesPerSecond: number;
      readonly bytesPerSecond: number;
      /** Age of the oldest request under way, ms. */
      readonly oldestMs: number;
      /** Hosts held longer than their delay, and why; the fullest first, at most five. */
      readonly held: readonly { readonly host: string; readonly pages: number; readonly why: string }[];
    }
  /** At the end of a fetch: of all shards' threads, ms at work on reading pages, and on packing and writing what is kept. */
  | { readonly kind: 'fetch-spent'; readonly readingMs: number; readonly storingMs: number }
  | { readonly kind: 'page'; readonly url: string; readonly reason: Reason; readonly httpStatus: number }
  | { readonly kind: 'warning'; readonly message: string; readonly where?: string };

export type OnEvent = (event: CrawlEvent) => void;
