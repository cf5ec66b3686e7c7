import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import type { CrawlError } from '../../../src/errors.ts';
import type { Options } from '../../../src/options.ts';
import { placesOf, quick } from '../../kit/crawls.ts';
import { recrawlsOf } from '../../kit/recrawls.ts';
import { page, type Routes, type Web } from '../../kit/web.ts';

const IndexPages = suite('index over rounds');
const { folder, webOf } = placesOf(IndexPages);
const recrawls = recrawlsOf(IndexPages);
const DAY = 86_400_000;

/** A crawl that is run again and again, each time forty days later. */
async function crawls(
  routes: Routes,
  options: Options = {},
): Promise<{
  web: Web;
  dir: string;
  again: (more?: Options) => Promise<Record<string, number>>;
  found: () => Promise<Record<string, string>>;
}> {
  const web = await webOf(routes);
  const dir = folder();
  let times = 0;
  const again = async (more: Options = {}): Promise<Record<string, number>> => {
    const now = Date.now() + 40 * DAY * times++;
    const round = { ...quick, ...options, ...more, round: { rounds: times === 1 ? 2 : 1 } };
    await using crawl = await Crawl.open(dir, round, { clock: () => now });
    return (await crawl.run([`${web.origin}/`])) as unknown as Record<string, number>;
  };
  const found = async (): Promise<Record<string, string>> => {
    await using crawl = await Crawl.open(dir);
    const pages: Record<string, string> = {};
    await crawl.export('jsonl', (line) => {
      const { url, title } = JSON.parse(line);
      pages[url.slice(web.origin.length)] = title;
    });
    return pages;
  };
  return { web, dir, again, found };
}
const titled = (title: string, body = title): string => `<title>${title}</title><p>${body}</p>`;

IndexPages('of several fetches of a page the newest is found, and a page that came back is found again', async () => {
  const { web, again, found } = await crawls({ '/': page('Home', '/a', '/b'), '/a': titled('One'), '/b': titled('B') });
  await again();
  web.route({ '/a': titled('Two'), '/b': { status: 404 } });
  await again();
  assert.equal(await found(), { '/': 'Home', '/a': 'Two' });
  web.route({ '/a': titled('Three'), '/b': titled('B again') });
  await again();
  await again();
  assert.is((await found())['/a'], 'Three');
});

IndexPages('a page that lost to a twin comes back when the twin goes, and when the twin changes', async () => {
  const routes = { '/': page('Home', '/a', '/bb'), '/a': titled('Same'), '/bb': titled('Same') };
  for (const change of [{ status: 410 }, titled('Other now')]) {
    const { web, dir, again, found } = await crawls(routes);
    await again();
    const first = Object.keys(await found()).filter((path) => path !== '/');
    assert.is(first.length, 1);
    const loser = first[0] === '/a' ? '/bb' : '/a';
    // The loser is not fetched again: it answers that it has not changed.
    web.route({ [first[0]!]: change, [loser]: { status: 503 } });
    await again();
    const after = await found();
    assert.is(after[loser], 'Same', JSON.stringify(after));
    assert.is(after[first[0]!], typeof change === 'string' ? 'Other now' : undefined);
    assert.ok(existsSync(dir));
  }
});

IndexPages('issue 6: index --all alone publishes no duplicate that dedup had taken out', async () => {
  const routes = { '/': page('Home', '/a', '/bb'), '/a': titled('Same'), '/bb': titled('Same') };
  const { dir, again, found } = await crawls(routes);
  await again();
  const before = await found();
  assert.is(Object.keys(before).length, 2);
  await using crawl = await Crawl.open(dir);
  const did = await crawl.indexPages({ all: true });
  assert.equal(await found(), before);
  assert.is(did.duplicates, 1);
});

