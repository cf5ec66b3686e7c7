/**
 * A crawl without an index, to stand beside programs that have none: robots.txt, fetch, parse, text, digests, compressed
 * store, crawldb, linkdb; round after round until nothing is due.
 *
 *     round.ts URL FOLDER             one line {"pages", "secs"} at the end
 *     round.ts URL FOLDER links-only  robots.txt, fetch, links, crawldb: what crawlers do that keep no page
 */
import { Crawl } from '../../src/index.ts';

const [url = '', folder = '', what = ''] = process.argv.slice(2);
const linksOnly = what === 'links-only';
const started = performance.now();
const crawl = await Crawl.open(folder, {
  net: { delay: 0, connections: 16, keepContent: !linksOnly },
  index: { linksOnly },
  scope: { mode: 'prefix' },
});
await crawl.inject([url]);
let pages = 0;
for await (const round of crawl.rounds(0)) pages += round.fetched;
await crawl.close();
console.log(JSON.stringify({ pages, secs: (performance.now() - started) / 1000 }));
