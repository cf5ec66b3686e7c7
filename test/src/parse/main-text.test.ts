import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { compileSelector, type PageSelectors } from '../../../src/parse/selectors.ts';
import { shared } from '../../kit/shared.ts';
import { compareTexts, f1 } from './kit/extraction.ts';
import { fixturePages } from './kit/fixtures.ts';

const Main = suite('main text');

const page = (html: string | Uint8Array, selectors?: PageSelectors): ParsedPage =>
  parsePage(
    {
      url: 'http://h/',
      contentType: typeof html === 'string' ? 'text/html; charset=utf-8' : 'text/html',
      body: Buffer.from(html as string),
    },
    selectors ? { selectors } : {},
  ) as ParsedPage;
const long =
  'A paragraph that is long enough to count as one, with more than a handful of words in it, and no links at all. ';

const gold = shared('fixtures/article-extraction-benchmark/ground-truth.json');
if (gold === null) console.log('skipped: main text of articles with gold texts');
else
  Main('F1 on 48 articles with gold texts is 0.93 or more', () => {
    const texts = JSON.parse(readFileSync(gold, 'utf8')) as Record<string, { articleBody: string }>;
    const sum = { precision: 0, recall: 0, pages: 0 };
    for (const { name, body } of fixturePages(['fixtures/article-extraction-benchmark'])) {
      const expected = texts[name.split('/').at(-1)!.replace('.html.gz', '')];
      if (!expected) continue;
      const { precision, recall } = compareTexts(page(body).text, expected.articleBody);
      sum.precision += precision;
      sum.recall += recall;
      sum.pages++;
    }
    const mean = { precision: sum.precision / sum.pages, recall: sum.recall / sum.pages };
    assert.is(sum.pages, 48);
    assert.ok(f1(mean) >= 0.93, `F1 ${f1(mean)}, ${JSON.stringify(mean)}`);
  });

const snippets = shared('fixtures/trafilatura-eval/evaldata.json');
if (snippets === null) console.log('skipped: main text of raw pages with snippets');
else
  Main('F1 on 42 raw pages, by snippets that must and must not be there, is 0.88 or more', () => {
    const items = Object.values(
      JSON.parse(readFileSync(snippets, 'utf8')) as Record<string, { file: string; with: string[]; without: string[] }>,
    );
    const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
    let [found, missed, wrong] = [0, 0, 0];
    for (const { name, body } of fixturePages(['fixtures/trafilatura-eval'])) {
      const item = items.find(({ file }) => name.endsWith(`/${file}`));
      if (!item) continue;
      const text = oneLine(page(body).text);
      for (const snippet of item.with) text.includes(oneLine(snippet)) ? found++ : missed++;
      for (const snippet of item.without) if (text.includes(oneLine(snippet))) wrong++;
    }
    const measured = { precision: found / (found + wrong), recall: found / (found + missed) };
    assert.ok(f1(measured) >= 0.88, `F1 ${f1(measured)}, ${JSON.stringify(measured)}`);
  });

