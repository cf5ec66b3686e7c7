import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../../index/index.ts';
import { CrawlError } from '../../../src/errors.ts';
import { carry, landed } from '../../../src/run/carried.ts';

const Errors = suite('errors over the border of a thread');

/** As a thread would give it back. */
const over = async (task: () => unknown): Promise<unknown> => landed(structuredClone(await carry(task)(undefined)));
const thrown = async (task: () => unknown): Promise<Error> => {
  try {
    await over(task);
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
};

Errors('an error of ours arrives with its class, code, place and message, also from a task that waits', async () => {
  const full = await thrown(async () => {
    throw new CrawlError('disk-full', 'no room', { where: 'a/b' });
  });
  assert.instance(full, CrawlError);
  const { code, message, where } = full as CrawlError;
  assert.equal({ code, message, where }, { code: 'disk-full', message: 'no room', where: 'a/b' });
  const corrupt = await thrown(() => {
    throw new IndexError('corrupt', 'damaged', { file: 'x.trm' });
  });
  assert.instance(corrupt, IndexError);
  assert.equal([(corrupt as IndexError).code, (corrupt as IndexError).file], ['corrupt', 'x.trm']);
});

Errors('any other error and any result pass as they are', async () => {
  assert.is((await thrown(() => JSON.parse('{'))).name, 'SyntaxError');
  for (const value of [null, undefined, 0, 'x', { a: 1 }, [1, 2]]) assert.equal(await over(() => value), value);
});

Errors.run();
