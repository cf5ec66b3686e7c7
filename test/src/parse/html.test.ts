import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { decodeText, detectCharset } from '../../../src/parse/charset.ts';
import { type ReaderName, trips } from '../../../src/parse/html.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { shared } from '../../kit/shared.ts';
import { fixturePages } from './kit/fixtures.ts';
import { oneLine, readByParse5 } from './kit/oracle.ts';

const Html = suite('html');

const read = (
  html: string | Uint8Array,
  parser: ReaderName,
  url = 'http://h/',
  contentType = 'text/html; charset=utf-8',
): ParsedPage => {
  const parsed = parsePage({ url, contentType, body: typeof html === 'string' ? Buffer.from(html) : html }, { parser });
  assert.not.ok('unsupported' in parsed);
  return parsed as ParsedPage;
};
const page = (html: string, url?: string): ParsedPage => read(html, 'auto', url);
const READERS = ['scan', 'exact'] as const;

/** Where a reader answers otherwise than a tree walker over parse5, and why. The first group: both readers. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  'foster parent': 'text that a table pushes out in front of itself stays where it stands',
  'noscript body': 'a link in noscript is a link to a crawler',
  'iframe content': 'the page in an iframe is linked',
  'iframe selfclose': 'the page in an iframe is linked',
  'svg title': 'the title of a drawing is not the title of the page',
  frameset: 'the page in a frame is linked',
  surrogates: 'half a surrogate pair cannot be written in UTF-8',
};
/** What htmlparser2's tokenizer does otherwise; the scanner does it right. */
const EXACT_ONLY: Readonly<Record<string, string>> = {
  'script with "</script>" in comment-escape': 'it does not know the double-escaped state of a script',
  'CDATA in html': 'it passes over CDATA in HTML as a whole, not up to its first >',
  'CDATA unclosed': 'as above',
};
const EXACT_PAGE_DEVIATIONS: Readonly<Record<string, string>> = {
  'readability/comment-inside-script-parsing/source.html': 'a script in an escaped script, as above',
};

interface Edge {
  readonly name: string;
  readonly html: string;
  readonly text: string;
  readonly hrefs: readonly string[];
  readonly title: string | null;
}
const edges = shared('fixtures/edge/expected-parse5.json');
if (edges === null) console.log('skipped: edge cases of HTML against parse5');
else {
  for (const { name, html, text, hrefs, title } of JSON.parse(readFileSync(edges, 'utf8')) as Edge[])
    for (const reader of READERS) {
      if (name in DEVIATIONS || (reader === 'exact' && name in EXACT_ONLY)) continue;
      Html(`${reader}: edge case "${name}" reads as parse5 reads it`, () => {
        const parsed = read(html, reader);
        assert.is(oneLine(parsed.visible), oneLine(text));
        assert.is(parsed.title, oneLine(title ?? ''));
        const base = name === 'base' ? 'http://h/b/' : 'http://h/';
        const expected = new Set(hrefs.map((href) => new URL(href, base).href));
        assert.equal(new Set(parsed.links.map((link) => link.url)), expected);
      });
    }
}

for (const reader of READERS)
  Html(`${reader}: text, title and links of every page of the fixtures are those of parse5`, () => {
    const url = 'http://host.example/dir/page.html';
    const wrong: string[] = [];
    for (const { name, body } of fixturePages()) {
      if (reader === 'exact' && name in EXACT_PAGE_DEVIATIONS) continue;
      const parsed = read(body, reader, url, 'text/html');
      const expected = readByParse5(decodeText(body, detectCharset(body, 'text/html').charset));
      if (oneLine(parsed.visible) !== expected.text) wrong.push(`${name}: text`);
      if (oneLine(parsed.title) !== expected.title) wrong.push(`${name}: title`);
      const base = expected.base === null ? url : new URL(expected.base, url).href;
      const links = new Set(parsed.links.map((link) => link.url));
      for (const href of expected.hrefs)
        if (URL.canParse(href, base) && !links.has(new URL(href, base).href)) wrong.push(`${name}: no link ${href}`);
    }
    assert.equal(wrong, []);
  });

Html('the fast reader fails on no page', () => assert.is(trips['scan failed'], 0));

Html('scan and exact give the same page, field by field', () => {
  for (const { name, body } of fixturePages(['fixtures/debian-docs', 'fixtures/trafilatura-eval']))
    assert.equal(
      { ...read(body, 'scan', 'http://h/', 'text/html'), problems: [] },
      { ...read(body, 'exact', 'http://h/', 'text/html'), problems: [] },
      name,
    );
});

