import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CrawlEvent } from '../../../src/events.ts';
import { createPool, type Pool } from '../../../src/run/pool.ts';
import { runJob } from '../../../src/run/run.ts';
import { readRecords } from '../../../src/store/records.ts';
import { type Args, words } from '../../kit/run-jobs.ts';

const Run = suite('run');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-run-'));
/** Pools whose tasks are those of the kit. */
const kitPool = (threads: number): Pool => {
  const pool = createPool(threads, { maxHeapMb: 128 });
  return { ...pool, run: (worker, task, options) => pool.run(`../test/kit/run-${worker}`, task, options) };
};
const one = kitPool(1);
const three = kitPool(3);
Run.after(async () => {
  await one.close();
  await three.close();
  rmSync(folder, { recursive: true });
});

const texts = Array.from({ length: 7 }, (_, t) =>
  Array.from({ length: 500 }, (_, i) => `w${(i * i * (t + 3)) % 211}`).join(' '),
);
const expected = new Map<string, number>();
for (const word of texts.join(' ').split(' ')) expected.set(word, (expected.get(word) ?? 0) + 1);

const run = (
  args: Args = {},
  pool = three,
  more: { signal?: AbortSignal; events?: CrawlEvent[]; bytes?: number } = {},
) =>
  runJob(
    words,
    { splits: texts, args, bytes: more.bytes ?? 1e9, partitions: 3 },
    {
      dir: folder,
      pool,
      signal: more.signal ?? new AbortController().signal,
      onEvent: (event) => void more.events?.push(event),
    },
  );
const counted = (files: readonly string[]) =>
  files.flatMap((file) =>
    [...readRecords(file)].map(({ key, value }): [string, number] => [key, Buffer.from(value).readUInt32LE()]),
  );
const sorted = (pairs: Iterable<[string, number]>) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));

Run('words are counted as a map of them counts, each in one sorted file', async () => {
  const events: CrawlEvent[] = [];
  const output = await run({}, three, { events });
  assert.equal(sorted(counted(output.files)), sorted(expected));
  for (const file of output.files) {
    const keys = counted([file]).map(([key]) => key);
    assert.equal(keys, [...keys].sort());
  }
  assert.equal(output.counters, { texts: texts.length, words: expected.size });
  assert.is(output.records, expected.size);
  assert.is(events.filter(({ kind }) => kind === 'step-progress').length, texts.length + 3);
  output.discard();
  assert.not.ok(existsSync(join(folder, 'tmp', 'words')));
});

Run('the answer is the same bytes with one thread, three, and none', async () => {
  const bytes = [];
  for (const [pool, size] of [
    [one, 1e9],
    [three, 1e9],
    [three, 0],
  ] as const) {
    const { files } = await run({}, pool, { bytes: size });
    bytes.push(files.map((file) => readFileSync(file, 'hex')));
  }
  assert.equal(bytes[0], bytes[1]);
  assert.equal(bytes[0], bytes[2]);
});

for (const fault of ['exit', 'memory', 'reduce-exit'] as const) {
  Run(`a task whose thread dies (${fault}) is run once more, and nothing is counted twice`, async () => {
    const events: CrawlEvent[] = [];
    const output = await run({ fault, once: join(folder, `once-${fault}`) }, three, { events });
    assert.equal(sorted(counted(output.files)), sorted(expected));
    assert.equal(output.counters, { texts: texts.length, words: expected.size });
    assert.is(events.filter(({ kind }) => kind === 'warning').length, 1);
  });
}

Run('a task whose thread dies twice ends the job and leaves nothing', async () => {
  let error: { code?: string; message?: string } = {};
  await run({ fault: 'exit' }).catch((caught) => (error = caught));
  assert.is(error.code, 'failed');
  assert.match(error.message!, /twice/);
  assert.not.ok(existsSync(join(folder, 'tmp', 'words')));
});

Run('a task that throws ends the job at once, with its own error, and is not run again', async () => {
  let error: Error | undefined;
  await run({ fault: 'throw', once: join(folder, 'once-throw') }).catch((caught) => (error = caught));
  assert.is(error?.message, 'this text cannot be read');
  assert.not.ok(existsSync(join(folder, 'tmp', 'words')));
});

Run('a job that is stopped says so, leaves nothing, and can be run anew', async () => {
  const stop = new AbortController();
  const stopped = run({ fault: 'wait' }, three, { signal: stop.signal });
  setImmediate(() => stop.abort());
  let error: { code?: string } = {};
  await stopped.catch((caught) => (error = caught));
  assert.is(error.code, 'interrupted');
  assert.not.ok(existsSync(join(folder, 'tmp', 'words')));
  assert.equal(sorted(counted((await run()).files)), sorted(expected));
});

Run.run();
