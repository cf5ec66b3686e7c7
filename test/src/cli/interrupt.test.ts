import { mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cli, type Running, startCli } from '../../kit/cli.ts';
import { pagesSite } from '../../kit/pages.ts';
import { type Routes, startWeb, type Web } from '../../kit/web.ts';

const Interrupt = suite('interrupted crawls');
const root = mkdtempSync(join(tmpdir(), 'interrupt-'));
const PAGES = 50;
const site = pagesSite(PAGES);
let web: Web;
/** Told of each page asked for. */
let asked = (_count: number): void => undefined;
let count = 0;

Interrupt.before(async () => {
  const routes: Routes = Object.fromEntries(
    Object.entries(site).map(([path, body]) => [
      path,
      () => {
        asked(++count);
        // A page takes a moment, so that an interrupt meets requests in flight.
        return { body: body as string, delayMs: 10 };
      },
    ]),
  );
  web = await startWeb(routes);
});
Interrupt.after(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

const args = (dir: string): string[] => [
  'crawl',
  `${web.origin}/`,
  '--dir',
  dir,
  '--delay',
  '0',
  '--json',
  '--set',
  'net.connections=2',
];
const all = Object.keys(site).sort();
const indexed = async (dir: string): Promise<string[]> => {
  const { out } = await cli(['export', 'jsonl', '--dir', dir]);
  return out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line).id as string).slice(web.origin.length))
    .sort();
};
/** Resolves when that many more pages have been asked for, or the process has ended. */
const pages = (more: number, running: Running): Promise<unknown> => {
  const target = count + more;
  return Promise.race([
    running.ended,
    new Promise<void>((resolve) => {
      asked = (n) => void (n >= target && resolve());
    }),
  ]);
};

Interrupt('issue 2: Ctrl-C ends with 130 and says how to go on; the same command comes to the same set', async () => {
  const dir = join(root, 'ctrl-c');
  const running = startCli(args(dir));
  await pages(20, running);
  running.child.kill('SIGINT');
  const ran = await running.ended;
  assert.is(ran.code, 130, ran.err);
  assert.match(ran.err, /stopping in good order; Ctrl-C once more stops at once/);
  assert.match(ran.err, new RegExp(`go on with: nuthatch crawl ${web.origin}/ --dir ${dir} --delay 0`));
  assert.match(ran.err, new RegExp(`to search what has been fetched so far: nuthatch index --dir ${dir}\n`));
  assert.is((await cli(['index', '--dir', dir])).code, 0);
  const some = await indexed(dir);
  assert.ok(some.length >= 15 && some.length < all.length, `${some.length} pages`);
  const again = await cli(args(dir));
  assert.is(again.code, 0, again.err);
  assert.equal(await indexed(dir), all);
});

Interrupt('RU-crash-07: a second Ctrl-C ends at once, and the same command goes on', async () => {
  const dir = join(root, 'twice');
  const running = startCli(args(dir));
  await pages(20, running);
  running.child.kill('SIGINT');
  await running.said('stopping');
  running.child.kill('SIGINT');
  assert.is((await running.ended).code, 130);
  assert.is((await cli(args(dir))).code, 0);
  assert.equal(await indexed(dir), all);
});

Interrupt(
  'RU-crash-06: killed again and again at chance moments, a crawl ends with every page and fetches few twice',
  async () => {
    const dir = join(root, 'killed');
    const before = count;
    let kills = 0;
    for (const after of [3, 17, 11]) {
      const running = startCli(args(dir));
      await pages(after, running);
      running.child.kill('SIGKILL');
      const { signal } = await running.ended;
      if (signal === 'SIGKILL') kills++;
    }
    const last = await cli(args(dir));
    assert.is(last.code, 0, last.err);
    assert.equal(await indexed(dir), all);
    const { out } = await cli(['verify', '--dir', dir, '--json']);
    assert.equal(JSON.parse(out), { ok: true, problems: [] });
    // What was fetched after the last checkpoint, a quarter of a second, is fetched again: with two requests of ten
    // milliseconds at once, that is at most some fifty pages a kill.
    assert.ok(count - before <= PAGES + kills * 60, `${count - before} requests for ${PAGES} pages, ${kills} kills`);
  },
);

Interrupt(
  'RU-crash-08: killed while it writes an index, the one before still answers, and the next run ends well',
  async () => {
    const dir = join(root, 'indexing');
    assert.is((await cli(args(dir))).code, 0);
    for (const kind of ['sto', 'seg']) {
      let signal: NodeJS.Signals | null = null;
      // On a busy machine the news of a file may come after the end of the command: then once more.
      for (let tries = 0; signal === null && tries < 20; tries++) {
        const running = startCli(['index', '--all', '--dir', dir]);
        const watcher = watch(join(dir, 'index'));
        const written = new Promise<void>((resolve) =>
          watcher.on('change', (_, name) => void (String(name).endsWith(`.${kind}`) && resolve())),
        );
        await Promise.race([written, running.ended]);
        running.child.kill('SIGKILL');
        ({ signal } = await running.ended);
        watcher.close();
      }
      assert.is(signal, 'SIGKILL');
      const found = await cli(['search', 'number7', '--dir', dir, '--json']);
      assert.is(JSON.parse(found.out).total, 1, kind);
    }
    assert.is((await cli(['index', '--all', '--dir', dir])).code, 0);
    assert.equal(await indexed(dir), all);
  },
);

Interrupt.run();