Main('no word of a page is lost: it is in the text or in the boilerplate', () => {
  for (const { name, body } of fixturePages(['fixtures/debian-docs', 'fixtures/trafilatura-eval'])) {
    const { text, boilerplate, visible } = page(body);
    const words = (of: string): string[] => of.split(/\s+/).filter(Boolean).sort();
    assert.equal(words(`${text}\n${boilerplate}`), words(visible), name);
  }
});
Main("a heading's link to itself leaves no sign in text, heading and anchors", () => {
  for (const sign of ['¶', '#', '§', '&para;', ' &#xB6; ']) {
    const { text, headings, links } = page(
      `<main><h1 id=a>Setup<a href="#a">${sign}</a></h1><h2 id=b><a class=anchor href="#b">${sign}</a>Steps</h2><p>one<a href="#c">${sign}</a>two ${long}</main>`,
    );
    assert.is(text, `Setup\nSteps\none two ${long.trim()}`, sign);
    assert.equal(
      headings.map((heading) => heading.text),
      ['Setup', 'Steps'],
    );
    assert.ok(links.every(({ anchor }) => anchor === ''));
  }
  const kept = page(`<main><p>Signs: ¶ and # and <a href="/par">§</a> <a href="#n">#1</a> ${long}</main>`);
  assert.is(kept.text, `Signs: ¶ and # and § #1 ${long.trim()}`);
});
Main('menu, footer and aside are boilerplate, and stay searchable', () => {
  const { text, boilerplate } = page(
    `<nav>Home</nav><div class="side-menu">Menu</div><main><h1>Head</h1><p>${long}</p></main><aside>See also</aside><footer>Press</footer>`,
  );
  assert.is(text, `Head\n${long.trim()}`);
  assert.is(boilerplate, 'Home\nMenu\nSee also\nPress');
});
Main('a page of links alone has them as its text, a page of one line that line', () => {
  assert.is(page('<ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul>').text, 'One\nTwo');
  assert.is(page('<title>T</title>Hello').text, 'Hello');
  assert.is(page('<div class="comments"><p>All there is</p></div>').text, 'All there is');
});
Main('text of what owners keep from snippets is boilerplate, from the index is nowhere', () => {
  const html = `<main><p>${long}</p><p data-nosnippet>quiet</p><p data-pagefind-ignore>never</p><!--googleoff: all--><p>off</p><!--googleon: all--><p>on</p><!-- noindex --><p>out</p></main>`;
  const { text, boilerplate, visible } = page(html);
  assert.is(text, `${long.trim()}\non`);
  assert.is(boilerplate, 'quiet');
  for (const word of ['quiet', 'never', 'off', 'on', 'out']) assert.match(visible, word);
});
Main('data-pagefind-body names all that is indexed', () => {
  const { text, boilerplate } = page(
    `<p>${long}</p><div data-pagefind-body><p>This</p></div><p>no</p><section data-pagefind-body>and this</section>`,
  );
  assert.is(text, 'This\nand this');
  assert.is(boilerplate, '');
});
Main('selectors of the config: include, exclude, fields', () => {
  const html = `<p>${long}</p><div class="doc body"><p>Wanted</p><p class="price">12 <b>EUR</b></p><span id=x class=ad>Buy</span></div><ul><li class=tag>a<li class=tag>b</ul>`;
  const selectors = {
    include: ['div.doc'],
    exclude: ['div > .ad'],
    fields: { Price: '.doc .price', tags: 'ul > li.tag' },
  };
  const { text, boilerplate, meta } = page(html, selectors);
  assert.is(text, 'Wanted\n12 EUR');
  assert.is(boilerplate, `${long.trim()}\na\nb`);
  assert.equal({ ...meta }, { price: '12 EUR', tags: 'a\nb' });
  // A page without such an element is read as always.
  assert.is(page(`<main><p>${long}</p></main>`, selectors).text, long.trim());
});
Main('selectors match as in CSS', () => {
  const hit = (selector: string, html: string): boolean => page(html, { fields: { hit: selector } }).meta.hit === 'x';
  for (const [selector, html] of [
    ['p', '<p>x</p>'],
    ['*#a', '<b id=a>x</b>'],
    ['.a.b', '<p class="b c a">x</p>'],
    ['[role=main]', '<p role=main>x</p>'],
    ['[itemprop~="b"]', '<p itemprop="a b">x</p>'],
    ['p[id^=ab][id$=yz]', '<p id=ab-yz>x</p>'],
    ['div p', '<div><section><p>x</p></section></div>'],
    ['div > section > p', '<div><section><p>x</p></section></div>'],
    ['div > b i', '<div><b></b><section><div><b><u><i>x</i></u></b></div></section></div>'],
    ['h1, p', '<p>x</p>'],
  ] as const)
    assert.ok(hit(selector, html), selector);
  for (const [selector, html] of [
    ['div > p', '<div><section><p>x</p></section></div>'],
    ['.a', '<p class=ab>x</p>'],
    ['div p', '<div></div><p>x</p>'],
    ['[id*=""]', '<p id=a>x</p>'],
  ] as const)
    assert.not.ok(hit(selector, html), selector);
});
Main('a selector that is none says what of it is not understood', () => {
  for (const [selector, said] of [
    ['p:hover', ':hover'],
    ['x-y', 'no element'],
    ['[onclick]', 'not kept'],
    ['> p', 'nothing stands'],
    ['', 'nothing stands'],
  ] as const)
    assert.throws(
      () => compileSelector(selector),
      (error: Error) => error.message.includes(said),
    );
  assert.match(page('<p>x', { include: ['p:hover'] }).problems[0]!, 'p:hover');
});

