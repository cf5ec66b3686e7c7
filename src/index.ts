/** The door of nuthatch: all that leaves this half, by name. The search core has a door of its own, `nuthatch/search`. */
export { Crawl, type CrawlMore, type Round, type Summary } from './crawl.ts';
export { CrawlError, type CrawlErrorCode, crawlErrorCodes } from './errors.ts';
export type { CrawlEvent, OnEvent } from './events.ts';
export { pageSchema } from './fields/schema.ts';
export type { IndexCall } from './jobs/index-session.ts';
export type { InjectMode } from './jobs/inject.ts';
export { defaults, type Options, optionKeys, type Settled } from './options.ts';
export { explain, type Reason, reasons } from './page/reason.ts';
export type { Status } from './page/status.ts';
export type { HostRecord } from './read/hosts.ts';
export type { CrawldbStats, PageRecord } from './read/pages.ts';
export type { SegmentPage, SegmentStats } from './read/segment.ts';
export type { Verdict } from './read/verify.ts';
export type { Counters } from './run/context.ts';
export type { Answer, Ask, FacetValue, Hit } from './search/answer.ts';
export { type Origins, settle } from './settle.ts';
export type { Sink } from './transfer/export.ts';
export type { Explanation, Step } from './why/why.ts';
