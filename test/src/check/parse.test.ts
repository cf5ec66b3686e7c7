import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { check as charset } from '../../../src/check/charset.ts';
import { check as parse } from '../../../src/check/parse.ts';
import { check as sitemap } from '../../../src/check/sitemap.ts';

const Check = suite('check parse, sitemap, charset');

Check('parse: a page in, what it says out, in every part of the answer', () => {
  const page = parse({
    url: 'http://h/a',
    html: '<html lang=en><title>T</title><h1 id=x>H</h1><a href=b rel=nofollow>l</a>',
  });
  const {
    title,
    text,
    boilerplate,
    visible,
    headings,
    links,
    canonical,
    lang,
    charset,
    robots,
    dates,
    refresh,
    problems,
  } = page as Record<string, unknown>;
  assert.equal(
    { title, text, boilerplate, visible, headings, links, canonical, lang, charset, refresh, problems },
    {
      title: 'T',
      text: 'H\nl',
      boilerplate: '',
      visible: 'H\nl',
      headings: [{ level: 1, text: 'H', anchor: 'x' }],
      links: [{ url: 'http://h/b', anchor: 'l', rel: 'nofollow' }],
      canonical: '',
      lang: 'en',
      charset: 'utf-8',
      refresh: null,
      problems: [],
    },
  );
  assert.equal(robots, { noindex: false, nofollow: false, noarchive: false, nosnippet: false });
  assert.equal(dates, { published: '', modified: '' });
  assert.not.throws(() => JSON.stringify(page));
});
Check('parse: bytes with a header, a reader by name', () => {
  const base64 = Buffer.from([0x3c, 0x70, 0x3e, 0xe9]).toString('base64');
  const page = parse({ url: 'http://h/', base64, contentType: 'text/html; charset=latin1', parser: 'exact' });
  assert.is((page as { visible: string }).visible, 'é');
});
Check('parse: a document too, or why it is not read', async () => {
  const line = (text: string, contentType: string): Record<string, unknown> => ({
    url: 'http://h/a',
    contentType,
    base64: Buffer.from(text).toString('base64'),
  });
  assert.is(((await parse(line('# Head', 'text/markdown'))) as { title: string }).title, 'Head');
  assert.is(((await parse(line('x', 'image/png'))) as { unread: string }).unread, 'not-parsed');
});
Check('sitemap and charset answer theirs', () => {
  assert.equal(sitemap({ url: 'http://h/s.xml', xml: '<urlset><url><loc>/a</loc></url></urlset>' }), {
    kind: 'urlset',
    urls: [{ url: 'http://h/a' }],
    sitemaps: [],
    problems: [],
  });
  const base64 = Buffer.from('<meta charset=koi8-r>').toString('base64');
  assert.equal(charset({ base64 }), { charset: 'koi8-r', source: 'meta' });
  assert.equal(charset({ base64, contentType: 'text/html; charset=utf-8' }), { charset: 'utf-8', source: 'header' });
});
Check('a line without what is needed gets an error, not a throw', () => {
  for (const line of [
    {},
    { base64: 7 },
    { html: 'x', url: 'no address' },
    { html: 'x', parser: 'none' },
    { html: 'x', headers: 1 },
  ])
    assert.ok('error' in (parse(line) as object), JSON.stringify(line));
  assert.ok('error' in (sitemap({ xml: 'x', url: 1 }) as object));
  assert.ok('error' in (charset({ base64: 'x', contentType: 1 }) as object));
});
Check.run();
