import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import { CrawlError } from '../../src/errors.ts';
import type { CrawlEvent } from '../../src/events.ts';
import { idsOf, placesOf, quick } from '../kit/crawls.ts';
import { pagesSite, titleOf } from '../kit/pages.ts';
import { page, type Routes } from '../kit/web.ts';

const CrawlSuite = suite('crawl');
const { folder, webOf } = placesOf(CrawlSuite);
const listed = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
};
const failure = async (act: () => Promise<unknown>): Promise<CrawlError> => {
  try {
    await act();
  } catch (error) {
    assert.instance(error, CrawlError);
    return error as CrawlError;
  }
  throw new Error('nothing failed');
};

/** One of each thing a crawl meets. */
const small = (): Routes => ({
  '/robots.txt': { body: 'User-agent: *\nDisallow: /private\n', type: 'text/plain' },
  '/': page('Home', '/a', '/twin', '/moved', '/private/x', '/missing', '/picture', '/empty', '/noindex', '/canon'),
  '/a': page('Squirrels', '/b'),
  '/b': page('Birds', '/a'),
  '/twin': page('Squirrels', '/b'),
  '/moved': { status: 301, to: '/b' },
  '/picture': { type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) },
  '/empty': { body: '' },
  '/noindex':
    '<html><head><title>Hidden</title><meta name="robots" content="noindex"></head><body>hidden</body></html>',
  '/canon': '<html><head><title>Canon</title><link rel="canonical" href="/b"></head><body>canon</body></html>',
});

CrawlSuite('from one call a site becomes a search, and every page that is not in it says why', async () => {
  const web = await webOf(small());
  await using crawl = await Crawl.open(folder(), quick);
  const summary = await crawl.run([`${web.origin}/`]);
  assert.equal(
    await idsOf(crawl),
    ['/', '/a', '/b'].map((path) => web.origin + path),
  );
  assert.is(summary.published, 3);
  assert.is(summary.duplicates, 1);
  assert.ok(summary.peakRssBytes > 0 && summary.cpuSeconds > 0);
  const { hits, total } = await crawl.search('squirrels');
  assert.is(hits[0]?.modified, undefined, 'nobody named a date');
  assert.is(hits[0]?.url, `${web.origin}/a`);
  assert.is(total, 1);
  assert.equal(await crawl.suggest('bir'), ['Birds']);
  for (const [path, step, verdict] of [
    ['/b', 'hit', /a search can find it/],
    ['/twin', 'dedup', /duplicate of http.*\/a:/],
    ['/moved', 'fetch', /redirects permanently .*\/b/],
    ['/private/x', 'fetch', /robots\.txt forbids it/],
    ['/missing', 'fetch', /no such page/],
    ['/picture', 'parse', /its type is none/],
    ['/empty', 'index', /has no text|not read/],
    ['/noindex', 'index', /asks not to be indexed/],
    ['/canon', 'index', /canonical/],
    ['/unheard', 'seed', /no seed names it/],
  ] as const) {
    const explanation = await crawl.why(web.origin + path);
    assert.match(explanation.verdict, verdict, path);
    if (path !== '/empty') assert.is(explanation.steps.at(-1)!.step, step, path);
  }
  assert.match((await crawl.why('https://elsewhere.test/')).verdict, /outside the scope/);
  assert.match((await crawl.why('not an address')).verdict, /no address|outside/);
  assert.equal(await crawl.verify(), { ok: true, problems: [] });
});

CrawlSuite('crawled again, changed pages are found by their new words, and gone ones are gone', async () => {
  const routes: Record<string, Routes[string]> = { ...pagesSite(20) };
  const web = await webOf(routes);
  const dir = folder();
  let now = Date.now();
  const day = 86_400_000;
  {
    await using crawl = await Crawl.open(dir, quick, { clock: () => now });
    assert.is((await crawl.run([`${web.origin}/`])).published, 20);
  }
  web.route({ '/p/7': page('Walrus'), '/p/8': { status: 404 }, '/p/9': { status: 410 }, '/p/10': { status: 500 } });
  now += 40 * day;
  await using crawl = await Crawl.open(dir, { round: { rounds: 1 } }, { clock: () => now });
  const summary = await crawl.run();
  assert.is(summary.published, 18, 'a 404 and a 410 leave; a 500 does not');
  assert.is((await crawl.search('walrus')).hits[0]?.url, `${web.origin}/p/7`);
  assert.is((await crawl.search('number7')).total, 0);
  assert.is((await crawl.search('number10')).total, 1);
  const { verdict } = await crawl.why(`${web.origin}/p/10`);
  assert.match(verdict, /^It is in the index as it was fetched before, .* it was not fetched: the server failed/);
});

