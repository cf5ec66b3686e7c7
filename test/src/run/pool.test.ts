import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPool } from '../../../src/run/pool.ts';

const Threads = suite('pool');
const pool = createPool(1);
Threads.after(() => pool.close());
const gate = (open: 0 | 1): Int32Array => new Int32Array(new SharedArrayBuffer(4)).fill(open);
const thread = (at: Int32Array): Promise<number> => pool.run<number>('../test/kit/run-thread', at);

Threads('a thread serves task after task, until a rest ends it', async () => {
  await pool.rest(); // before any task: nothing to end
  const first = await thread(gate(1));
  assert.is(await thread(gate(1)), first);
  await pool.rest();
  assert.is.not(await thread(gate(1)), first);
});
Threads('a rest ends no thread that has a task', async () => {
  const closed = gate(0);
  const first = thread(closed);
  await pool.rest();
  Atomics.store(closed, 0, 1);
  Atomics.notify(closed, 0);
  assert.is(await thread(gate(1)), await first);
});
Threads.run();
