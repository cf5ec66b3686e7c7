import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeHtml, html, linkable, markedHtml } from '../../../src/serve/html.ts';

const Page = suite('html');

interface Node {
  readonly tagName?: string;
  readonly value?: string;
  readonly childNodes?: readonly Node[];
}

/** Names of all elements of a fragment, and its text, as a browser would read it. */
const read = (text: string): { tags: string[]; text: string } => {
  const tags: string[] = [];
  let words = '';
  const walk = (node: Node): void => {
    if (node.tagName) tags.push(node.tagName);
    words += node.value ?? '';
    node.childNodes?.forEach(walk);
  };
  walk(parseFragment(text) as Node);
  return { tags, text: words };
};

const signs = fc.string({
  unit: fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    'mark',
    '</mark>',
    '<mark>',
    'script',
    '<img src=x onerror=1>',
    ' ',
    'a',
    '=',
    '/',
  ),
  maxLength: 12,
});

Page('any text that is escaped reads back as itself and makes no element', () => {
  fc.assert(
    fc.property(signs, (text) => {
      assert.equal(read(`<p title="${escapeHtml(text)}">${escapeHtml(text)}</p>`), { tags: ['p'], text });
    }),
    { seed: 7 },
  );
});

Page('of a snippet only mark becomes an element, whatever stands in it (RU-snippet-01)', () => {
  fc.assert(
    fc.property(signs, (snippet) => {
      const { tags } = read(`<p>${markedHtml(snippet).text}</p><i></i>`);
      assert.equal(
        tags.filter((tag) => tag !== 'mark'),
        ['p', 'i'],
      );
    }),
    { seed: 7 },
  );
});

Page('entities of a snippet stay as they are (RU-snippet-05)', () => {
  assert.is(markedHtml('R&amp;D and <mark>amplifiers</mark>').text, 'R&amp;D and <mark>amplifiers</mark>');
});

Page('a mark that is not closed is closed, a stray end is dropped', () => {
  assert.is(markedHtml('a</mark> <mark>b').text, 'a <mark>b</mark>');
  assert.is(markedHtml('<mark>a<mark>b</mark></mark>').text, '<mark>ab</mark>');
});

Page('a template escapes what is put in, and keeps what is HTML already', () => {
  const inner = html`<b>${'<'}</b>`;
  assert.is(html`${inner}${['&', inner]}${false}${null}${0}`.text, '<b>&lt;</b>&amp;<b>&lt;</b>0');
});

Page('only web addresses become links (RU-snippet-02)', () => {
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    ' JaVaScRiPt:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'page.html',
    '',
  ])
    assert.is(linkable(url), null, url);
  assert.is(linkable('https://example.org/a b'), 'https://example.org/a%20b');
});

Page.run();
