import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Files } from '../../../src/net/file.ts';
import type { Answer, Request } from '../../../src/net/get.ts';

const FilesSuite = suite('files');
const top = mkdtempSync(join(tmpdir(), 'nuthatch-files-'));
const docs = join(top, 'docs');
FilesSuite.after(() => rmSync(top, { recursive: true, force: true }));

const HTML = '<title>Squirrel</title><p>red';
mkdirSync(join(docs, 'a b', 'deep'), { recursive: true });
mkdirSync(join(docs, '.git'));
mkdirSync(join(top, 'outside'));
for (const [path, text] of [
  ['docs/index.html', HTML],
  ['docs/a b/100% #1?.html', HTML],
  ['docs/grüße.txt', 'hello'],
  ['docs/.git/config', 'secret'],
  ['outside/x.html', HTML],
])
  writeFileSync(join(top, path!), text!);
symlinkSync('../outside', join(docs, 'leak'));
symlinkSync('../../..', join(docs, 'a b', 'up'));
symlinkSync('..', join(docs, 'a b', 'deep', 'parent'));
symlinkSync('index.html', join(docs, 'same.html'));
symlinkSync('loop', join(docs, 'loop'));
utimesSync(join(docs, 'index.html'), 1_700_000_000, 1_700_000_000);

let held = 0;
const root = `${pathToFileURL(docs).href}/`;
const files = new Files([root], { add: (bytes) => void (held += bytes) });
const get = (path: string, more: Partial<Request> = {}, maxBody = 1 << 20): Promise<Answer> =>
  files.get({ url: new URL(path, root), ...more }, maxBody);
/** Status and Location, or the reason of a failure. */
const tell = async (path: string): Promise<string> => {
  const answer = await get(path);
  if (answer.kind === 'failure') return answer.reason;
  answer.release();
  return `${answer.head.status} ${answer.head.get('location').replace(root, '')}`.trim();
};
const linksOf = (answer: Answer): string[] =>
  answer.kind === 'failure'
    ? [answer.reason]
    : [...answer.body.toString().matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);

FilesSuite('a file is answered with its bytes, its type by its name, and the time the disk has for it', async () => {
  const answer = await get('index.html');
  assert.is(answer.kind, 'response');
  if (answer.kind === 'failure') return;
  assert.is(answer.body.toString(), HTML);
  assert.is(answer.head.get('content-type'), 'text/html');
  assert.is(answer.head.get('last-modified'), 'Tue, 14 Nov 2023 22:13:20 GMT');
  answer.release();
  assert.is(held, 0);
});

FilesSuite('a file that has not changed is answered 304, to its ETag or to its time', async () => {
  const first = await get('index.html');
  if (first.kind === 'failure') throw new Error(first.detail);
  const status = async (...headers: string[]): Promise<number> => {
    const answer = await get('index.html', { headers });
    return answer.kind === 'failure' ? 0 : answer.head.status;
  };
  assert.is(await status('if-none-match', first.head.get('etag')), 304);
  assert.is(await status('if-modified-since', first.head.get('last-modified')), 304);
  assert.is(await status('if-none-match', '"other"', 'if-modified-since', first.head.get('last-modified')), 200);
});

FilesSuite('a folder is a page of links, each name written in its one way, hidden names left out', async () => {
  const answer = await get('./');
  assert.equal(linksOf(answer), [
    './a%20b/',
    './gr%C3%BC%C3%9Fe.txt',
    './index.html',
    './leak',
    './loop',
    './same.html',
  ]);
  assert.match((answer as { problem?: string }).problem ?? '', /6 entries, and 1 hidden/);
  assert.match(String((answer as { body?: Buffer }).body), /name="robots" content="noindex"/);
  const [name] = linksOf(await get('a%20b/'));
  assert.is(name, './100%25%20%231%3F.html');
  assert.is(await tell(`a%20b/${name}`), '200');
});

FilesSuite('a folder of more entries than a page holds goes on on further pages', async () => {
  const many = join(docs, 'many');
  mkdirSync(many);
  for (let i = 0; i < 10_001; i++) writeFileSync(join(many, `${100_000 + i}.txt`), '');
  const first = linksOf(await get('many/'));
  assert.is(first.length, 10_001);
  assert.is(first.at(-1), '?from=10000');
  assert.equal(linksOf(await get('many/?from=10000')), ['./110000.txt']);
  rmSync(many, { recursive: true });
});

FilesSuite(
  'what has another address leads to it: a folder without slash, a symbolic link, another spelling',
  async () => {
    assert.is(await tell('a%20b'), '301 a%20b/');
    assert.is(await tell('same.html'), '301 index.html');
    assert.is(await tell('a%20b/deep/parent'), '301 a%20b/');
    assert.is(await tell('a%20b/deep/parent/deep/parent/'), '301 a%20b/');
    assert.is(await tell('inde%78.html'), '301 index.html');
  },
);

FilesSuite('a link that leaves the folder, and an address outside of it, are refused', async () => {
  assert.is(await tell('leak'), 'outside-root');
  assert.is(await tell('leak/x.html'), 'outside-root');
  assert.is(await tell('a%20b/up'), 'outside-root');
  assert.is(await tell('../outside/x.html'), 'outside-root');
  assert.is(await tell('file:///etc/hostname'), 'outside-root');
  assert.is(await tell('a%20b%2F..%2Findex.html'), 'url-invalid');
  assert.is(await tell('index.html%00'), 'url-invalid');
});

FilesSuite('what is not there is 404; what is not readable says so', async () => {
  assert.is(await tell('missing.html'), '404');
  assert.is(await tell('index.html/'), '404');
  const loop = await get('loop');
  assert.is(loop.kind === 'failure' && loop.reason, 'unreadable');
  assert.match(loop.kind === 'failure' ? loop.detail : '', /ELOOP/);
  if (process.getuid?.() === 0) return; // nothing is forbidden to root
  writeFileSync(join(docs, 'closed.html'), HTML);
  chmodSync(join(docs, 'closed.html'), 0);
  assert.is(await tell('closed.html'), 'unreadable');
  rmSync(join(docs, 'closed.html'));
});

FilesSuite('a FIFO and a device are not opened', async () => {
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [join(docs, 'pipe')]);
  assert.is(await tell('pipe'), 'special-file');
  rmSync(join(docs, 'pipe'));
  const devices = new Files(['file:///dev/'], { add() {} });
  const answer = await devices.get({ url: new URL('file:///dev/zero') }, 1000);
  assert.is(answer.kind === 'failure' && answer.reason, 'special-file');
});

FilesSuite('a file longer than allowed is cut, and one that is not wanted is not read', async () => {
  const cut = await get('index.html', {}, 10);
  if (cut.kind === 'failure') throw new Error(cut.detail);
  assert.equal([cut.cut, cut.body.toString()], ['length', HTML.slice(0, 10)]);
  const whole = await get('index.html', {}, HTML.length);
  assert.is(whole.kind === 'response' && whole.cut, '');
  const refused = await get('index.html', { accept: () => false });
  assert.equal(refused.kind === 'response' && [refused.cut, refused.body.length], ['refused', 0]);
});

FilesSuite('without a root nothing is open', async () => {
  const none = new Files([], { add() {} });
  const answer = await none.get({ url: new URL('index.html', root) }, 1000);
  assert.is(answer.kind === 'failure' && answer.reason, 'outside-root');
});

FilesSuite.run();
