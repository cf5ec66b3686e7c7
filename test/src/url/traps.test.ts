import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trapOf } from '../../../src/url/traps.ts';

const Traps = suite('traps');
const limits = { maxSegments: 6, maxParams: 2, maxRepeats: 3 };

/** The plain version: every run, at every place, laid beside itself. */
function isTrap(url: string, { maxSegments, maxParams, maxRepeats }: typeof limits): boolean {
  const { pathname, search } = new URL(url);
  const segments = pathname.slice(1).replace(/\/$/, '').split('/');
  if (segments.join('') !== '' && maxSegments >= 0 && segments.length > maxSegments) return true;
  if (search !== '' && maxParams >= 0 && search.slice(1).split('&').length > maxParams) return true;
  for (let from = 0; maxRepeats > 1 && from < segments.length; from++)
    for (let length = 1; from + length * maxRepeats <= segments.length; length++) {
      const run = segments.slice(from, from + length);
      if (run.every((segment) => /^\d*$/.test(segment))) continue;
      const repeated = Array.from({ length: maxRepeats }, () => run).flat();
      if (repeated.every((segment, i) => segments[from + i] === segment)) return true;
    }
  return false;
}

Traps('an address is a trap exactly where the plain version says so', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'aa', '1', '22'), { maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom('', '?q=1', '?a=1&b=2&c=3'),
      fc.record({
        maxSegments: fc.constantFrom(-1, 3, 6),
        maxParams: fc.constantFrom(-1, 2),
        maxRepeats: fc.constantFrom(-1, 2, 3, 4),
      }),
      (segments, slash, query, some) => {
        const url = `http://a.example/${segments.join('/')}${slash && segments.length ? '/' : ''}${query}`;
        assert.is(trapOf(url, some) !== null, isTrap(url, some), `${url} ${JSON.stringify(some)}`);
      },
    ),
    { numRuns: 5000 },
  );
});

Traps('what people write is no trap, what broken links make is one', () => {
  for (const path of ['/', '/a/a/b', '/2024/01/01/news', '/1/1/1/1', '/a/b/a/c', '/x.html'])
    assert.is(trapOf(`https://a.example${path}`, limits), null, path);
  for (const path of ['/a/a/a', '/x/a/a/a/', '/a/b/a/b/a/b', '/1/2/3/4/5/6/7', '/?a&b&c'])
    assert.ok(trapOf(`https://a.example${path}`, limits), path);
});

Traps.run();