CrawlSuite('crawled again at once, nothing is due, and it says so', async () => {
  const web = await webOf(pagesSite(3));
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  const commits = (): string[] => readdirSync(join(crawl.dir, 'index')).filter((name) => name.startsWith('commit'));
  const before = commits();
  const again = await crawl.run();
  assert.is(again.rounds, 0);
  assert.is(again.published, 3);
  assert.equal(commits(), before, 'what has not changed is not published anew');
  assert.match(again.notes.join(), /nothing is due: 3 addresses known, .*next due 20/);
});

CrawlSuite('the addresses a run says it knows are those of crawldb, counted without a pass over it', async () => {
  const more = page('More', '/old', '/gone', '/p/1', '/p/99');
  const web = await webOf({ ...pagesSite(12), '/old': { status: 301, to: '/p/3' }, '/more': more });
  await using crawl = await Crawl.open(folder(), { ...quick, round: { topN: 5, maxPages: 8 } });
  const all = crawl.stats.bind(crawl);
  for (const seeds of [[`${web.origin}/`], [`${web.origin}/more`], [], [], []]) {
    let passes = 0;
    crawl.stats = () => {
      passes++;
      return all();
    };
    const { urls } = await crawl.run(seeds);
    assert.is(urls, (await all()).urls);
    assert.is(passes, 0);
  }
});

CrawlSuite('every step alone, in order, comes to what one call does', async () => {
  const web = await webOf(small());
  await using whole = await Crawl.open(folder(), quick);
  await whole.run([`${web.origin}/`]);
  await using steps = await Crawl.open(folder(), quick);
  await steps.inject([`${web.origin}/`]);
  while ((await steps.generate()).segments) {
    await steps.fetch();
    await steps.updatedb();
    await steps.invertlinks();
  }
  await steps.indexPages();
  await steps.dedup();
  await steps.merge();
  assert.equal(await idsOf(steps), await idsOf(whole));
  assert.is((await failure(() => steps.fetch())).code, 'nothing-to-do');
  assert.is((await failure(() => steps.updatedb())).code, 'nothing-to-do');
  assert.is((await failure(() => steps.updatedb('20200101000000'))).code, 'usage');
});

/** All bytes of the published index, but for the commit and type-ahead files, by kind. */
function indexBytes(dir: string): Record<string, string> {
  const files = readdirSync(join(dir, 'index')).filter((name) => /^s\d+\.[a-z]{3}$/.test(name));
  return Object.fromEntries(
    files.map((name) => [name.split('.')[1]!, readFileSync(join(dir, 'index', name)).toString('base64')]),
  );
}

CrawlSuite('the index has the same bytes for 1, 2 and 4 threads, given the same segments', async () => {
  // More than is done without threads: six MB of text.
  const web = await webOf(pagesSite(80, 0, 13_000));
  const dir = folder();
  {
    await using crawl = await Crawl.open(dir, quick);
    await crawl.run([`${web.origin}/`]);
  }
  const first = indexBytes(dir);
  assert.is(Object.keys(first).length, 9);
  for (const threads of [2, 4]) {
    rmSync(join(dir, 'index'), { recursive: true });
    await using crawl = await Crawl.open(dir, { work: { threads } });
    await crawl.index();
    assert.equal(indexBytes(dir), first, `${threads} threads`);
  }
});

CrawlSuite('a folder of a newer format is refused, and so is one whose file is cut', async () => {
  const dir = folder();
  {
    await using crawl = await Crawl.open(dir);
    await crawl.inject(['http://127.0.0.1:9/']);
  }
  const file = join(dir, 'nuthatch.json');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(before), format: 2, by: 'nuthatch 9.0.0' }));
  const newer = await failure(() => Crawl.open(dir));
  assert.is(newer.code, 'too-new');
  assert.match(newer.message, /written by nuthatch 9\.0\.0 in format 2/);
  writeFileSync(file, before.slice(0, 20));
  assert.is((await failure(() => Crawl.open(dir))).code, 'damaged');
});

