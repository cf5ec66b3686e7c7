import { statfsSync } from 'node:fs';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Budget } from '../fetch/budget.ts';
import type { PageReadFor } from '../fetch/handover.ts';
import { countOutcome } from '../fetch/judge.ts';
import { begun, takeUp } from '../fetch/log.ts';
import { queueOf } from '../fetch/owner.ts';
import { SpeedFloor } from '../fetch/speed-floor.ts';
import { suspectsOf } from '../fetch/suspects.ts';
import {
  type RulesAnswer,
  type RulesAsk,
  type ShardOrder,
  type ShardProgress,
  type ShardReport,
  type ShardResult,
  type ShardTask,
  Suspect,
  type Work,
  type WorkResult,
} from '../fetch/task.ts';
import { addressesOf } from '../net/resolve.ts';
import type { Reason } from '../page/reason.ts';
import type { Unread } from '../parse/documents/kind.ts';
import { parseSettings } from '../parse/settings.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { createDocumentReader, type DocumentReader, heapFor } from '../run/documents.ts';
import { WorkerDied } from '../run/pool.ts';
import { keyOf, urlOf } from '../url/key.ts';
import { knownEnds, knownRules } from './fetch-hosts.ts';
import { readTls } from './tls-files.ts';

/** Whom a fetchlist asks. */
export interface FetchList {
  readonly pages: number;
  /** `scheme://host[:port]`. */
  readonly authorities: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
}

/**
 * Pages for each thread where their number is left to us: a thread costs some 50 MB, and compiles anew what others have
 * compiled, a quarter of the CPU of a small crawl.
 */
const PAGES_A_THREAD = 4000;
/** Threads for a list of `pages`, of the `most` there are: a number that was asked for is what is taken. */
export const threadsFor = (pages: number, asked: number | 'auto', most: number): number =>
  asked === 'auto' ? Math.max(1, Math.min(most, Math.ceil(pages / PAGES_A_THREAD))) : most;

/** How often a thread may die without a page to blame. */
const RESTARTS = 3;
/** After a stop, the time until threads that do not end are ended, ms. */
const HARD_STOP_MS = 15_000;
const PROGRESS_MS = 500;
/** Room on the disk below which fetching pauses. */
const LEAST_FREE_BYTES = 64 << 20;

interface Running {
  readonly port: MessagePort;
  readonly suspect: Suspect;
  progress: ShardProgress | null;
  /** Items handed to it, and how many of them it had when it was last idle; -1: it is at work. */
  handed: number;
  idleWith: number;
  /** Authorities for whose robots.txt it asks, for other shards. */
  readonly asked: Map<string, { readonly ask: RulesAsk; readonly at: string }>;
}

const DIED: RulesAnswer = { answered: false, reason: 'reset', detail: 'the thread that asked for its robots.txt died' };

/**
 * One attempt at a segment: a shard a thread, told to stop, restarted when its thread dies, and heard; what one has for
 * another (a redirect, a robots.txt) goes through here. The end comes when all are idle and nothing is under way.
 */
export class FetchRun {
  readonly #context: JobContext;
  readonly #segment: string;
  readonly #list: FetchList;
  readonly #budget = Budget.memory();
  readonly #kill = new AbortController();
  readonly #running = new Map<number, Running>();
  readonly #counters = new Map<string, number>();
  readonly ends = new Map<string, number>();
  readonly #spent = { readingMs: 0, storingMs: 0 };
  /** Files begun so far, those of earlier attempts included. */
  files = 0;
  /** That fetch or read. */
  #threads = 1;
  #shards = 1;
  #stopped: Reason | null = null;
  /** Keys dealt with by earlier attempts and by threads that died. */
  readonly #done: string[] = [];
  /** Pages at which an earlier attempt may have died with its process. */
  readonly #suspected: string[] = [];
  /** Shards that have not ended. */
  #alive = 0;
  #before = { at: performance.now(), pages: 0, bytes: 0 };
  #error: unknown = null;
  #paused = false;
  readonly #floor: SpeedFloor;
  #documents: DocumentReader | null = null;

