import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { command } from '../../kit/command.ts';
import { startWeb, type Web } from '../../kit/web.ts';

const Steps = suite('crawl, for people');
const root = mkdtempSync(join(tmpdir(), 'nuthatch-steps-'));
let web: Web;
Steps.before(async () => {
  web = await startWeb(
    {
      '/away': { status: 301, headers: { location: 'http://elsewhere.example/docs' } },
      '/gone': { status: 404 },
      '/private': 'secret',
    },
    { robots: 'User-agent: *\nDisallow: /private' },
  );
});
Steps.after(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

const stopped = async (seed: string, dir: string): Promise<string> => {
  const ran = await command('crawl', [seed], {
    dir,
    options: { net: { delay: 0, retries: 0 }, round: { rounds: 1 }, work: { threads: 1 } },
  });
  assert.is(ran.code, 1, `${seed}: ${ran.failed}`);
  const note = ran.notes.find((line) => line.startsWith(seed));
  const why = await command('why', [seed], { dir });
  const advice = why.out.at(-1)!;
  assert.ok(note?.endsWith(advice), `${note}\n${why.out.join('\n')}`);
  return note!.slice(seed.length + 2);
};

Steps('a seed that brings nothing is told with its reason and what to do, by crawl and by why alike', async () => {
  assert.is(
    await stopped(`${web.origin}/away`, join(root, 'away')),
    'it redirects to an address that the scope or a filter refuses: http://elsewhere.example/docs ' +
      '(HTTP status 301, out-of-scope (scope.mode host)). Name http://elsewhere.example/docs as a seed.',
  );
  assert.is(
    await stopped(`${web.origin}/gone`, join(root, 'gone')),
    'there is no such page (404). Check the address in a browser.',
  );
  assert.match(
    await stopped(`${web.origin}/private`, join(root, 'private')),
    /^robots\.txt forbids it \(Disallow: \/private\)\. Ask the owner/,
  );
});

Steps('https to a port that speaks plain HTTP is told as that, not as a bad certificate', async () => {
  const told = await stopped(`https://${web.host}/gone`, join(root, 'plain'));
  assert.match(told, /does not speak TLS on this port; http:\/\/ may be the right scheme/);
});

Steps('a port on which nobody listens is told at once', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  await new Promise((resolve) => server.close(resolve));
  const told = await stopped(`http://127.0.0.1:${port}/`, join(root, 'nobody'));
  assert.match(told, /^no connection to the host could be made .*Check host and port/);
});

Steps.run();
