import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaults } from '../../../src/options.ts';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { isoDate, refreshOf } from '../../../src/parse/meta.ts';
import { type PageInput, parsePage } from '../../../src/parse/page.ts';
import { parseSettings } from '../../../src/parse/settings.ts';
import { shared } from '../../kit/shared.ts';

const Meta = suite('meta');
const page = (html: string, headers: PageInput['headers'] = {}, agent = 'nuthatch'): ParsedPage =>
  parsePage(
    { url: 'http://www.nutch.org/docs/', contentType: 'text/html; charset=utf-8', headers, body: Buffer.from(html) },
    { agent },
  ) as ParsedPage;

const robots = shared('vectors/nutch/robots-meta.json');
if (robots === null) console.log('skipped: robots elements as Nutch reads them');
else {
  const { cases } = JSON.parse(readFileSync(robots, 'utf8')) as {
    cases: { html: string; noIndex: boolean; noFollow: boolean; noCache: boolean }[];
  };
  cases.forEach(({ html, noIndex, noFollow, noCache }, i) => {
    Meta(`robots element ${i + 1} of Nutch's tests asks for what it asks there`, () => {
      const flags = page(html).robots;
      assert.equal(
        { noIndex: flags.noindex, noFollow: flags.nofollow, noCache: flags.noarchive },
        { noIndex, noFollow, noCache },
      );
    });
  });
}

/** Nutch links what a page loads (images, scripts) and posts to; a search engine's pages are none of these. */
const NO_PAGES = /\.(gif|jpg|png|js|mp4|ogg|webm)$|logo|\/dummy\.jsp$/;
const dom = shared('vectors/nutch/html-dom.json');
if (dom === null) console.log('skipped: pages as Nutch reads them');
else {
  const { cases } = JSON.parse(readFileSync(dom, 'utf8')) as {
    cases: { html: string; base: string; title: string; text: string; outlinks: { url: string; anchor: string }[] }[];
  };
  cases.forEach(({ html, base, title, text, outlinks }, i) => {
    Meta(`page ${i + 1} of Nutch's tests has its title and text, and leads to its pages`, () => {
      const body = Buffer.from(html);
      const parsed = parsePage({ url: base, contentType: 'text/html; charset=utf-8', body }) as ParsedPage;
      assert.is(parsed.title, title);
      // Nutch counts the title as the beginning of the text, and puts a blank after every inline element.
      assert.is(`${parsed.title}${parsed.visible}`.replace(/\s+/g, ''), text.replace(/\s+/g, ''));
      const wanted = outlinks.filter((link) => !NO_PAGES.test(link.url)).map((link) => new URL(link.url, base).href);
      const found = new Set(parsed.links.map((link) => link.url));
      for (const link of wanted) assert.ok(found.has(link), `${link} of ${[...found]}`);
    });
  });
}

