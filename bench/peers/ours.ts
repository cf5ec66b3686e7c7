/**
 * nuthatch on a data set, as the peers' harnesses run theirs: one field of title and text, tokens are runs of letters
 * and digits, nothing stored, one merged segment. One JSON line a result, with the names that the others use.
 *
 *     ours.ts index SET [--chain words]      builds
 *     ours.ts query SET                      each query warmed, then run five times, the shortest kept; p50 and p99 over queries
 *     ours.ts dump SET                       scores of the top ten, kind TAB query TAB score score ..., for compare-scores.mjs
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FsDirectory,
  IndexWriter,
  openSnapshot,
  type Query,
  type Schema,
  Searcher,
  SegmentBuilder,
} from '../../index/index.ts';
import { eachDocument, queries } from '../corpus.ts';
import { cpuSeconds, peakRss } from '../memory.ts';
import { workFolder } from '../results.ts';
import { words } from './tools.ts';

const { options, rest } = words(process.argv.slice(2));
const [action, set = 'd20k'] = rest;
const folder = join(workFolder(), 'index', `nuthatch-${set}`);
const schema = (chain: string): Schema => ({
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'body', index: 'text', analyzer: chain },
  ],
});
const rounded = (value: number, places = 1): number => Number(value.toFixed(places));

function index(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const directory = new FsDirectory(folder);
  const writer = IndexWriter.open(directory);
  const plan = schema(options.get('chain') ?? 'plain');
  const started = performance.now();
  const before = cpuSeconds();
  let builder = new SegmentBuilder(plan);
  let docs = 0;
  let chars = 0;
  const flush = (): void => {
    writer.attach(builder.write(directory, writer.newName()));
    builder = new SegmentBuilder(plan);
  };
  eachDocument(set, ({ title, text }) => {
    builder.add({ id: String(docs++), body: `${title} ${text}` });
    chars += title.length + text.length;
    if (builder.full) flush();
  });
  flush();
  if (writer.segments.length > 1) writer.merge(writer.segments.map(({ name }) => name));
  writer.commit();
  const cpu = cpuSeconds() - before;
  const wall = (performance.now() - started) / 1000;
  writer.close();
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(
    JSON.stringify({
      kind: 'build',
      engine: 'nuthatch',
      set,
      docs,
      cpu_s: rounded(cpu, 2),
      wall_s: rounded(wall, 2),
      MB_per_cpu_s: rounded(chars / 1e6 / cpu),
      index_MB: rounded(bytes / 1e6),
      peak_rss_MB: Math.round(peakRss() / 1e6),
    }),
  );
}

/** How a query of the set is written for us. */
function written(kind: string, query: string): string {
  if (kind.startsWith('phrase')) return `"${query}"`;
  if (kind.startsWith('prefix')) return `${query}*`;
  return kind.startsWith('fuzzy') ? `${query}~1` : query;
}

function open() {
  const before = performance.now();
  const snapshot = openSnapshot(new FsDirectory(folder));
  if (!snapshot) throw new Error(`${folder} holds no index: ours.ts index ${set} first`);
  const searcher = new Searcher(snapshot, { titleField: null });
  const openMs = performance.now() - before;
  // As Lucene's harness does, queries are handed over as trees: not parsed in the time measured, but widened each time.
  const search = (kind: string, query: Query) =>
    searcher.search(query, {
      limit: 10,
      mode: kind.startsWith('or') ? 'any' : 'all',
      widen: false,
      near: false,
      stored: false,
      countTo: 10, // Lucene counts as many before it may skip
    });
  return { searcher, snapshot, search, openMs };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

function query(): void {
  const kinds = queries();
  if (!kinds) return;
  const { searcher, search, snapshot, openMs } = open();
  const found: Record<string, Record<string, number>> = {};
  const asked = [...kinds].map(
    ([kind, list]) => [kind, list.map((one) => searcher.parse(written(kind, one)).query)] as const,
  );
  // Six times five passes over everything for the compiler, as Lucene gets.
  for (let pass = 0; pass < 30; pass++) for (const [kind, texts] of asked) for (const text of texts) search(kind, text);
  for (const [kind, texts] of asked) {
    const best: number[] = [];
    let hits = 0;
    const before = cpuSeconds();
    for (const text of texts) {
      let least = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 5; run++) {
        const at = performance.now();
        const result = search(kind, text);
        least = Math.min(least, performance.now() - at);
        if (run === 0) hits += result.hits.length;
      }
      best.push(least * 1000);
    }
    const cpu = ((cpuSeconds() - before) * 1e6) / (5 * texts.length);
    best.sort((a, b) => a - b);
    found[kind] = {
      p50_us: rounded(percentile(best, 0.5)),
      p99_us: rounded(percentile(best, 0.99)),
      cpu_us: rounded(cpu),
      n: texts.length,
      hits: rounded(hits / texts.length, 2),
    };
  }
  console.log(
    JSON.stringify({
      kind: 'query',
      engine: 'nuthatch',
      set,
      docs: snapshot.docs,
      open_ms: rounded(openMs),
      peak_rss_MB: Math.round(peakRss() / 1e6),
      queries: found,
    }),
  );
}

function dump(): void {
  const kinds = queries();
  if (!kinds) return;
  const { searcher, search } = open();
  const lines: string[] = [];
  for (const [kind, list] of kinds) {
    if (!/^(?:term|or|and|phrase)/.test(kind)) continue;
    for (const one of list) {
      const scores = search(kind, searcher.parse(written(kind, one)).query).hits.map(({ score }) => score.toFixed(5));
      lines.push(`${kind}\t${one}\t${scores.join(' ')}`);
    }
  }
  mkdirSync(join(workFolder(), 'scores'), { recursive: true });
  const file = join(workFolder(), 'scores', `nuthatch-${set}.tsv`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  console.log(JSON.stringify({ kind: 'dump', engine: 'nuthatch', set, queries: lines.length }));
}

const actions: Readonly<Record<string, () => void>> = { index, query, dump };
const run = actions[action ?? ''];
if (run) run();
else {
  console.error(`usage: ours.ts ${Object.keys(actions).join('|')} SET`);
  process.exitCode = 2;
}
