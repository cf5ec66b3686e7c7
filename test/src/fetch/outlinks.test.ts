import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Outlinks } from '../../../src/fetch/outlinks.ts';
import { type PageRead, readPage, readParsed, trapping } from '../../../src/fetch/read-page.ts';
import { decodePageLinks } from '../../../src/page/segment.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { settle } from '../../../src/settle.ts';
import { type Admit, createAdmit } from '../../../src/url/admit.ts';
import { fixturePages } from '../parse/kit/fixtures.ts';

const Links = suite('outlinks');
const seeds = ['http://h.example/a/'];
const anywhere = createAdmit(settle({ scope: { mode: 'any', files: ['/srv'] } }).scope, seeds);
const facts = { contentType: 'text/html', fetched: 1, lastModified: '', score: 0.5, depth: 3 };

type Trapped = ((url: string) => boolean) | null;

/** As a shard reads it, and the dumb way: strings all along. */
function both(
  body: Buffer,
  url: string,
  outlinks: Outlinks,
  gate: Admit,
  trapped: Trapped = null,
): [PageRead, PageRead] {
  const input = { url, contentType: 'text/html; charset=utf-8', body };
  const quick = readPage(input, { ...facts, url }, {}, outlinks, trapped);
  const parsed = parsePage(input, {});
  if ('unsupported' in parsed) throw new Error('no page');
  return [quick, readParsed(parsed, { ...facts, url, body }, trapping(gate, trapped))];
}