Main('a heading is reached by its own id, an id in it, a name before it, or the section it begins', () => {
  const { headings } = page(
    '<h1 id=own>A</h1><h2><a name="in">B</a></h2><a name="before"></a><h2>C</h2><section id=sec><div><h2>D</h2><h3>E</h3></div></section><h2>F</h2>',
  );
  assert.equal(headings, [
    { level: 1, text: 'A', anchor: 'own' },
    { level: 2, text: 'B', anchor: 'in' },
    { level: 2, text: 'C', anchor: 'before' },
    { level: 2, text: 'D', anchor: 'sec' },
    { level: 3, text: 'E' },
    { level: 2, text: 'F' },
  ]);
});
Main('most headings of documentation are reached by an anchor', () => {
  const shares: Record<string, [number, number]> = {};
  for (const { name, body } of fixturePages(['fixtures/debian-docs'])) {
    const share = (shares[name.split('/')[1]!] ??= [0, 0]);
    for (const { anchor } of page(body).headings) share[anchor === undefined ? 1 : 0]++;
  }
  for (const [docs, least] of Object.entries({ git: 0.85, 'install-guide': 0.95, jdk: 0.9, rust: 0.6 })) {
    if (!shares[docs]) continue;
    const [reached, not] = shares[docs];
    assert.ok(reached / (reached + not) >= least, `${docs}: ${reached} of ${reached + not}`);
  }
});
Main('of a page of a few words, what is no menu is its text, with and without a heading', () => {
  const { text, boilerplate } = page(
    '<nav><a href=/>Start</a> <a href=/a>Trees</a></nav><p>An old oak stands here, and acorns fall in autumn.</p>' +
      '<h2>Of jays</h2><p>They hide them.</p><footer><a href=/c>Contact</a></footer>',
  );
  assert.equal(text.split('\n'), ['An old oak stands here, and acorns fall in autumn.', 'Of jays', 'They hide them.']);
  assert.match(boilerplate, /Start/);
});
Main('a short paragraph between links and a heading is text up to 80 words of a page, most of them in no link', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
  /** Of so many words: three in the paragraph, two in the heading, the rest in links and in a long paragraph. */
  const textOf = (count: number, linked: number): string =>
    page(
      `<div><a href=/>${words(linked)}</a></div><p>Old oaks stand</p><h2>Of jays</h2><p>${words(count - linked - 5)}</p>`,
    ).text;
  for (const linked of [1, 39]) {
    assert.is(textOf(80, linked), `Old oaks stand\nOf jays\n${words(75 - linked)}`);
    assert.is(textOf(81, linked), `Of jays\n${words(76 - linked)}`);
  }
  assert.is(textOf(80, 40), `Of jays\n${words(35)}`);
});
Main('links below a heading are the text of a page, small or large, with a short line as well', () => {
  assert.is(page('<h1>Trees</h1><ul><li><a href=/1>Oak</a><li><a href=/2>Beech</a></ul>').text, 'Trees\nOak\nBeech');
  assert.is(page('<h1>Trees of our town</h1><p><a href=/1>Oak</a></p>').text, 'Trees of our town\nOak');
  for (const count of [30, 90]) {
    const names = Array.from({ length: count }, (_, i) => `Tree${i}`);
    const links = names.map((name) => `<li><a href=/${name}>${name}</a>`).join('');
    assert.is(page(`<h1>Trees</h1><ul>${links}</ul><p>Of today</p>`).text, ['Trees', ...names, 'Of today'].join('\n'));
  }
});

Main.run();
