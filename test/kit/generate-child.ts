import { generate } from '../../src/jobs/generate.ts';
import { testCrawl } from './crawl-context.ts';

/** Fills crawldb with due pages of many hosts, and makes a fetchlist of the best: `node generate-child.ts PAGES TOP`. */
const [pages, topN] = process.argv.slice(2).map(Number) as [number, number];
const crawl = await testCrawl({ round: { topN } });
try {
  for (let from = 0; from < pages; from += 10_000)
    await crawl.put(
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, i) => [
          `http://h${(from + i) % 997}.example/a/rather/long/path/${from + i}.html`,
          { score: ((from + i) % 1013) / 1013, due: 0 },
        ]),
      ),
    );
  const counters = await generate(crawl.context);
  console.log(JSON.stringify(counters));
} finally {
  await crawl.close();
}
