import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import { idsOf, placesOf, quick } from '../kit/crawls.ts';
import { page, type Routes } from '../kit/web.ts';

/** Whole crawls, for faults that show only when all steps have run. */
const Cases = suite('reported faults: crawl');
const { folder, webOf } = placesOf(Cases);
const pathsOf = async (crawl: Crawl): Promise<string[]> =>
  (await idsOf(crawl)).map((id) => new URL(id).pathname).sort();
const html = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;

Cases('RU-robots-11: robots in any case, and none, keep a page out and its links unfollowed', async () => {
  const web = await webOf({
    '/': page('Home', '/a', '/c'),
    '/a': html('A', '<p>hidden walrus</p><a href="/b">b</a>', '<META NAME="ROBOTS" CONTENT="NONE">'),
    '/b': page('B'),
    '/c': { body: html('C', '<p>hidden otter</p>'), headers: { 'X-Robots-Tag': 'noindex' } },
  });
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  assert.equal(await pathsOf(crawl), ['/']);
  assert.is(web.hits('/b'), 0);
});

Cases('RU-redirect-09: when the target of a redirect is gone, nothing is left of either address', async () => {
  const routes: Routes = {
    '/': page('Home', '/old', '/k1', '/k2', '/k3', '/k4'),
    '/old': { status: 301, to: '/new' },
    '/new': page('Walrus'),
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`/k${n}`, page(`Kept ${n}`)])),
  };
  const web = await webOf(routes);
  let now = Date.now();
  await using crawl = await Crawl.open(folder(), { ...quick, round: { rounds: 3 } }, { clock: () => now });
  await crawl.run([`${web.origin}/`]);
  assert.is((await crawl.search('walrus')).total, 1);
  web.route({ '/new': { status: 404 } });
  now += 40 * 86_400_000;
  await crawl.run();
  assert.is((await crawl.search('walrus')).total, 0);
  assert.not.ok((await pathsOf(crawl)).some((path) => path === '/old' || path === '/new'));
});

Cases('RU-dups-01: the same page with and without slash and index is one hit; two that differ stay two', async () => {
  const same = html('Service', '<main><p>Our service desk repairs clocks and watches of every age.</p></main>');
  const web = await webOf({
    '/': page('Home', '/service', '/service/', '/service/index', '/other/', '/other/index'),
    '/service': same,
    '/service/': same,
    '/service/index': same,
    '/other/': html('Other', '<p>Other one tells of bread and butter in the morning.</p>'),
    '/other/index': html('Other', '<p>Other two is a list of all the mills along the river.</p>'),
  });
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  const left = await pathsOf(crawl);
  assert.equal(
    left.filter((path) => !path.startsWith('/service')),
    ['/', '/other/', '/other/index'],
  );
  assert.is(left.length, 4);
  assert.is((await crawl.search('clocks')).total, 1);
});

Cases('RU-redirect-06: a redirect is no level: at depth 1 the links of where a seed leads are fetched', async () => {
  const web = await webOf({
    '/': { status: 302, to: '/en/' },
    '/en/': page('English', '/en/a'),
    '/en/a': page('A', '/en/b'),
    '/en/b': page('B'),
  });
  await using crawl = await Crawl.open(folder(), { ...quick, scope: { depth: 1 } });
  await crawl.run([`${web.origin}/`]);
  assert.is(web.hits('/en/a'), 1);
  assert.is(web.hits('/en/b'), 0);
});

