/**
 * What does the `fetch` step cost: requests, robots.txt, politeness, reading, links, digest, compressed store? The pages
 * are known beforehand, so nothing of the other steps is in it; the lab serves from a process of its own.
 *
 *     npm run bench -- fetch [--folder DIR] [--pages 5000] [--threads 1,2]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchSegment } from '../src/jobs/fetch.ts';
import { serveApart } from '../src/lab/apart.ts';
import { settleWeb } from '../src/lab/options.ts';
import { type LabSpec, serverOf } from '../src/lab/spec.ts';
import { encodeState } from '../src/page/codec.ts';
import { segmentPart } from '../src/page/segment.ts';
import { newState } from '../src/page/state.ts';
import { createPool } from '../src/run/pool.ts';
import { settle } from '../src/settle.ts';
import { RecordWriter } from '../src/store/records.ts';
import { openTables } from '../src/store/tables.ts';
import { keyOf } from '../src/url/key.ts';
import { cpuSeconds, peakRss } from './memory.ts';
import { words } from './peers/tools.ts';
import { question } from './question.ts';

const ask = question('fetch');
const { options: flags } = words(process.argv.slice(2));
const folder = flags.get('folder');
const most = Number(flags.get('pages') ?? 5000);
const web: LabSpec['web'] = folder
  ? { kind: 'folder', folder }
  : { kind: 'synthetic', options: settleWeb({ pages: most, hosts: 16, hostSkew: 0, denied: 0 }) };
const segment = '20260101000000';

for (const threads of (flags.get('threads') ?? '1,2').split(',').map(Number)) {
  const lab = await serveApart({ web, port: 0, delayMs: 0 });
  const port = new URL(lab.seeds[0]!).port;
  // The same site once more, here, to know its addresses; it listens to nobody.
  const { site } = serverOf({ web, port: 0, delayMs: 0 });
  const urls: string[] = [];
  const step = Math.max(1, Math.floor(site.pages / most)); // of a large folder, pages from all over it
  for (let page = 0; page < site.pages && urls.length < most; page += step) {
    const url = new URL(site.address(page));
    url.port = port;
    urls.push(url.href);
  }
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-fetch-'));
  const path = segmentPart(dir, segment, 'crawl_generate', 0);
  mkdirSync(dirname(path), { recursive: true });
  const list = new RecordWriter(path);
  for (const key of urls.map(keyOf).sort()) list.append(key, encodeState(newState(0, 3600, { score: 1 })));
  list.close();

  const pool = createPool(threads);
  const tables = await openTables(dir);
  const before = cpuSeconds();
  const started = performance.now();
  const counters = await fetchSegment(
    {
      dir,
      options: settle({ net: { delay: 0, connections: 8, allowPrivate: ['127.0.0.0/8'] }, scope: { mode: 'any' } }),
      seeds: [...lab.seeds],
      pool,
      tables,
      signal: new AbortController().signal,
      onEvent: () => undefined,
      now: Date.now(),
    },
    segment,
  );
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuSeconds() - before;
  const seen = await lab.counts();
  await tables.close();
  await pool.close();
  await lab.close();
  rmSync(dir, { recursive: true, force: true });
  ask.figure(`${threads} shard${threads === 1 ? '' : 's'}`, {
    pages: urls.length,
    fetched: counters.fetched ?? 0,
    'MB/page': seen.bytes / 1e6 / seen.requests,
    'CPU s / 1,000': (cpu / urls.length) * 1000,
    'pages/s': urls.length / seconds,
    'peak RSS MB': peakRss() / 1e6,
    'the lab, CPU s / 1,000': (seen.cpuSeconds / urls.length) * 1000,
    'not asked for': urls.length - seen.requests,
  });
}
