/**
 * A small map/reduce. Splits are mapped on the pool into sorted runs, runs of a partition are merged and reduced on the
 * pool, and the answer is a sorted record file a partition.
 *
 *     <dir>/tmp/<job>/map-00000-0/            one attempt of one task
 *     <dir>/tmp/<job>/map-00000/              ... renamed when it is done: only this name counts
 *     <dir>/tmp/<job>/reduce-00000/output.rec
 *
 * The result depends on splits, partitions and memory, never on threads. A task whose thread died is run once more in a
 * fresh folder; one that throws ends the job. A job that ends badly leaves nothing behind; what a killed process leaves
 * is cleared by the next run of the same job. Small input is done where we are: starting a thread costs more.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';
import type { Counters, JobContext } from './context.ts';
import type { Job, MapDone, MapTask, ReduceDone, ReduceTask } from './job.ts';
import { WorkerDied } from './pool.ts';
import { mapTask, reduceTask } from './task.ts';

export interface JobInput<Split, Args> {
  readonly splits: readonly Split[];
  readonly args: Args;
  /** Bytes of all splits together, as far as known: below `INLINE` no thread is used. */
  readonly bytes: number;
  /** Sorted files that the answer consists of. */
  readonly partitions?: number;
}

export interface JobOutput {
  /** A sorted record file a partition; gone with `discard`. */
  readonly files: readonly string[];
  readonly records: number;
  readonly counters: Counters;
  /** Removes the job's folder. Safe to call twice. */
  discard(): void;
}

export type RunContext = Pick<JobContext, 'dir' | 'pool' | 'signal' | 'onEvent'>;

/** Input below which threads cost more than they bring. */
const INLINE = 4 << 20;
/** Input for each thread at work. A second one is a heap and a sorter more, and saves seconds at most below this. */
const BYTES_A_THREAD = 128 << 20;
/** Input above which the answer is parted, so that as many threads may reduce. Below, one file needs no merging. */
const ONE_PART = 128 << 20;
const PARTITIONS = 4;
/** Bytes a map task collects before it writes a run. */
const MEMORY = 16 << 20;

/** @throws CrawlError 'interrupted' when the signal fires; 'failed' when a task died twice; what a task threw */
export async function runJob<Split, Args>(
  job: Job<Split, Args>,
  input: JobInput<Split, Args>,
  context: RunContext,
): Promise<JobOutput> {
  const folder = join(context.dir, 'tmp', job.name);
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  discard();
  mkdirSync(folder, { recursive: true });
  const partitions = input.partitions ?? (input.bytes > ONE_PART ? PARTITIONS : 1);
  const inline = input.bytes < INLINE;
  const counters: Record<string, number> = {};
  const add = (more: Counters): void => {
    for (const [name, by] of Object.entries(more)) counters[name] = (counters[name] ?? 0) + by;
  };
  let done = 0;
  const total = input.splits.length + partitions;
  const progress = (): void =>
    context.onEvent({ kind: 'step-progress', step: job.name, done: ++done, total, unit: 'tasks' });

  // The first failure stops the other tasks, so that nothing still writes when the folder goes.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const attempts = async <T>(name: string, task: (folder: string) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) throw interrupted(job.name);
      const place = join(folder, `${name}-${attempt}`);
      mkdirSync(place);
      try {
        const result = await task(place);
        renameSync(place, join(folder, name));
        progress();
        return result;
      } catch (error) {
        rmSync(place, { recursive: true, force: true });
        if (!(error instanceof WorkerDied)) throw error;
        if (attempt === 1)
          throw new CrawlError('failed', `task ${name} of ${job.name} lost its thread twice: ${error.message}`, {
            cause: error,
          });
        context.onEvent({ kind: 'warning', message: `task ${name} of ${job.name} lost its thread and is run again` });
      }
    }
  };
  const all = async <T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> => {
    const results: T[] = new Array(tasks.length);
    let next = 0;
    let failure: { error: unknown } | undefined;
    const worker = async (): Promise<void> => {
      while (next < tasks.length && !failure) {
        const at = next++;
        try {
          results[at] = await tasks[at]!();
        } catch (error) {
          failure ??= { error };
          stop.abort();
        }
      }
    };
    const atOnce = inline ? 1 : Math.min(context.pool.threads, Math.ceil(input.bytes / BYTES_A_THREAD));
    await Promise.all(Array.from({ length: atOnce }, worker));
    if (failure) throw failure.error;
    return results;
  };

  try {
    const maps = await all(
      input.splits.map((split, at) => async () => {
        const name = `map-${pad(at)}`;
        const { runs, counters } = await attempts(name, (place): Promise<MapDone> => {
          const task: MapTask = { job: job.name, split, args: input.args, folder: place, partitions, memory: MEMORY };
          return inline ? mapTask(job as Job, task) : context.pool.run<MapDone>('map', task, { signal });
        });
        add(counters);
        return runs.map((names) => names.map((run) => join(folder, name, run)));
      }),
    );
    const files = await all(
      Array.from({ length: partitions }, (_, at) => async () => {
        const name = `reduce-${pad(at)}`;
        const runs = maps.flatMap((map) => map[at]!);
        const { output, records, counters } = await attempts(name, (place): Promise<ReduceDone> => {
          const task: ReduceTask = { job: job.name, args: input.args, runs, folder: place };
          return inline ? reduceTask(job as Job, task) : context.pool.run<ReduceDone>('reduce', task, { signal });
        });
        add(counters);
        return { path: join(folder, name, output), records };
      }),
    );
    for (let at = 0; at < maps.length; at++) rmSync(join(folder, `map-${pad(at)}`), { recursive: true, force: true });
    return {
      files: files.map(({ path }) => path),
      records: files.reduce((sum, { records }) => sum + records, 0),
      counters,
      discard,
    };
  } catch (error) {
    discard();
    if (context.signal.aborted) throw interrupted(job.name, error);
    throw error;
  }
}

const pad = (at: number): string => String(at).padStart(5, '0');
const interrupted = (job: string, cause?: unknown): CrawlError =>
  new CrawlError('interrupted', `${job} was stopped; nothing has changed, and the same command does it anew`, {
    cause,
  });