Meta('X-Robots-Tag counts, also by robot, and the strictest wins', () => {
  const flags = (header: string | string[]): string =>
    Object.entries(page('<p>x', { 'X-Robots-Tag': header }).robots)
      .filter(([, on]) => on)
      .map(([name]) => name)
      .join(' ');
  assert.is(flags('noindex'), 'noindex');
  assert.is(flags('none'), 'noindex nofollow');
  assert.is(flags('otherbot: noindex, nofollow'), '');
  assert.is(flags('otherbot: noindex, nuthatch: nofollow'), 'nofollow');
  assert.is(flags(['noarchive', 'unavailable_after: 2 Jan 2030 00:00:00 GMT']), 'noarchive');
  assert.is(flags('max-snippet:0'), 'nosnippet');
  const named = page('<meta name=robots content=index><meta name=Nuthatch content=noindex>');
  assert.ok(named.robots.noindex);
});
Meta('a refresh is read as browsers read it', () => {
  assert.equal(refreshOf('5; url=/x'), { url: '/x', seconds: 5 });
  assert.equal(refreshOf("0;URL='http://h/a b'"), { url: 'http://h/a b', seconds: 0 });
  assert.equal(refreshOf('3'), { url: '', seconds: 3 });
  assert.equal(refreshOf('.5,"/y"'), { url: '/y', seconds: 0 });
  assert.is(refreshOf('url=/x'), null);
  assert.is(refreshOf(''), null);
  const parsed = page('<meta http-equiv=refresh content="0; url=next.html">');
  assert.equal(parsed.refresh, { url: 'http://www.nutch.org/docs/next.html', seconds: 0 });
  assert.equal(parsed.links, [{ url: 'http://www.nutch.org/docs/next.html', anchor: '', from: 'refresh' }]);
});
Meta('RU-sitemap-05: what is no date is none', () => {
  const dates = [
    '2023-02-30',
    'xx2023-05-06T07:08:09Zyy',
    '2023-05-06',
    '2031-01-01',
    '2023-05',
    '2023-05-06T07:08+0200',
  ];
  assert.equal(dates.map(isoDate), ['', '', '2023-05-06', '2031-01-01', '2023-05', '2023-05-06T07:08:00+02:00']);
  assert.is(isoDate('Tue, 01 Aug 2023 10:00:00 GMT'), '2023-08-01T10:00:00Z');
  assert.is(isoDate('May 6, 2023'), '2023-05-06T00:00:00Z');
  assert.is(isoDate('06/05/2023'), '');
  assert.is(isoDate('yesterday'), '');
});
Meta('dates: JSON-LD before meta before time before the header', () => {
  const json =
    '<script type="application/ld+json">{"@graph":[{"datePublished":"2020-01-02","dateModified":"2021-03-04T05:06:07Z"}]}</script>';
  const meta =
    '<meta property="article:published_time" content="2019-01-01"><meta property="article:modified_time" content="2019-02-02">';
  const time = '<time datetime="2018-01-01">then</time>';
  const header = { 'last-modified': 'Tue, 01 Aug 2017 10:00:00 GMT' };
  assert.equal(page(json + meta + time, header).dates, { published: '2020-01-02', modified: '2021-03-04T05:06:07Z' });
  assert.equal(page(meta + time, header).dates, { published: '2019-01-01', modified: '2019-02-02' });
  assert.equal(page(time, header).dates, { published: '2018-01-01', modified: '2017-08-01T10:00:00Z' });
  const broken = page('<script type="application/ld+json">{"datePublished":</script>');
  assert.equal(broken.problems, ['its JSON-LD is no JSON']);
});
Meta('canonical: the Link header, then the link element, resolved', () => {
  assert.is(page('<base href="/b/"><link rel="Canonical" href="x">').canonical, 'http://www.nutch.org/b/x');
  const [link] = page('<link rel="canonical" href="x">').links;
  assert.equal(link, { url: 'http://www.nutch.org/docs/x', anchor: '', rel: 'canonical', from: 'link' });
  const header = { link: '<http://h/style.css>; rel=preload, <http://h/canon>; rel="canonical"' };
  assert.is(page('<link rel=canonical href=x>', header).canonical, 'http://h/canon');
  assert.is(page('<p>x').canonical, '');
});
Meta('language: html lang, then Content-Language', () => {
  assert.is(page('<html lang="de_AT"><p>x', { 'content-language': 'fr' }).lang, 'de-at');
  assert.is(page('<p>x', { 'content-language': 'fr, en' }).lang, 'fr');
  assert.is(page('<meta http-equiv=content-language content=it><p>x').lang, 'it');
  assert.is(page('<html lang="$lang"><p>x').lang, '');
});
Meta('a rule that names our product token is ours, whatever else the name of the crawl says', () => {
  const net = { ...defaults.net, agent: 'Acme-Bot/2.1 (+https://acme.example/bot)' };
  const { agent } = parseSettings({ net, index: { ...defaults.index } });
  assert.is(page('<meta name="acme-bot" content="noindex"><p>x', {}, agent).robots.noindex, true);
  assert.is(page('<p>x', { 'x-robots-tag': 'acme-bot: noindex' }, agent).robots.noindex, true);
  assert.is(page('<p>x', { 'x-robots-tag': 'other: noindex' }, agent).robots.noindex, false);
});
Meta('OpenGraph, description and others keep their first content', () => {
  const { meta } = page(
    '<meta name=Description content=" a  b "><meta name=description content=c><meta property="og:title" content="T &amp; U">',
  );
  assert.equal({ ...meta }, { description: 'a b', 'og:title': 'T & U' });
  assert.is(Object.getPrototypeOf(meta), null);
});
Meta.run();