CrawlSuite('a folder keeps the options it was made with, but never credentials', async () => {
  const dir = folder();
  const headers = { 'http://127.0.0.1:9': { authorization: 'Basic c2VjcmV0' } };
  {
    const login = { 'http://127.0.0.1:9': { user: 'me', password: 'c2VjcmV0' } };
    const hosts = { 'wiki.test': { delay: 5, passphrase: 'c2VjcmV0' } };
    const net = { delay: 7, headers, login, hosts, proxy: 'http://me:c2VjcmV0@127.0.0.1:9' };
    await using crawl = await Crawl.open(dir, { net, scope: { depth: 3 } });
    await crawl.inject(['http://127.0.0.1:9/']);
  }
  assert.not.match(readFileSync(join(dir, 'nuthatch.json'), 'utf8'), /c2VjcmV0|authorization/);
  await using again = await Crawl.open(dir, { scope: { depth: 4 } });
  assert.is(again.options.net.delay, 7);
  assert.equal(again.options.net.hosts, { 'wiki.test': { delay: 5 } });
  assert.is(again.options.scope.depth, 4);
});

CrawlSuite('a damaged index is refused, and made anew of the segments where all of them are asked for', async () => {
  const web = await webOf(small());
  for (const kind of ['pos', 'commit-']) {
    const dir = folder();
    await using crawl = await Crawl.open(dir, quick);
    await crawl.run([`${web.origin}/`]);
    const before = await idsOf(crawl);
    const file = readdirSync(join(dir, 'index')).find((name) => name.endsWith(`.${kind}`) || name.startsWith(kind))!;
    truncateSync(join(dir, 'index', file), 20);
    const error = await crawl.index().then(
      () => null,
      (thrown: { code: string }) => thrown,
    );
    assert.is(error?.code, 'corrupt', file);
    await (kind === 'pos' ? crawl.index({ all: true }) : crawl.indexPages({ all: true }));
    if (kind !== 'pos') await crawl.dedup();
    assert.equal(await idsOf(crawl), before, file);
    assert.ok(existsSync(join(dir, 'index.damaged-1', file)), 'what was there is kept');
    assert.equal((await crawl.verify()).problems, []);
  }
});

CrawlSuite('RU-crash-03: a second writer is told who has the folder; searching it goes on', async () => {
  const web = await webOf(small());
  const dir = folder();
  const first = await Crawl.open(dir, quick);
  await first.run([`${web.origin}/`]);
  const second = await Crawl.open(dir);
  const error = await failure(() => second.inject([`${web.origin}/`]));
  assert.is(error.code, 'locked');
  assert.match(error.message, new RegExp(`in use by process ${process.pid} `));
  assert.is((await second.search('birds')).total, 1);
  await first.close();
  await second.inject([`${web.origin}/`]);
  await second.close();
});

CrawlSuite('RU-crash-10: a damaged segment is left out with a warning, and the others are indexed', async () => {
  const web = await webOf(pagesSite(6));
  const dir = folder();
  {
    await using crawl = await Crawl.open(dir, quick);
    await crawl.inject([`${web.origin}/`]);
    for await (const round of crawl.rounds()) if (round.round > 9) break;
  }
  const [, second] = readdirSync(join(dir, 'segments')).sort();
  const parts = join(dir, 'segments', second!, 'parse_text');
  const file = join(parts, readdirSync(parts)[0]!);
  const bytes = readFileSync(file);
  // A block in the middle: the next one shows that it is damage and not a cut end.
  writeFileSync(
    file,
    Buffer.concat([bytes.subarray(0, 20), Buffer.from([bytes[20]! ^ 1]), bytes.subarray(21), bytes.subarray(8)]),
  );
  const warnings: string[] = [];
  await using crawl = await Crawl.open(dir, quick, {
    onEvent: (event) => void (event.kind === 'warning' && warnings.push(event.message)),
  });
  const did = await crawl.index();
  assert.is(did.published, 2);
  assert.ok(
    warnings.some((text) => text.includes(`segment ${second} is left out`)),
    warnings.join(),
  );
});

CrawlSuite('a known title finds its page first', async () => {
  const web = await webOf(pagesSite(40));
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  for (const n of [0, 1, 7, 19, 39]) assert.is((await crawl.search(titleOf(n))).hits[0]?.title, titleOf(n));
});

