/**
 * Crawlers side by side: the same pages, from one server, one after the other, in one sitting; CPU by the kernel's
 * account of the finished process and its children.
 *
 *     npm run peers -- crawl                                           the JDK's documentation, 10,136 pages
 *     npm run peers -- crawl --root DIR --start /index.html --runs 3 wget2 scrapy
 *
 * `nuthatch` is the whole way: robots.txt, fetch, parse, text, digests, compressed store, update, links, index, publish;
 * `nuthatch, no index` ends with the links. These two are more than the peers do, who fetch and follow links (wget and wget2
 * also write the pages), so their ratios are to our disadvantage, by design. `nuthatch, links only` is as much: robots.txt,
 * fetch, links, and a table of what is known, by which a crawl goes on and comes again.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { align, digits, record, workFolder } from '../results.ts';
import { compileBench, harness, installed, median, packaged, root, run, skipped, words } from './tools.ts';

const { options, rest } = words(process.argv.slice(2));
const place = harness();
const main = join(root, 'dist/src/cli/main.js');
const PORT = Number(options.get('port') ?? 8089);
const runs = Number(options.get('runs') ?? 2);
/** Our own programs, each a column of ratios. */
const bases = ['nuthatch', 'nuthatch, no index', 'nuthatch, links only'];

interface Peer {
  readonly name: string;
  readonly missing: () => string;
  readonly command: (start: string) => string[];
}
const crawlers = join(place ?? '', 'crawl/crawlers');
const needs = (program: string) => () => (installed(program) ? '' : `${program} is not installed`);
const npm =
  (name: string, below = '') =>
  () =>
    packaged(place!, name, below) ? '' : `npm package ${name} is not installed in ${join(place!, below)}`;
const peers: readonly Peer[] = [
  { name: 'wget2', missing: needs('wget2'), command: (start) => [`${crawlers}/wget2.sh`, start] },
  { name: 'wget', missing: needs('wget'), command: (start) => [`${crawlers}/wget.sh`, start] },
  {
    name: 'spider-rs',
    missing: npm('@spider-rs/spider-rs', 'crawl/crawlers/spider-rs'),
    command: (start) => ['node', `${crawlers}/spider-rs/spider-rs.mjs`, start],
  },
  {
    name: 'simplecrawler',
    missing: npm('simplecrawler'),
    command: (start) => ['node', `${crawlers}/simplecrawler.cjs`, start],
  },
  { name: 'crawler', missing: npm('crawler'), command: (start) => ['node', `${crawlers}/crawler.mjs`, start] },
  {
    name: 'crawlee-http',
    missing: npm('crawlee'),
    command: (start) => ['node', `${crawlers}/crawlee-http.mjs`, start],
  },
  {
    name: 'crawlee-cheerio',
    missing: npm('crawlee'),
    command: (start) => ['node', `${crawlers}/crawlee-cheerio.mjs`, start],
  },
  {
    name: 'scrapy',
    missing: needs('scrapy'),
    command: (start) => ['scrapy', 'runspider', `${crawlers}/scrapy_tuned.py`, '-a', `start=${start}`],
  },
  {
    name: 'scrapy-links',
    missing: needs('scrapy'),
    command: (start) => ['scrapy', 'runspider', `${crawlers}/scrapy_links.py`, '-a', `start=${start}`],
  },
];

/** The JDK's API documentation in the work folder, wherever its package puts it. */
function jdkDocs(): string | null {
  const docs = join(workFolder(), 'docs/jdk/usr/share/doc');
  if (!existsSync(docs)) return null;
  const api = readdirSync(docs)
    .map((name) => join(docs, name, 'api'))
    .find((folder) => existsSync(join(folder, 'index.html')));
  return api ?? null;
}

function measure(name: string, command: readonly string[], more: readonly string[] = []) {
  const script = join(place!, 'crawl/measure.py');
  const ran = run('python3', [script, '--label', name, '--timeout', '900', ...more, '--', ...command]);
  const result = ran.json.at(-1);
  if (ran.status !== 0 || !result) {
    console.log(`${name} failed:\n${ran.output.slice(-2000)}`);
    return null;
  }
  record('peers-crawl', result);
  console.log(
    `${name}: ${result.pages} pages, ${result.cpu_s_per_1000} CPU s per 1,000, ${result.pages_per_s} pages/s, ` +
      `${result.peak_rss_MB} MB; other cores ${result.other_cores}`,
  );
  return result as { pages: number; cpu_s_per_1000: number; pages_per_s: number; peak_rss_MB: number };
}

