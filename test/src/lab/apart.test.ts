import { get } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveApart } from '../../../src/lab/apart.ts';
import { settleWeb } from '../../../src/lab/options.ts';

const Apart = suite('lab/apart');

const ask = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });

Apart('a lab in a process of its own serves, counts, moves on and ends when it is closed', async () => {
  const lab = await serveApart({
    web: { kind: 'synthetic', options: settleWeb({ pages: 5, hosts: 1, changing: 1 }) },
    port: 0,
    delayMs: 0,
  });
  try {
    const first = await ask(lab.seeds[0]!);
    await lab.setEpoch(1);
    const second = await ask(lab.seeds[0]!);
    assert.match(first, /<h1>/);
    assert.is.not(first, second);
    const counts = await lab.counts();
    assert.is(counts.requests, 2);
    assert.is(counts.pages.missed, 4);
  } finally {
    await lab.close();
  }
  await ask(lab.seeds[0]!).then(
    () => assert.unreachable('nobody listens any more'),
    (error) => assert.is(error.code, 'ECONNREFUSED'),
  );
});

Apart('what cannot be served is an error of the caller, and leaves no process', async () => {
  const failed = await serveApart({ web: { kind: 'folder', folder: '/no/such/folder' }, port: 0, delayMs: 0 }).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.match(failed, /no such file or directory/);
});

Apart.run();
