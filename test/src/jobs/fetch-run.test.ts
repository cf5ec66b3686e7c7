import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { threadsFor } from '../../../src/jobs/fetch-run.ts';

const Run = suite('threads of a fetch');

Run('a list of some thousand pages is fetched in one thread, unless a number was asked for', () => {
  assert.is(threadsFor(0, 'auto', 8), 1);
  assert.is(threadsFor(4000, 'auto', 8), 1);
  assert.is(threadsFor(4001, 'auto', 8), 2);
  assert.is(threadsFor(50_000, 'auto', 8), 8);
  assert.is(threadsFor(50_000, 'auto', 1), 1);
  assert.is(threadsFor(1, 2, 2), 2);
});

Run.run();