  constructor(context: JobContext, segment: string, list: FetchList) {
    this.#context = context;
    this.#segment = segment;
    this.#list = list;
    const { minSpeed, slowTime } = context.options.round;
    this.#floor = new SpeedFloor(minSpeed, slowTime * 1000);
  }

  async run(): Promise<Counters> {
    const { options, signal, pool } = this.#context;
    const { net, round } = options;
    const addresses = net.queueBy === 'ip' ? await addressesOf([...this.#list.hosts]) : new Map<string, string>();
    const queues = new Set([...this.#list.hosts].map((host) => queueOf(`http://${host}/`, net.queueBy, addresses)));
    this.#threads = threadsFor(this.#list.pages, options.work.threads, pool.threads);
    this.#shards = Math.max(1, Math.min(this.#threads, queues.size));
    for (const [queue, end] of Object.entries(await knownEnds(this.#context, queues))) this.ends.set(queue, end);
    const rules = await knownRules(this.#context, this.#list.authorities);

    while (begun(this.#context.dir, this.#segment, this.files)) {
      this.#suspected.push(...suspectsOf(this.#context.dir, this.#segment, this.files));
      this.#takeUp(this.files++);
    }
    this.#alive = this.#shards;

    const onAbort = (): void => this.#stop('interrupted');
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const limit = round.timeLimit < 0 ? null : setTimeout(() => this.#stop('time-limit'), round.timeLimit * 1000);
    const beat = setInterval(() => this.#beat(), PROGRESS_MS);
    try {
      const shared = { addresses: Object.fromEntries(addresses), rules, tls: readTls(net.hosts) };
      await Promise.all(Array.from({ length: this.#shards }, (_, shard) => this.#keepRunning(shard, shared)));
      this.#beat();
      this.#context.onEvent({ kind: 'fetch-spent', ...this.#spent });
    } finally {
      clearInterval(beat);
      if (limit) clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
      this.#documents?.close();
    }
    if (this.#error !== null) throw this.#error;
    return Object.fromEntries([...this.#counters].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** One shard to its end, in a new thread when one dies. */
  async #keepRunning(shard: number, shared: Pick<ShardTask, 'addresses' | 'rules' | 'tls'>): Promise<void> {
    const died: string[] = [];
    let blameless = 0;
    while (true) {
      const suspect = Suspect.memory();
      try {
        const result = await this.#runShard(shard, suspect, died, shared);
        for (const [name, value] of Object.entries(result.counters)) this.#count(name, value);
        for (const [queue, end] of Object.entries(result.ends)) this.ends.set(queue, end);
        this.#spent.readingMs += result.spent.readingMs;
        this.#spent.storingMs += result.spent.storingMs;
        this.#alive--;
        return;
      } catch (error) {
        const url = new Suspect(suspect).get();
        const again = error instanceof WorkerDied && this.#stopped === null && (url !== '' || blameless++ < RESTARTS);
        if (!again) {
          this.#error ??= error;
          this.#alive--;
          this.#stop('interrupted');
          this.#endIfIdle();
          return;
        }
        const message = url === '' ? 'a thread died while fetching' : `a thread died while it was reading ${url}`;
        this.#context.onEvent({ kind: 'warning', message: `${message}; its hosts go on in a new one`, where: url });
        if (url !== '') died.push(keyOf(url));
      }
    }
  }

  #runShard(
    shard: number,
    suspect: SharedArrayBuffer,
    died: readonly string[],
    shared: Pick<ShardTask, 'addresses' | 'rules' | 'tls'>,
  ): Promise<ShardResult> {
    const { dir, options, seeds, pool } = this.#context;
    const file = this.files++;
    const { port1, port2 } = new MessageChannel();
    const running: Running = {
      port: port1,
      suspect: new Suspect(suspect),
      progress: null,
      handed: 0,
      idleWith: -1,
      asked: new Map(),
    };
    this.#running.set(shard, running);
    port1.on('message', (report: ShardReport) => this.#hear(running, report));
    const task: ShardTask = {
      dir,
      segment: this.#segment,
      shard,
      shards: this.#shards,
      file,
      options,
      ahead: this.#context.clock ? this.#context.clock() - Date.now() : 0,
      seeds,
      done: this.#done,
      died,
      suspected: this.#suspected,
      ends: Object.fromEntries(this.ends),
      ...shared,
      helpers: Math.floor((this.#threads - this.#shards) / this.#shards),
      budget: this.#budget,
      suspect,
      port: port2,
    };
    const result = pool.run<ShardResult>('shard', task, { transfer: [port2], signal: this.#kill.signal });
    if (this.#stopped !== null) this.#tell(running, { kind: 'stop', reason: this.#stopped });
    return result
      .finally(() => {
        port1.close();
        this.#running.delete(shard);
        for (const { ask, at } of running.asked.values()) this.#tellRules(ask, at, DIED);
      })
      .catch((error: unknown) => {
        this.#takeUp(file); // what it had written up to its last checkpoint stands
        throw error;
      });
  }

  /** Counts what a shard left that no longer writes: one of an earlier attempt, or one whose thread died. */
  #takeUp(file: number): void {
    takeUp(this.#context.dir, this.#segment, file, (key, outcome) => {
      this.#done.push(key);
      const queue = queueOf(urlOf(key), this.#context.options.net.queueBy);
      if ((this.ends.get(queue) ?? 0) < outcome.fetched) this.ends.set(queue, outcome.fetched);
      countOutcome(outcome, (name, by) => this.#count(name, by));
    });
  }

  #tellRules(ask: RulesAsk, at: string, answer: RulesAnswer): void {
    // A successor of the shard that asked knows nothing of it, and passes over it.
    const asker = this.#running.get(ask.shard);
    if (asker) this.#tell(asker, { kind: 'rules', ask, at, answer });
  }

  #count(name: string, by: number): void {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + by);
  }

  #tell(running: Running, order: ShardOrder): void {
    running.port.postMessage(order);
  }

  #hear(running: Running, report: ShardReport): void {
    const { onEvent } = this.#context;
    switch (report.kind) {
      case 'visit': {
        const owner = this.#running.get(report.to);
        const { rulesOf } = report.item;
        if (owner === undefined) {
          // It has died; its successor finds the target as a link in the next round.
          if (rulesOf) this.#tellRules(rulesOf, report.item.url, DIED);
          break;
        }
        if (rulesOf) owner.asked.set(rulesOf.authority, { ask: rulesOf, at: report.item.url });
        owner.handed++;
        owner.idleWith = -1;
        this.#tell(owner, { kind: 'visit', item: report.item });
        break;
      }
      case 'rules':
        running.asked.delete(report.ask.authority);
        this.#tellRules(report.ask, report.at, report.answer);
        break;
      case 'idle':
        running.idleWith = report.received;
        this.#endIfIdle();
        break;
      case 'pages':
        for (const [url, reason, httpStatus] of report.pages) onEvent({ kind: 'page', url, reason, httpStatus });
        break;
      case 'hand-over':
        this.#readElsewhere(running, report.id, report.work);
        break;
      case 'warning':
        onEvent({ kind: 'warning', message: report.message, where: report.where });
        break;
      case 'progress':
        running.progress = report;
        break;
    }
  }

  /** Reads for a shard, in an idle thread of the pool or, a document, in a process with limits. */
  #readElsewhere(running: Running, id: number, work: Work): void {
    const { options, pool } = this.#context;
    const { url, contentType } = work.how === 'page' ? work.page.input : work.document;
    const failed = (error: unknown): Unread => ({
      unread: error instanceof WorkerDied ? 'parse-died' : 'parse-failed',
      detail: `${(error as Error).message} (${url})`,
      contentType,
    });
    const signal = this.#kill.signal;
    const reading: Promise<WorkResult> =
      work.how === 'page'
        ? pool.run<PageReadFor>('page', work.page, { transfer: [work.page.input.body.buffer as ArrayBuffer], signal })
        : (this.#documents ??= createDocumentReader({
            processes: Math.max(1, pool.threads >> 1),
            heapMb: heapFor(options),
          })).read({ ...work.document, settings: parseSettings(options) }, signal);
    void reading
      .catch(failed) // a thread that died, the end of all, or a bug of a parser: the page says so
      .then((result) => this.#tell(running, { kind: 'handed-back', id, result }));
  }

  /** All shards are idle, and each has had all that was handed to it: nothing can come any more. */
  #endIfIdle(): void {
    const all = [...this.#running.values()];
    if (all.length < this.#alive || all.some((one) => one.idleWith !== one.handed)) return;
    for (const one of all) this.#tell(one, { kind: 'end' });
  }

  #stop(reason: Reason): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    for (const one of this.#running.values()) this.#tell(one, { kind: 'stop', reason });
    setTimeout(() => this.#kill.abort(), HARD_STOP_MS).unref();
  }

  #beat(): void {
    const now = performance.now();
    const all = [...this.#running.values()].map((one) => one.progress).filter((one) => one !== null);
    const sum = (of: (one: ShardProgress) => number): number => all.reduce((total, one) => total + of(one), 0);
    const pages = sum((one) => one.fetched + one.failed);
    const bytes = sum((one) => one.bytes);
    const seconds = Math.max(0.001, (now - this.#before.at) / 1000);
    this.#context.onEvent({
      kind: 'fetch-progress',
      fetched: sum((one) => one.fetched),
      failed: sum((one) => one.failed),
      queued: sum((one) => one.queued),
      bytes,
      inFlight: sum((one) => one.inFlight),
      bytesHeld: Budget.used(this.#budget),
      hostsReady: sum((one) => one.hostsReady),
      hostsWaiting: sum((one) => one.hostsWaiting),
      remainingMs: all.reduce((most, one) => Math.max(most, one.remainingMs), 0),
      pagesPerSecond: Math.max(0, (pages - this.#before.pages) / seconds),
      bytesPerSecond: Math.max(0, (bytes - this.#before.bytes) / seconds),
      oldestMs: all.reduce((most, one) => Math.max(most, one.oldestMs), 0),
      held: all
        .flatMap((one) => one.held)
        .sort((a, b) => b.pages - a.pages)
        .slice(0, 5),
    });
    this.#before = { at: now, pages, bytes };
    this.#watchDisk();
    if (this.#paused) this.#floor.forget();
    else if (this.#stopped === null && this.#floor.tooSlow(now, pages)) {
      const { minSpeed, slowTime } = this.#context.options.round;
      const message = `fewer than ${minSpeed} pages a second for ${slowTime} s: the round ends, what was not fetched stays due`;
      this.#context.onEvent({ kind: 'warning', message, where: this.#segment });
      this.#stop('too-slow');
    }
  }

  /** A full disk stops the writing of what was fetched: better to wait in time, and to say so. */
  #watchDisk(): void {
    const { bavail, bsize } = statfsSync(this.#context.dir);
    const full = bavail * bsize < LEAST_FREE_BYTES + this.#context.options.work.memory;
    if (full === this.#paused) return;
    this.#paused = full;
    const message = full
      ? `less than ${(LEAST_FREE_BYTES + this.#context.options.work.memory) >> 20} MB are free; fetching waits until there is room`
      : 'there is room on the disk again; fetching goes on';
    this.#context.onEvent({ kind: 'warning', message, where: this.#context.dir });
    for (const one of this.#running.values()) this.#tell(one, { kind: full ? 'pause' : 'resume' });
  }
}
