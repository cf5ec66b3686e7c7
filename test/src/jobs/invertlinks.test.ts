import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allLinks, anchorsOf, invertlinks, linksTo } from '../../../src/jobs/invertlinks.ts';
import { decodeInlinks, encodeInlinks, MOST_INLINKS } from '../../../src/page/inlinks.ts';
import { createPool } from '../../../src/run/pool.ts';
import { keyOf } from '../../../src/url/key.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { type FetchedPage, writeSegment } from '../../kit/segments.ts';

const Invert = suite<{ crawl: TestCrawl }>('invertlinks');
Invert.before.each(async (at) => {
  at.crawl = await testCrawl();
});
Invert.after.each(({ crawl }) => crawl.close());

const A = 'http://a.example/';
const B = 'http://b.example/';
const C = 'http://c.example/';

const dump = async (crawl: TestCrawl): Promise<string[]> => {
  const lines: string[] = [];
  for await (const { from, to, anchor } of allLinks(crawl.context.tables)) lines.push(`${from} -${anchor}-> ${to}`);
  return lines.sort();
};

Invert('a link is found from its target, with its anchor', async ({ crawl }) => {
  writeSegment(crawl.dir, 's1', NOW, [
    { url: A, links: [{ url: C, anchor: 'see ç' }, B] },
    {
      url: B,
      links: [
        { url: C, anchor: 'sea' },
        { url: A, anchor: 'x', nofollow: true },
      ],
      score: 2,
    },
  ]);
  const counters = await invertlinks(crawl.context, 's1');
  assert.equal(counters, { links: 3, targets: 2, removed: 0 });
  assert.equal(await linksTo(crawl.context.tables, C), [
    { from: A, anchor: 'see ç' },
    { from: B, anchor: 'sea' },
  ]);
  assert.equal(await linksTo(crawl.context.tables, A), []);
  const value = (await crawl.context.tables.linkdb.get(keyOf(C)))!;
  assert.equal(anchorsOf(value), [
    { host: 'b.example', anchor: 'sea' },
    { host: 'a.example', anchor: 'see ç' },
  ]);
});

Invert('a page that changes takes back the links it had, one that goes takes all of them', async ({ crawl }) => {
  writeSegment(crawl.dir, 's1', NOW, [
    { url: A, links: [B, C] },
    { url: B, links: [C] },
  ]);
  await invertlinks(crawl.context, 's1');
  writeSegment(crawl.dir, 's2', NOW, [{ url: A, links: [{ url: C, anchor: 'new' }] }]);
  assert.equal(await invertlinks(crawl.context, 's2'), { links: 1, targets: 2, removed: 1 });
  assert.equal(await dump(crawl), [`${A} -new-> ${C}`, `${B} --> ${C}`]);
  writeSegment(crawl.dir, 's3', NOW, [
    { url: A, kind: 'gone' },
    { url: B, kind: 'redirect-permanent', outcome: { target: C } },
  ]);
  await invertlinks(crawl.context, 's3');
  assert.equal(await dump(crawl), []);
  assert.equal(await invertlinks(crawl.context, 's3'), { alreadyApplied: 1 });
});

Invert('after any history linkdb holds the links as they are now', async () => {
  const pool = createPool(1);
  const urls = Array.from({ length: 10 }, (_, i) => `http://h${i % 3}.example/${i}`);
  const link = fc.record({ url: fc.constantFrom(...urls), anchor: fc.constantFrom('', 'a', 'b') });
  const page = fc.record({
    url: fc.constantFrom(...urls),
    kind: fc.constantFrom(
      'success' as const,
      'success' as const,
      'gone' as const,
      'retry' as const,
      'not-modified' as const,
    ),
    links: fc.uniqueArray(link, { maxLength: 8, selector: ({ url }) => url }),
  });
  const rounds = fc.array(fc.uniqueArray(page, { maxLength: 6, selector: ({ url }) => url }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(rounds, fc.integer({ min: 1, max: 3 }), async (rounds, shards) => {
      const crawl = await testCrawl({}, { pool });
      const now = new Map<string, string[]>();
      try {
        for (const [at, given] of rounds.entries()) {
          const pages = given.map(
            ({ links, ...rest }): FetchedPage => (rest.kind === 'success' ? { ...rest, links } : rest),
          );
          writeSegment(crawl.dir, `s${at}`, NOW + at, pages, shards);
          await invertlinks(crawl.context, `s${at}`);
          for (const { url, kind, links } of given)
            if (kind === 'success')
              now.set(
                url,
                links.map((link) => `${url} -${link.anchor}-> ${link.url}`),
              );
            else if (kind === 'gone') now.delete(url);
        }
        assert.equal(await dump(crawl), [...now.values()].flat().sort());
      } finally {
        await crawl.close();
      }
    }),
    { numRuns: 15 },
  );
  await pool.close();
});

Invert('of more links than are kept those of the best sources stay', () => {
  const links = Array.from({ length: MOST_INLINKS + 500 }, (_, i) => ({
    source: Buffer.from(keyOf(`http://a.example/${String(i).padStart(6, '0')}`)),
    anchor: Buffer.from(`a${i}`),
    score: (i * 7919) % 10_501,
  }));
  const kept = decodeInlinks(encodeInlinks(links));
  assert.is(kept.length, MOST_INLINKS);
  const least = [...links].sort((a, b) => b.score - a.score)[MOST_INLINKS - 1]!.score;
  assert.ok(kept.every(({ score }) => score >= least));
  assert.equal(
    kept.map(({ source }) => source.toString()),
    kept.map(({ source }) => source.toString()).sort(),
  );
});

Invert('a target with more links than one read ahead holds them all', async ({ crawl }) => {
  const pages = Array.from(
    { length: 6000 },
    (_, i): FetchedPage => ({
      url: `http://a.example/${'long/'.repeat(20)}${i}`,
      links: [C, `http://b.example/${i % 10}`],
    }),
  );
  writeSegment(crawl.dir, 's1', NOW, pages);
  await invertlinks(crawl.context, 's1');
  assert.is((await linksTo(crawl.context.tables, C)).length, 6000);
});

Invert.run();
