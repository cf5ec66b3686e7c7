import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSitemap, type Sitemap } from '../../../src/parse/sitemap.ts';
import { shared } from '../../kit/shared.ts';

const SitemapSuite = suite('sitemap');
const sitemap = (text: string | Uint8Array): Sitemap =>
  parseSitemap({ url: 'http://example.com/sitemap.xml', body: typeof text === 'string' ? Buffer.from(text) : text });
const urls = (text: string | Uint8Array): string[] => sitemap(text).urls.map(({ url }) => url);
const one = '<?xml version="1.0"?><urlset><url><loc>http://example.com/a</loc></url></urlset>';

/** File: kind, pages, further sitemaps. */
const SAMPLES: Readonly<Record<string, readonly [string, number, number]>> = {
  'crawler-commons/atom.xml': ['atom', 1, 0],
  'crawler-commons/do-not-visit.txt': ['text', 1, 0],
  'crawler-commons/sitemap-with-bom.txt': ['text', 2, 0],
  'crawler-commons/sitemap.badns.xml': ['urlset', 2, 0],
  'crawler-commons/sitemap.index.xml': ['index', 0, 15],
  'crawler-commons/sitemap.ns.xml': ['urlset', 2, 0],
  'crawler-commons/sitemap.txt': ['text', 2, 0],
  'crawler-commons/sitemap.txt.gz': ['text', 5, 0],
  'crawler-commons/xmlSitemap.gz': ['urlset', 5, 0],
  'crawler-commons/extension/hebdenbridgetimes-articles-sitemap.xml': ['urlset', 74, 0],
  'crawler-commons/extension/pagemaps-sitemap.xml': ['urlset', 2, 0],
  'crawler-commons/extension/shinpaideshou-news-sitemap.xml': ['urlset', 3, 0],
  'crawler-commons/extension/sitemap-images.xml': ['urlset', 1, 0],
  'crawler-commons/extension/sitemap-links.xml': ['urlset', 3, 0],
  'crawler-commons/extension/sitemap-mobile.xml': ['urlset', 3, 0],
  'crawler-commons/extension/sitemap-news.xml': ['urlset', 2, 0],
  'crawler-commons/extension/sitemap-videos-tvshow.xml': ['urlset', 1, 0],
  'crawler-commons/extension/sitemap-videos.xml': ['urlset', 3, 0],
  'crawler-commons-rss/feed.rss': ['rss', 3, 0],
  'crawler-commons-rss/xmlRss_pubDate.xml': ['rss', 7, 0],
};
const samples = shared('vectors/sitemaps');
if (samples === null) console.log('skipped: sample sitemaps');
else {
  for (const [file, [kind, pages, more]] of Object.entries(SAMPLES))
    SitemapSuite(`${file}: ${kind}, ${pages} pages, ${more} sitemaps`, () => {
      const read = sitemap(readFileSync(join(samples, file)));
      assert.equal([read.kind, read.urls.length, read.sitemaps.length], [kind, pages, more]);
    });
  SitemapSuite('no sample is left out', () => {
    const files = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(xml|txt|gz|rss)$/.test(file),
    );
    assert.equal(
      files.filter((file) => file !== 'PROVENANCE.txt' && !(file in SAMPLES)),
      [],
    );
  });
}

SitemapSuite('RU-sitemap-01: gzip is undone by its bytes, once or twice, and not when it is not there', () => {
  for (const body of [Buffer.from(one), gzipSync(one), gzipSync(gzipSync(one))])
    assert.equal(urls(body), ['http://example.com/a']);
});
SitemapSuite('RU-sitemap-02: blanks or a mark before the declaration do not matter', () => {
  assert.equal(urls(`\n  ${one}`), ['http://example.com/a']);
  assert.equal(urls(`\ufeff\n${one}`), ['http://example.com/a']);
});
SitemapSuite('RU-sitemap-04: no namespace, an old one, a picture of an extension', () => {
  const of = (attributes: string, more = ''): string =>
    `<urlset ${attributes}><url><loc>http://example.com/a</loc>${more}</url></urlset>`;
  assert.equal(urls(of('')), ['http://example.com/a']);
  assert.equal(urls(of('xmlns="http://www.google.com/schemas/sitemap/0.84"')), ['http://example.com/a']);
  const image = '<image:image><image:loc>http://example.com/i.png</image:loc></image:image>';
  assert.equal(urls(of('xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x"', image)), [
    'http://example.com/a',
  ]);
});
SitemapSuite('RU-sitemap-05: a page is kept whatever its date', () => {
  const read = sitemap(
    '<urlset><url><loc>/1</loc><lastmod>2023-02-30</lastmod></url><url><loc>/2</loc><lastmod>xx2023-05-06T07:08:09Zyy</lastmod></url>' +
      '<url><loc>/3</loc><lastmod> 2023-05-06 </lastmod></url></urlset>',
  );
  assert.equal(read.urls, [
    { url: 'http://example.com/1' },
    { url: 'http://example.com/2' },
    { url: 'http://example.com/3', lastmod: '2023-05-06' },
  ]);
});
SitemapSuite('a cut file keeps what came before the cut', () => {
  const many = `<urlset>${Array.from({ length: 1000 }, (_, i) => `<url><loc>http://example.com/${i}</loc></url>`).join('')}</urlset>`;
  const found = urls(many.slice(0, many.length / 2)).length;
  assert.ok(found > 480 && found <= 501, String(found));
  const packed = gzipSync(many);
  assert.ok(urls(packed.subarray(0, packed.length >> 1)).length > 300);
});
SitemapSuite('entities are not expanded, bombs and strange addresses are refused', () => {
  const doctype = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>';
  assert.equal(urls(`${doctype}<urlset><url><loc>http://example.com/&f;</loc></url></urlset>`), [
    'http://example.com/&f;',
  ]);
  assert.equal(urls('<urlset><url><loc>javascript:alert(1)</loc></url><url><loc>ftp://h/x</loc></url></urlset>'), []);
  const bomb = sitemap(gzipSync(Buffer.alloc(60_000_000, 32)));
  assert.is(bomb.urls.length, 0);
  assert.match(bomb.problems[0]!, 'gzip');
  const deep = sitemap(`<urlset><url><loc>http://example.com/a</loc></url>${'<a>'.repeat(100_000)}`);
  assert.equal([deep.urls.length, deep.problems], [1, ['it is nested too deeply']]);
  assert.is(sitemap(new Uint8Array([0, 255, 254, 60, 0])).urls.length, 0);
});
SitemapSuite.run();
