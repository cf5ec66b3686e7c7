import { createProcessPool } from '../../src/run/process-pool.ts';

/** A program that has a process: at rest (`idle`) or at a task without end (`busy`). Prints its number. */
const file = new URL('process-tasks.ts', import.meta.url).href;
const pool = createProcessPool(file, { processes: 1, heapMb: 64, deadlineMs: 3_600_000, idleMs: 3_600_000 });
const ran = await pool.run<number>('pid');
if (process.argv[2] === 'busy') void pool.run('spin');
if (ran.kind === 'done') console.log(ran.result);
