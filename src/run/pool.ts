/**
 * Threads: the only file that imports piscina. One pool serves every job, shard and merge of a crawl; a task names its
 * worker by file (`workers/<name>.ts`), so the code of a task is found by path and never imported from here.
 */
import { availableParallelism } from 'node:os';
import type { TransferListItem } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { CrawlError } from '../errors.ts';
import { landed } from './carried.ts';
import { workerFile } from './worker-file.ts';

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Moved to the thread, not copied. */
  readonly transfer?: readonly TransferListItem[];
}

export interface Pool {
  readonly threads: number;
  /**
   * Runs the default export of `workers/<worker>` on a thread with a plain-data task.
   * @throws CrawlError 'interrupted' when the signal fires (the thread is stopped); WorkerDied when the thread died;
   * what the task threw otherwise
   */
  run<T>(worker: string, task: unknown, options?: RunOptions): Promise<T>;
  /**
   * Ends threads that have nothing to do, and with them the memory they hold: the next task starts new ones. For the
   * border between two steps that have little code in common. Does nothing while a task is running.
   */
  rest(): Promise<void>;
  /** Stops the threads; tasks still running are interrupted. */
  close(): Promise<void>;
}

/** The thread of a task ended under it: out of memory, `process.exit`, a crash. The task may be run once more. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

export interface PoolOptions {
  /** Heap limit of one thread, MB. */
  readonly maxHeapMb?: number;
}

/** A quarter of what V8 would take for new objects of a thread: 25 MB less of each; at 2 MB the collector takes 7 % more CPU. */
const YOUNG_MB = 12;

/** `threads`: `'auto'` is one a core, at most 8. Threads start with the first task and end after ten idle seconds. */
export function createPool(threads: number | 'auto', options: PoolOptions = {}): Pool {
  const count = threads === 'auto' ? Math.min(availableParallelism(), 8) : Math.max(1, threads);
  // Made with the first task: a crawl of ten pages may never need a thread.
  let piscina: Piscina | undefined;
  let running = 0;
  const open = (): Piscina => {
    piscina ??= new Piscina({
      minThreads: 0,
      maxThreads: count,
      concurrentTasksPerWorker: 1,
      idleTimeout: 10_000,
      recordTiming: false,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_MB,
        ...(options.maxHeapMb ? { maxOldGenerationSizeMb: options.maxHeapMb } : {}),
      },
    });
    return piscina;
  };
  return {
    threads: count,
    async run<T>(worker: string, task: unknown, run: RunOptions = {}): Promise<T> {
      if (run.signal?.aborted) throw interrupted(worker);
      let given: unknown;
      running++;
      try {
        given = await open().run(task, {
          filename: workerFile(worker),
          ...(run.signal ? { signal: run.signal } : {}),
          ...(run.transfer ? { transferList: [...run.transfer] } : {}),
        });
      } catch (cause) {
        if (run.signal?.aborted) throw interrupted(worker, cause);
        if (died(cause))
          throw new WorkerDied(`the thread of a ${worker} task ended: ${(cause as Error).message}`, { cause });
        throw cause;
      } finally {
        running--;
      }
      return landed(given) as T;
    },
    async rest() {
      if (running > 0) return;
      const resting = piscina;
      piscina = undefined;
      await resting?.destroy();
    },
    async close() {
      await piscina?.destroy();
    },
  };
}

const interrupted = (worker: string, cause?: unknown): CrawlError =>
  new CrawlError('interrupted', `stopped while a ${worker} task was running; the same command goes on`, { cause });

/** Piscina and Node tell of a dead thread in three ways: its exit code, its heap limit, its pool's teardown. */
function died(cause: unknown): boolean {
  const { code, message } = cause as { code?: string; message?: string };
  return (
    code === 'ERR_WORKER_OUT_OF_MEMORY' || /^worker exited with code|^Terminating worker thread/.test(message ?? '')
  );
}
