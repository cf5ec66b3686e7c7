import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { viewLinks } from '../../../src/parse/links.ts';
import { type PageInput, viewPage } from '../../../src/parse/page.ts';
import type { RawLinks } from '../../../src/parse/raw-links.ts';
import type { ParseSettings } from '../../../src/parse/settings.ts';
import { fixturePages } from './kit/fixtures.ts';
import { HOSTILE } from './kit/hostile.ts';

const Links = suite('links alone');

const SEED = Number(process.env.SEED ?? 20_261_130);
function seeded(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const told = (links: RawLinks): string[] =>
  Array.from({ length: links.count }, (_, i) => `${links.rel[i]} ${links.href(i)}`).sort();

/** Whether the links alone were read; then they, the base and the flags are those of the full reading. */
function check(input: PageInput, name: string, settings: ParseSettings = {}): boolean {
  const quick = viewLinks(input, settings);
  if (quick === null) return false;
  const found = { links: told(quick.links), base: quick.base, robots: quick.robots };
  const page = viewPage(input, settings);
  if (!('bytes' in page)) return true;
  assert.equal(found, { links: told(page.links), base: page.base, robots: page.robots }, name);
  assert.is(page.refresh, null, name);
  return true;
}
const page = (html: string | Buffer, url = 'http://h.example/a/'): PageInput => ({
  url,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(html as string),
});

Links('are those of the full reading, on pages of the web, of which nearly all are read for them alone', () => {
  let [all, quick] = [0, 0];
  for (const { name, body } of fixturePages()) {
    all++;
    if (check({ ...page(body), contentType: 'text/html' }, name)) quick++;
  }
  if (all > 0) assert.ok(quick > all * 0.95, `${quick} of ${all}`);
});

Links('are those of the full reading, on hostile pages', () => {
  for (const [name, html] of Object.entries(HOSTILE)) check(page(html(2000)), name);
});

const LEADS =
  '<a&href=/1> <a&href="/2"&rel=nofollow> <a&xlink:href=/3> <a&name=x> </a> <area&href=/4> <area&href=/5&rel=UGC> <base&href=/b/> <base> ' +
  '<link&rel=canonical&href=/c> <link&rel="alternate&stylesheet"&href=/d> <link&rel=alternate&type=application/rss+xml&href=/e> ' +
  '<link&rel=next&href=/f> <link&rel=icon&href=/g> <meta&name=robots&content=nofollow> <meta&name=Robots&content=noindex> ' +
  '<meta&name="&#114;obots"&content=none> <meta&property=robots&content=noarchive> <meta&name=bot&content=nofollow> ' +
  '<meta&name=description&content=x> <meta&http-equiv=refresh&content="9;url=/r"> <meta&http-equiv=refresh&content=9> ' +
  '<iframe&src=/h> </iframe> <frame&src=/i> <frameset> </frameset> <form&action=/j> <form&action=/k&method=POST> <form> <form&action="&"> </form> ' +
  '<a&href="/x>y"> <a&href=\'/l\'&href=/m> <a&/href=/n> <a&href=/o/> <A&HREF=&amp;p> <a&href>';
const ROOMS =
  '<div> </div> <p> </p> <b> </b> <span> </span> <h1> </h1> <ul> <li> </ul> <dl> <dt> <dd> </dl> <select> <option> </select> <button> ' +
  '</button> <table> </table> <tr> </tr> <td> </td> <caption> <colgroup> <col> <br> </br> <hr> <img> <image> <input> <x-y> </x-y> ' +
  '<noscript> </noscript> <object> </object> <body> <html> </body> <head> </head> <!--&<a&href=/no>&--> <!-- --> <!--> <?&> ' +
  '<script> </script> <script>"<a&href=/no>"</script> <script><!--<script></script>--></script> <style> </style> <title> </title> ' +
  '<textarea> </textarea> <xmp> </xmp> <noembed> </noembed> <noframes> </noframes> word < > " \' = / <section> </section>';
const DRAWN =
  '<svg> </svg> <svg/> <g> </g> <path/> <svg><title> <desc> </desc> <foreignObject> </foreignObject> <use/> <style> </style> ' +
  '<svg><path></svg> <svg><g><a&xlink:href=/s></a></g></svg> <math> </math> <mi> </mi> <![CDATA[ ]]> <![CDATA[<a&href=/no>]]> ' +
  '<template> </template> <template><a&href=/t></a></template> <template><form&action=/u></template>';
const pieces = (list: string): string[] =>
  list
    .split(' ')
    .map((piece) =>
      piece.startsWith('<')
        ? piece.replaceAll('&amp;', '\0').replaceAll('&', ' ').replaceAll('\0', '&amp;').replace(' #114;', '&#114;')
        : piece,
    );

for (const [what, list, most] of [
  ['links and rooms', `${LEADS} ${ROOMS}`, 14],
  ['drawings and templates', `${LEADS} ${DRAWN} <div> </div> <p> </p> <b> </b> <table> <td>`, 14],
  ['everything', `${LEADS} ${ROOMS} ${DRAWN}`, 30],
  [
    'forms',
    '<form&action=/1> <form&action=/2> <form&method=post> </form> <div> </div> <p> </p> <b> </b> <li> <table> </table> <tr> <td> </td> <h1> </h2> <button> </button> <option> <template> </template> <svg> </svg> <input>',
    16,
  ],
] as const)
  Links(`are those of the full reading, on 8,000 pages of ${what} put together at random (SEED=${SEED})`, () => {
    const random = seeded(SEED);
    const all = pieces(list);
    let quick = 0;
    for (let k = 0; k < 8000; k++) {
      let html = '';
      for (let left = 1 + random(most); left > 0; left--) {
        html += all[random(all.length)];
        if (random(4) === 0) html += ' x';
      }
      if (check(page(html), html, { agent: 'bot' })) quick++;
    }
    assert.ok(quick > 1500, `${quick}`);
  });

Links('are read of a page in any encoding', () => {
  const href = '<a href="/ä日">ä</a>';
  for (const [body, contentType] of [
    [Buffer.from(href), 'text/html'],
    [Buffer.from('<a href="/\xe4">', 'latin1'), 'text/html; charset=iso-8859-1'],
    [Buffer.from('<meta charset=windows-1252><a href="/\xe4">', 'latin1'), 'text/html'],
    [Buffer.from('<a href="/\xe4\xff\xc3">\xc3', 'latin1'), 'text/html; charset=utf-8'],
    [Buffer.from(`\ufeff${href}`, 'utf16le'), 'text/html'],
    [Buffer.from('<a href=/x>', 'utf16le'), 'text/html; charset=utf-16le'],
    [Buffer.from('<a href="/\x1b$B%F\x1b(B">x</a>', 'latin1'), 'text/html; charset=iso-2022-jp'],
    [Buffer.from(`<p>${' '.repeat(2000)}<meta charset=koi8-r><a href="/\xe4">`, 'latin1'), 'text/html'],
  ] as const)
    assert.ok(check({ url: 'http://h.example/', contentType, body }, contentType), contentType);
});

Links('leave to the full reading what sends its reader on, XHTML, and a reader that was asked for', () => {
  assert.is(viewLinks(page('<meta http-equiv=refresh content="0;url=/x">')), null);
  assert.is(viewLinks({ ...page('x'), headers: { refresh: '0;url=/x' } }), null);
  assert.is(viewLinks({ ...page('<html xmlns="x"/>'), contentType: 'application/xhtml+xml' }), null);
  assert.is(viewLinks(page('x'), { parser: 'exact' }), null);
});

Links('come with the words between the tags, whatever stands in the tags and however it is set out', () => {
  const words = (html: string): string => viewLinks(page(html))!.words.toString();
  assert.is(words('<title>T 7</title><p id=7>one <a href=/7>two</a>\n<script>7</script><!-- 7 -->'), 'onetwo');
  assert.is(words('<p id=8>one\n  <a href="/8">two</a></p>'), 'onetwo');
});

Links.run();
