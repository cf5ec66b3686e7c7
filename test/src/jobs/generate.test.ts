import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Best } from '../../../src/jobs/best.ts';
import { freeList, type GenerateInput, generateSegments } from '../../../src/jobs/generate.ts';
import { decodeState } from '../../../src/page/codec.ts';
import { segmentPart } from '../../../src/page/segment.ts';
import type { PageState } from '../../../src/page/state.ts';
import { readRecords } from '../../../src/store/records.ts';
import { domainOf, hostOf } from '../../../src/url/host.ts';
import { keyOf, urlOf } from '../../../src/url/key.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { shared } from '../../kit/shared.ts';

const Generate = suite<{ crawl: TestCrawl }>('generate');
Generate.before.each(async (at) => {
  at.crawl = await testCrawl({ scope: { mode: 'any' } });
});
Generate.after.each(({ crawl }) => crawl.close());

const listOf = (crawl: TestCrawl, segment: string): string[] =>
  [...readRecords(segmentPart(crawl.dir, segment, 'crawl_generate', 0))].map(({ key }) => urlOf(key));
const run = async (crawl: TestCrawl, input: GenerateInput = {}) => {
  const { counters, segments } = await generateSegments(crawl.context, input);
  return { counters, lists: segments.map((segment) => listOf(crawl, segment)), segments };
};

/** The dumb way: all that is due, sorted by score, each taken while there is room. */
function expectedLists(
  pages: Map<string, PageState>,
  topN: number,
  perHost: number,
  perDomain: number,
  segments: number,
): string[][] {
  const lists: string[][] = Array.from({ length: segments }, () => []);
  const ranked = [...pages]
    .filter(([, page]) => page.due <= NOW)
    .sort(([a, pa], [b, pb]) => pb.score - pa.score || (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const [url] of ranked)
    for (const list of lists) {
      if (list.length >= topN) continue;
      if (perHost >= 0 && list.filter((other) => hostOf(other) === hostOf(url)).length >= perHost) continue;
      if (
        perDomain >= 0 &&
        list.filter((other) => domainOf(hostOf(other)) === domainOf(hostOf(url))).length >= perDomain
      )
        continue;
      list.push(url);
      break;
    }
  return lists.filter((list) => list.length > 0);
}

Generate('the lists are those of a plain sort, for any limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc.tuple(
          fc.constantFrom('a.example', 'www.a.example', 'a-b.example', 'b.co.uk', 'x.b.co.uk', '1.2.3.4'),
          fc.nat(60),
        ),
        {
          maxLength: 120,
          selector: ([host, page]) => `${host}/${page}`,
        },
      ),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean()), { minLength: 120, maxLength: 120 }),
      fc.record({
        topN: fc.integer({ min: 1, max: 40 }),
        perHost: fc.constantFrom(-1, 1, 2, 5),
        perDomain: fc.constantFrom(-1, 1, 3, 8),
      }),
      async (places, traits, limits) => {
        const crawl = await testCrawl({ scope: { mode: 'any' } });
        try {
          await crawl.put(
            Object.fromEntries(
              places.map(([host, page], i) => [
                `http://${host}/${page}`,
                { score: traits[i]![0], due: NOW + (traits[i]![1] ? 0 : 1000) },
              ]),
            ),
          );
          const expected = expectedLists(await crawl.pages(), limits.topN, limits.perHost, limits.perDomain, 1);
          const { lists, counters } = await run(crawl, limits);
          assert.equal(
            lists.map((list) => [...list].sort()),
            expected.map((list) => [...list].sort()),
          );
          const rejected = Object.entries(counters).reduce(
            (sum, [name, by]) => sum + (name.startsWith('rejected.') ? by : 0),
            0,
          );
          assert.is(counters.scanned, counters.generated! + rejected, JSON.stringify(counters));
        } finally {
          await crawl.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});

