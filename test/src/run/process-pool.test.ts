import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProcessPool, type ProcessLimits, type ProcessPool, type Ran } from '../../../src/run/process-pool.ts';

const Processes = suite('processes');
const kit = (name: string): string => new URL(`../../kit/${name}`, import.meta.url).href;
const pools: ProcessPool[] = [];
const pool = (limits: Partial<ProcessLimits> = {}, file = kit('process-tasks.ts')): ProcessPool => {
  const made = createProcessPool(file, { processes: 1, heapMb: 48, deadlineMs: 120_000, ...limits });
  pools.push(made);
  return made;
};
Processes.after.each(() => {
  for (const one of pools.splice(0)) one.close();
});
const pid = async (one: ProcessPool): Promise<number> => {
  const ran = await one.run<number>('pid');
  if (ran.kind !== 'done') throw new Error(`no process told its number: ${died(ran)}`);
  return ran.result;
};
const died = (ran: Ran<unknown>): string => (ran.kind === 'died' ? `died, memory ${ran.memory}` : ran.kind);
const thrown = (running: Promise<unknown>): Promise<{ code?: string; name?: string; message?: string }> =>
  running.then(
    () => ({ message: 'nothing was thrown' }),
    (error: Error) => error,
  );

Processes('a task that leaps past the heap loses its process and nothing else', async () => {
  const one = pool();
  const first = await pid(one);
  const [leap, next] = await Promise.all([one.run('leap'), pid(one)]);
  assert.is(died(leap), 'died, memory true');
  assert.ok(next > 0 && next !== first && next !== process.pid);
});
Processes('buffers beside the heap count as well', async () => {
  assert.is(died(await pool({ heapMb: 32 }).run('buffers')), 'died, memory true');
});
Processes('a task past its deadline is ended, and the next one is done', async () => {
  // Starting is no part of the deadline.
  const one = pool({ deadlineMs: 500 });
  assert.is((await one.run('spin')).kind, 'late');
  assert.ok((await pid(pool())) > 0);
});
Processes('how a process ended is told', async () => {
  assert.equal(await pool().run('exit'), { kind: 'died', memory: false, how: 'exit code 3' });
});
Processes('what a task throws is thrown, with class and code where it is ours, and its process goes on', async () => {
  const one = pool();
  const before = await pid(one);
  const { name, code } = await thrown(one.run('full'));
  assert.equal([name, code], ['CrawlError', 'disk-full']);
  assert.is((await thrown(one.run('bug'))).message, 'a bug');
  assert.is(await pid(one), before);
});
Processes('a process serves task after task, up to a number of them', async () => {
  const one = pool({ tasks: 2 });
  const [a, b, c] = [await pid(one), await pid(one), await pid(one)];
  assert.is(a, b);
  assert.is.not(b, c);
});
Processes('as many tasks run at once as there may be processes', async () => {
  const one = pool({ processes: 2 });
  const pids = await Promise.all([pid(one), pid(one), pid(one), pid(one)]);
  assert.is(new Set(pids).size, 2);
});
Processes('what a terminal sends to all does not end a process', async () => {
  const one = pool();
  const before = await pid(one);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(before, signal);
  assert.is(await pid(one), before);
});
Processes('a module that cannot be loaded fails with a code, not as a death of the task', async () => {
  const error = await thrown(pool({}, kit('there-is-none.ts')).run('pid'));
  assert.is(error.code, 'failed');
  assert.match(error.message!, /does not start \(exit code 1\)/);
});
Processes('a signal interrupts what runs and what waits, and so does closing', async () => {
  const one = pool();
  const stop = new AbortController();
  const both = [one.run('spin', stop.signal), one.run('spin', stop.signal)].map(thrown);
  stop.abort();
  for (const error of await Promise.all(both)) assert.is(error.code, 'interrupted');
  const last = thrown(one.run('spin'));
  one.close();
  assert.is((await last).code, 'interrupted');
});

const parent = async (how: string): Promise<{ readonly process: ChildProcess; readonly pid: number }> => {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const given = ['--import', 'tsx', fileURLToPath(kit('process-parent.ts')), how];
  const program = spawn(process.execPath, given, { stdio });
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
  return { process: program, pid: Number(line) };
};
/** Ended, or ended and not yet collected by whoever took it over. */
const gone = (one: number): boolean => {
  try {
    process.kill(one, 0);
    return /\) [ZX]/.test(readFileSync(`/proc/${one}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || !(error as NodeJS.ErrnoException).path;
  }
};
for (const how of ['idle', 'busy'])
  Processes(`a process that is ${how} ends with its parent, however that ends`, async () => {
    const program = await parent(how);
    if (how === 'busy') program.process.kill('SIGKILL');
    if (program.process.exitCode === null && program.process.signalCode === null) await once(program.process, 'exit');
    // An idle one holds no program back; and either is gone, soon or later: the file would hang otherwise.
    while (!gone(program.pid)) await after(20);
  });
Processes.run();