Html('RU-html-01: an unclosed element loses nothing', () => {
  const parsed = page('<html><body class="page"><div>Annual report 2023 <a href=/x>more</a></body></html>');
  assert.is(parsed.text, 'Annual report 2023 more');
  assert.is(parsed.links[0]!.url, 'http://h/x');
});
Html('RU-html-03: a stray quote in a tag swallows nothing', () => {
  const parsed = page(`<tr><td>1</td><td><a href="/x" 2'>go</a></td><td>two</td></tr><tr><td>3</td></tr>`);
  assert.equal(parsed.visible.split(/\s+/), ['1', 'go', 'two', '3']);
  assert.equal(parsed.links, [{ url: 'http://h/x', anchor: 'go' }]);
});
Html('RU-html-04: a link in a link ends it', () => {
  const parsed = page('<a href="/one">first <a href="/two">second</a> tail</a>');
  assert.equal(parsed.links, [
    { url: 'http://h/one', anchor: 'first' },
    { url: 'http://h/two', anchor: 'second' },
  ]);
  assert.is(parsed.visible, 'first second tail');
});
Html('RU-html-05: references in a title are decoded once', () => {
  assert.is(page('<title>R&amp;D &lt;2&gt; caf&eacute;&nbsp;bar</title>').title, 'R&D <2> café bar');
});
Html('RU-links-01: a base is itself resolved against the page', () => {
  const parsed = page(
    '<base href="/board/"><a href="index.php/file/3/">x</a>',
    'http://example.com/board/index.php/show/7/',
  );
  assert.is(parsed.links[0]!.url, 'http://example.com/board/index.php/file/3/');
});
Html('RU-links-03: the first base with an address counts, one that is no web address does not', () => {
  const two =
    '<base target="_top"><base href="http://example.com/en/"><base href="http://example.org/zz/"><a href="guide">g</a>';
  assert.is(page(two, 'http://example.com/a/b.html').links[0]!.url, 'http://example.com/en/guide');
  const script = page('<base href="javascript:void(0)"><a href="guide">g</a>', 'http://example.com/a/b.html');
  assert.is(script.links[0]!.url, 'http://example.com/a/guide');
  assert.equal(script.problems, ['its base is no web address']);
});
Html('RU-links-04: blanks and line breaks around an address are none of it', () => {
  const parsed = page(
    '<a href=" http://www.example.com/ ">a</a><a href="\n\t\tdetail.html\n\t">b</a>',
    'http://example.com/test/',
  );
  assert.equal(
    parsed.links.map((link) => link.url),
    ['http://www.example.com/', 'http://example.com/test/detail.html'],
  );
});
Html('RU-links-06: references in an address are decoded once, by the rule for attributes', () => {
  const parsed = page('<a href="/list?c=1&amp;p=2">2</a><a href="/list?a&copy=1&amp;amp;x">3</a>', 'http://h/list?c=1');
  assert.equal(
    parsed.links.map((link) => link.url),
    ['http://h/list?c=1&p=2', 'http://h/list?a&copy=1&amp;x'],
  );
});
Html('an unfinished page says what never ended', () => {
  assert.equal(page('<p>a</p><!-- hidden').problems, ['a comment in it never ends']);
  assert.equal(page('<p>a</p><a href="/x').problems, ['a tag in it never ends']);
  assert.equal(page('<p>a</p><script>x').problems, ['a script in it never ends']);
  assert.equal(page('').visible, '');
});
Html('XHTML: any element may close itself, CDATA is text, the declaration names the encoding', () => {
  const xhtml =
    '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>' +
    '<body><p/><div class="a"/>caf\xe9 <![CDATA[a < b]]><textarea/><a href="/x"/>end</body></html>';
  for (const reader of READERS) {
    const parsed = read(Buffer.from(xhtml, 'latin1'), reader, 'http://h/', 'application/xhtml+xml');
    assert.is(parsed.visible.replace(/\s+/g, ' '), 'café a < b end', reader);
    assert.equal(parsed.links, [{ url: 'http://h/x', anchor: '' }]);
    assert.is(parsed.charset, 'windows-1252');
  }
});
Html('feeds, base and the places of links that are no a are told', () => {
  const parsed = page(
    '<base href="/b/"><link rel=alternate type="application/rss+xml" href=feed title=News><link rel=next href=2><iframe src=f></iframe><form action=s></form><form method=POST action=p></form>',
  );
  assert.is(parsed.base, 'http://h/b/');
  assert.equal(parsed.feeds, ['http://h/b/feed']);
  assert.equal(parsed.links, [
    { url: 'http://h/b/feed', anchor: 'News', rel: 'alternate', from: 'link' },
    { url: 'http://h/b/2', anchor: '', rel: 'next', from: 'link' },
    { url: 'http://h/b/f', anchor: '', from: 'frame' },
    { url: 'http://h/b/s', anchor: '', from: 'form' },
  ]);
});
Html('the loose reader reads plain pages as the others do', () => {
  const html =
    '<html lang="de"><head><title>A &amp; B</title></head><body><h1 id="t">Head</h1><p>One <a href="/x">two</a></p></body></html>';
  assert.equal(read(html, 'loose'), read(html, 'scan'));
  const deep = read(`${'<div>'.repeat(1000)}x<a href="/y">y</a>`, 'loose');
  assert.is(deep.links[0]!.url, 'http://h/y');
  assert.match(deep.problems[0]!, 'nested too deeply for the loose parser');
});
Html.run();
