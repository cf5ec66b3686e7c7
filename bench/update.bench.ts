/**
 * What do updatedb, invertlinks and generate cost, and how does that grow with crawldb?
 *
 *     npm run bench -- update [--records 1000000] [--pages 20000] [--links 60] [--threads 1]
 *
 * Pages of 5,003 sites; a page's links go to 60 % to its own site, half of all to pages that crawldb knows. To beat:
 * 150,000 outlinks a CPU second for updatedb, 400,000 records for generate, peak RSS 350 MB.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../src/jobs/generate.ts';
import { invertlinks } from '../src/jobs/invertlinks.ts';
import { updatedb } from '../src/jobs/updatedb.ts';
import { defaults } from '../src/options.ts';
import { encodeOutcome, encodeState } from '../src/page/codec.ts';
import { keyOf } from '../src/page/key.ts';
import { encodePageLinks, segmentPart } from '../src/page/segment.ts';
import { newState } from '../src/page/state.ts';
import { createPool } from '../src/run/pool.ts';
import { RecordWriter } from '../src/store/records.ts';
import { openTables } from '../src/store/tables.ts';
import { random } from './corpus.ts';
import { question } from './question.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    pages: { type: 'string', default: '20000' },
    links: { type: 'string', default: '60' },
    threads: { type: 'string', default: '1' },
  },
  strict: false,
});
const RECORDS = Number(values.records);
const PAGES = Number(values.pages);
const LINKS = Number(values.links);
const SITES = 5003;
const NOW = Date.UTC(2026, 0, 1);

const dir = mkdtempSync(join(tmpdir(), 'nuthatch-update-'));
const ask = question(`update of ${PAGES} pages, ${RECORDS} records`);
const url = (site: number, page: number): string =>
  `https://www.example-${site}.com/section-${page % 97}/article-about-something-${page}.html`;
const rnd = random(1);
const known = Math.ceil(RECORDS / SITES);

const tables = await openTables(dir);
const pool = createPool(Number(values.threads));
const context = {
  dir,
  options: { ...defaults, scope: { ...defaults.scope, mode: 'any' as const } },
  seeds: [],
  pool,
  tables,
  signal: new AbortController().signal,
  onEvent: () => {},
  now: NOW,
};

await ask.once(
  'crawldb is filled',
  async () => {
    const change = tables.crawldb.change();
    const sites = Array.from({ length: SITES }, (_, site) => site).sort((a, b) => (url(a, 0) < url(b, 0) ? -1 : 1));
    for (const site of sites) {
      const keys = Array.from({ length: known }, (_, page) => keyOf(url(site, page))).sort();
      for (const key of keys) change.put(key, encodeState(newState(NOW, 2_592_000, { score: rnd(), depth: 3 })));
    }
    await change.commit();
  },
  { amount: RECORDS, unit: 'records' },
);

for (let shard = 0; shard < 2; shard++) {
  const open = (part: 'crawl_fetch' | 'crawl_parse'): RecordWriter => {
    const path = segmentPart(dir, 's1', part, shard);
    mkdirSync(dirname(path), { recursive: true });
    return new RecordWriter(path);
  };
  const outcomes = open('crawl_fetch');
  const parsed = open('crawl_parse');
  for (let i = shard; i < PAGES; i += 2) {
    const site = Math.floor(rnd() * SITES);
    const page = Math.floor(rnd() * known);
    const key = keyOf(url(site, page));
    const signature = new Uint8Array(16).fill(i);
    outcomes.append(
      key,
      encodeOutcome({
        kind: 'success',
        reason: 'ok',
        fetched: NOW,
        httpStatus: 200,
        responseMs: 20,
        bytes: 26_000,
        truncated: false,
        contentType: 'text/html',
        etag: '"0123456789abcdef"',
        lastModified: '',
        target: '',
        signature,
        ip: '127.0.0.1',
        detail: '',
      }),
    );
    const links = new Map<string, { url: string; anchor: string; nofollow: boolean }>();
    while (links.size < LINKS) {
      const to = rnd() < 0.6 ? site : Math.floor(rnd() * SITES);
      const target = url(to, Math.floor(rnd() * known * 2));
      links.set(target, { url: target, anchor: `about something ${links.size}`, nofollow: false });
    }
    parsed.append(key, encodePageLinks({ signature, score: 0.5, depth: 3, links: [...links.values()] }));
  }
  outcomes.close();
  parsed.close();
}

const links = { amount: PAGES * LINKS, unit: 'outlinks' };
console.log(await ask.once('updatedb', () => updatedb(context, 's1'), links));
console.log(await ask.once('invertlinks', () => invertlinks(context, 's1'), links));
let scanned = 0;
for await (const entries of tables.crawldb.chunks()) scanned += entries.length;
console.log(
  await ask.once('generate 50,000', () => generate(context, { topN: 50_000 }), { amount: scanned, unit: 'records' }),
);
await pool.close();
await tables.close();
rmSync(dir, { recursive: true });