Generate('the best of a long stream are those of a sort, with groups and without', () => {
  for (const perGroup of [-1, 3]) {
    const best = new Best(50, perGroup);
    const all: { score: number; order: number; group: number }[] = [];
    for (let i = 0; i < 20_000; i++) {
      const group = Math.floor(i / 37);
      if (i % 37 === 0) best.nextGroup();
      const score = (i * 7919) % 1009;
      best.add(score, Buffer.from(String(i)), Buffer.from('v'.repeat(i % 50)));
      all.push({ score, order: i, group });
    }
    const counts = new Map<number, number>();
    const expected = all
      .sort((a, b) => b.score - a.score || a.order - b.order)
      .filter(({ group }) => {
        counts.set(group, (counts.get(group) ?? 0) + 1);
        return perGroup < 0 || counts.get(group)! <= perGroup;
      })
      .slice(0, 50)
      .map(({ order }) => String(order));
    assert.equal(
      [...best.take()].map(({ key }) => Buffer.from(key).toString()),
      expected,
    );
  }
});

Generate('a page that is leased waits until its lease ends, and RU-recrawl-08 no longer', async ({ crawl }) => {
  await crawl.put({ 'http://a.example/': { due: NOW - 1 } });
  const first = await run(crawl);
  assert.equal(first.lists, [['http://a.example/']]);
  const page = (await crawl.page('http://a.example/'))!;
  assert.equal(page.lease, { segment: first.segments[0]!, expires: NOW + 3_600_000 });
  const second = await run(crawl);
  assert.equal([second.lists, second.counters['rejected.leased'], second.counters.nextDue], [[], 1, NOW + 3_600_000]);
  crawl.at(NOW + 3_600_000);
  assert.equal((await run(crawl)).lists, [['http://a.example/']]);
});

Generate('every rejection is counted by its rule, and the next due time is told', async ({ crawl }) => {
  await crawl.put({
    'http://a.example/1': { due: NOW + 5000 },
    'http://a.example/2': { due: NOW + 3000 },
    'http://a.example/3': { score: 0.1 },
    'http://a.example/4': { score: 1, status: 'gone' },
    'http://a.example/5': { score: 1, interval: 100 },
    'http://a.example/6': { score: 1, interval: 100 },
    'http://a.example/7': { score: 2, interval: 100, due: NOW + 1e13 },
    'http://a.example/8': { score: 1, interval: 1000 },
  });
  const { counters, lists } = await run(crawl, {
    minScore: 0.5,
    status: ['unfetched'],
    maxInterval: 500,
    where: (url) => !url.endsWith('/6'),
    topN: 1,
  });
  assert.equal(lists, [['http://a.example/7']]);
  assert.equal(counters, {
    segments: 1,
    generated: 1,
    scanned: 8,
    due: 6,
    'rejected.notDue': 2,
    'rejected.status': 1,
    'rejected.score': 1,
    'rejected.interval': 1,
    'rejected.where': 1,
    'rejected.topN': 1,
    nextDue: NOW + 3000,
  });
});

Generate('days may be added to the clock', async ({ crawl }) => {
  await crawl.put({ 'http://a.example/': { due: NOW + 86_400_000 } });
  assert.equal((await run(crawl)).lists, []);
  assert.equal((await run(crawl, { addDays: 1 })).lists, [['http://a.example/']]);
});

Generate('what the gate would not admit any more does not take the place of others', async ({ crawl }) => {
  await crawl.put({
    'http://a.example/x.pdf': { score: 9 },
    'http://a.example/1': { score: 2 },
    'http://a.example/2': { score: 1 },
  });
  const options = { ...crawl.context.options, scope: { ...crawl.context.options.scope, filters: ['-\\.pdf$'] } };
  crawl.context = { ...crawl.context, options };
  const { lists, counters } = await run(crawl, { topN: 1 });
  assert.equal(lists, [['http://a.example/1']]);
  assert.equal([counters['rejected.filtered'], counters['filtered.filtered']], [1, 1]);
});

