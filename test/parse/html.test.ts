import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../src/page/parsed.ts';
import { parsePage } from '../../src/parse/page.ts';
import { shared } from '../kit/shared.ts';

const Html = suite('html');

const page = (html: string | Uint8Array, url = 'http://h/', contentType = 'text/html; charset=utf-8'): ParsedPage => {
  const parsed = parsePage({ url, contentType, body: typeof html === 'string' ? Buffer.from(html) : html });
  assert.not.ok('unsupported' in parsed);
  return parsed as ParsedPage;
};
const oneLine = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** Where we answer otherwise than a tree walker over parse5, and why. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  'script with "</script>" in comment-escape': 'the tokenizer does not know the double-escaped state of a script',
  'CDATA in html': 'CDATA of HTML is passed over whole, not up to its first >',
  'CDATA unclosed': 'as above',
  'foster parent': 'text that a table pushes out stays where it stands',
  'noscript body': 'links in noscript are links to a crawler',
  'iframe content': 'the page of an iframe is linked',
  'iframe selfclose': 'the page of an iframe is linked',
  'svg title': 'the title of a drawing is not the title of the page',
  frameset: 'the page of a frame is linked',
  surrogates: 'half a surrogate pair cannot be written in UTF-8',
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
  for (const { name, html, text, hrefs, title } of JSON.parse(readFileSync(edges, 'utf8')) as Edge[]) {
    if (name in DEVIATIONS) continue;
    Html(`edge case "${name}" reads as parse5 reads it`, () => {
      const parsed = page(html);
      assert.is(oneLine(parsed.visible), oneLine(text));
      assert.is(parsed.title, oneLine(title));
      const base = name === 'base' ? 'http://h/b/' : 'http://h/';
      const expected = new Set(hrefs.map((href) => new URL(href, base).href));
      assert.equal(new Set(parsed.links.map((link) => link.url)), expected);
    });
  }
}

Html('RU-html-01: an unclosed element loses nothing', () => {
  const html = '<html><body class="page"><div>Annual report 2023<a href=/x>more</a></body></html>';
  assert.is(page(html).text, 'Annual report 2023more');
  assert.is(page(html).links[0]!.url, 'http://h/x');
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
Html.run();
