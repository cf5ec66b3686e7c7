import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { startWeb } from '../../kit/web.ts';

const Session = suite('search session');
const root = mkdtempSync(join(tmpdir(), 'session-'));
Session.after(() => rmSync(root, { recursive: true, force: true }));

const html = (title: string, body: string, description = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${
    description && `<meta name="description" content="${description}">`
  }</head><body>${body}</body></html>`;

Session('a snippet is the passage that was found, else what the page says of itself, else how it begins', async () => {
  const web = await startWeb({
    '/': html('Home', '<p><a href="/robur">a stately tree</a> <a href="/elm">elm</a> <a href="/bare">bare</a></p>'),
    '/robur': html(
      'Quercus',
      '<nav>harbour <a href="/">home</a></nav><main><p>An old oak stands here, and acorns fall in autumn.</p><h2>Of jays</h2><p>They hide them.</p></main>',
      'About one tree &amp; its birds',
    ),
    '/elm': html('Ulmus', '<nav>harbour</nav><p>The elm is rare since its illness came by ship.</p>'),
    '/bare': html('Salix', '<nav data-nosnippet>harbour of willows</nav>'),
  });
  try {
    await using crawl = await Crawl.open(join(root, 'crawl'), { net: { delay: 0 }, work: { threads: 1 } });
    await crawl.run([`${web.origin}/`]);
    const snippets = async (query: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await crawl.search(query)).hits.map(({ url, snippet }) => [new URL(url!).pathname, snippet] as const),
      );
    assert.match((await snippets('acorns'))['/robur']!, '<mark>acorns</mark>');
    assert.match((await snippets('jays'))['/robur']!, '<mark>jays</mark>');
    const own = 'About one tree &amp; its birds';
    assert.is((await snippets('quercus'))['/robur'], own, 'by its title');
    assert.is((await snippets('robur'))['/robur'], own, 'by its address');
    assert.is((await snippets('stately'))['/robur'], own, 'by a link');
    const menus = await snippets('harbour');
    assert.is(menus['/robur'], own, 'by its menu');
    assert.match(menus['/elm']!, /^The elm is rare/, 'it says nothing of itself');
    assert.is(menus['/bare'], '', 'it has nothing that may be shown');
  } finally {
    await web.close();
  }
});

Session('without a word a filter finds all that match it, and the title of a page leads to its top', async () => {
  const web = await startWeb({
    '/': html('Home', '<p><a href="/vacuum">tree</a> <a href="/sheet.txt">sheet</a></p>'),
    '/vacuum': html(
      'VACUUM',
      '<main><p>Frees what is dead.</p><h2 id="notes">Notes</h2><p>A vacuum may run beside other commands, and each vacuum says how far it came.</p></main>',
    ),
    '/sheet.txt': { type: 'text/plain', body: 'one line of text' },
  });
  try {
    await using crawl = await Crawl.open(join(root, 'filtered'), { net: { delay: 0 }, work: { threads: 1 } });
    await crawl.run([`${web.origin}/`]);
    const paths = async (query: string, filter: string): Promise<string[]> =>
      (await crawl.search(query, { filter })).hits.map(({ url }) => new URL(url!).pathname).sort();
    assert.equal(await paths('', 'type:html'), ['/', '/vacuum']);
    assert.equal(await paths(' ', 'type:text/plain'), ['/sheet.txt']);
    assert.equal((await crawl.search('', { filter: 'type:html' })).problems, undefined);
    assert.ok((await crawl.search('')).problems, 'with neither there is nothing to find');

    for (const call of [
      () => crawl.search('vacuum', { limit: -1 }),
      () => crawl.search(undefined as never),
      () => crawl.suggest(undefined as never),
      () => crawl.why(undefined as never),
    ])
      assert.is(await call().catch(({ code }) => code), 'usage');

    const { unmet } = await crawl.search('vacuum', { sort: '-title', group: 'colour', facets: ['site', 'text'] });
    assert.equal(Object.keys(unmet!), ['sort', 'group', 'facets']);
    for (const sentence of Object.values(unmet!)) assert.match(sentence, /can.*: site, .*, modified, /);
    const met = await crawl.search('vacuum', { sort: '-date', group: 'near', facets: ['lang', 'bytes'] });
    assert.is(met.unmet, undefined);
    assert.is(met.problems, undefined);

    const [hit] = (await crawl.search('vacuum')).hits;
    assert.is(hit!.title, 'VACUUM');
    assert.is(hit!.section, undefined);
    assert.is((await crawl.search('vacuum beside')).hits[0]!.section?.anchor, 'notes');
  } finally {
    await web.close();
  }
});

Session('a value that narrows is taken as it is, whatever signs are in it', async () => {
  await using crawl = await Crawl.open(join(root, 'narrowed'), { work: { threads: 1 } });
  const types = ['a » b', '“quoted” kind', 'plain" OR type:x', 'x\\'];
  await crawl.add(types.map((type, n) => JSON.stringify({ id: `d${n}`, title: 'Apple', text: 'apple', type })));
  for (const type of types) {
    const { hits } = await crawl.search('apple', { narrow: [{ field: 'type', value: type }] });
    assert.equal(
      hits.map((hit) => hit.type),
      [type],
    );
  }
});

Session('hits are counted to ten thousand, and what was not counted is said', async () => {
  await using crawl = await Crawl.open(join(root, 'counted'), { work: { threads: 1 } });
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => JSON.stringify({ id: `d${n}`, title: `Note ${n}`, text: 'a walrus' }));
  await crawl.add(lines(9_000));
  const all = await crawl.search('walrus');
  assert.equal([all.total, all.isTotalExact], [9_000, true]);
  await crawl.add(lines(12_000));
  const some = await crawl.search('walrus');
  assert.is(some.isTotalExact, false);
  assert.ok(some.total >= 10_000 && some.total <= 12_000, String(some.total));
  const faceted = await crawl.search('walrus', { facets: ['lang'] });
  assert.equal([faceted.total, faceted.isTotalExact], [12_000, true]);
});

Session.run();