CrawlSuite(
  'documents from elsewhere are added, replaced and deleted by id, beside a crawl or without one',
  async () => {
    await using crawl = await Crawl.open(folder(), quick);
    const lines = (...all: object[]): string[] => all.map((one) => JSON.stringify(one));
    assert.equal(
      await crawl.add([...lines({ id: 1, title: 'One', text: 'red oak' }, { id: 'b', text: 'oak' }), 'nonsense', '']),
      { added: 2, updated: 0, deleted: 0, rejected: 1, published: 2, lost: 0 },
    );
    assert.is((await crawl.search('oak')).total, 2);
    const changed = await crawl.add(lines({ id: '1', title: 'One', text: 'birch' }, { id: 'b', deleted: true }));
    assert.equal([changed.added, changed.updated, changed.deleted, changed.published], [0, 1, 1, 1]);
    assert.is((await crawl.search('oak')).total, 0);
    assert.is((await crawl.search('birch')).hits[0]?.id, '1');
    // Within one call the last line counts, whatever came before it.
    const last = await crawl.add(
      lines(
        { id: 'z', text: 'old' },
        { id: 'z', deleted: true },
        { id: 'z', text: 'new' },
        { id: 'y' },
        { id: 'y', deleted: true },
      ),
    );
    assert.is(last.published, 2);
    assert.is((await crawl.search('new')).hits[0]?.id, 'z');
    assert.is((await crawl.search('old')).total, 0);
  },
);

CrawlSuite('RU-seeds-01: a line that is no seed is warned of by its number, and the others go on', async () => {
  const warnings: string[] = [];
  await using crawl = await Crawl.open(folder(), quick, {
    onEvent: (event) => void (event.kind === 'warning' && warnings.push(event.message)),
  });
  const did = await crawl.inject(['http://127.0.0.1:9/', 'http://[broken', '# a comment', '', 'ftp://x.test/']);
  assert.is(did.injected, 1);
  assert.is(did.rejected, 2);
  assert.ok(
    warnings.some((text) => /line 2: .*broken/.test(text)),
    warnings.join('\n'),
  );
  assert.ok(
    warnings.some((text) => /line 5: .*scheme/.test(text)),
    warnings.join('\n'),
  );
});

CrawlSuite('a seed that leads out of the scope or to nothing is told of, one sentence each', async () => {
  const away = await webOf({ '/': page('Elsewhere') });
  const web = await webOf({ '/': page('Home'), '/away': { status: 301, to: `${away.origin}/` } });
  await using crawl = await Crawl.open(folder(), quick);
  const { notes } = await crawl.run([`${web.origin}/`, `${web.origin}/away`, `${web.origin}/missing`]);
  assert.is(notes.length, 2);
  assert.match(notes[0]!, /\/away: it redirects to an address that the scope .*refuses/);
  assert.ok(notes[0]!.includes(away.origin), notes[0]);
  assert.match(notes[1]!, /\/missing: there is no such page \(404\)/);
});

CrawlSuite('what updatehosts adds up of a host is shown, of all hosts and of one', async () => {
  const web = await webOf(small());
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  for (const segment of crawl.segments()) await crawl.updateHosts(segment);
  const all = await listed(crawl.hostStats());
  assert.is(all.length, 1);
  assert.is(all[0]!.reasons['http-404'], 1);
  assert.equal(await listed(crawl.hostStats(all[0]!.host)), all);
  assert.equal(await listed(crawl.hostStats('nowhere.example')), []);
});

CrawlSuite('a crawl that was stopped stays so; the folder opened again goes on with the same call', async () => {
  const web = await webOf({ '/': page('Home', '/a'), '/a': page('Squirrels') });
  const dir = folder();
  const stop = new AbortController();
  const onEvent = ({ kind }: CrawlEvent): void => {
    if (kind === 'step-finished') stop.abort();
  };
  {
    await using crawl = await Crawl.open(dir, quick, { signal: stop.signal, onEvent });
    for (let call = 0; call < 2; call++)
      assert.is((await failure(() => crawl.run([`${web.origin}/`]))).code, 'interrupted');
  }
  await using crawl = await Crawl.open(dir);
  assert.is((await crawl.run([`${web.origin}/`])).published, 2);
});

CrawlSuite.run();