IndexPages(
  'RU-recrawl-05: a night on which most pages are gone is not published, and the search stays as it was',
  async () => {
    const names = Array.from({ length: 30 }, (_, n) => `/n${n}`);
    const site = Object.fromEntries(names.map((name) => [name, titled(`Page ${name}`)]));
    const { web, again, found } = await crawls({ '/': page('Home', ...names), ...site });
    await again();
    const before = await found();
    assert.is(Object.keys(before).length, 31);
    web.route(Object.fromEntries(names.slice(0, 25).map((name) => [name, { status: 404 }])));
    let error: CrawlError | undefined;
    try {
      await again();
    } catch (thrown) {
      error = thrown as CrawlError;
    }
    assert.is(error?.code, 'publish-refused');
    assert.match(error!.message, /25 of 31 documents would be lost \(25 http-404/);
    assert.equal(await found(), before);
    await again({ index: { maxLoss: 1 } });
    assert.is(Object.keys(await found()).length, 6);
  },
);

IndexPages('a page that is given up after three refusals leaves the index as it leaves one of all', async () => {
  const { web, again, found, rebuilt, crawl } = await recrawls({
    '/': page('Home', '/a', '/b'),
    '/a': page('A'),
    '/b': page('B'),
  });
  await again();
  web.route({ '/a': { status: 403 } });
  await again();
  await again();
  assert.equal(await found(), ['/', '/a', '/b']);
  await again();
  assert.equal(await found(), ['/', '/b']);
  assert.equal(await rebuilt(), ['/', '/b']);
  assert.match((await crawl((it) => it.why(`${web.origin}/a`))).verdict, /the server forbids it/);
  // Nor does a failure that says nothing of the page bring its old text back.
  web.route({ '/a': { status: 503 } });
  await again();
  assert.equal(await found(), ['/', '/b']);
  assert.equal(await rebuilt(), ['/', '/b']);
});

IndexPages(
  'once the clock was ahead and is right again, pages are fetched anew, and their newest text is found',
  async () => {
    const tagged = (text: string) => ({ etag: `"${text}"`, body: page(text) });
    const home = page('Home', '/a', '/b');
    const site = await recrawls({ '/': home, '/a': tagged('First'), '/b': tagged('Same') });
    const texts = async (): Promise<string[]> =>
      site.crawl(async (crawl) => {
        const titles: string[] = [];
        await crawl.export('jsonl', (line) => void titles.push(JSON.parse(line).title));
        return titles.sort();
      });
    await site.again();
    site.web.route({ '/a': tagged('Ahead'), '/b': tagged('Ahead too') });
    await site.again(400);
    assert.equal(await texts(), ['Ahead', 'Ahead too', 'Home']);
    site.web.route({ '/a': tagged('Newest') });
    await site.again(-360);
    // What had not changed since is fetched whole all the same: of two texts it could not be said which is the newer.
    assert.equal(await texts(), ['Ahead too', 'Home', 'Newest']);
    assert.equal(await site.rebuilt(), ['/', '/a', '/b']);
    const { stats } = await site.crawl(async (crawl) => ({ stats: await crawl.page(`${site.web.origin}/a`) }));
    assert.ok(Date.parse(String(stats!.fetched)) < Date.now() + 41 * DAY);
    await site.crawl((crawl) => crawl.clean());
    await site.crawl((crawl) => crawl.index({ all: true }));
    assert.equal(await texts(), ['Ahead too', 'Home', 'Newest']);
    assert.is((await site.crawl(async (crawl) => crawl.segments())).length, 1);
  },
);

IndexPages('a segment of which no page is in the index any more is removed by clean, others stay', async () => {
  const { web, dir, again, found } = await crawls({ '/': page('Home', '/a'), '/a': titled('A') });
  await again();
  web.route({ '/a': titled('A two') });
  await again();
  const before = readdirSync(join(dir, 'segments')).length;
  await using crawl = await Crawl.open(dir, quick, { clock: () => Date.now() + 40 * DAY });
  const did = await crawl.clean();
  assert.is(did.segments, 2, `of ${before}`);
  assert.equal(await found(), { '/': 'Home', '/a': 'A two' });
  assert.equal((await crawl.verify()).problems, []);
});

IndexPages('metadata, static fields, subcollections and rewrites become fields that are found', async () => {
  const index: Options['index'] = {
    metadata: ['author', 'dc.*', '*'],
    static: 'source:intranet,tag:one two' as unknown as Record<string, string>,
    subcollections: { guides: { in: ['/guide'] } },
    replace: ['title:short=/^(\\w+).*/$1/'],
  };
  const guide =
    '<title>Guide to squirrels</title><meta name="author" content="Ada Lovelace"><meta name="dc.subject" content="rodents"><meta name="dc.creator" content="Byron"><p>text</p>';
  const { dir, again } = await crawls({ '/': page('Home', '/guide'), '/guide': guide }, { index });
  await again();
  await using crawl = await Crawl.open(dir);
  for (const query of [
    'meta.author:lovelace',
    'meta.dc:rodents',
    'meta.dc:byron',
    'meta:lovelace',
    'subcollection:guides',
    'short:guide',
  ])
    assert.is((await crawl.search(query)).hits[0]?.title, 'Guide to squirrels', query);
  assert.is((await crawl.search('meta.dc:lovelace')).total, 0);
  assert.is((await crawl.search('source:intranet')).total, 2);
  assert.is((await crawl.search('tag:two')).total, 2);
  const { facets } = await crawl.search('source:intranet', { facets: ['subcollection', 'source'] });
  assert.equal(facets?.source, [{ value: 'intranet', count: 2 }]);
  assert.equal(facets?.subcollection, [{ value: 'guides', count: 1 }]);
});

IndexPages.run();
