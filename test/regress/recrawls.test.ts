import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recrawlsOf } from '../kit/recrawls.ts';
import { randomOf } from '../kit/search-index.ts';
import { page, type Routes } from '../kit/web.ts';

const Recrawls = suite('recrawls');
const recrawls = recrawlsOf(Recrawls);

const PAGES = 6;
const paths = Array.from({ length: PAGES }, (_, n) => `/p${n}`);

/** What may become of a page until the next run; texts are never those of another page. */
function fate(n: number, version: number, random: (below: number) => number): readonly [string, Routes[string] | null] {
  const other = paths[(n + 1 + random(PAGES - 1)) % PAGES]!;
  const text = `page${n} in its version${version}`;
  const html = (head: string): Routes[string] => ({
    etag: `"${n}-${version}"`,
    body: `<html><head><title>P${n}</title>${head}</head><body><p>${text}</p></body></html>`,
  });
  switch (random(9)) {
    case 0:
      return ['404', { status: 404 }];
    case 1:
      return ['403', { status: 403 }];
    case 2:
      return ['503', { status: 503 }];
    case 3:
      return [`redirect ${other}`, { status: 301, to: other }];
    case 4:
      return ['noindex', html('<meta name="robots" content="noindex">')];
    case 5:
      return [`canonical ${other}`, html(`<link rel="canonical" href="${other}">`)];
    case 6:
      return ['text', html('')];
    default:
      return ['same', null];
  }
}

/** SEEDS=5,6,7 tries others. */
for (const seed of (process.env.SEEDS ?? '1,2,3').split(',').map(Number))
  Recrawls(`after any recrawls the index holds what one built anew would (${seed})`, async () => {
    const random = randomOf(seed);
    const story: string[] = [];
    const routes: Record<string, Routes[string]> = { '/': page('Home', ...paths) };
    const change = (version: number): Routes => {
      const changed: Record<string, Routes[string]> = {};
      const told = paths.map((path, n) => {
        const [name, route] = version === 0 ? fate(n, 0, () => 6) : fate(n, version, random);
        if (route) changed[path] = route;
        return `${path} ${name}`;
      });
      story.push(told.join(', '));
      return changed;
    };
    const it = await recrawls({ ...routes, ...change(0) }, { index: { maxLoss: 1, dedupBy: 'url' } });
    await it.again();
    for (let version = 1; version <= 5; version++) {
      it.web.route(change(version));
      await it.again();
      if (random(3) === 0) {
        story.push('clean');
        await it.crawl((crawl) => crawl.clean(0));
      }
      assert.equal(await it.found(), await it.rebuilt(), story.join('\n'));
    }
  });

Recrawls.run();