/** Runs one of our own programs on a crawl folder that goes afterwards. */
function ours(name: string, command: (dir: string) => string[], more: readonly string[] = []) {
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-peers-'));
  try {
    return measure(name, [process.execPath, ...command(dir)], more);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function whole(start: string) {
  const settings = [
    'net.delay=0',
    'net.connections=16',
    'scope.mode=prefix',
    ...(options.get('set')?.split(',') ?? []),
  ];
  const set = settings.flatMap((one) => ['--set', one]);
  const command = (dir: string) => [main, 'crawl', start, '--dir', dir, '--json', '--quiet', ...set];
  return ours('nuthatch', command, ['--pages-from', '"fetched": ?(\\d+)']);
}

const folder = options.get('root') ?? jdkDocs();
const server = join(place ?? '', 'crawl/serve.sh');

/** Why nothing can be compared here; '' when all is there, and then the server runs. */
function unready(): string {
  if (!place) return 'no harness: set NUTHATCH_PEERS';
  if (!folder) return 'no pages: give --root, or make the data sets (bench/README.md)';
  for (const program of ['nginx', 'python3']) if (!installed(program)) return `${program} is not installed`;
  if (!existsSync(main)) return 'dist is not built: npm run build';
  const started = run(server, ['start', '--root', folder, '--port', String(PORT)]);
  return started.status === 0 ? '' : `the server did not start: ${started.output.trim()}`;
}

function compare(): void {
  const round = join(compileBench(), 'peers/round.js');
  const start = `http://127.0.0.1:${PORT}${options.get('start') ?? '/index.html'}`;
  const found = new Map<string, NonNullable<ReturnType<typeof measure>>[]>();
  try {
    const chosen = peers.filter(({ name }) => rest.length === 0 || rest.includes(name));
    for (const name of rest) if (!peers.some((peer) => peer.name === name)) skipped(name, 'not one of the peers');
    for (let i = 0; i < runs; i++) {
      const add = (name: string, result: ReturnType<typeof measure>): void => {
        if (result) found.set(name, [...(found.get(name) ?? []), result]);
      };
      add('nuthatch', whole(start));
      add(
        'nuthatch, no index',
        ours('nuthatch-round', (dir) => [round, start, dir]),
      );
      add(
        'nuthatch, links only',
        ours('nuthatch-links', (dir) => [round, start, dir, 'links-only']),
      );
      for (const peer of chosen) {
        const missing = peer.missing();
        if (!missing) add(peer.name, measure(peer.name, peer.command(start)));
        else if (i === 0) skipped(peer.name, missing);
      }
    }
  } finally {
    run(server, ['stop']);
  }

  const of = (name: string, key: 'cpu_s_per_1000' | 'pages_per_s' | 'peak_rss_MB' | 'pages') =>
    found.get(name)?.map((result) => result[key]) ?? [];
  const cpuOf = (name: string): number => median(of(name, 'cpu_s_per_1000'));
  const rows = [
    ['', 'pages', 'CPU s / 1,000', 'best', ...bases.map((name) => `${name} / it`), 'pages/s', 'peak RSS, MB'],
  ];
  for (const name of [...found.keys()].sort((a, b) => cpuOf(a) - cpuOf(b)))
    rows.push([
      name,
      String(median(of(name, 'pages'))),
      digits(cpuOf(name)),
      digits(Math.min(...of(name, 'cpu_s_per_1000'))),
      ...bases.map((base) => ratio(cpuOf(base), cpuOf(name))),
      digits(Math.max(...of(name, 'pages_per_s'))),
      digits(Math.max(...of(name, 'peak_rss_MB'))),
    ]);
  console.log(`\n${align(rows)}`);
}

/** What we cost beside another; a part of it as 1/n, which is how the figures to reach are set. */
const ratio = (ours: number, theirs: number): string =>
  ours < theirs / 2 ? `1/${digits(theirs / ours)}` : digits(ours / theirs);

const why = unready();
if (why) skipped('peers/crawl', why);
else compare();
