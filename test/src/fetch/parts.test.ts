import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { partsOf } from '../../../src/fetch/parts.ts';
import { defaults } from '../../../src/options.ts';
import { anchorsOf, encodeInlinks } from '../../../src/page/inlinks.ts';
import { decodePageLinks, encodePageLinks, type Link } from '../../../src/page/segment.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { createAdmit } from '../../../src/url/admit.ts';
import { keyOf } from '../../../src/url/key.ts';

const Parts = suite('parts of a page');
const url = 'http://a.example/';
const admit = createAdmit(defaults.scope, [url]);

function linksOf(html: string): { readonly links: readonly Link[]; readonly rejected: readonly string[] } {
  const body = Buffer.from(html);
  const page = parsePage({ url, contentType: 'text/html', headers: {}, body }, {});
  if ('unsupported' in page) throw new Error('no page');
  const rejected: string[] = [];
  const facts = { url, body, contentType: 'text/html', fetched: 1, lastModified: '', score: 1, depth: 0 };
  const { links } = partsOf(page, facts, admit, (reason) => rejected.push(reason));
  return { links: decodePageLinks(encodePageLinks(links)).links, rejected };
}

Parts('a logo without a text does not take the text of the link that follows it', () => {
  const { links } = linksOf('<a href="/x"><img src="logo.png"></a><p><a href="/x">Install on Linux</a></p>');
  assert.equal(links, [{ url: 'http://a.example/x', anchor: 'Install on Linux', nofollow: false }]);
});

Parts('links to one address keep their different texts, three at most, also through fragments and spellings', () => {
  const { links } = linksOf(
    '<a href="/x">Docs</a><a href="/x#a">Install</a><a href="HTTP://A.EXAMPLE:80/x">Docs</a><a href="/./x">Set up</a>' +
      '<a href="/x">A fourth</a><a href="/y">Why</a><a href="/">Home</a>',
  );
  assert.equal(
    links.map(({ url, anchor }) => [url, anchor]),
    [
      ['http://a.example/x', 'Docs\nInstall\nSet up'],
      ['http://a.example/y', 'Why'],
    ],
  );
  const value = encodeInlinks([{ source: Buffer.from(keyOf(url)), anchor: Buffer.from(links[0]!.anchor), score: 1 }]);
  assert.equal(
    anchorsOf(value),
    ['Docs', 'Install', 'Set up'].map((anchor) => ({ host: 'a.example', anchor })),
  );
});

Parts('an address is followed when one link to it is, and refused once however often it stands there', () => {
  const { links, rejected } = linksOf(
    '<a href="/x" rel="nofollow">one</a><a href="/x">two</a><a href="/y" rel="ugc">why</a>' +
      '<a href="http://b.example/">out</a><a href="http://b.example/">out again</a>',
  );
  assert.equal(
    links.map(({ nofollow }) => nofollow),
    [false, true],
  );
  assert.equal(rejected, ['out-of-scope']);
});

Parts.run();
