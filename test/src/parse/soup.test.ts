import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { HOSTILE } from './kit/hostile.ts';
import { oneLine, readByParse5 } from './kit/oracle.ts';

const Soup = suite('tag soup');

const read = (html: string | Uint8Array, parser: 'scan' | 'exact' | 'loose'): ParsedPage =>
  parsePage(
    { url: 'http://h/', contentType: 'text/html; charset=utf-8', body: Buffer.from(html as string) },
    { parser },
  ) as ParsedPage;

const SEED = Number(process.env.SEED ?? 20_261_130);
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** At most so many pieces in a row, with a letter behind each with a chance of `share`. */
function soup(random: () => number, pieces: readonly string[], most: number, share: number): string {
  let html = '';
  for (let left = 1 + Math.floor(random() * most); left > 0; left--) {
    html += pieces[Math.floor(random() * pieces.length)];
    if (random() < share) html += 'abcdefgh'[Math.floor(random() * 8)];
  }
  return html;
}
/** Whether a page has all of these links. */
function leadsTo(parsed: ParsedPage, hrefs: Iterable<string>): boolean {
  const links = new Set(parsed.links.map((link) => link.url));
  return [...hrefs].every((href) => links.has(new URL(href, 'http://h/').href));
}

/**
 * Left out are elements whose text browsers move (table), hide by mode (noscript), or once dropped tags from (select),
 * those whose repair makes copies (form, legend, nobr, rt), and drawings, whose titles browsers let run on.
 */
const PIECES = (
  '<div> </div> <p> </p> <b> </b> <i> </i> <a&href=/1> <a&href="/2"> </a> <span> </span> <h1> </h1> <h2> </h2> <ul> </ul> ' +
  '<li> </li> <dl> <dt> <dd> </dl> <br> </br> <hr> <pre> </pre> <button> </button> <textarea> </textarea> ' +
  '<title> </title> <script> </script> <style> </style> <!-- --> <!--&x&--> <![CDATA[ ]]> ' +
  '<section> </section> <article> </article> <body> <html> </body> <head> </head> <x-y> </x-y> <img&alt=x> <center> ' +
  '</center> <font> </font> &amp; &lt &notit; &#128; < > </ <? " \' = / & word <iframe> </iframe> <xmp> </xmp> <address> ' +
  '</address> <fieldset> </fieldset> <details> <summary> </details> <label> </label> <!doctype&html> <input> <embed>'
)
  .split(' ')
  .map((piece) => (/^<[a!]/.test(piece) ? piece.replaceAll('&', ' ') : piece));

Soup(`8,000 random pages read as parse5 reads them (SEED=${SEED})`, () => {
  const random = seeded(SEED);
  const wrong: string[] = [];
  for (let k = 0; k < 8_000; k++) {
    const html = soup(random, PIECES, 12, 0.4);
    const expected = readByParse5(html);
    const parsed = read(html, 'scan');
    if (
      oneLine(parsed.visible) !== expected.text ||
      oneLine(parsed.title) !== expected.title ||
      !leadsTo(parsed, expected.hrefs)
    )
      wrong.push(`${JSON.stringify(html)}: ${JSON.stringify(parsed.visible)}, not ${JSON.stringify(expected.text)}`);
  }
  assert.equal(wrong, []);
});

const ROWS = (
  '<table> <table> </table> </table> <tr> </tr> <td> </td> <th> </th> <tbody> </tbody> <thead> <tfoot> <caption> </caption> ' +
  '<colgroup> <col> <div> </div> <p> </p> <b> </b> <a&href=/1> <a&href="/2"> </a> <span> <h1> </h1> <ul> <li> </ul> <br> ' +
  '<hr> <form> </form> <input> <input&type=hidden> <script> </script> <!--x-->'
)
  .split(' ')
  .map((piece) => piece.replaceAll('&', ' '));

Soup(`4,000 random tables hold their text in the order of parse5, for both readers (SEED=${SEED})`, () => {
  const random = seeded(SEED);
  // Cells outside of a table are none to parse5, which joins their words; here they stay apart.
  const joined = (text: string): string => text.replace(/\s/g, '');
  const wrong: string[] = [];
  for (let k = 0; k < 4_000; k++) {
    const html = (random() < 0.5 ? '<table>' : '') + soup(random, ROWS, 8, 0.5);
    const expected = readByParse5(html);
    const parsed = read(html, 'scan');
    const exact = read(html, 'exact');
    if (
      joined(parsed.visible) !== joined(expected.text) ||
      !leadsTo(parsed, expected.hrefs) ||
      exact.visible !== parsed.visible ||
      String(exact.links.map(({ url }) => url)) !== String(parsed.links.map(({ url }) => url))
    )
      wrong.push(`${JSON.stringify(html)}: ${JSON.stringify(parsed.visible)}, not ${JSON.stringify(expected.text)}`);
  }
  assert.equal(wrong, []);
});

Soup('a table that pushes out a piece before each of 200,000 cells costs no more than its size', () => {
  const html = `<table>${'<tr>a<td>b</td>'.repeat(200_000)}`;
  const { visible } = read(html, 'scan');
  assert.is(visible.slice(0, 4), 'aaaa');
  assert.is(visible.replace(/\s/g, '').length, 400_000);
});

Soup(`random bytes are a page too, for every reader (SEED=${SEED})`, () => {
  const random = seeded(SEED);
  for (let k = 0; k < 300; k++) {
    const body = Buffer.alloc(Math.floor(random() * 2000));
    for (let i = 0; i < body.length; i++) body[i] = random() < 0.2 ? 60 : Math.floor(random() * 256);
    for (const reader of ['scan', 'exact', 'loose'] as const)
      assert.not.match(read(body, reader).problems.join(), /could not be read|failed/);
    for (const contentType of [
      '',
      'text/plain',
      'text/html; charset=gbk',
      'text/html; charset=iso-2022-jp',
      'text/html',
    ])
      assert.not.match(JSON.stringify(parsePage({ url: 'http://h/', contentType, body })), /could not be read/);
  }
});

/** CPU seconds of a call. */
function cost(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
for (const [name, make] of Object.entries(HOSTILE))
  Soup(`RU-resources-03: 40,000 times "${name}" costs less than 2 s of CPU a MB, and nothing is thrown`, () => {
    const body = Buffer.from(make(40_000));
    for (const reader of ['scan', 'exact', 'loose'] as const) {
      const seconds = cost(() => read(body, reader));
      assert.ok(seconds < 2 * Math.max(1, body.length / 1e6), `${reader}: ${seconds} s for ${body.length} bytes`);
    }
  });

Soup('a page nested too deeply keeps its text and links, and says so', () => {
  const parsed = read(`${'<div>'.repeat(5000)}in<a href="/x">link</a>${'</div>'.repeat(5000)}<p>after</p>`, 'scan');
  assert.equal(parsed.visible.split(/\s+/), ['in', 'link', 'after']);
  assert.is(parsed.links[0]!.url, 'http://h/x');
  assert.equal(parsed.problems, ['its elements are nested too deeply']);
});
Soup.run();
