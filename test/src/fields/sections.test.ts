import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sectionAt, sectionsOf } from '../../../src/fields/sections.ts';
import type { Heading } from '../../../src/page/parsed.ts';
import { parsePage } from '../../../src/parse/page.ts';

const Sections = suite('sections');
const h = (level: number, text: string, anchor?: string): Heading =>
  anchor === undefined ? { level, text } : { level, text, anchor };
const text = 'Owls\nThey fly.\nFood\nMice.\nMice at night\nMany.\nNests\nIn trees.\nFood\nAgain.';
const at = (sections: readonly string[], word: string): string | undefined =>
  sectionAt(sections, text.indexOf(word))?.anchor;

Sections('a place in the text lies in the section of the heading before it', () => {
  const sections = sectionsOf(text, [
    h(1, 'Owls', 'top'),
    h(2, 'Food', 'food'),
    h(3, 'Mice at night', 'night'),
    h(2, 'Nests', 'nests'),
    h(2, 'Food', 'food-2'),
  ]);
  assert.is(at(sections, 'They fly'), undefined, 'what stands below the title is the page');
  assert.is(at(sections, 'Food'), 'food');
  assert.is(at(sections, 'Mice.'), 'food');
  assert.is(at(sections, 'Many'), 'night');
  assert.is(at(sections, 'In trees'), 'nests');
  assert.is(at(sections, 'Again'), 'food-2', 'of equal headings each has its own place');
  assert.equal(sectionAt(sections, text.length), { text: 'Food', anchor: 'food-2' });
});

Sections('the first heading of level 1 is the page, whatever a menu says before it', () => {
  const sections = sectionsOf(text, [h(3, 'Menu', 'menu'), h(1, 'Owls', 'owls'), h(2, 'Nests', 'nests')]);
  assert.is(at(sections, 'They fly'), undefined);
  assert.is(at(sections, 'In trees'), 'nests');
});

Sections('a heading without an anchor ends the section before it, unless it stands below that', () => {
  const sections = sectionsOf(text, [
    h(1, 'Owls'),
    h(2, 'Food', 'food'),
    h(3, 'Mice at night'),
    h(2, 'Nests'),
    h(2, 'Food', 'x'),
  ]);
  assert.is(at(sections, 'Many'), 'food');
  assert.is(at(sections, 'In trees'), undefined);
  assert.is(at(sections, 'Again'), 'x');
});

Sections('without anchors, headings or a text there are none', () => {
  assert.equal(sectionsOf(text, [h(2, 'Food'), h(2, 'Nests')]), []);
  assert.equal(sectionsOf(text, []), []);
  assert.equal(sectionsOf('', [h(2, 'Food', 'food')]), []);
  assert.equal(sectionsOf(text, [h(2, 'Elsewhere', 'menu')]), [], 'a heading that is not in the main text');
  assert.equal(sectionsOf(text, [h(2, 'Food', 'two words')]), [], 'a fragment that leads nowhere');
  for (const odd of [undefined, 7, '', 'x', ['no number'], ['3']]) assert.is(sectionAt(odd, 99), undefined);
  assert.equal(sectionAt('0 a one', 4), { anchor: 'a', text: 'one' }, 'one section is stored as a string');
});

Sections('headings of a page as it is parsed are found in its main text', () => {
  const html = `<html><body><main><h1>Owls</h1><p>Owls are birds that hunt at night, in nearly every country of the world.</p>
    <h2 id="food">What <em>owls</em> eat</h2><p>Mice, voles and now and then a frog; the large ones hunt hares as well.</p>
    <section id="nest"><h2>Where they live</h2><p>In hollow trees, in old barns and in the nests that crows have left.</p></section>
    </main></body></html>`;
  const page = parsePage({
    url: 'http://owls.test/',
    contentType: 'text/html',
    headers: {},
    body: new TextEncoder().encode(html),
  } as Parameters<typeof parsePage>[0]);
  if (!('text' in page)) throw new Error('HTML is read');
  const sections = sectionsOf(page.text, page.headings);
  const of = (word: string): string | undefined => sectionAt(sections, page.text.indexOf(word))?.anchor;
  assert.is(of('birds'), undefined);
  assert.is(of('voles'), 'food');
  assert.is(of('hollow'), 'nest');
});

Sections.run();
