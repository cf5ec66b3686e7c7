/**
 * How much of the rate that its delays allow does a crawl of many hosts reach? Hosts are asked one request at a time, and
 * each is left alone for the delay from the end of an answer: so the ideal is hosts / (delay + response), the response as
 * the crawler itself measured it, and a fetch of n pages a host (robots.txt before them) takes n delays and n + 1 responses.
 *
 *     npm run bench -- polite [--hosts 1000] [--pages-per-host 8] [--delay 4000] [--latency 50] [--threads 1] [--in-flight N]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Crawl } from '../src/crawl.ts';
import { serveApart } from '../src/lab/apart.ts';
import { settleWeb } from '../src/lab/options.ts';
import { SyntheticSite } from '../src/lab/synthetic.ts';
import { defaults } from '../src/options.ts';
import { decodeOutcome } from '../src/page/codec.ts';
import { partRecords } from '../src/read/segment.ts';
import { question } from './question.ts';

const { values } = parseArgs({
  strict: false,
  options: {
    hosts: { type: 'string', default: '1000' },
    'pages-per-host': { type: 'string', default: '8' },
    delay: { type: 'string', default: '4000' },
    latency: { type: 'string', default: '50' },
    threads: { type: 'string', default: '1' },
    'in-flight': { type: 'string', default: String(defaults.net.inFlight) },
  },
});
const [hosts, perHost, delay, latency, threads] = (
  ['hosts', 'pages-per-host', 'delay', 'latency', 'threads'] as const
).map((name) => Number(values[name])) as [number, number, number, number, number];

const ask = question('polite');
const odd = { duplicates: 0, nearDuplicates: 0, redirects: 0, missing: 0, noindex: 0, denied: 0, sitemaps: 0 };
const options = settleWeb({
  hosts,
  pages: hosts * perHost,
  hostSkew: 0,
  sizeKB: 2,
  links: 5,
  latencyMs: latency,
  latencySigma: 0,
  ...odd,
});
const lab = await serveApart({ web: { kind: 'synthetic', options }, port: 0, delayMs: delay });
const dir = mkdtempSync(join(tmpdir(), 'nuthatch-polite-'));
try {
  const port = Number(new URL(lab.seeds[0]!).port);
  const site = new SyntheticSite(options, () => port);
  /** Pages done, by the time at which it was told, ms. */
  const told: (readonly [at: number, pages: number])[] = [];
  let [started, seconds, cpuSeconds] = [0, 0, 0];
  const crawl = await Crawl.open(
    dir,
    {
      net: { delay, inFlight: Number(values['in-flight']), allowPrivate: ['127.0.0.0/8'] },
      scope: { mode: 'any' },
      work: { threads },
    },
    {
      onEvent: (event) => {
        if (event.kind === 'fetch-progress') told.push([performance.now(), event.fetched + event.failed]);
        if (event.kind === 'step-started' && event.step === 'fetch') started = performance.now();
        if (event.kind === 'step-finished' && event.step === 'fetch') ({ seconds, cpuSeconds } = event);
      },
    },
  );
  await crawl.freeList(Array.from({ length: site.pages }, (_, page) => site.address(page)));
  await crawl.fetch();
  let [pages, responses] = [0, 0];
  for (const segment of crawl.segments())
    for (const { value } of partRecords(dir, segment, 'crawl_fetch')) {
      const { httpStatus, responseMs } = decodeOutcome(value);
      if (httpStatus !== 200) continue;
      pages++;
      responses += responseMs;
    }
  await crawl.close();
  const { politeness } = await lab.counts();
  const response = responses / pages;
  const inner = told.filter(
    ([at]) => at > started + 2 * (delay + response) && at < started + (perHost - 1) * (delay + response),
  );
  const [first, last] = [inner[0]!, inner.at(-1)!];
  const rate = ((last[1] - first[1]) / (last[0] - first[0])) * 1000;
  const ideal = (hosts / (delay + response)) * 1000;
  const whole = (perHost * delay + (perHost + 1) * response) / 1000;
  ask.figure(
    `${hosts} hosts, ${perHost} pages each, delay ${delay} ms, answers after ${latency} ms, ${threads} thread(s)`,
    {
      pages,
      'response ms': response,
      'ideal pages/s': ideal,
      'pages/s under way': rate,
      'of the ideal': rate / ideal,
      'whole fetch s': seconds,
      'of its ideal': whole / seconds,
      'CPU s': cpuSeconds,
      violations: politeness.violations,
      'least gap ms': politeness.minGapMs,
    },
  );
} finally {
  await lab.close();
  rmSync(dir, { recursive: true, force: true });
}
