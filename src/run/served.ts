import { Worker } from 'node:worker_threads';
import { carry } from './carried.ts';

/** What a process is sent: a task, and how long it may take, ms. */
export interface Ordered {
  readonly task: unknown;
  readonly deadlineMs: number;
}

/** What it says: that it can be given a task, that it has begun one, and what came of it; `bug`: an error that is none of ours. */
export type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'bug'; readonly message: string };

/**
 * Looks after the process, in a thread of its own, since the task may keep the main one busy for ever: ends it when the
 * task is past its time (`until`, ms of the monotonic clock; 0: idle), when it holds more memory than it may (buffers are
 * no part of the heap that V8 limits), and when its parent is gone. In plain text: a file would have to be loaded, by a
 * loader of TypeScript when from source.
 */
const WATCH = `
  const { workerData: { shared, parent, mostBytes } } = require('node:worker_threads');
  const until = new Float64Array(shared);
  setInterval(() => {
    const late = until[0] > 0 && Number(process.hrtime.bigint() / 1000000n) > until[0];
    if (late || process.ppid !== parent || process.memoryUsage.rss() > mostBytes) process.kill(process.pid, 'SIGKILL');
  }, 100);`;
/** Time left to the parent, which ends a late task itself and knows why. */
const GRACE_MS = 2000;

/**
 * The process's side of process-pool.ts: takes one task after the other from its parent, and ends when that is gone. Its
 * argument is the most memory it may hold, bytes.
 */
export function serve<T, R>(task: (input: T) => R | Promise<R>): void {
  const shared = new SharedArrayBuffer(8);
  const until = new Float64Array(shared);
  const workerData = { shared, parent: process.ppid, mostBytes: Number(process.argv[2]) };
  new Worker(WATCH, { eval: true, execArgv: [], workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
  // What a terminal or a supervisor sends to the whole group is for the parent, which decides what becomes of the task.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  const carried = carry(task);
  const say = (told: Told): void => void process.send!(told);
  process.on('message', async ({ task: input, deadlineMs }: Ordered) => {
    say({ kind: 'begun' });
    until[0] = Number(process.hrtime.bigint() / 1_000_000n) + deadlineMs + GRACE_MS;
    try {
      say({ kind: 'done', result: await carried(input as T) });
    } catch (error) {
      say({ kind: 'bug', message: error instanceof Error ? error.message : String(error) });
    }
    until[0] = 0;
  });
  say({ kind: 'ready' });
}
