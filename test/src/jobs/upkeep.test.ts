import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decides } from '../../../src/jobs/decisive.ts';
import { allHostStats, hostStats, hosts } from '../../../src/jobs/hosts.ts';
import { allLinks, invertlinks } from '../../../src/jobs/invertlinks.ts';
import { mergedb, mergeSegments } from '../../../src/jobs/mergedb.ts';
import { purge } from '../../../src/jobs/purge.ts';
import { updatedb } from '../../../src/jobs/updatedb.ts';
import { decodeOutcome } from '../../../src/page/codec.ts';
import { decodeHint, encodeHint } from '../../../src/page/hint.ts';
import type { OutcomeKind } from '../../../src/page/outcome.ts';
import { segmentFolder, segmentPart } from '../../../src/page/segment.ts';
import { RecordWriter, readRecords } from '../../../src/store/records.ts';
import { keyOf, urlOf } from '../../../src/url/key.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { writeSegment } from '../../kit/segments.ts';
import { shared } from '../../kit/shared.ts';

const Upkeep = suite<{ crawl: TestCrawl }>('hosts, purge, mergedb, mergesegs');
Upkeep.before.each(async (at) => {
  at.crawl = await testCrawl({ scope: { mode: 'any' } });
});
Upkeep.after.each(({ crawl }) => crawl.close());
const DAY = 86_400_000;

Upkeep('a host has the sums of all its fetches, each segment once', async ({ crawl }) => {
  writeSegment(
    crawl.dir,
    's1',
    NOW,
    [
      ...Array.from({ length: 10 }, (_, i) => ({
        url: `http://a.example/${i}`,
        outcome: { responseMs: i === 9 ? 900 : 10, bytes: 5 },
      })),
      { url: 'http://b.example:81/', kind: 'retry' as const, outcome: { reason: 'dns' as const, httpStatus: 0 } },
      { url: 'http://b.example/x', kind: 'skipped' as const },
    ],
    2,
  );
  assert.equal(await hosts(crawl.context, 's1'), { hosts: 2, added: 2, failures: 1 });
  assert.equal(await hosts(crawl.context, 's1'), { alreadyApplied: 1 });
  writeSegment(crawl.dir, 's2', NOW + 5, [
    { url: 'http://a.example/0', kind: 'gone', outcome: { reason: 'http-404' } },
  ]);
  assert.equal(await hosts(crawl.context, 's2'), { hosts: 1, added: 0, failures: 0 });
  const a = (await hostStats(crawl.context.tables, 'a.example'))!;
  assert.equal([a.pages, a.first, a.last, a.bytes, a.failures], [11, NOW, NOW + 5, 150, 0]);
  assert.equal(a.reasons, { 'http-404': 1, ok: 10 });
  assert.ok(a.quantilesMs[0] >= 10 && a.quantilesMs[0] <= 15 && a.quantilesMs[2] >= 900 && a.quantilesMs[2] < 1300);
  const all: string[] = [];
  for await (const { host, failures } of allHostStats(crawl.context.tables)) all.push(`${host} ${failures}`);
  assert.equal(all, ['a.example 0', 'b.example 1']);
});

Upkeep(
  'purge takes out what is gone and what the gate refuses, and renames what has another normal form',
  async ({ crawl }) => {
    await crawl.put({
      'http://a.example/gone': { status: 'gone' },
      'http://a.example/x.pdf': {},
      'http://a.example/a//b': { fetched: 5, score: 3 },
      'http://a.example/a/b': { fetched: 4 },
      'http://a.example/c//d': { fetched: 4 },
      'http://a.example/c/d': { fetched: 5, score: 2 },
      'http://a.example/far': { due: NOW + 1e12 },
      'http://a.example/fine': {},
    });
    const scope = { ...crawl.context.options.scope, filters: ['-\\.pdf$'] };
    crawl.context = { ...crawl.context, options: { ...crawl.context.options, scope } };
    const counters = await purge(crawl.context, { gone: true, filter: true });
    assert.equal(counters, { scanned: 8, 'purged.gone': 1, 'purged.filtered': 1, renamed: 2, repaired: 1 });
    const pages = await crawl.pages();
    assert.equal(
      [...pages.keys()],
      ['http://a.example/a/b', 'http://a.example/c/d', 'http://a.example/far', 'http://a.example/fine'],
    );
    assert.equal(
      [...pages.values()].map(({ score }) => score),
      [3, 2, 0, 0],
    );
    assert.is(pages.get('http://a.example/far')!.due, NOW);
  },
);

