import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { invertlinks } from '../../../src/jobs/invertlinks.ts';
import { linkrank } from '../../../src/jobs/linkrank.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { writeSegment } from '../../kit/segments.ts';

const Rank = suite<{ crawl: TestCrawl }>('linkrank');
Rank.before.each(async (at) => {
  at.crawl = await testCrawl();
});
Rank.after.each(({ crawl }) => crawl.close());

const N = 40;
const url = (i: number): string => `http://h${i % 5}.example/${i}`;
/** Page i links to few others, most of them small numbers; the last ten to none. */
const graph: number[][] = Array.from({ length: N }, (_, i) =>
  i >= N - 10 ? [] : [...new Set([(i * i) % 7, (i + 1) % N, (i * 3) % N])].filter((to) => to !== i),
);

/** The dumb way: a dense matrix. */
function dumb(links: readonly number[][], iterations: number): number[] {
  let rank: number[] = new Array(N).fill(1);
  for (let n = 0; n < iterations; n++) {
    const next: number[] = new Array(N).fill(0);
    let dangling = 0;
    links.forEach((to, from) => {
      if (to.length === 0) dangling += rank[from]!;
      for (const target of to) next[target]! += rank[from]! / to.length;
    });
    rank = next.map((sum) => 0.15 + 0.85 * (sum + dangling / N));
  }
  return rank;
}
const setUp = async (crawl: TestCrawl): Promise<void> => {
  await crawl.put(Object.fromEntries(graph.map((_, i) => [url(i), { status: 'fetched' as const, score: i }])));
  writeSegment(
    crawl.dir,
    's1',
    NOW,
    graph.map((to, i) => ({ url: url(i), links: to.map(url) })),
    2,
  );
  await invertlinks(crawl.context, 's1');
};

for (const internal of [true, false])
  Rank(
    `ranks are those of a dense matrix, links within a host ${internal ? 'counted' : 'left out'}`,
    async ({ crawl }) => {
      await setUp(crawl);
      const links = graph.map((to, i) => (internal ? to : to.filter((target) => target % 5 !== i % 5)));
      const { pages: count } = await linkrank(crawl.context, { iterations: 12, until: 0, internal });
      assert.is(count, N);
      const expected = dumb(links, 12);
      const pages = await crawl.pages();
      let sum = 0;
      for (const [i, rank] of expected.entries()) {
        const { rank: got, score } = pages.get(url(i))!;
        assert.ok(Math.abs(got - rank) < 1e-4, `${url(i)}: ${got}, ${rank}`);
        assert.is(score, i);
        sum += got;
      }
      assert.ok(Math.abs(sum / N - 1) < 1e-3, 'the mean is 1');
    },
  );

Rank('a rank that has come to rest is not computed on, nor written again', async ({ crawl }) => {
  await setUp(crawl);
  const first = await linkrank(crawl.context, { iterations: 100 });
  assert.ok(first.iterations! < 60);
  assert.is((await linkrank(crawl.context, { iterations: 100 })).changed, 0);
});

Rank('without links there is nothing to rank', async ({ crawl }) => {
  assert.equal(await linkrank(crawl.context), { pages: 0, iterations: 0, changed: 0 });
});

Rank.run();
