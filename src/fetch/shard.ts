import { availableParallelism, loadavg } from 'node:os';
import { receiveMessageOnPort } from 'node:worker_threads';
import { HttpClient } from '../net/get.ts';
import { Deadlines } from '../net/limit.ts';
import { createResolver } from '../net/resolve.ts';
import type { Reason } from '../page/reason.ts';
import { createAdmit } from '../url/admit.ts';
import { fileRoots } from '../url/files.ts';
import { hostOf } from '../url/host.ts';
import { urlOf } from '../url/key.ts';
import { Budget } from './budget.ts';
import { fetchlistOf, itemOf } from './fetchlist.ts';
import { Helpers } from './handover.ts';
import { without } from './judge.ts';
import { SegmentLog } from './log.ts';
import { Outlinks } from './outlinks.ts';
import { ownerOf, queueOf } from './owner.ts';
import { FILE_READS, hostOptions } from './pace.ts';
import { type Queue, Queues } from './queues.ts';
import { trapping } from './read-page.ts';
import { decodeRules, RulesBook } from './rules.ts';
import { Seen } from './seen.ts';
import { queuesProgress } from './shard-progress.ts';
import { SpentClock } from './spent.ts';
import { Suspects } from './suspects.ts';
import {
  type Item,
  type ShardOrder,
  type ShardProgress,
  type ShardReport,
  type ShardResult,
  type ShardTask,
  Suspect,
  type Work,
  type WorkResult,
} from './task.ts';
import { TrapWatch } from './traps.ts';
import { Visits } from './visit.ts';

const REPORT_MS = 250;
/** Time that requests under way are given after a stop, ms. */
const GRACE_MS = 2000;

/**
 * One shard: an event loop that fetches and parses the hosts it owns, and appends to files of its own. No database call,
 * no lock; what is not its own (a redirect to a host of another shard) it hands to the job, which hands it on.
 */
export async function runShard(task: ShardTask): Promise<ShardResult> {
  const shard = new Shard(task);
  let result: ShardResult;
  try {
    result = await shard.run();
  } catch (error) {
    await shard.close().catch(() => {}); // what went wrong first says more than that its files cannot be closed
    throw error;
  }
  await shard.close();
  return result;
}

class Shard {
  readonly #task: ShardTask;
  readonly #queues: Queues<Item>;
  readonly #seen: Seen;
  readonly #log: SegmentLog;
  readonly #spent = new SpentClock();
  readonly #suspects: Suspects;
  readonly #budget: Budget;
  readonly #deadlines = new Deadlines();
  readonly #client: HttpClient;
  readonly #visits: Visits;
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #clock: () => number;
  #inFlight = 0;
  /** What is being read elsewhere, and what to do when it is back. */
  readonly #away = new Map<number, (result: WorkResult) => void>();
  #nextWork = 0;
  readonly #helpers: Helpers;
  #received = 0;
  #toldIdle = false;
  #paused = false;
  #stopped: Reason | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #finish: (() => void) | null = null;
  #fail: ((error: unknown) => void) | null = null;

