import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSegment } from '../../../src/jobs/parse.ts';
import { createPool } from '../../../src/run/pool.ts';
import { openTables } from '../../../src/store/tables.ts';
import { closePools, fetchUrls, quick, readFetched } from '../../kit/fetched.ts';
import { startWeb } from '../../kit/web.ts';

const Parse = suite('parse job');
Parse.after(closePools);

Parse('parsing again leaves what the fetch did: pages, documents, and what sitemaps name', async () => {
  const web = await startWeb({});
  const { origin } = web;
  web.route({
    '/robots.txt': { body: `Sitemap: ${origin}/named`, type: 'text/plain' },
    // Named by robots.txt, it is a sitemap whatever its bytes look like.
    '/named': { body: `${origin}/a\n${origin}/not-on-the-list\n`, type: 'text/plain' },
    '/map.xml': {
      body: `<urlset><url><loc>${origin}/b</loc><lastmod>2020-01-01</lastmod></url></urlset>`,
      type: 'application/xml',
    },
    '/a': { body: '<title>A</title><p>Text of a <a href=/b>page</a>.' },
    '/b': { body: 'name,height\nhazel,6\n', type: 'text/csv' },
    '/c': { body: Buffer.from([1, 2, 3]), type: 'application/pdf' },
  });
  const urls = ['/a', '/b', '/c', '/map.xml'].map((path) => origin + path);
  const options = { net: { sitemaps: true } };
  const fetched = await fetchUrls({ urls, options });
  await web.close();
  assert.equal([...fetched.text.keys()].sort(), [`${origin}/a`, `${origin}/b`]);
  assert.equal(fetched.links.get(`${origin}/named`)?.links.length, 2);
  const { dir, segment } = fetched;
  const tables = await openTables(dir);
  const pool = createPool(1);
  try {
    const signal = new AbortController().signal;
    const context = { dir, options: quick(options), seeds: urls, pool, tables, signal, onEvent: () => {}, now: 0 };
    assert.equal(await parseSegment(context, segment), { parsed: 2, sitemaps: 2, unsupported: 0, failed: 1 });
  } finally {
    await pool.close();
    await tables.close();
  }
  const { outcomes, data, text, links, hints } = fetched;
  // Without the time of day, which a content record keeps in whole seconds.
  const timeless = ({ data }: Pick<typeof fetched, 'data'>) =>
    new Map([...data].sort().map(([url, one]) => [url, { ...one, fetched: 0 }]));
  const sorted = (map: ReadonlyMap<string, unknown>) => new Map([...map].sort());
  const again = readFetched(dir, segment);
  assert.equal(timeless(again), timeless({ data }));
  assert.equal(
    [again.text, again.links, again.outcomes, again.hints].map((part) => sorted(part)),
    [text, links, outcomes, hints].map((part) => sorted(part)),
  );
});
Parse.run();
