import type { HttpClient } from '../net/get.ts';
import { redirectOf } from '../net/redirect.ts';
import { MAX_ROBOTS_BYTES, robotsByStatus } from '../net/robots.ts';
import type { Reason } from '../page/reason.ts';
import { leadsInside } from '../url/files.ts';
import type { Queue, Queues } from './queues.ts';
import type { ReadingTools } from './reading.ts';
import { encodeRules, type RulesBook } from './rules.ts';
import type { Item, RulesAnswer, RulesAsk } from './task.ts';

export interface AskingTools extends ReadingTools {
  readonly queues: Queues<Item>;
  readonly client: HttpClient;
  readonly rules: RulesBook;
  /** The clock of the crawl, ms since the epoch; what servers say of time is read by the one of the machine. */
  readonly clock: () => number;
  /** Why nothing new is begun; null: all goes on. */
  readonly stopped: () => Reason | null;
  /** Number of this shard. */
  readonly shard: number;
  /** Asks for a robots.txt in the queue of its host, whichever shard has it. */
  readonly askRules: (item: Item) => void;
}

/** What an answer means for the host that gave it. */
export interface AskingHost {
  /** A request to it has ended now. */
  readonly asked: (queue: Queue<Item>) => void;
  /** False: it asks for more patience than a round has. */
  readonly hold: (queue: Queue<Item>, reason: Reason, status: number, asked: string) => boolean;
  /** It is left alone for the rest of the round. */
  readonly close: (queue: Queue<Item>, reason: Reason, detail: string) => void;
  readonly followSitemaps: (sitemaps: readonly string[], authority: string) => void;
  readonly count: (name: string) => void;
}

/** Tries of robots.txt in a round before its host counts as unreachable. */
const ROBOTS_TRIES = 2;
const ROBOTS_REDIRECTS = 5;

/** Asks for the robots.txt of each authority, once, before its first page; the pages wait for it here or in their queue. */
export class RulesAsking {
  readonly #tools: AskingTools;
  readonly #host: AskingHost;
  /** Authorities whose robots.txt is being fetched. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #tries = new Map<string, number>();
  /** Authority whose robots.txt redirects, while that is being asked -> its pages whose turn has come, and their queue. */
  readonly #aside = new Map<string, { readonly queue: string; readonly items: Item[] }>();

  constructor(tools: AskingTools, host: AskingHost) {
    this.#tools = tools;
    this.#host = host;
  }

  /** Has the page visited again when the rules of its authority are known. True when a request was made for it. */
  async wait(queue: Queue<Item>, url: URL, item: Item): Promise<boolean> {
    // Two pages of one authority may be under way: the second waits for the rules that the first one fetches.
    const asking = this.#asking.get(url.origin);
    const waits = this.#aside.has(url.origin);
    if (!waits) await (asking ?? this.#ask(queue, url));
    const aside = this.#aside.get(url.origin);
    if (aside) aside.items.push(item);
    else this.#tools.queues.again(queue, item);
    return !waits && asking === undefined;
  }

  #ask(queue: Queue<Item>, url: URL): Promise<void> {
    const asking = this.#fetch(queue, url).finally(() => this.#asking.delete(url.origin));
    this.#asking.set(url.origin, asking);
    return asking;
  }

  async #fetch(queue: Queue<Item>, url: URL): Promise<void> {
    const at = new URL('/robots.txt', url);
    this.#answered(queue, url.origin, at.href, 0, await this.get(queue, at));
  }

  /** One request for a robots.txt, whichever authority it is for. */
  async get(queue: Queue<Item>, url: URL): Promise<RulesAnswer> {
    const answer = await this.#tools.client.get({ url, limits: { maxBody: MAX_ROBOTS_BYTES + 1 } });
    this.#host.asked(queue);
    if (answer.kind === 'failure') return { answered: false, reason: answer.reason, detail: answer.detail };
    const { head } = answer;
    const body = robotsByStatus(head.status) === 'parse' ? new Uint8Array(answer.body) : NOTHING;
    answer.release();
    return {
      answered: true,
      status: head.status,
      location: head.get('location'),
      retryAfter: head.get('retry-after'),
      body,
    };
  }

  /** What the queue of another host, or of this one, was asked for `authority` is here. */
  came({ authority, hop }: RulesAsk, at: string, answer: RulesAnswer): void {
    const aside = this.#aside.get(authority);
    if (!aside) return; // stopped meanwhile
    const queue = this.#tools.queues.queue(aside.queue);
    if (!this.#answered(queue, authority, at, hop, answer)) return;
    this.#aside.delete(authority);
    for (const item of aside.items.reverse()) this.#tools.queues.again(queue, item);
  }

  /** Authorities whose robots.txt is asked elsewhere, while pages wait for it. */
  get waiting(): number {
    return this.#aside.size;
  }

  /** Takes out the pages that wait for a robots.txt. */
  drain(): Item[] {
    const items = [...this.#aside.values()].flatMap((one) => one.items);
    this.#aside.clear();
    return items;
  }

  /**
   * The rules of an authority are its own, wherever its redirects lead (RFC 9309, 2.3.1.2); but where they lead to is
   * asked like a page, so that its host has its delay too. False: it is being asked.
   */
  #answered(queue: Queue<Item>, authority: string, at: string, hop: number, answer: RulesAnswer): boolean {
    const redirect = !answer.answered ? null : redirectOf(answer.status, answer.location, at);
    const leads = redirect !== null && redirect.to !== null && !leadsInside(at, redirect.to);
    if (leads && hop < ROBOTS_REDIRECTS && this.#tools.stopped() === null) {
      if (!this.#aside.has(authority)) this.#aside.set(authority, { queue: queue.id, items: [] });
      const ask = { authority, shard: this.#tools.shard, hop: hop + 1 };
      this.#tools.askRules({ ...NEW_ITEM, url: redirect.to, tries: 0, rulesOf: ask });
      return false;
    }
    this.#host.count('robots.fetched');
    if (answer.answered && robotsByStatus(answer.status) !== 'deny') {
      queue.failures = 0;
      const stored = { fetched: this.#tools.clock(), status: answer.status, body: answer.body };
      const { robots } = this.#tools.rules.learn(authority, stored);
      if (this.#tools.options.net.sitemaps) this.#host.followSitemaps(robots.sitemaps, authority);
      this.#tools.log.rules(authority, encodeRules(stored));
      return true;
    }
    const why = !answer.answered ? answer.detail : `robots.txt was answered with status ${answer.status}`;
    const tries = (this.#tries.get(authority) ?? 0) + 1;
    this.#tries.set(authority, tries);
    const reason: Reason = !answer.answered ? answer.reason : answer.status === 429 ? 'http-429' : 'http-5xx';
    const lasting = reason === 'address-refused' || reason === 'tls' || reason === 'scheme-refused';
    const [status, wait] = answer.answered ? [answer.status, answer.retryAfter] : [0, ''];
    if (tries < ROBOTS_TRIES && !lasting && this.#host.hold(queue, reason, status, wait)) return true;
    const rules = this.#tools.rules.unreachable(authority, this.#tools.clock(), why);
    // A host that is not there at all is told as what it is, and its other pages need not ask.
    const nobody = lasting || reason === 'dns' || reason === 'connect';
    if (rules.unreachable && nobody) this.#host.close(queue, reason, why);
    return true;
  }
}

const NOTHING = new Uint8Array(0);
const NEW_ITEM = { etag: '', lastModified: '', score: 0, depth: 0, retries: 0, hops: [] } as const;
