import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import type { CrawlError } from '../../../src/errors.ts';
import { quick } from '../../kit/crawls.ts';
import { recrawlsOf } from '../../kit/recrawls.ts';
import { page, type Routes } from '../../kit/web.ts';

const Clean = suite('clean');
const recrawls = recrawlsOf(Clean);

const segmentsIn = (dir: string): string[] => readdirSync(join(dir, 'segments')).sort();
const codeOf = (error: unknown): string => (error as CrawlError).code;

Clean('a clean that the gate refuses leaves every segment where it was', async () => {
  const names = Array.from({ length: 16 }, (_, n) => `/p${n}`);
  const routes: Routes = Object.fromEntries(names.map((name) => [name, page(`Page ${name}`)]));
  const { web, dir, again, crawl } = await recrawls({ ...routes, '/': page('Home', ...names) }, { index: {} });
  await again();
  web.route(Object.fromEntries(['/', ...names].map((name) => [name, { status: 404 }])));
  assert.is(await again().catch(codeOf), 'publish-refused');
  const before = segmentsIn(dir);
  assert.ok(before.length > 2);
  assert.is(await crawl((it) => it.clean()).catch(codeOf), 'publish-refused');
  assert.equal(segmentsIn(dir), before);
});

const tagged = (name: string, body: string): { etag: string; body: string } => ({ etag: `"${name}"`, body });

Clean(
  'the text of a duplicate stays while it says that it has not changed, and comes back when its twin goes',
  async () => {
    const twin = page('Twin');
    const site: Routes = {
      '/': tagged('home', page('Home', '/t1', '/t2', '/k1')),
      '/t1': tagged('t1', twin),
      '/t2': tagged('t2', twin),
      '/k1': tagged('k1', page('Kept')),
    };
    const { web, found, again, crawl, rebuilt } = await recrawls(site, { index: { maxLoss: 1, dedupBy: 'url' } });
    await again();
    const [winner] = (await found()).filter((path) => path.startsWith('/t'));
    const loser = winner === '/t1' ? '/t2' : '/t1';
    // All but the loser and one other come anew, so that of their first segments nothing live is left.
    web.route({
      '/': tagged('home again', page('Home', '/t1', '/t2', '/k1')),
      [winner!]: tagged('winner again', twin),
      '/k1': tagged('k1 again', page('Kept')),
    });
    await again();
    await crawl((it) => it.clean());
    web.route({ [winner!]: { status: 404 } });
    await again();
    assert.equal(await found(), ['/', '/k1', loser]);
    assert.equal(await rebuilt(), ['/', '/k1', loser]);
    assert.equal((await crawl((it) => it.verify())).problems, []);
  },
);

Clean('a segment that says that a page went stays as long as an older text of the page does', async () => {
  const site: Routes = {
    '/': tagged('home', page('Home', '/a', '/b')),
    '/a': tagged('a', page('A')),
    '/b': tagged('b', page('B')),
  };
  const { web, found, again, crawl, rebuilt } = await recrawls(site);
  await again();
  web.route({ '/a': { status: 301, to: '/b' } });
  await again();
  await again();
  await crawl((it) => it.clean());
  assert.equal(await found(), ['/', '/b']);
  assert.equal(await rebuilt(), ['/', '/b']);
});

Clean('pages that were purged by a filter are out after clean, and of an index of all', async () => {
  const site: Routes = { '/': page('Home', '/x1', '/y'), '/x1': page('Filtered'), '/y': page('Kept') };
  const filters = ['-/x1'];
  const { web, found, again, crawl, rebuilt, dir } = await recrawls(site);
  await again();
  await using strict = await Crawl.open(dir, { ...quick, scope: { filters } });
  await strict.purge({ filter: true });
  await strict.close();
  const why = await crawl((it) => it.why(`${web.origin}/x1`));
  assert.match(why.verdict, /from segment \d{14}, and crawldb does not know it any more/);
  assert.match((await crawl((it) => it.verify())).problems.join(), /1 indexed document is unknown.*nuthatch clean/);
  assert.equal(await rebuilt(), ['/', '/y']);
  await crawl((it) => it.clean());
  assert.equal(await found(), ['/', '/y']);
  assert.equal((await crawl((it) => it.verify())).problems, []);
});

Clean.run();
