import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeClaims, readClaims, representatives } from '../../../src/jobs/canonical.ts';
import { keyOf } from '../../../src/page/key.ts';
import { newState, type PageState } from '../../../src/page/state.ts';
import { recrawlsOf } from '../../kit/recrawls.ts';
import { page } from '../../kit/web.ts';

const Canonical = suite('canonical');
const recrawls = recrawlsOf(Canonical);
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
    const stateOf = (url: string) => pages.get(keyOf(url));
    const got = await representatives(
      new Map(order),
      (url) => !refused.map(at).includes(url) && ['fetched', 'not-modified'].includes(stateOf(url)?.status ?? ''),
      async (url) => ({
        there: (stateOf(url)?.status ?? 'gone') !== 'gone',
        target: stateOf(url)?.target ?? '',
      }),
    );
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

/** A web of which `/k` names `/t`; every page has an ETag, and answers 304 until it is routed anew. */
async function named() {
  const tagged = (etag: string, body: string) => ({ etag: `"${etag}"`, body });
  const head = '<link rel="canonical" href="/t">';
  const crawls = await recrawls({
    '/': tagged('home', page('Home', '/k', '/t', '/o')),
    '/k': tagged('k', `<title>Names</title>${head}<p>This is the page that names another.</p>`),
    '/t': tagged('t', page('Target')),
    '/o': tagged('o', page('Other')),
  });
  const check = async (expected: string[], step: string): Promise<void> => {
    assert.equal(await crawls.found(), expected, step);
    assert.equal(await crawls.rebuilt(), expected, `${step}, built anew`);
  };
  return { ...crawls, tagged, check };
}

Canonical('RU-dups-03: a page stands again when its canonical page goes, and gives way when it is back', async () => {
  const { web, again, check, tagged } = await named();
  await again();
  await check(['/', '/o', '/t'], 'at first');
  web.route({ '/t': { status: 404 } });
  await again();
  await check(['/', '/k', '/o'], 'the target is gone');
  web.route({ '/t': tagged('t2', page('Target')) });
  await again(80);
  await check(['/', '/o', '/t'], 'the target is back');
  web.route({ '/t': { status: 301, to: '/o' } });
  await again(80);
  await check(['/', '/o'], 'the target redirects to a page');
});

Canonical(
  'a canonical page that asks not to be indexed does not stand for another, nor when it is unchanged',
  async () => {
    const { web, again, check, tagged } = await named();
    await again();
    const hidden = '<title>Target</title><meta name="robots" content="noindex"><p>hidden</p>';
    web.route({ '/t': tagged('t2', hidden) });
    await again();
    await check(['/', '/k', '/o'], 'noindex');
    web.route({ '/k': tagged('k2', '<title>Names</title><link rel="canonical" href="/t"><p>Another text.</p>') });
    await again();
    await check(['/', '/k', '/o'], 'noindex, and unchanged');
  },
);

Canonical('claims come back as they were written', () => {
  const root = mkdtempSync(join(tmpdir(), 'claims-'));
  try {
    const claims = new Map([
      ['http://x.test/ö', { named: 'http://x.test/a', stands: '' }],
      ['http://x.test/b', { named: 'http://x.test/c', stands: 'http://x.test/d' }],
    ]);
    writeFileSync(join(root, 'canonical-1'), encodeClaims(claims, join(root, 'scratch')));
    assert.equal([...readClaims(join(root, 'canonical-1'))].sort(), [...claims].sort());
  } finally {
    rmSync(root, { recursive: true });
  }
});

Canonical.run();