Generate('hosts are interleaved: the first pages of all before the second of any', async ({ crawl }) => {
  const pages: Record<string, object> = {};
  for (let host = 0; host < 10; host++)
    for (let page = 0; page <= host; page++) pages[`http://h${host}.example/${page}`] = {};
  await crawl.put(pages);
  const [list] = (await run(crawl)).lists;
  const ranks = list!.map((url, at) => list!.slice(0, at).filter((other) => hostOf(other) === hostOf(url)).length);
  assert.equal(
    ranks,
    [...ranks].sort((a, b) => a - b),
  );
  assert.is(new Set(list).size, 55);
});

Generate('the records of a list are the states of its pages, lease included', async ({ crawl }) => {
  await crawl.put({ 'http://a.example/': { score: 3, etag: 'x', depth: 2 } });
  const { segments } = await run(crawl);
  const [record] = [...readRecords(segmentPart(crawl.dir, segments[0]!, 'crawl_generate', 0))];
  assert.equal(decodeState(record!.value), await crawl.page('http://a.example/'));
});

Generate('a free list needs no crawldb, and holds each address once', async ({ crawl }) => {
  const { segment, counters } = await freeList(crawl.context, [
    'http://a.example',
    'http://a.example/',
    'http://b.example/x',
    'nothing',
  ]);
  assert.equal(listOf(crawl, segment!).sort(), ['http://a.example/', 'http://b.example/x']);
  assert.equal(counters, { segments: 1, generated: 2, rejected: 1 });
  assert.is((await crawl.pages()).size, 0);
});

Generate('names of segments made in one second differ', async ({ crawl }) => {
  await crawl.put({ 'http://a.example/1': { score: 2 }, 'http://a.example/2': { score: 1 } });
  const { segments, lists } = await run(crawl, { topN: 1, segments: 2 });
  assert.equal(segments, ['20260101000000', '20260101000001']);
  assert.equal(lists, [['http://a.example/1'], ['http://a.example/2']]);
});

const vectors = shared('vectors/nutch/generator.json');
if (!vectors) console.log('skipped: generator cases of Nutch');
else {
  const { cases } = JSON.parse(readFileSync(vectors, 'utf8'));
  const caseOf = (id: string) => cases.find((one: { id: string }) => one.id === id);
  const put = (crawl: TestCrawl, db: { url: string; score: number }[]) =>
    crawl.put(Object.fromEntries(db.map(({ url, score }) => [url, { score }])));
  Generate('Nutch: the highest scores are taken', async ({ crawl }) => {
    const { db, topN, expectUrlsByScore } = caseOf('highest');
    await put(crawl, db);
    assert.equal((await run(crawl, { topN })).lists[0]!.sort(), [...expectUrlsByScore].sort());
  });
  for (const [id, limit] of [
    ['hostLimit', 'perHost'],
    ['domainLimit', 'perDomain'],
  ] as const)
    for (const [most, expected] of Object.entries(caseOf(id).byMaxCount))
      Generate(`Nutch: ${id} ${most} gives ${expected}`, async ({ crawl }) => {
        await put(crawl, caseOf(id).db);
        assert.is((await run(crawl, { [limit]: Number(most) })).lists[0]!.length, expected);
      });
  Generate(
    'Nutch: of five pages of a host, two lists of at most two take the best two, then the next two',
    async ({ crawl }) => {
      await put(
        crawl,
        [5, 4, 3, 2, 1].map((score) => ({ url: `http://a.example/${score}`, score })),
      );
      const { lists } = await run(crawl, { perHost: 2, segments: 2 });
      assert.equal(
        lists.map((list) => list.map((url) => url.at(-1)).sort()),
        [
          ['4', '5'],
          ['2', '3'],
        ],
      );
    },
  );
  Generate(
    'Nutch: an address without host is kept where no filter is asked, and refused for its scheme otherwise',
    async ({ crawl }) => {
      await crawl.put({ 'file:///path/index.html': {} });
      assert.is((await run(crawl, { filter: true })).lists.length, 0);
      assert.is((await run(crawl, { filter: false })).lists[0]!.length, 1);
    },
  );
}

Generate.run();