const SEED = Number(process.env.SEED ?? 20_261_130);
function seeded(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const PIECES = (
  'a b.html #! #&excl; #a ../ ./ / // ? # & &amp; &#35; &#x2e; % %41 %7e : @ = ; . .. x-y_z ~ ! http: https: HTTP: http:// https:// file:///srv/ mailto: ' +
  '?a=1&amp;b=2 ?c&num;d &amp;e h.example www.h.example H.Example h.example:80 other.example javascript: ä 日 \\ ^ | [ ] { } ` jsessionid=1 ?sid= PHPSESSID=ab index.html'
)
  .split(' ')
  .concat(' ', '\t', '\n');
const TEXTS = [
  '',
  'Docs',
  'Docs',
  ' read <b>on</b>\n',
  '<img alt="a  picture">',
  'größer',
  '日本語',
  'x'.repeat(120),
  'é'.repeat(60),
  '<p>two</p><p>lines</p>',
  '#',
  '¶',
];
const RELS = ['', '', '', ' rel=nofollow', ' rel="Prev UGC"', ' rel=next'];

for (const [what, gate] of [
  ['any address', anywhere],
  ['those of a host', createAdmit(settle().scope, seeds)],
  ['those of a folder', createAdmit(settle({ scope: { mode: 'prefix' } }).scope, seeds)],
  [
    'those that are written anew',
    createAdmit(settle({ scope: { mode: 'any', rewrites: ['regex /a/b/', 'regex /x-y_z/q/', 'ajax'] } }).scope, seeds),
  ],
] as const)
  Links(`1,000 pages of odd links are the same as by strings, where the gate lets in ${what} (SEED=${SEED})`, () => {
    const random = seeded(SEED);
    const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const outlinks = new Outlinks(gate);
    const bases = [
      'http://h.example/a/b/c.html',
      'http://h.example/',
      'https://h.example/a/?q',
      'http://h.example/a/b/c.html?x=1',
      'http://h.example/a/#!b',
      'http://h.example/a&b/.c.html',
      'http://h.example/a/b.html',
      'http://h.example/a/c.html',
    ];
    for (let page = 0; page < 1000; page++) {
      let html =
        random(8) === 0 ? `<base href="${one(['/a/', 'https://other.example/x', '../', 'mailto:x', '?y'])}">` : '';
      if (random(20) === 0) html += '<meta http-equiv=refresh content="9;url=/next">';
      if (random(20) === 0) html += '<link rel=canonical href=/a/b><link rel=next title="Next one" href=n>';
      for (let link = random(12); link >= 0; link--) {
        let href = '';
        for (let piece = random(5); piece >= 0; piece--) href += one(PIECES);
        html += `<a${one(RELS)} href="${href}">${one(TEXTS)}</a> `;
        if (random(3) === 0) html += `<a href="${href}">${one(TEXTS)}</a>`;
      }
      const trapped: Trapped = random(5) === 0 ? (url) => url.includes('x-y') : null;
      const [quick, dumb] = both(Buffer.from(html), one(bases), outlinks, gate, trapped);
      if (quick.kind === 'page' && dumb.kind === 'page')
        assert.equal(decodePageLinks(quick.links), decodePageLinks(dumb.links), html);
      assert.equal(quick, dumb, html);
    }
  });

Links('what references say and what they mean are two addresses, whichever comes first', () => {
  const says = 'http://h.example/a&amp;amp;b/c?d&amp;amp;e';
  const means = 'http://h.example/a&amp;b/c?d&amp;e';
  for (const [url, hrefs] of [
    ['http://h.example/a&amp;b/', ['c?d&amp;e', means, says, 'c', 'http://h.example/a&amp;b/c', '../a&amp;b/c']],
    [
      'http://h.example/',
      ['c?d&amp;e', 'c?d&amp;amp;e', 'http://h.example/c?d&amp;e', 'c?d&e', 'c?d&#35;e', 'c?d&num;e'],
    ],
  ] as const)
    for (const order of [hrefs, hrefs.toReversed()]) {
      const outlinks = new Outlinks(anywhere);
      for (const pages of [order, order, order.toReversed()]) {
        const html = pages.map((href) => `<a href="${href}">${href}</a>`).join(' ');
        const [quick, dumb] = both(Buffer.from(html), url, outlinks, anywhere);
        assert.equal(quick, dumb, html);
        if (quick.kind === 'page') assert.ok(decodePageLinks(quick.links).links.length > 2);
      }
    }
});

Links('pages of the web are the same as by strings, whatever was met before', () => {
  const outlinks = new Outlinks(anywhere);
  let pages = 0;
  for (const { name, body } of fixturePages()) {
    if (++pages > 200) break;
    const [quick, dumb] = both(body, `http://h.example/${encodeURI(name)}`, outlinks, anywhere);
    assert.equal(quick, dumb, name);
  }
});

Links('what is no UTF-8 is the same as by strings', () => {
  for (const bytes of [
    '<p>caf\xe9 <a href=/caf\xe9>caf\xe9</a>',
    '<title>\xff</title><a href="\xc3">\xe6\x97</a> end \xe6',
  ])
    for (const url of ['http://h.example/']) {
      const [quick, dumb] = both(Buffer.from(bytes, 'latin1'), url, new Outlinks(anywhere), anywhere);
      assert.equal(quick, dumb);
    }
});

Links('an address is followed by the last of its hundred links that may be, read by bytes or by strings', () => {
  let html = '';
  for (let link = 0; link < 100; link++) html += `<a rel=nofollow href=/x>text ${link}</a>`;
  html += '<a href=/x>and followed</a>';
  const [quick, dumb] = both(Buffer.from(html), 'http://h.example/', new Outlinks(anywhere), anywhere);
  assert.equal(quick, dumb);
  assert.equal(quick.kind === 'page' && decodePageLinks(quick.links).links, [
    { url: 'http://h.example/x', anchor: 'text 0\ntext 1\ntext 2', nofollow: false },
  ]);
});

Links('more addresses than are remembered, and one longer than any: nothing changes', () => {
  let asked = 0;
  const outlinks = new Outlinks((url, base) => {
    asked++;
    return anywhere(url, base);
  });
  const long = `/${'x'.repeat(5000)}`;
  for (let page = 0; page < 8; page++) {
    let html = `<a href="${long}">long</a>`;
    for (let link = 0; link < 9000; link++) html += `<a href="/${page}/${link}">n</a>`;
    const [quick, dumb] = both(Buffer.from(html), `http://h.example/${page}`, outlinks, anywhere);
    assert.equal(quick, dumb);
  }
  const before = asked;
  assert.equal(outlinks.admit('http://h.example/7/8999'), { url: 'http://h.example/7/8999' });
  assert.is(asked, before, 'an answer of the last page is remembered');
});

Links.run();
