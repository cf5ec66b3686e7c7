import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { representatives } from '../../../src/jobs/canonical.ts';
import { keyOf } from '../../../src/page/key.ts';
import { newState, type PageState } from '../../../src/page/state.ts';

const Canonical = suite('canonical');
const at = (name: string): string => `http://x.test/${name}`;

async function check(
  canonical: Record<string, string>,
  states: Record<string, Partial<PageState>>,
  expected: Record<string, string>,
  refused: string[] = [],
): Promise<void> {
  const pages = new Map(Object.entries(states).map(([name, state]) => [keyOf(at(name)), newState(0, 1, state)]));
  const links = Object.entries(canonical).map(([from, to]) => [at(from), at(to)] as const);
  const want = Object.fromEntries(Object.entries(expected).map(([from, to]) => [at(from), at(to)]));
  for (const order of [links, links.toReversed()]) {
    const got = await representatives(new Map(order), new Set(refused.map(at)), async (key) => pages.get(key) ?? null);
    assert.equal(Object.fromEntries([...got].sort()), want);
  }
}
const fetched = { status: 'fetched' as const, reason: 'ok' as const };

Canonical('a page gives way to its canonical page when that was fetched', () =>
  check({ a: 'b' }, { a: fetched, b: fetched }, { a: 'b' }),
);

Canonical('RU-dups-03: a canonical that redirects is followed; one that is gone is not', () =>
  check(
    { a: 'b', d: 'e' },
    {
      a: fetched,
      b: { status: 'redirect-permanent', target: at('c') },
      c: fetched,
      d: fetched,
      e: { status: 'gone', reason: 'http-404' },
    },
    { a: 'c' },
  ),
);

Canonical('RU-dups-03: of two pages that name each other one stays', () =>
  check({ aa: 'b', b: 'aa' }, { aa: fetched, b: fetched }, { aa: 'b' }),
);

Canonical('of a ring of three the shortest stays, and what points into the ring gives way to it', () =>
  check(
    { a1: 'a2', a2: 'c', c: 'a1', d: 'a2' },
    { a1: fetched, a2: fetched, c: fetched, d: fetched },
    { a1: 'c', a2: 'c', d: 'c' },
  ),
);

Canonical('a chain ends at its last page', () =>
  check({ a: 'b', b: 'c' }, { a: fetched, b: fetched, c: fetched }, { a: 'c', b: 'c' }),
);

Canonical('a page stays when its canonical is unknown, unfetched, or asks not to be indexed', async () => {
  await check({ a: 'b' }, { a: fetched }, {});
  await check({ a: 'b' }, { a: fetched, b: {} }, {});
  await check({ a: 'b' }, { a: fetched, b: fetched }, {}, ['b']);
  await check({ a: 'b' }, { a: fetched, b: { status: 'fetched', reason: 'noindex' } }, {});
});

Canonical('a redirect ring ends', () =>
  check(
    { a: 'b' },
    {
      a: fetched,
      b: { status: 'redirect-permanent', target: at('c') },
      c: { status: 'redirect-permanent', target: at('b') },
    },
    {},
  ),
);

Canonical.run();
