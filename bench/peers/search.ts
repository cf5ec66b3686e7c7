/**
 * Search engines side by side: the same documents and queries, one after the other, in one sitting.
 *
 *     npm run peers -- search [SET] [PEER...] [--runs 2]          npm run peers -- search d20k lucene fts5
 *
 * Fair: Lucene indexes the same single field with the same tokens, answers from one merged segment with warmed code and
 * block-max pruning. Less so: JVM start and compilation are in its build; the npm engines keep their own tokens and
 * return other hits, so their latencies are orders of magnitude, no more. Slow ones see the first 5,000 documents only.
 */
import { join } from 'node:path';
import { align, digits, record } from '../results.ts';
import { compileBench, geometricMean, harness, installed, median, packaged, run, skipped, words } from './tools.ts';

const { options, rest } = words(process.argv.slice(2));
const [set = 'd20k', ...chosen] = rest;
const runs = Number(options.get('runs') ?? 1);
const place = harness();

interface Peer {
  readonly name: string;
  readonly missing: () => string;
  readonly steps: readonly (readonly string[])[];
  /** It sees so many documents only. */
  readonly max?: number;
}
const engine = (name: string, npm: string, max?: number): Peer => ({
  name,
  missing: () => (packaged(place!, npm) ? '' : `npm package ${npm} is not installed in ${place}`),
  steps: [['node', 'search/engines.mjs', name, set, ...(max ? ['--max', String(max)] : [])]],
  ...(max ? { max } : {}),
});
const peers: readonly Peer[] = [
  {
    name: 'lucene',
    missing: () => (installed('javac') ? '' : 'no JDK is installed'),
    steps: [
      ['lucene/run.sh', 'index', '--set', set, '--threads', '1'],
      ['lucene/run.sh', 'query', '--set', set],
    ],
  },
  engine('fts5', 'better-sqlite3'),
  engine('flexsearch', 'flexsearch'),
  engine('minisearch', 'minisearch', 5000),
  engine('orama', '@orama/orama', 5000),
  engine('lunr', 'lunr', 5000),
  engine('pagefind', 'pagefind', 5000),
];
/** lunr 2.3.9 stops with a TypeError on a trailing wildcard above some thousand documents; the others have no excuse. */
const SLOW_SECONDS = 600;

interface Build {
  docs: number;
  cpu_s: number;
  MB_per_cpu_s: number;
  index_MB: number;
  peak_rss_MB: number;
}
type Latencies = Record<string, { p50_us: number; p99_us: number }>;
interface Found {
  readonly builds: Build[];
  readonly queries: Latencies[];
}
const found = new Map<string, Found>();

function take(name: string, lines: readonly Record<string, unknown>[]): void {
  const into = found.get(name) ?? { builds: [], queries: [] };
  found.set(name, into);
  for (const line of lines) {
    record('peers-search', { set, ...line, engine: name });
    if (line.kind === 'build') into.builds.push(line as unknown as Build);
    if (line.kind === 'query') into.queries.push(line.queries as Latencies);
  }
}

function measure(): void {
  const ours = join(compileBench(), 'peers/ours.js');
  for (const name of chosen) if (!peers.some((peer) => peer.name === name)) skipped(name, 'not one of the peers');
  for (let i = 0; i < runs; i++) {
    for (const action of ['index', 'query']) {
      const { status, json, output } = run(process.execPath, [ours, action, set]);
      if (status !== 0) console.log(`nuthatch ${action} failed:\n${output.slice(-2000)}`);
      take('nuthatch', json);
    }
    for (const peer of peers) {
      if (chosen.length && !chosen.includes(peer.name)) continue;
      const missing = place ? peer.missing() : 'no harness: set NUTHATCH_PEERS';
      if (missing) {
        if (i === 0) skipped(peer.name, missing);
        continue;
      }
      for (const [command, ...args] of peer.steps) {
        const local = command === 'node' ? command : join(place!, command!);
        const { status, json, output } = run(local, args, { cwd: place!, seconds: SLOW_SECONDS });
        if (status !== 0) console.log(`${peer.name} failed:\n${output.slice(-1000)}`);
        take(peer.name, json);
      }
      console.log(`${peer.name} done`);
    }
  }
}

const least = (list: readonly Latencies[], kind: string): number =>
  Math.min(...list.map((one) => one[kind]?.p50_us ?? Number.POSITIVE_INFINITY));

function builds(): string {
  const rows = [['build', 'documents', 'CPU s', 'MB text / CPU s', 'nuthatch x', 'index MB', 'peak RSS MB']];
  const ours = median((found.get('nuthatch')?.builds ?? []).map((build) => build.MB_per_cpu_s));
  for (const [name, { builds: list }] of found) {
    if (list.length === 0) continue;
    const of = (key: keyof Build) => median(list.map((build) => build[key]));
    rows.push([
      name,
      String(of('docs')),
      digits(of('cpu_s')),
      digits(of('MB_per_cpu_s')),
      (ours / of('MB_per_cpu_s')).toFixed(2),
      digits(of('index_MB')),
      digits(of('peak_rss_MB')),
    ]);
  }
  return align(rows);
}

function latencies(): string {
  const ours = found.get('nuthatch')?.queries ?? [];
  const kinds = Object.keys(ours[0] ?? {});
  const rows = [['p50, us', ...kinds, 'mean ratio']];
  for (const [name, { queries: list }] of found) {
    if (list.length === 0) continue;
    const times = kinds.map((kind) => least(list, kind));
    const ratios = kinds.map((kind, i) => least(ours, kind) / times[i]!).filter((ratio) => ratio > 0);
    rows.push([
      name,
      ...times.map((time) => (Number.isFinite(time) ? digits(time) : '-')),
      name === 'nuthatch' ? '' : geometricMean(ratios).toFixed(ratios.length && geometricMean(ratios) < 0.1 ? 4 : 2),
    ]);
    if (name === 'lucene')
      rows.push(['  nuthatch / lucene', ...kinds.map((kind, i) => (least(ours, kind) / times[i]!).toFixed(2)), '']);
  }
  return align(rows);
}

measure();
console.log(`\n${set}\n\n${builds()}\n\n${latencies()}`);
console.log(
  '\nmean ratio: geometric mean over the kinds that both answer of nuthatch / it; below 1, nuthatch is faster',
);
