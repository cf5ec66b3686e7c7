import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createResolve } from '../../../src/url/resolve.ts';

const Resolve = suite('resolve');

const oracle = (href: string, base: string): string => (URL.canParse(href, base) ? new URL(href, base).href : '');
const bases = [
  'http://a.example',
  'http://a.example/x',
  'https://a.example:8443/x/y/',
  'http://127.0.0.1:81/x/y/z.html?q=a/b#f',
  'http://user:pw@a.example/x//y/z?',
  'http://a.example/x/../%2e/y;p#',
  'file:///c:/x/y',
  'mailto:somebody@a.example',
  'no address',
];

const written = [
  ...[
    '',
    '#',
    '#top',
    '?',
    '?a=1',
    '/',
    '//',
    '//b.example/c',
    '.',
    '..',
    './',
    '../',
    '../..',
    '../../',
    './x',
    '../x',
  ],
  ...[
    'x',
    'x/',
    'x/y',
    'x//y',
    'x?y',
    'x#y',
    'x?y#z',
    'x#y?z',
    'x#y#z',
    '../../../../x',
    '../.x',
    '.../x',
    'x/.',
    'x/./y',
  ],
  ...[
    'x/../y',
    'x:y',
    'x/y:z',
    './x:y',
    '../x:y',
    'http:x',
    'http://b.example',
    'HTTP://B.example/',
    'javascript:void(0)',
  ],
  ...[
    '%2e%2e/x',
    'x%20y',
    '#%3Cinit%3E()',
    'x y',
    ' x ',
    '\tx',
    'x\n',
    '/.',
    '/..',
    '/../x',
    '/x/%2E/y',
    '\\x',
    'x\\y',
  ],
  ...[
    "/x?'",
    '/x?"',
    '/x#`',
    '/x|y',
    '/x^y',
    '/{x}',
    'ü',
    '/ü?ü#ü',
    '../?x',
    '../#x',
    '?x/../y',
    '#x/../y',
    ':',
    ':x',
    '/:x',
  ],
  ...['c:/x', 'c|/x', '/c|/x', '///x', '/x;y', ';x', '@x', '*', '~x/y', 'x.html', 'https:', 'http://', 'x/..;y'],
];
for (const base of bases)
  Resolve(`every way to write a link leads where URL says, from ${base}`, () => {
    const resolve = createResolve(base);
    for (const href of written) assert.is(resolve(href), oracle(href, base), JSON.stringify(href));
  });

Resolve('any link leads where URL says', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '/',
      '../',
      '//',
      '#',
      '?',
      ':',
      '%',
      '%2e',
      '%2E',
      'a',
      'B',
      '0',
      ';',
      "'",
      '"',
      '@',
      '\\',
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...bases), fc.array(piece, { maxLength: 8 }), (base, pieces) => {
      const href = pieces.join('');
      assert.is(createResolve(base)(href), oracle(href, base));
    }),
    { numRuns: 20_000 },
  );
});

Resolve.run();
