import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../../index/index.ts';
import { errorOf, exitCodeOf, messageOf } from '../../../src/cli/exit.ts';
import { CrawlError, crawlErrorCodes } from '../../../src/errors.ts';

const Exit = suite('exit');

const listening = (port: number, host: string): Promise<unknown> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(port)));
  });

Exit('a port in use, and an address of another machine, are told with what to do', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  assert.is(
    messageOf(await listening(port, '127.0.0.1')),
    `port ${port} of 127.0.0.1 is in use by another program; stop that, or choose another port with --port`,
  );
  await new Promise((resolve) => server.close(resolve));
  assert.match(messageOf(await listening(0, '192.0.2.1')), /^192\.0\.2\.1 is no address of this machine.*--host$/);
});

Exit('what the file system refuses is told by its path, in words', () => {
  try {
    mkdirSync(`${import.meta.filename}/below`);
    assert.unreachable();
  } catch (error) {
    assert.match(messageOf(error), /exit\.test\.ts\/below cannot be made: a part of its path is a file, not a folder$/);
    assert.is(exitCodeOf(error), 1);
  }
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: 'crawl/LOCK' });
  assert.is(messageOf(denied), 'crawl/LOCK cannot be opened: this process has no right to it');
});

Exit('--json tells of a failure with a code of a closed list, the sentence, and where', () => {
  const ours = new CrawlError('locked', 'crawl is in use', { where: 'crawl' });
  assert.equal(errorOf(ours), { code: 'locked', message: 'crawl is in use', where: 'crawl' });
  assert.equal(errorOf(new IndexError('too-old', 'x is old', { file: 's1.trm' })).where, 's1.trm');
  assert.is(errorOf(new TypeError('x')).code, 'failed');
  assert.ok(crawlErrorCodes.includes('failed'));
  assert.match(errorOf(new TypeError('x')).message, /a fault of nuthatch/);
});

Exit.run();
