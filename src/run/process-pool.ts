/**
 * Processes, for what may take its thread with it: V8 ends the whole process, not the thread, when a heap leaps past its
 * limit or native code fails. What is lost with a process of its own is one task.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CrawlError } from '../errors.ts';
import { landed } from './carried.ts';
import type { Ordered, Told } from './served.ts';

export interface ProcessLimits {
  /** Tasks at once. */
  readonly processes: number;
  /** Heap of one process, MB. The process may hold more, see `mostMb`. */
  readonly heapMb: number;
  /** For one task, ms. */
  readonly deadlineMs: number;
  /** A process that has had nothing to do for so long ends, ms. */
  readonly idleMs?: number;
  /** A process that has done so many tasks gives way to a new one. */
  readonly tasks?: number;
}

export type Ran<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'late' }
  /** It ended its process; `how`: by which signal or exit code. */
  | { readonly kind: 'died'; readonly memory: boolean; readonly how: string };

export interface ProcessPool {
  /**
   * Runs a task (plain data) in a process.
   * @throws CrawlError 'interrupted' when the signal fires or the pool is closed, 'failed' when no process can be started;
   * what the task threw
   */
  run<T>(task: unknown, signal?: AbortSignal): Promise<Ran<T>>;
  /** Ends the processes; tasks still running are interrupted. */
  close(): void;
}

/** Memory of a process, MB: Node, code and a loader of it, and buffers, which are no part of the heap. */
const mostMb = (heapMb: number): number => 256 + 4 * heapMb;
/** Processes in a row that end before they have begun a task. */
const STARTS = 3;
/** From its start until it can be given a task, ms: from source its code is compiled first. */
const START_MS = 120_000;
/** How V8 ends a process without memory, and how its watch does (served.ts); 134 is SIGABRT where there are no signals. */
const OUT_OF_MEMORY = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 'exit code 134']);

/**
 * A pool of processes that run `file`, a module that calls `serve` (served.ts). They start with the first task, stay for
 * the next ones, and end with their parent, however that ends: their channel closes, and a thread of theirs watches it.
 * They hold no program back from its end while they are idle. Cost: 40 ms and 50 MB a process; a task and its answer are
 * copied.
 */
