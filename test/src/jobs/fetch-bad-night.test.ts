import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SegmentLog } from '../../../src/fetch/log.ts';
import { Suspects } from '../../../src/fetch/suspects.ts';
import { Suspect } from '../../../src/fetch/task.ts';
import { segmentFolder, segmentPart } from '../../../src/page/segment.ts';
import { contentFile } from '../../../src/store/warc.ts';
import { closePools, type FetchSetup, fetchUrls, scratch, tell, writeFetchlist } from '../../kit/fetched.ts';
import { fault, type Page, page, startWeb, type Web } from '../../kit/web.ts';

const Night = suite('fetch job: a bad night');
Night.after(closePools);

const SEGMENT = '20261130120000';
/** An hour, in ms. */
const HOUR = 3_600_000;
/** Several hosts; `after` is called when they have been asked for so many pages. */
const hosts = (count: number, delayMs: number, pages: number, after: () => void): Promise<Web[]> => {
  let asked = 0;
  const answer = (): Page => {
    if (++asked === pages) after();
    return { body: page('x', '/1', '/2'), delayMs };
  };
  return Promise.all(
    Array.from({ length: count }, (_, i) => startWeb({ '/*': answer }, { address: `127.0.0.${i + 1}`, robots: '' })),
  );
};
/** `first`: code that each of its threads and processes runs before anything else. */
const inChild = (setup: FetchSetup, first = ''): ChildProcess =>
  spawn(
    process.execPath,
    [
      ...['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(first)}`],
      ...[fileURLToPath(new URL('../../kit/fetch-child.ts', import.meta.url)), JSON.stringify(setup)],
    ],
    { stdio: 'ignore' },
  );
const requested = (webs: readonly Web[]): number =>
  webs.reduce((sum, web) => sum + web.log.filter((exchange) => exchange.path !== '/robots.txt').length, 0);

for (const killAfter of [1, 40, 95])
  Night(
    `killed after ${killAfter} requests, the same call goes on: nothing is lost, next to nothing is asked twice`,
    async () => {
      let child: ChildProcess | undefined;
      const webs = await hosts(4, 5, killAfter, () => child?.kill('SIGKILL'));
      const urls = webs.flatMap((web) => Array.from({ length: 40 }, (_, i) => `${web.origin}/${i}`));
      const setup: FetchSetup = { dir: scratch(), segment: SEGMENT, urls, threads: 2, options: { net: { delay: 10 } } };
      writeFetchlist(setup.dir!, SEGMENT, setup);
      child = inChild(setup);
      const [code, signal] = await once(child, 'exit');
      assert.is(signal, 'SIGKILL', `it ended before, with exit code ${code}`);
      const before = requested(webs);
      const fetched = await fetchUrls(setup);
      const total = requested(webs);
      await Promise.all(webs.map((web) => web.close()));
      assert.equal([...fetched.outcomes.keys()].sort(), [...urls].sort());
      for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
      assert.equal(fetched.doubles, []);
      assert.is(fetched.data.size, urls.length);
      assert.is(fetched.counters.fetched, urls.length, 'the counters are those of both attempts');
      // Four hosts, one request in flight each, and a quarter of a second between checkpoints, at 15 ms a page.
      assert.ok(total - urls.length <= 4 + 4 * (250 / 15) + 4, `${before} before the kill, ${total} in all`);
    },
  );

Night('interrupted, what is under way ends, the rest has a record and stays due', async () => {
  const stop = new AbortController();
  const webs = await hosts(2, 20, 10, () => stop.abort());
  const urls = webs.flatMap((web) => Array.from({ length: 100 }, (_, i) => `${web.origin}/${i}`));
  const fetched = await fetchUrls({ urls, threads: 2, signal: stop.signal });
  await Promise.all(webs.map((web) => web.close()));
  const told = urls.map((url) => tell(fetched, url));
  const ok = told.filter((one) => one === 'success ok 200').length;
  assert.ok(ok >= 8 && ok < 100, String(ok));
  assert.is(told.filter((one) => one === 'skipped interrupted 0').length, urls.length - ok);
  assert.is(requested(webs) - ok <= 2, true);
});

Night('RU-polite-06: at the time limit a host that never answers does not hold the end up', async () => {
  const web = await startWeb({ '/robots.txt': { status: 404 }, '/*': fault.silence });
  const urls = Array.from({ length: 200 }, (_, i) => `${web.origin}/${i}`);
  const fetched = await fetchUrls({
    urls,
    options: { round: { timeLimit: 1 }, net: { timeout: HOUR, firstByteTimeout: HOUR } },
  });
  await web.close();
  // Held up, it would not have ended yet.
  assert.is(fetched.outcomes.size, urls.length);
  for (const url of urls) assert.is(tell(fetched, url), 'skipped time-limit 0');
});

Night('a segment that is fetched already is left as it is', async () => {
  const web = await startWeb({ '/': page('x') }, { robots: '' });
  const one = await fetchUrls({ urls: [`${web.origin}/`] });
  const two = await fetchUrls({ urls: [`${web.origin}/`], dir: one.dir });
  await web.close();
  assert.is(web.hits('/'), 1);
  assert.equal(two.counters, one.counters);
});

/** A word, and blank lines: more strings than a heap of 24 MB has room for, and a short text. */
const blank = (lines: number): Page => ({ body: `word\n${'  \n'.repeat(lines)}`, type: 'text/plain' });
/** Within the size that a shard reads itself. */
const bomb = blank(680_000);
const paths = ['/1', '/2', '/bomb', '/3', '/4', '/5'];

Night('a page that kills its thread costs that page alone, and is not tried again', async () => {
  const web = await startWeb({ '/*': page('x'), '/bomb': bomb }, { robots: '' });
  const fetched = await fetchUrls({ urls: paths.map((path) => web.origin + path), heapMb: 24 });
  await web.close();
  for (const path of paths)
    assert.is(tell(fetched, web.origin + path), path === '/bomb' ? 'parse-failed parse-died 0' : 'success ok 200');
  assert.is(web.hits('/bomb'), 1);
  assert.ok(fetched.events.some((event) => event.kind === 'warning' && event.message.includes('/bomb')));
});

Night('RU-resources-06: a page over 2 MB is read where it can end nothing but itself', async () => {
  const web = await startWeb({ '/*': page('x'), '/bomb': blank(1_300_000) }, { robots: '' });
  const fetched = await fetchUrls({ urls: paths.map((path) => web.origin + path), heapMb: 24 });
  await web.close();
  // In the thread of the shard, whose heap it fills, it would be `parse-died`.
  for (const path of paths) assert.is(tell(fetched, web.origin + path), 'success ok 200');
  assert.is(fetched.text.get(`${web.origin}/bomb`)!.text, 'word');
});

Night(
  'what was being read when the process ended is read in a process of its own by the attempt that goes on',
  async () => {
    const sitemap = { body: '<urlset><url><loc>/x</loc></url></urlset>', type: 'text/xml' };
    const web = await startWeb({ '/*': page('x'), '/bomb': bomb, '/map': sitemap }, { robots: '' });
    const urls = [...paths, '/map'].map((path) => web.origin + path);
    const setup: FetchSetup = { dir: scratch(), segment: SEGMENT, urls, heapMb: 24 };
    writeFetchlist(setup.dir!, SEGMENT, setup);
    // What a process that was ended leaves: a shard that has begun, three pages that were being read, and no outcome.
    const log = new SegmentLog(setup.dir!, SEGMENT, 0, 'nuthatch');
    const suspects = new Suspects(setup.dir!, SEGMENT, 0, new Suspect(Suspect.memory()));
    suspects.here(`${web.origin}/1`);
    suspects.here(`${web.origin}/bomb`);
    suspects.back(suspects.away(`${web.origin}/2`));
    suspects.away(`${web.origin}/map`);
    suspects.away(`${web.origin}/3`);
    const fetched = await fetchUrls(setup);
    await web.close();
    log.close();
    suspects.close();
    for (const path of paths) assert.is(tell(fetched, web.origin + path), 'success ok 200', path);
    assert.is(tell(fetched, `${web.origin}/map`), 'parse-failed parse-died 200');
    assert.not.ok(
      fetched.events.some((event) => event.kind === 'warning'),
      'no thread died',
    );
  },
);

/** JSON-LD of this word ends the process that reads it, whichever thread of it does. */
const deadly = `
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (text === '"deadly"') process.kill(process.pid, 'SIGKILL');
    return parse(text, reviver);
  };`;

Night(
  'a page that ends every process that reads it ends the first attempt, and costs the next one itself',
  async () => {
    const bad = { body: `${page('x')}<script type="application/ld+json">"deadly"</script>` };
    const web = await startWeb({ '/*': page('x'), '/bad': bad }, { robots: '' });
    const good = ['/1', '/2', '/3'];
    const urls = ['/1', '/bad', '/2', '/3'].map((path) => web.origin + path);
    const setup: FetchSetup = { dir: scratch(), segment: SEGMENT, urls };
    writeFetchlist(setup.dir!, SEGMENT, setup);
    const attempt = (): Promise<unknown[]> => once(inChild(setup, deadly), 'exit');
    assert.equal(await attempt(), [null, 'SIGKILL']);
    assert.equal(await attempt(), [0, null]);
    // Fetched already: only read back.
    const fetched = await fetchUrls(setup);
    await web.close();
    for (const path of good) assert.is(tell(fetched, web.origin + path), 'success ok 200', path);
    assert.is(tell(fetched, `${web.origin}/bad`), 'parse-failed parse-died 200');
  },
);

Night('a round that is slower than it may be is ended, and what it has not fetched stays due', async () => {
  const web = await startWeb({ '/*': page('x') }, { robots: '' });
  const urls = Array.from({ length: 50 }, (_, i) => `${web.origin}/${i}`);
  const fetched = await fetchUrls({ urls, options: { net: { delay: 500 }, round: { minSpeed: 20, slowTime: 1 } } });
  await web.close();
  const told = urls.map((url) => tell(fetched, url));
  const slow = told.filter((one) => one === 'skipped too-slow 0').length;
  assert.ok(slow > 20, told.join());
  assert.is(told.filter((one) => one === 'success ok 200').length, urls.length - slow);
  assert.ok(fetched.events.some((event) => event.kind === 'warning' && /20 pages a second/.test(event.message)));
});

for (const part of ['crawl_fetch', 'parse_text', 'content'] as const)
  Night(`a disk that is full while ${part} is written ends the fetch, and the same call goes on later`, async () => {
    if (!existsSync('/dev/full')) {
      console.log('skipped: there is no /dev/full, which is a disk without room');
      return;
    }
    const web = await startWeb({ '/*': page('x', '/1', '/2') }, { robots: '' });
    const urls = Array.from({ length: 30 }, (_, i) => `${web.origin}/${i}`);
    const setup: FetchSetup = { dir: scratch(), segment: SEGMENT, urls };
    writeFetchlist(setup.dir!, SEGMENT, setup);
    const file =
      part === 'content'
        ? contentFile(segmentFolder(setup.dir!, SEGMENT), 0)
        : segmentPart(setup.dir!, SEGMENT, part, 0);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync('/dev/full', file);
    try {
      await fetchUrls(setup);
      assert.unreachable();
    } catch (error) {
      assert.is((error as { code?: string }).code, 'disk-full', String(error));
    }
    rmSync(file, { force: true });
    const fetched = await fetchUrls(setup);
    await web.close();
    assert.equal([...fetched.outcomes.keys()].sort(), [...urls].sort());
    for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
    assert.is(fetched.text.size, urls.length);
    assert.equal(fetched.doubles, []);
  });

Night.run();