Upkeep('a page without links is gone after thirty days and an orphan after forty, a seed never', async ({ crawl }) => {
  const [seed, page, child] = ['http://a.example/', 'http://a.example/p', 'http://a.example/c'];
  await crawl.put({ [seed]: { score: 1 } });
  writeSegment(crawl.dir, 's1', NOW, [
    { url: seed, links: [page] },
    { url: page, links: [child, seed], depth: 1 },
  ]);
  await updatedb(crawl.context, 's1');
  writeSegment(crawl.dir, 's2', NOW + 1, [
    { url: seed, links: [] },
    { url: page, links: [child], depth: 1 },
  ]);
  await updatedb(crawl.context, 's2');
  const at = async (days: number): Promise<string[]> => {
    crawl.at(NOW + days * DAY);
    await purge(crawl.context);
    return [...(await crawl.pages()).values()].map(({ status }) => status);
  };
  assert.equal(await at(29), ['not-modified', 'unfetched', 'not-modified']);
  assert.equal(await at(31), ['not-modified', 'unfetched', 'gone']);
  assert.equal(await at(41), ['not-modified', 'unfetched', 'orphan']);
  assert.equal(await purge(crawl.context, { orphans: true }), { scanned: 3, 'purged.orphan': 1 });
});

Upkeep('a segment that comes late does not undo what was learned since', async ({ crawl }) => {
  const url = 'http://a.example/';
  writeSegment(crawl.dir, 's2', NOW + 1000, [{ url, kind: 'gone' }]);
  await updatedb(crawl.context, 's2');
  writeSegment(crawl.dir, 's1', NOW, [{ url }]);
  assert.is((await updatedb(crawl.context, 's1')).stale, 1);
  assert.is((await crawl.page(url))!.status, 'gone');
});

Upkeep('of two records the one fetched later stands, with the metadata and links of both', async ({ crawl }) => {
  const [a, b, c] = ['http://a.example/', 'http://b.example/', 'http://c.example/'];
  const other = await testCrawl();
  await crawl.put({
    [a]: {
      fetched: 1,
      score: 1,
      meta: new Map([
        ['name', 'one'],
        ['one', '1'],
      ]),
    },
    [b]: { fetched: 9 },
  });
  await other.put({ [a]: { fetched: 2, score: 2, meta: new Map([['name', 'two']]) }, [b]: { fetched: 3 }, [c]: {} });
  writeSegment(crawl.dir, 's1', NOW, [{ url: a, links: [c] }]);
  await invertlinks(crawl.context, 's1');
  writeSegment(other.dir, 's1', NOW, [{ url: b, links: [c, a] }]);
  await invertlinks(other.context, 's1');
  await other.context.tables.close();
  const counters = await mergedb(crawl.context, other.dir);
  assert.equal(counters, { pages: 3, added: 1, changed: 1, rejected: 0, targets: 2 });
  const pages = await crawl.pages();
  assert.equal([pages.get(a)!.score, Object.fromEntries(pages.get(a)!.meta)], [2, { name: 'two', one: '1' }]);
  assert.equal([pages.get(b)!.fetched, pages.size], [9, 3]);
  const links: string[] = [];
  for await (const { from, to } of allLinks(crawl.context.tables)) links.push(`${from} ${to}`);
  assert.equal(links, [`${b} ${a}`, `${a} ${c}`, `${b} ${c}`]);
  await other.reopen();
  await other.close();
});

const kindOf = (crawl: TestCrawl, segment: string, url: string): OutcomeKind | undefined => {
  for (const { key, value } of readRecords(segmentPart(crawl.dir, segment, 'crawl_fetch', 0)))
    if (urlOf(key) === url) return decodeOutcome(value).kind;
  return undefined;
};

Upkeep('merged segments hold the last outcome that decided anything, for any history', async () => {
  const kinds = [
    'success',
    'gone',
    'redirect-temporary',
    'redirect-permanent',
    'retry',
    'not-modified',
    'parse-failed',
  ] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 }), async (history) => {
      const crawl = await testCrawl();
      try {
        history.forEach(
          (kind, i) => void writeSegment(crawl.dir, `s${i}`, NOW + i, [{ url: 'http://a.example/', kind, links: [] }]),
        );
        await mergeSegments(
          crawl.context,
          history.map((_, i) => `s${i}`),
          { name: 'm' },
        );
        const decided = history.filter((kind) => decides({ kind }));
        assert.is(kindOf(crawl, 'm', 'http://a.example/'), decided.at(-1) ?? history.at(-1));
      } finally {
        await crawl.close();
      }
    }),
    { numRuns: 25 },
  );
});