export function createProcessPool(file: string, limits: ProcessLimits): ProcessPool {
  const { processes, idleMs = 10_000, tasks = 500 } = limits;
  const all = new Set<Child>();
  const idle: Child[] = [];
  let free = Math.max(1, processes);
  let closed = false;
  const waiting: (() => void)[] = [];
  const interrupted = (): CrawlError => new CrawlError('interrupted', 'stopped while a process was at a task');

  const child = (): Child => {
    const ready = idle.pop();
    if (ready) return ready;
    const fresh = new Child(file, limits, () => {
      all.delete(fresh);
      const at = idle.indexOf(fresh);
      if (at >= 0) idle.splice(at, 1);
    });
    all.add(fresh);
    return fresh;
  };
  const runNow = async (task: unknown, signal: AbortSignal | undefined): Promise<Ran<unknown>> => {
    for (let start = 1; ; start++) {
      if (closed || signal?.aborted) throw interrupted();
      const one = child();
      const stop = (): void => one.end();
      signal?.addEventListener('abort', stop);
      let ran: Answer;
      try {
        ran = await one.run(task, limits.deadlineMs);
      } finally {
        signal?.removeEventListener('abort', stop);
        if (one.alive && one.ran >= tasks) one.end();
        else if (one.alive) {
          idle.push(one);
          one.rest(idleMs);
        }
      }
      if (closed || signal?.aborted) throw interrupted();
      if (ran.kind === 'unbegun') {
        if (start < STARTS) continue;
        throw new CrawlError('failed', `a process of ${process.execPath} for ${file} does not start (${ran.how})`);
      }
      return ran;
    }
  };
  return {
    async run<T>(task: unknown, signal?: AbortSignal): Promise<Ran<T>> {
      // Tasks wait here, so that the deadline begins when a process is free.
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return (await runNow(task, signal)) as Ran<T>;
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
    close() {
      closed = true;
      for (const one of all) one.end();
    },
  };
}

type Answer = Ran<unknown> | { readonly kind: 'unbegun'; readonly how: string };

/** One process. `run` is called only while none runs. */
class Child {
  readonly #process: ChildProcess;
  #ready = false;
  #begun = false;
  #task: Ordered | null = null;
  #answer: { resolve(answer: Answer): void; reject(error: unknown): void } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #gone: () => void;
  alive = true;
  ran = 0;

  constructor(file: string, { heapMb }: ProcessLimits, gone: () => void) {
    this.#gone = gone;
    const path = fileURLToPath(file);
    this.#process = fork(path, [String(mostMb(heapMb) * 2 ** 20)], {
      execArgv: [`--max-old-space-size=${heapMb}`, ...(path.endsWith('.ts') ? loaders(process.execArgv) : [])],
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.on('message', (told: Told) => this.#hear(told));
    this.#process.on('error', (error) => this.#ended(error.message));
    this.#process.on('exit', (code, signal) => this.#ended(signal ?? `exit code ${code}`));
  }

  run(task: unknown, deadlineMs: number): Promise<Answer> {
    this.#begun = false;
    this.#task = { task, deadlineMs };
    this.#process.ref();
    this.#process.channel?.ref();
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      if (!this.alive) this.#settle({ kind: 'unbegun', how: 'it has ended' });
      else if (this.#ready) this.#send();
      else this.#limit(START_MS, { kind: 'unbegun', how: `not ready after ${START_MS} ms` });
    });
  }

  /** Has nothing to do: it ends after `idleMs`, unless a task comes before. */
  rest(idleMs: number): void {
    this.#process.unref();
    this.#process.channel?.unref();
    this.#timer = setTimeout(() => this.end(), idleMs).unref();
  }

  end(): void {
    this.#process.kill('SIGKILL');
    this.#ended('SIGKILL');
  }

  #send(): void {
    const { deadlineMs } = this.#task!;
    this.#limit(deadlineMs, { kind: 'late' });
    // What cannot be sent to has ended, and says so by itself.
    this.#process.send(this.#task!, () => {});
    this.#task = null;
  }

  #limit(ms: number, answer: Answer): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#settle(answer);
      this.end();
    }, ms);
  }

  #hear(told: Told): void {
    if (told.kind === 'ready') {
      this.#ready = true;
      if (this.#task !== null) this.#send();
    } else if (told.kind === 'begun') this.#begun = true;
    else {
      this.ran++;
      const answer = this.#answer;
      this.#settle(null);
      try {
        if (told.kind === 'bug') throw new Error(told.message);
        answer?.resolve({ kind: 'done', result: landed(told.result) });
      } catch (error) {
        answer?.reject(error);
      }
    }
  }

  #ended(how: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.#gone();
    this.#settle(this.#begun ? { kind: 'died', memory: OUT_OF_MEMORY.has(how), how } : { kind: 'unbegun', how });
  }

  #settle(answer: Answer | null): void {
    clearTimeout(this.#timer);
    if (answer !== null) this.#answer?.resolve(answer);
    this.#answer = null;
  }
}

/** The flags of this process by which a module of TypeScript can be loaded, and no others: no debugger, no limits. */
function loaders(execArgv: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < execArgv.length; i++) {
    const flag = execArgv[i]!;
    if (/^(?:--import|--require|-r|--loader|--experimental-loader)$/.test(flag)) kept.push(flag, execArgv[++i]!);
    else if (/^--(?:import|require|loader|experimental-loader)=/.test(flag)) kept.push(flag);
  }
  return kept;
}

/** @throws CrawlError 'failed' inside a program of one file, whose executable would start that program anew */
function environment(): NodeJS.ProcessEnv {
  if (isOneFile())
    throw new CrawlError(
      'failed',
      `${process.execPath} is a program of one file and cannot start a process of Node: run nuthatch by node`,
    );
  const { NODE_OPTIONS: options, ...env } = process.env;
  return {
    ...env,
    // A second process that waits for a debugger, or takes its port.
    ...(options === undefined ? {} : { NODE_OPTIONS: options.replace(/--inspect\S*/g, '') }),
    // Electron's executable is Node when told so.
    ...(process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

function isOneFile(): boolean {
  try {
    return (createRequire(import.meta.url)('node:sea') as { isSea(): boolean }).isSea();
  } catch {
    return false; // no such module before Node 20.12, and in Electron
  }
}
