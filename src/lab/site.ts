/** What a lab server asks of the web it serves, be it made from a seed or read from a folder. */
export interface Site {
  readonly hosts: number;
  readonly pages: number;
  /** Host name or address, without port. */
  hostName(host: number): string;
  /** Addresses to start from, with the port: from them all expected pages can be reached. */
  seeds(): string[];
  answer(host: number, path: string, epoch: number): Answer;
  /** The address of a page, with the port. */
  address(page: number): string;
  /** robots.txt forbids it. */
  denied(page: number): boolean;
  expected(page: number): boolean;
  servable(page: number): boolean;
  crawlDelayMs(host: number): number;
  /** Null: the host is patient. */
  limit(host: number): Limit | null;
}

/** A host that answers 429 to a request sooner than `leastMs` after its last answer, and asks for a pause. */
export interface Limit {
  readonly leastMs: number;
  readonly retryAfterSeconds: number;
}

export interface Answer {
  /** Number of the page among all, -1 for what is no page. */
  readonly page: number;
  readonly what: 'page' | 'robots' | 'sitemap';
  readonly status: number;
  readonly contentType: string;
  /** Empty: none. */
  readonly etag: string;
  readonly location: string;
  /** Made only when it is sent, not for a 304. */
  readonly body: () => Buffer;
  readonly latencyMs: number;
  /** What happens to its first request. */
  readonly mishap: 'none' | 'shaky' | 'reset';
}

const EMPTY = Buffer.alloc(0);

export const plainAnswer = (given: Partial<Answer>): Answer => ({
  page: -1,
  what: 'page',
  status: 200,
  contentType: 'text/html; charset=utf-8',
  etag: '',
  location: '',
  body: () => EMPTY,
  latencyMs: 0,
  mishap: 'none',
  ...given,
});

export const notFound = (page = -1): Answer =>
  plainAnswer({
    page,
    status: 404,
    body: () => Buffer.from('<!DOCTYPE html><title>Not found</title><p>No such page.</p>'),
  });

/** Host numbers as loopback addresses: 127.0.0.1 to 127.0.0.250, then 127.0.1.1, and so on. */
export const loopback = (host: number): string => `127.0.${Math.floor(host / 250)}.${1 + (host % 250)}`;
