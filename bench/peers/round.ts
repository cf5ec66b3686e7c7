/**
 * A crawl without an index, to stand beside programs that have none: robots.txt, fetch, parse, text, digests, compressed
 * store, crawldb, linkdb; round after round until nothing is due.
 *
 *     round.ts URL FOLDER     one line {"pages", "secs"} at the end
 */
import { Crawl } from '../../src/index.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const started = performance.now();
const crawl = await Crawl.open(folder, { net: { delay: 0, connections: 16 }, scope: { mode: 'prefix' } });
await crawl.inject([url]);
let pages = 0;
for await (const round of crawl.rounds(0)) pages += round.fetched;
await crawl.close();
console.log(JSON.stringify({ pages, secs: (performance.now() - started) / 1000 }));
