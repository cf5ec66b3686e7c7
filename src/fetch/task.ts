import type { MessagePort } from 'node:worker_threads';
import type { TlsSettings } from '../net/get.ts';
import type { Settled } from '../options.ts';
import type { Outcome } from '../page/outcome.ts';
import type { ParsedPage } from '../page/parsed.ts';
import type { Reason } from '../page/reason.ts';
import type { Unread } from '../parse/documents/kind.ts';
import type { PageReadFor, PageWork } from './handover.ts';
import type { Spent } from './spent.ts';

/** What passes between the fetch job and its shards: plain data, but for the port and the shared memory. */
export interface ShardTask {
  readonly dir: string;
  readonly segment: string;
  /** Which of `shards` it is: it owns the queues of that number. */
  readonly shard: number;
  readonly shards: number;
  /** The number of its files. */
  readonly file: number;
  readonly options: Settled;
  /** How far the clock of the crawl is ahead of the one of the machine, ms. */
  readonly ahead: number;
  readonly seeds: readonly string[];
  /** Keys that an earlier attempt has dealt with. */
  readonly done: readonly string[];
  /** Keys on which an earlier attempt died. */
  readonly died: readonly string[];
  /** URLs that an attempt was reading when its process ended, and perhaps because of one of them. */
  readonly suspected: readonly string[];
  /** Queue -> when its last request ended, ms since the epoch. */
  readonly ends: Readonly<Record<string, number>>;
  /** Host -> address, for queues by address. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What `net.hosts` says of certificates, the files read. */
  readonly tls: Readonly<Record<string, TlsSettings>>;
  /** Authority -> rules of an earlier round (rules.ts). */
  readonly rules: Readonly<Record<string, Uint8Array>>;
  /** Threads that have nothing else to do and may read pages of this shard. */
  readonly helpers: number;
  readonly budget: SharedArrayBuffer;
  /** Where it writes what it parses, so that the page that kills it can be told; see `Suspect`. */
  readonly suspect: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** One page to visit. Plain data: it may cross to another shard. */
export interface Item {
  readonly url: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly score: number;
  readonly depth: number;
  /** Failed tries in earlier rounds. */
  readonly retries: number;
  /** The redirects that led here, the first one first. */
  readonly hops: readonly Hop[];
  /** Tries in this round that came to nothing. */
  tries: number;
  /** Its head could not be read by the rules: a lenient parser is given a try. */
  lenient?: boolean;
  /** Nothing of it is known but its links: it was read in a crawl that reads no more (`index.linksOnly`). */
  readonly textless?: boolean;
  /** It asked not to be indexed when it was read. */
  readonly noindex?: boolean;
  /** Named as a sitemap: by robots.txt (1), by a sitemap of sitemaps (2 and more). Absent: its bytes must tell. */
  readonly sitemap?: number;
  /** No page, but where the robots.txt of an authority redirects to: asked when the queue of its host has its turn. */
  readonly rulesOf?: RulesAsk;
}

export interface RulesAsk {
  readonly authority: string;
  /** The shard that waits for the answer. */
  readonly shard: number;
  /** Which redirect it is, from 1. */
  readonly hop: number;
}

/** What a request for a robots.txt came to. */
export type RulesAnswer =
  | {
      readonly answered: true;
      readonly status: number;
      readonly location: string;
      readonly retryAfter: string;
      readonly body: Uint8Array;
    }
  | { readonly answered: false; readonly reason: Reason; readonly detail: string };

/** A redirect on the way to a page. */
export interface Hop {
  readonly url: string;
  /** Its answer changed a cookie: an address asked before may answer otherwise now. */
  readonly cookie: boolean;
  /**
   * Its outcome, held back until the chain has ended, since a cookie may lead back to it; null: recorded already.
   */
  readonly outcome: Outcome | null;
}

export type ShardOrder =
  | { readonly kind: 'visit'; readonly item: Item }
  | { readonly kind: 'stop'; readonly reason: Reason }
  /** The answer to a `visit` with `rulesOf`. */
  | { readonly kind: 'rules'; readonly ask: RulesAsk; readonly at: string; readonly answer: RulesAnswer }
  /** The answer to a `hand-over`. */
  | { readonly kind: 'handed-back'; readonly id: number; readonly result: WorkResult }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'end' };

/** What a shard has read elsewhere: a page, while its own loop is busy; a document, which may take long, or die. */
export type Work =
  | { readonly how: 'page'; readonly page: PageWork }
  | { readonly how: 'document'; readonly document: DocumentInput };

export interface DocumentInput {
  readonly url: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What another thread made of a page, or a process of a document. */
export type WorkResult = PageReadFor | ParsedPage | Unread;

export type ShardReport =
  | { readonly kind: 'visit'; readonly to: number; readonly item: Item }
  | { readonly kind: 'rules'; readonly ask: RulesAsk; readonly at: string; readonly answer: RulesAnswer }
  /** Nothing left to do, having received that many items from others. */
  | { readonly kind: 'idle'; readonly received: number }
  | { readonly kind: 'pages'; readonly pages: readonly (readonly [url: string, reason: Reason, httpStatus: number])[] }
  /** Something to be read in another thread. */
  | { readonly kind: 'hand-over'; readonly id: number; readonly work: Work }
  | { readonly kind: 'warning'; readonly message: string; readonly where: string }
  | ({ readonly kind: 'progress' } & ShardProgress);

export interface ShardProgress {
  readonly fetched: number;
  readonly failed: number;
  readonly queued: number;
  readonly bytes: number;
  readonly inFlight: number;
  readonly hostsReady: number;
  readonly hostsWaiting: number;
  /** ms until its slowest host is through. */
  readonly remainingMs: number;
  /** Age of the oldest request under way, ms. */
  readonly oldestMs: number;
  /** Hosts that are held longer than their delay, and why; the fullest first, at most five. */
  readonly held: readonly { readonly host: string; readonly pages: number; readonly why: string }[];
}

export interface ShardResult {
  readonly counters: Readonly<Record<string, number>>;
  /** Queue -> when its last request ended, ms since the epoch. */
  readonly ends: Readonly<Record<string, number>>;
  readonly spent: Spent;
}

/**
 * The page being read, in memory that outlives the thread: should reading it kill the thread, the job knows which page
 * not to try again. Layout: length:u32, then the URL.
 */
export class Suspect {
  readonly #length: Uint32Array;
  readonly #url: Buffer;

  constructor(shared: SharedArrayBuffer) {
    this.#length = new Uint32Array(shared, 0, 1);
    this.#url = Buffer.from(shared, 4);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 + 4096);
  }

  /** '' when nothing is being read. */
  set(url: string): void {
    this.#length[0] = url === '' ? 0 : this.#url.write(url);
  }
  get(): string {
    return this.#url.toString('utf8', 0, this.#length[0]!);
  }
}