Upkeep(
  'a merge can be cut into slices, each page with all its parts, and carries what its segments have been through',
  async ({ crawl }) => {
    for (const segment of ['s1', 's2']) {
      writeSegment(
        crawl.dir,
        segment,
        NOW,
        Array.from({ length: 25 }, (_, i) => ({
          url: `http://a.example/${segment}/${i}`,
          links: [`http://b.example/${i}`],
        })),
      );
      writeFileSync(join(segmentFolder(crawl.dir, segment), 'fetch.done'), '');
      await updatedb(crawl.context, segment);
    }
    const { segments, counters } = await mergeSegments(crawl.context, ['s1', 's2'], { name: 'm', slice: 20 });
    assert.equal([segments, counters.pages], [['m-1', 'm-2', 'm-3'], 50]);
    const keysOf = (segment: string, part: 'crawl_fetch' | 'crawl_parse') =>
      [...readRecords(segmentPart(crawl.dir, segment, part, 0))].map(({ key }) => key);
    for (const segment of segments) assert.equal(keysOf(segment, 'crawl_fetch'), keysOf(segment, 'crawl_parse'));
    assert.equal(
      segments.map((segment) => keysOf(segment, 'crawl_fetch').length),
      [20, 20, 10],
    );
    assert.equal(await updatedb(crawl.context, 'm-1'), { alreadyApplied: 1 });
    assert.not.ok(await crawl.context.tables.linkdb.applied('m-1'));
  },
);

Upkeep('what sitemaps said is kept when segments are merged, also where only some have it', async ({ crawl }) => {
  const url = 'http://a.example/';
  for (const segment of ['s1', 's2']) writeSegment(crawl.dir, segment, NOW, [{ url, links: [] }]);
  const path = segmentPart(crawl.dir, 's1', 'crawl_sitemap', 0);
  mkdirSync(dirname(path), { recursive: true });
  const writer = new RecordWriter(path);
  writer.append(keyOf(url), encodeHint({ modified: 5, interval: 86_400 }));
  writer.close();
  await mergeSegments(crawl.context, ['s1', 's2'], { name: 'm' });
  assert.equal(
    [...readRecords(segmentPart(crawl.dir, 'm', 'crawl_sitemap', 0))].map(({ key, value }) => [key, decodeHint(value)]),
    [[keyOf(url), { modified: 5, interval: 86_400 }]],
  );
});

const misc = shared('vectors/nutch/misc.json');
if (!misc) console.log('skipped: merges of crawldb and linkdb of Nutch');
else {
  const { linkdbMerge, crawldbMerge } = JSON.parse(readFileSync(misc, 'utf8'));
  Upkeep('Nutch: merged dbs hold what its tests say', async ({ crawl }) => {
    const other = await testCrawl();
    const stateOf = (name: 'cd1' | 'cd2') => ({
      fetched: crawldbMerge[name].fetchTime,
      meta: new Map(Object.entries<string>(crawldbMerge[name].md)),
    });
    for (const [to, db, links] of [
      [crawl, crawldbMerge.db1, linkdbMerge.db1],
      [other, crawldbMerge.db2, linkdbMerge.db2],
    ]) {
      await to.put(Object.fromEntries(Object.entries<'cd1' | 'cd2'>(db).map(([url, name]) => [url, stateOf(name)])));
      const bySource = Object.entries<string[]>(links).flatMap(([target, sources]) =>
        sources.map((url) => ({ url, links: [target] })),
      );
      writeSegment(to.dir, 's1', NOW, bySource);
      await invertlinks(to.context, 's1');
    }
    await other.context.tables.close();
    await mergedb(crawl.context, other.dir);
    const pages = await crawl.pages();
    for (const [url, expected] of Object.entries<{ fetchTime: number; md: object } | 'cd1' | 'cd2'>(crawldbMerge.out)) {
      const { fetched, meta } = pages.get(url)!;
      const { fetchTime, md } = typeof expected === 'string' ? crawldbMerge[expected] : expected;
      assert.equal([fetched, Object.fromEntries(meta)], [fetchTime, md]);
    }
    const merged: Record<string, string[]> = {};
    for await (const { from, to } of allLinks(crawl.context.tables)) (merged[to] ??= []).push(from);
    assert.equal(merged, linkdbMerge.out);
    await other.reopen();
    await other.close();
  });
}

Upkeep.run();
