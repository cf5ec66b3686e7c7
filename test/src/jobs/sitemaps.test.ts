import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../../src/errors.ts';
import { inject } from '../../../src/jobs/inject.ts';
import { readSitemaps } from '../../../src/jobs/sitemaps.ts';
import { createPool } from '../../../src/run/pool.ts';
import { NOW, testCrawl } from '../../kit/crawl-context.ts';
import { type Routes, startWeb } from '../../kit/web.ts';

const Sitemaps = suite('sitemaps');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-sitemaps-'));
const pool = createPool(1);
Sitemaps.after(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const map = (...urls: string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => (url.startsWith('<') ? url : `<url><loc>${url}</loc></url>`))
    .join('')}</urlset>`;
const indexOf = (...urls: string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
async function withWeb(routes: Routes, act: (origin: string) => Promise<void>, robots = ''): Promise<void> {
  const web = await startWeb(routes, { robots });
  try {
    await act(web.origin);
  } finally {
    await web.close();
  }
}

Sitemaps(
  'a file, gzipped or not, gives its pages as seeds with score, interval and time, and opens their hosts',
  async () => {
    const said =
      '<url><loc>https://a.example/x</loc><lastmod>2025-12-01T10:00:00Z</lastmod><changefreq>weekly</changefreq><priority>0.8</priority></url>';
    const plain = file('plain.xml', map(said, 'https://b.example/y'));
    const zipped = file('zipped.xml.gz', gzipSync(map('https://a.example/z')));
    const crawl = await testCrawl({}, { pool });
    const read = await readSitemaps(crawl.context, [plain, zipped]);
    assert.equal(read.lines, [
      'https://a.example/x\tnutch.score=0.8\tnutch.fetchInterval=604800\tnuthatch.modified=2025-12-01T10:00:00.000Z',
      'https://b.example/y\tnutch.score=0.5',
      'https://a.example/z\tnutch.score=0.5',
    ]);
    assert.equal(read.scope, ['https://a.example/', 'https://b.example/']);
    assert.equal(read.counters, { sitemaps: 2, failed: 0, outOfScope: 0 });
    await inject(crawl.context, { lines: read.lines });
    const page = (await crawl.page('https://a.example/x'))!;
    assert.equal(
      [page.score, page.interval, new Date(page.modified).toISOString()],
      [0.8, 604_800, '2025-12-01T10:00:00.000Z'],
    );
    await crawl.close();
  },
);

Sitemaps('a page that changed since its last fetch is due with update, and stays as it is with keep', async () => {
  const crawl = await testCrawl({}, { pool });
  const known = { status: 'fetched', fetched: NOW - 86_400_000, due: NOW + 86_400_000, score: 3 } as const;
  await crawl.put({ 'https://a.example/new': known, 'https://a.example/old': known });
  const lines = [
    `https://a.example/new\tnuthatch.modified=${new Date(NOW - 1000).toISOString()}`,
    `https://a.example/old\tnuthatch.modified=${new Date(NOW - 9e7).toISOString()}`,
  ];
  await inject(crawl.context, { lines });
  assert.is((await crawl.page('https://a.example/new'))!.due, known.due);
  await inject(crawl.context, { lines, mode: 'update' });
  assert.is((await crawl.page('https://a.example/new'))!.due, NOW);
  assert.is((await crawl.page('https://a.example/old'))!.due, known.due);
  await crawl.close();
});

Sitemaps('a sitemap of sitemaps takes the file beside it, and what cannot be had is a warning', async () => {
  file('part.xml', map('https://a.example/1'));
  const all = file('all.xml', indexOf('https://a.example/part.xml', 'http://127.0.0.1:1/gone.xml'));
  const crawl = await testCrawl({ net: { delay: 0 } }, { pool });
  const { lines, counters } = await readSitemaps(crawl.context, [all]);
  assert.equal(lines, ['https://a.example/1\tnutch.score=0.5']);
  assert.equal(counters, { sitemaps: 2, failed: 1, outOfScope: 0 });
  assert.match(crawl.warnings()[0]!, /gone\.xml.*forbids|gone\.xml/);
  await crawl.close();
});

Sitemaps(
  'a sitemap of the web is fetched with its parts, once robots.txt allows, and names nothing out of scope',
  async () => {
    const routes: Routes = {};
    await withWeb(
      routes,
      async (origin) => {
        Object.assign(routes, {
          '/all.xml': { body: indexOf(`${origin}/one.xml`, `${origin}/hidden/two.xml`), type: 'text/xml' },
          '/one.xml': { to: '/real.xml' },
          '/real.xml': { body: map(`${origin}/a`, 'https://elsewhere.example/'), type: 'text/xml' },
          '/hidden/two.xml': { body: map(`${origin}/b`), type: 'text/xml' },
        });
        const crawl = await testCrawl({ net: { delay: 0 } }, { pool });
        const read = await readSitemaps(crawl.context, [`${origin}/all.xml`]);
        assert.equal(read.lines, [`${origin}/a\tnutch.score=0.5`]);
        assert.equal(read.scope, [`${origin}/all.xml`]);
        assert.equal(read.counters, { sitemaps: 2, failed: 1, outOfScope: 1 });
        assert.match(crawl.warnings().join('\n'), /hidden\/two\.xml.*robots\.txt forbids it/);
        await crawl.close();
      },
      'User-agent: *\nDisallow: /hidden/',
    );
  },
);

Sitemaps('one that was named and cannot be had is an error that says why', async () => {
  const crawl = await testCrawl({ net: { delay: 0 } }, { pool });
  const told = async (source: string): Promise<string> => {
    try {
      await readSitemaps(crawl.context, [source]);
    } catch (error) {
      assert.instance(error, CrawlError);
      return `${(error as CrawlError).code}: ${(error as CrawlError).message}`;
    }
    return '';
  };
  assert.match(await told(join(folder, 'none.xml')), /^usage: the sitemap .*none\.xml cannot be read: ENOENT/);
  assert.match(await told(file('page.html', '<html><p>no')), /is none/);
  await withWeb({}, async (origin) => assert.match(await told(`${origin}/x.xml`), /status 404/));
  await crawl.close();
});

Sitemaps.run();
