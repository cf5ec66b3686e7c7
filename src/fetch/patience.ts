import type { Answer } from '../net/get.ts';
import type { Reason } from '../page/reason.ts';
import { hostFailure, without } from './judge.ts';
import { backOff, retryAfter } from './pace.ts';
import type { Queue, Queues } from './queues.ts';
import type { Item } from './task.ts';

/** Longest that a host is waited for on its own request, ms; one that asks for more is left to a later round. */
const MOST_HOLD_MS = 10 * 60_000;

export interface PatienceTools {
  readonly queues: Queues<Item>;
  /** Failures in a row after which a host is left alone for the rest of the round. */
  readonly hostFailures: number;
  /** ms since the epoch, for records. */
  readonly clock: () => number;
  /** The outcome of a page that is refused because of its host. */
  readonly end: (item: Item, outcome: ReturnType<typeof without>) => void;
}

interface Closed {
  readonly reason: Reason;
  readonly detail: string;
  /** What the next page is told instead; null: nothing else. */
  first: Reason | null;
}

/** What failures and requests for rest mean for a host: held for a while, or left alone for the rest of the round. */
export class Patience {
  readonly #tools: PatienceTools;
  /** Queues given up for this round. */
  readonly #closed = new Map<string, Closed>();

  constructor(tools: PatienceTools) {
    this.#tools = tools;
  }

  /** True: its host is closed, and the page has its outcome. */
  refuses(queue: Queue<Item>, item: Item): boolean {
    const closed = this.#closed.get(queue.id);
    if (closed) this.#refuse(item, closed);
    return closed !== undefined;
  }

  /** Waits for a host as it asks, or longer with each failure. False: it asks for more patience than a round has. */
  hold(queue: Queue<Item>, reason: Reason, status: number, asked: string): boolean {
    const wait = retryAfter(asked, Date.now());
    // A plain 500 is more often one broken page than a broken host: four of them weigh as much as a host that is silent.
    queue.failures += status === 500 ? 0.25 : 1;
    const back = backOff(queue.delayMs, Math.max(0, Math.ceil(queue.failures) - 1));
    const ms = wait === null ? back : Math.max(wait, queue.delayMs);
    const why = wait === null ? `backs off after ${reason}` : `asked to wait ${Math.round(wait / 1000)} s`;
    if (ms > MOST_HOLD_MS) return false;
    this.#tools.queues.hold(queue, performance.now() + ms, why);
    return true;
  }

  /**
   * Leaves a host alone for the rest of the round: its pages come again later. `tellFirst`: none of them carries the reason yet,
   * so the first does.
   */
  close(queue: Queue<Item>, reason: Reason, detail: string, tellFirst: boolean): void {
    const why: Reason = reason === 'http-429' ? 'http-429' : 'host-failing';
    const closed = { reason: why, detail: `${reason}: ${detail}`, first: tellFirst ? reason : null };
    this.#closed.set(queue.id, closed);
    for (const item of this.#tools.queues.drain(queue)) this.#refuse(item, closed);
  }

  /** Counts for the host; true when the host is given up. */
  blame(queue: Queue<Item>, reason: Reason, answer: Answer, detail: string): boolean {
    if (!hostFailure(reason)) return false;
    const [status, wait] = answer.kind === 'response' ? [answer.head.status, answer.head.get('retry-after')] : [0, ''];
    const patient = this.hold(queue, reason, status, wait);
    if (patient && queue.failures < this.#tools.hostFailures) return false;
    this.close(queue, reason, detail, false);
    return true;
  }

  #refuse(item: Item, closed: Closed): void {
    this.#tools.end(item, without('retry', closed.first ?? closed.reason, this.#tools.clock(), closed.detail));
    closed.first = null;
  }
}