Cases('RU-sitemap-07: a sitemap alone is seed enough; one that names no page is told of', async () => {
  const map = (origin: string, ...paths: string[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((p) => `<url><loc>${origin}${p}</loc></url>`).join('')}</urlset>`;
  const web = await webOf({ '/a': page('A'), '/b': page('B') });
  web.route({
    '/sitemap.xml': { body: map(web.origin, '/a', '/b'), type: 'application/xml' },
    '/empty.xml': { body: map(web.origin), type: 'application/xml' },
  });
  {
    await using crawl = await Crawl.open(folder(), quick);
    const { notes } = await crawl.run([`${web.origin}/sitemap.xml`]);
    assert.equal(await pathsOf(crawl), ['/a', '/b']);
    assert.equal(notes, []);
  }
  await using crawl = await Crawl.open(folder(), quick);
  const summary = await crawl.run([`${web.origin}/empty.xml`]);
  assert.is(summary.published, 0);
  assert.match(summary.notes.join(), /empty\.xml: .*a sitemap of 0 pages/);
  assert.match((await crawl.why(`${web.origin}/empty.xml`)).verdict, /sitemap|its type is none/);
});

Cases('RU-cli-01: robots that forbid all, and a seed that says noindex, are told as the reason', async () => {
  const shut = await webOf({ '/': page('Home') }, { robots: 'User-agent: *\nDisallow: /' });
  const hidden = await webOf({ '/': html('Home', '<p>hidden</p>', '<meta name="robots" content="noindex">') });
  for (const [web, says] of [
    [shut, /robots\.txt forbids it/],
    [hidden, /asks not to be indexed/],
  ] as const) {
    await using crawl = await Crawl.open(folder(), quick);
    assert.match((await crawl.run([`${web.origin}/`])).notes.join(), says);
  }
});

Cases(
  'RU-dups-09: filter variants that name a canonical are one hit; a print copy is never silently deleted',
  async () => {
    const words = 'hammer saw chisel plane drill vice clamp file rasp level square gauge mallet spanner pliers'.split(
      ' ',
    );
    const list = `<main><h1>Tools</h1><p>${words.map((w, i) => `The ${w} number ${i} hangs in the shed behind the old mill.`).join(' ')}</p></main>`;
    const tools = html('Tools', list, '<link rel="canonical" href="/tools/">');
    const article = `<main><h1>Sharpening</h1><p>${words.map((w) => `To sharpen a ${w} take a stone of the finest grain and oil it well.`).join(' ')}</p></main>`;
    const menu = '<nav><a href="/">Home</a><a href="/tools/">Tools</a></nav>';
    const web = await webOf({
      '/': page(
        'Home',
        '/tools/',
        '/article',
        '/print?id=5',
        ...[...'abcdefghijklmnopqrst'].map((t) => `/tools/?tags=${t}`),
      ),
      '/tools/': tools,
      '/article': html('Sharpening', menu + article),
      '/print?id=5': html('Sharpening', article),
    });
    await using crawl = await Crawl.open(folder(), quick);
    await crawl.run([`${web.origin}/`]);
    assert.equal(
      (await crawl.search('shed')).hits.map((hit) => hit.url),
      [`${web.origin}/tools/`],
    );
    assert.equal(await pathsOf(crawl), ['/', '/article', '/print', '/tools/']);
    assert.is((await crawl.search('sharpen stone')).total, 2);
  },
);

const WOODS = 'oak beech birch ash elm lime maple alder hazel willow poplar cherry walnut larch spruce pine'.split(' ');
const article = (more: string): string =>
  `<main><h1>Sharpening</h1><p>${WOODS.map((wood) => `To plane a board of ${wood} take an iron of the finest edge and oil it well.`).join(' ')} ${more}</p></main>`;
const printed: Routes = {
  '/': page('Home', '/article', '/print?id=5', '/other'),
  '/article': html('Planing', article('The author lives by the mill.')),
  '/print?id=5': html('Planing, to be printed', article('Printed for you by the mill, page one of one.')),
  '/other': html('Irons', '<main><p>An iron of the finest edge is made in the forge behind the mill.</p></main>'),
};

Cases('RU-dups-09: of a page and its print copy a search shows one, and the other as a similar page', async () => {
  const web = await webOf(printed);
  await using crawl = await Crawl.open(folder(), { ...quick, index: { nearDuplicates: 'group' } });
  await crawl.run([`${web.origin}/`]);
  assert.equal(await pathsOf(crawl), ['/', '/article', '/other', '/print']);
  const [one, two] = [`${web.origin}/article`, `${web.origin}/print?id=5`];
  const answer = await crawl.search('finest edge');
  const urls = answer.hits.map((hit) => hit.url);
  assert.is(answer.total, 3);
  assert.is(urls.length, 2);
  assert.is(urls.filter((url) => url === one || url === two).length, 1);
  assert.equal(answer.hits.map((hit) => hit.more ?? 0).sort(), [0, 1]);
  assert.is((await crawl.search('finest edge', { group: 'none' })).hits.length, 3);
  for (const near of [one, two])
    for (const query of ['finest edge', ''])
      assert.equal((await crawl.search(query, { near })).hits.map((hit) => hit.url).sort(), [one, two]);
  assert.match((await crawl.search('edge', { near: `${web.origin}/other` })).problems!.join(), /no pages with nearly/);
  assert.equal(
    (await crawl.search('edge', { group: 'site' })).hits.map((hit) => hit.more),
    [2],
  );
  const why = await crawl.why(two);
  assert.match(why.verdict, /in the index. 2 pages have nearly its text/);
  assert.match(why.steps.find(({ step }) => step === 'dedup')!.reason, /2 pages have nearly the same text/);
  assert.equal((await crawl.verify()).problems, []);
});

Cases('near duplicates are deleted when asked, with the page they lost to', async () => {
  const web = await webOf(printed);
  const dir = folder();
  await using crawl = await Crawl.open(dir, { ...quick, index: { nearDuplicates: 'delete' } });
  const { duplicates } = await crawl.run([`${web.origin}/`]);
  assert.is(duplicates, 1);
  const left = await pathsOf(crawl);
  assert.is(left.length, 3);
  const lost = left.includes('/article') ? `${web.origin}/print?id=5` : `${web.origin}/article`;
  assert.match((await crawl.why(lost)).verdict, /removed as a duplicate of .*nearly the same content/);
});

Cases(
  'RU-recrawl-06: documents that a wiped crawl knows nothing of are told of, and a full rebuild drops them',
  async () => {
    const routes: Record<string, Routes[string]> = {};
    const list = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
    for (const n of list(9)) routes[`/p${n}`] = page(`Page ${n}`);
    const web = await webOf({ ...routes, '/': page('Home', ...list(9).map((n) => `/p${n}`)) });
    const dir = folder();
    {
      await using crawl = await Crawl.open(dir, quick);
      assert.is((await crawl.run([`${web.origin}/`])).published, 10);
    }
    for (const part of ['crawldb', 'linkdb', 'hosts', 'segments']) rmSync(join(dir, part), { recursive: true });
    web.route({ '/': page('Home', ...list(6).map((n) => `/p${n}`)) });
    await using crawl = await Crawl.open(dir, quick);
    const { notes } = await crawl.run([`${web.origin}/`]);
    assert.match(notes.join('\n'), /3 indexed documents are unknown to crawldb.*index --all/);
    const { ok, problems } = await crawl.verify();
    assert.is(ok, false);
    assert.match(problems.join(), /3 indexed documents are unknown to crawldb.*index --all/);
    assert.is((await crawl.index({ all: true })).published, 7);
    assert.is((await pathsOf(crawl)).length, 7);
    assert.ok((await crawl.verify()).ok);
  },
);

Cases(
  'RU-rank-03: a word of the footer of all pages finds first the pages that are about it, and no footer is a snippet',
  async () => {
    const trees = 'oak elm ash fir yew lime beech birch maple cedar poplar willow alder hazel rowan'.split(' ');
    const prose = (n: number): string =>
      Array.from({ length: 60 }, (_, i) => trees[(n * 7 + i * ((n % 5) + 1)) % 15]! + ((n * i) % 11)).join(' ');
    // Neither nav nor footer says so: what stands on most pages is known by that.
    const tree = (title: string, text: string): string =>
      html(
        title,
        `<div><h1>${title}</h1><p>${text}</p></div><div><a href="/press">Press</a> <a href="/p3">Three</a></div>`,
      );
    const count = 40;
    const routes: Record<string, string> = {};
    for (let n = 1; n < count; n++) routes[`/p${n}`] = tree(`Tree ${n}`, prose(n));
    const all = Object.keys(routes).map((path, n) => ` <a href="${path}">t${n}</a>`);
    routes['/'] = tree('Trees', prose(0) + all.join(''));
    routes['/press'] = tree('News', `The press office answers the press every day. ${prose(61)}`);
    routes['/p7'] = tree('Tree 7', `How the old wine press works: a press is made of oak. ${prose(7)}`);
    const web = await webOf(routes);
    await using crawl = await Crawl.open(folder(), quick);
    await crawl.run([`${web.origin}/`]);
    const { hits } = await crawl.search('press');
    assert.equal(
      hits.slice(0, 2).map((hit) => new URL(hit.url!).pathname),
      ['/press', '/p7'],
    );
    for (const { snippet } of hits.slice(0, 2)) assert.match(snippet, /press<\/mark> (?:office|works|is)/i);
    for (const { snippet } of hits) assert.not.match(snippet, /Three/);
  },
);

Cases.run();