  constructor(task: ShardTask) {
    this.#task = task;
    const { net, scope, work } = task.options;
    this.#clock = () => Date.now() + task.ahead;
    this.#queues = new Queues(
      (id) => (id === '' ? FILE_READS : (hostOptions(net.hosts, id).connections ?? net.connections)),
      (id) => (id === '' ? 0 : (hostOptions(net.hosts, id).delay ?? net.delay)),
    );
    this.#addresses = new Map(Object.entries(task.addresses));
    this.#seen = new Seen();
    this.#log = new SegmentLog(task.dir, task.segment, task.file, net.agent, this.#spent);
    this.#suspects = new Suspects(task.dir, task.segment, task.file, new Suspect(task.suspect));
    this.#budget = new Budget(task.budget, work.memory);
    const allow = [...net.allowPrivate, ...task.seeds.map(hostOf)];
    const connectionsOf = (host: string): number => hostOptions(net.hosts, host).connections ?? net.connections;
    this.#client = new HttpClient(
      { ...net, tls: task.tls, connectionsOf, clock: this.#clock, roots: fileRoots(scope.files, task.seeds) },
      createResolver({ allow }),
      this.#deadlines,
      this.#budget,
    );
    const rules = new RulesBook(net.agent);
    for (const [authority, value] of Object.entries(task.rules)) {
      const stored = decodeRules(value);
      if (stored) rules.remember(authority, stored);
    }
    let before = performance.eventLoopUtilization();
    this.#helpers = new Helpers(task.helpers, () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      // Where every core has work already, a second thread only costs (a third more CPU, 80 MB).
      return loadavg()[0]! > availableParallelism() ? 0 : utilization;
    });
    const outlinks = new Outlinks(createAdmit(scope, task.seeds, 'outlink'));
    const traps = new TrapWatch();
    const trapped = (url: string): boolean => traps.caught(url);
    this.#visits = new Visits({
      options: task.options,
      queues: this.#queues,
      client: this.#client,
      rules,
      log: this.#log,
      spent: this.#spent,
      suspects: this.#suspects,
      suspected: new Set(task.suspected),
      admit: trapping(outlinks.admit, trapped),
      admitRedirect: trapping(createAdmit(scope, task.seeds, 'fetcher'), trapped),
      outlinks,
      traps,
      follow: (item) => this.#follow(item),
      handOver: (work, done) => this.#handOver(work, done),
      seeds: task.seeds,
      helpers: this.#helpers,
      warn: (message, where) => task.port.postMessage({ kind: 'warning', message, where } satisfies ShardReport),
      clock: this.#clock,
      stopped: () => this.#stopped,
      shard: task.shard,
      askRules: (item) => this.#askRules(item),
      tellRules: (ask, at, answer) => {
        if (ask.shard === task.shard) this.#visits.rules.came(ask, at, answer);
        else task.port.postMessage({ kind: 'rules', ask, at, answer } satisfies ShardReport);
      },
    });
  }

  run(): Promise<ShardResult> {
    const { port } = this.#task;
    return new Promise<ShardResult>((resolve, reject) => {
      this.#fail = reject;
      this.#finish = () => resolve(this.#result());
      port.on('message', (order: ShardOrder) => this.#obey(order));
      this.#begin();
      const beat = setInterval(() => this.#beat(), REPORT_MS);
      const end = this.#finish;
      this.#finish = () => {
        clearInterval(beat);
        end();
      };
      this.#fail = (error) => {
        clearInterval(beat);
        reject(error);
      };
      this.#pump();
    });
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#client.close();
    try {
      this.#log.close();
    } finally {
      this.#suspects.close();
      this.#budget.close();
      this.#task.port.close();
    }
  }

  /** Takes up the pages of the fetchlist that are ours, but for those that an earlier attempt dealt with. */
  #begin(): void {
    const { linksOnly } = this.#task.options.index;
    const done = new Set(this.#task.done);
    const died = new Set(this.#task.died);
    for (const listed of fetchlistOf(this.#task, this.#addresses)) {
      const { key, url, queue } = listed;
      if (!this.#seen.add(url) || done.has(key)) continue;
      if (died.has(key)) {
        const outcome = without('parse-failed', 'parse-died', this.#clock(), 'its thread died while reading it');
        this.#visits.record(url, outcome);
      } else this.#queues.add(queue, itemOf(listed, linksOnly));
    }
    // Redirect targets that an earlier attempt followed are no pages of the list: they must not be fetched twice either.
    for (const key of done) this.#seen.add(urlOf(key));
    const now = performance.now();
    const clock = this.#clock();
    for (const queue of this.#queues.all()) {
      const end = this.#task.ends[queue.id];
      // A clock that was set back makes no pause longer.
      if (end !== undefined) this.#queues.hold(queue, now + Math.min(end, clock) + queue.delayMs - clock, '');
    }
  }

  /** Fetches a redirect's target in this round, unless it is on the list or was followed already. */
  #follow(item: Item): void {
    const { shards, shard, options, port } = this.#task;
    const queue = queueOf(item.url, options.net.queueBy, this.#addresses);
    const owner = ownerOf(queue, shards);
    if (owner !== shard) {
      this.#visits.flush(item);
      const hops = item.hops.map((hop) => ({ ...hop, outcome: null }));
      port.postMessage({ kind: 'visit', to: owner, item: { ...item, hops } } satisfies ShardReport);
    } else if (item.hops.some((hop) => hop.url === item.url) || this.#seen.add(item.url)) this.#queues.add(queue, item);
    else this.#visits.flush(item);
  }

  #askRules(item: Item): void {
    const { shards, shard, options, port } = this.#task;
    const queue = queueOf(item.url, options.net.queueBy, this.#addresses);
    const owner = ownerOf(queue, shards);
    if (owner === shard) this.#queues.again(this.#queues.queue(queue), item);
    else port.postMessage({ kind: 'visit', to: owner, item } satisfies ShardReport);
  }

  #handOver(work: Work, done: (result: WorkResult) => void): void {
    const id = this.#nextWork++;
    this.#away.set(id, done);
    // A copy of its own, moved: the body lies in a larger buffer, and is still needed here for the content.
    const body = new Uint8Array(work.how === 'page' ? work.page.input.body : work.document.body);
    const moved: Work =
      work.how === 'page'
        ? { how: 'page', page: { ...work.page, input: { ...work.page.input, body } } }
        : { how: 'document', document: { ...work.document, body } };
    this.#task.port.postMessage({ kind: 'hand-over', id, work: moved } satisfies ShardReport, [body.buffer]);
  }

  #obey(order: ShardOrder): void {
    switch (order.kind) {
      case 'visit':
        this.#received++;
        this.#toldIdle = false;
        if (this.#stopped !== null) break;
        if (order.item.rulesOf) this.#askRules(order.item);
        else this.#follow(order.item);
        break;
      case 'rules':
        this.#visits.rules.came(order.ask, order.at, order.answer);
        break;
      case 'handed-back': {
        const done = this.#away.get(order.id);
        this.#away.delete(order.id);
        try {
          done?.(order.result);
        } catch (error) {
          this.#fail?.(error);
        }
        break;
      }
      case 'stop':
        this.#stop(order.reason);
        break;
      case 'pause':
        this.#paused = true;
        break;
      case 'resume':
        this.#paused = false;
        break;
      case 'end':
        this.#finish?.();
        return;
    }
    this.#pump();
  }

  /** What has not begun stays due, with a record; what is under way gets a moment. */
  #stop(reason: Reason): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    this.#paused = false;
    for (const queue of this.#queues.all())
      for (const item of this.#queues.drain(queue)) this.#visits.end(item, without('skipped', reason, this.#clock()));
    for (const item of this.#visits.rules.drain()) this.#visits.end(item, without('skipped', reason, this.#clock()));
    setTimeout(() => void this.#client.close(), GRACE_MS).unref();
  }

  #pump(): void {
    const { inFlight } = this.#task.options.net;
    while (!this.#paused && this.#inFlight < inFlight && !this.#budget.full()) {
      const next = this.#queues.pop(performance.now());
      if (next === null) break;
      this.#inFlight++;
      void this.#visit(next.queue, next.item);
    }
    if (this.#inFlight === 0 && this.#queues.waiting === 0 && this.#away.size === 0 && this.#visits.rules.waiting === 0)
      this.#idle();
    else if (this.#inFlight < inFlight) this.#wakeAt(this.#queues.nextAt());
  }

  async #visit(queue: Queue<Item>, item: Item): Promise<void> {
    let asked = true;
    try {
      asked = await this.#visits.visit(queue, item);
    } catch (error) {
      this.#fail?.(error); // a full disk, or a bug: the shard ends, its files stand at the last checkpoint
    }
    this.#inFlight--;
    this.#queues.done(queue, performance.now(), asked);
    this.#log.tick();
    this.#pump();
  }

  #wakeAt(at: number): void {
    if (!Number.isFinite(at) || (this.#timer !== null && this.#timerAt <= at)) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timerAt = at;
    // Rounded up: a timer that rings early would ring twice.
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#timerAt = Number.POSITIVE_INFINITY;
        this.#pump();
      },
      Math.max(0, Math.min(Math.ceil(at - performance.now()), 60_000)),
    );
  }

  #idle(): void {
    if (this.#toldIdle) return;
    // An order that lies in the port already is work: look before saying that there is none.
    const waiting = receiveMessageOnPort(this.#task.port) as { message: ShardOrder } | undefined;
    if (waiting) {
      this.#obey(waiting.message);
      return;
    }
    this.#toldIdle = true;
    this.#tellPages();
    this.#task.port.postMessage({ kind: 'progress', ...this.#progress() } satisfies ShardReport);
    this.#task.port.postMessage({ kind: 'idle', received: this.#received } satisfies ShardReport);
  }

  #beat(): void {
    this.#helpers.look();
    this.#log.tick();
    this.#tellPages();
    const now = performance.now();
    for (const queue of this.#queues.all()) this.#queues.forget(queue, now);
    this.#task.port.postMessage({ kind: 'progress', ...this.#progress() } satisfies ShardReport);
    this.#pump(); // the budget may have been freed by another shard
  }

  #tellPages(): void {
    const pages = this.#visits.takePages();
    if (pages.length > 0) this.#task.port.postMessage({ kind: 'pages', pages } satisfies ShardReport);
  }

  #progress(): ShardProgress {
    return {
      fetched: this.#visits.counter('fetched'),
      failed: this.#visits.counter('failed'),
      queued: this.#queues.waiting,
      bytes: this.#visits.counter('bytes'),
      inFlight: this.#inFlight,
      oldestMs: Math.round(this.#deadlines.oldest()),
      ...queuesProgress(this.#queues.all(), performance.now()),
    };
  }

  #result(): ShardResult {
    this.#tellPages();
    const { readingMs, storingMs } = this.#spent;
    return { counters: this.#visits.counters(), ends: this.#visits.ends(), spent: { readingMs, storingMs } };
  }
}
