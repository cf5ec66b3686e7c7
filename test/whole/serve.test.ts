import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Browser, findChromium } from '../kit/browser.ts';
import { cli, type Running, startCli } from '../kit/cli.ts';
import { startWeb, type Web } from '../kit/web.ts';

/** A server on a real crawl, while other processes crawl the same folder. */
const Serve = suite('serve, on a real crawl');
let dir: string;
let web: Web;
let serving: Running;
let address: string;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/">Home</a> <a href="/nuts">Nuts</a> <a href="/birds">Birds</a></nav><main><h1>${title}</h1><p>${body}</p></main>`;
const get = async (path: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${address}${path}`);
  return { status: answer.status, text: await answer.text() };
};
const crawl = () =>
  cli([
    'crawl',
    `${web.origin}/`,
    '--dir',
    dir,
    '--delay',
    '0',
    '--quiet',
    '--set',
    'schedule.interval=1',
    '--set',
    'schedule.minInterval=1',
  ]);

Serve.before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'nuthatch-serve-'));
  web = await startWeb({
    '/': page('A wood', 'Where birds and squirrels live.'),
    '/nuts': page(
      'Hazel nuts',
      'A red squirrel eats hazel nuts; <code>&lt;img src=x onerror=alert(1)&gt;</code> is no nut.',
    ),
    '/birds': page('Nuthatches', 'A nuthatch walks down a trunk head first.'),
  });
  const { code, err } = await crawl();
  assert.is(code, 0, err);
  serving = startCli(['serve', '--dir', dir, '--port', '0', '--title', 'The wood', '--token', 'secret']);
  let out = '';
  serving.child.stdout!.on('data', (chunk) => (out += chunk));
  await serving.said('search at ');
  address = /search at (\S+)\/$/m.exec(out)![1]!;
});
Serve.after(async () => {
  serving.child.kill('SIGINT');
  const { code } = await serving.ended;
  await web.close();
  rmSync(dir, { recursive: true, force: true });
  assert.ok(code === 0 || code === 130, `the server ended with ${code}`);
});

Serve('the page finds, marks and links', async () => {
  const { text } = await get('/?q=red+squirrel');
  assert.match(text, new RegExp(`<a href="${web.origin}/nuts">Hazel nuts</a>`));
  assert.match(text, /<mark>red<\/mark>|<mark>red squirrel<\/mark>/);
  assert.match(text, /<title>red squirrel - The wood<\/title>/);
});

Serve('code that a page shows stays text (RU-snippet-01)', async () => {
  const { text } = await get('/?q=onerror');
  assert.match(text, /Hazel nuts/);
  assert.not.match(text, /<img/);
});

Serve('type-ahead offers titles', async () => {
  assert.equal(JSON.parse((await get('/api/suggest?q=nuth')).text).suggestions, ['Nuthatches']);
});

Serve('asking why keeps no crawl out, and the server moves to what the crawl has published', async () => {
  const before = JSON.parse((await get(`/api/why?url=${web.origin}/birds`)).text);
  assert.ok(
    before.steps.every((step: { ok: boolean }) => step.ok),
    before.verdict,
  );
  web.route({ '/birds': page('Woodpeckers', 'A woodpecker drums on dead wood.') });
  let code: number | null = 3;
  // The interval is a second, and a page is due when it is over: 3 says that it is not.
  for (let tries = 0; code === 3 && tries < 20; tries++) {
    const ran = await crawl();
    code = ran.code;
    assert.ok(code === 0 || code === 3, ran.err);
  }
  assert.is(code, 0);
  const reload = await fetch(`${address}/admin/reload`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret' },
  });
  assert.is(reload.status, 200);
  assert.match((await get('/?q=woodpecker')).text, /Woodpeckers/);
  assert.match((await get('/?q=nuthatch+trunk')).text, /Nothing matches/);
});

const chromium = findChromium();
Serve('a person types, chooses and reads, in a browser', async () => {
  if (chromium === null) return console.log('skipped: a person at the search page; there is no Chromium');
  const browser = await Browser.start(chromium);
  try {
    const tab = await browser.page();
    await tab.goto(`${address}/`);
    await tab.type('haz');
    await tab.until("document.querySelectorAll('[role=option]').length > 0");
    await tab.press('ArrowDown');
    await tab.follow(() => tab.press('Enter'));
    assert.is(await tab.value('q.value'), 'Hazel nuts');
    assert.is(await tab.value("document.querySelector('.hit h2').textContent"), 'Hazel nuts');
    await tab.follow(() => tab.value("document.querySelector('.hit .about a').click()"));
    assert.match(await tab.value<string>("document.querySelector('.verdict').textContent"), /in the index/);
    assert.equal(tab.complaints, []);
  } finally {
    await browser.close();
  }
});

Serve.run();
