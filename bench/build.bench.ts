/**
 * What does it cost to build an index: CPU, memory, bytes on disk, by kind of file? And to open it?
 *
 *     npm run bench -- build            d20k; NUTHATCH_SETS=d20k,d50k,d200k,d1m for more
 *
 * One field, tokens as Lucene's harness makes them (bench/peers compares side by side), and the fields of a page with the
 * chain of the product.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  type BuiltSegment,
  FsDirectory,
  IndexWriter,
  openSnapshot,
  type Schema,
  SegmentBuilder,
  type IndexWriter as Writer,
} from '../index/index.ts';
import { eachDocument } from './corpus.ts';
import { cpuSeconds, kept, peakRss } from './memory.ts';
import { question } from './question.ts';
import { workFolder } from './results.ts';

const ask = question('build');

const plain: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'body', index: 'text', analyzer: 'plain' },
  ],
};
const page: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true, column: 'string' },
    { name: 'title', index: 'text', stored: true },
    { name: 'body', index: 'text', stored: true },
    { name: 'time', index: 'none', column: 'u32' },
  ],
};

for (const set of (process.env.NUTHATCH_SETS ?? 'd20k').split(',')) {
  build(set, 'one field, runs of letters', plain, (id, title, text) => ({ id, body: `${title} ${text}` }));
  await onThreads(set, 2);
  build(set, 'a page, words', page, (id, title, text) => ({ id, title, body: text, time: Number(id) }));
}

function build(
  set: string,
  what: string,
  schema: Schema,
  document: (id: string, title: string, text: string) => Parameters<SegmentBuilder['add']>[0],
): void {
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-bench-'));
  try {
    const directory = new FsDirectory(folder);
    const writer = IndexWriter.open(directory);
    let builder = new SegmentBuilder(schema);
    let docs = 0;
    let chars = 0;
    let segments = 0;
    const before = cpuSeconds();
    const started = performance.now();
    const flush = (): void => {
      writer.attach(builder.write(directory, writer.newName()));
      builder = new SegmentBuilder(schema);
      segments++;
    };
    const there = eachDocument(set, ({ title, text }) => {
      chars += title.length + text.length;
      builder.add(document(String(docs++), title, text));
      if (builder.full) flush();
    });
    if (!there) return;
    flush();
    const built = cpuSeconds() - before;
    if (segments > 1) writer.merge(writer.segments.map(({ name }) => name));
    writer.commit();
    const cpu = cpuSeconds() - before;
    const wall = (performance.now() - started) / 1000;
    ask.figure(`${set}, ${what}`, {
      documents: docs,
      'MB of text': chars / 1e6,
      'CPU s': cpu,
      'of it merging': cpu - built,
      'MB a CPU s': chars / 1e6 / cpu,
      'wall s': wall,
      segments,
      'peak RSS MB': peakRss() / 1e6,
    });
    sizes(`${set}, ${what}, MB on disk`, folder, writer);
    writer.close();
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const at = cpuSeconds();
      openSnapshot(directory)!.close();
      times.push((cpuSeconds() - at) * 1000);
    }
    const { value, kept: bytes } = kept(() => openSnapshot(directory)!);
    ask.figure(`${set}, ${what}, opened`, {
      'CPU ms, best of five': Math.min(...times),
      first: times[0]!,
      'heap MB': bytes.heap / 1e6,
    });
    value.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each thread builds its share, which it picks out of the file for itself; then the segments become one. */
async function onThreads(set: string, threads: number): Promise<void> {
  if (!existsSync(join(workFolder(), 'ds', `${set}.tsv`))) return;
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-bench-'));
  try {
    const directory = new FsDirectory(folder);
    const writer = IndexWriter.open(directory);
    const before = cpuSeconds();
    const started = performance.now();
    // Compiled, the thread is a file of JavaScript; run from source, it needs the TypeScript loader of its own.
    const extension = extname(fileURLToPath(import.meta.url));
    const module = new URL(`build-thread${extension}`, import.meta.url).href;
    const load = `${extension === '.ts' ? 'import("tsx/esm/api").then(({ register }) => register())' : 'Promise.resolve()'}
      .then(() => import(require("node:worker_threads").workerData.module))`;
    const answers = await Promise.all(
      Array.from({ length: threads }, async (_, thread) => {
        const workerData = { module, set, folder, schema: plain, thread, threads };
        const worker = new Worker(load, { eval: true, workerData });
        const [built] = (await once(worker, 'message')) as [BuiltSegment[]];
        return built;
      }),
    );
    for (const built of answers.flat()) writer.attach(built);
    writer.merge(writer.segments.map(({ name }) => name));
    writer.commit();
    ask.figure(`${set}, one field, ${threads} threads, merged to one`, {
      'CPU s, starting threads and reading the file in each included': cpuSeconds() - before,
      'wall s': (performance.now() - started) / 1000,
      segments: answers.flat().length,
      'peak RSS MB': peakRss() / 1e6,
    });
    writer.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizes(what: string, folder: string, writer: Writer): void {
  const names = writer.committed.segments.map(({ name }) => name);
  const bytes: Record<string, number> = { total: 0 };
  for (const kind of ['trm', 'rev', 'pst', 'skp', 'pos', 'nrm', 'col', 'sto']) {
    bytes[kind] = names.reduce((sum, name) => sum + statSync(join(folder, `${name}.${kind}`)).size, 0) / 1e6;
    bytes.total! += bytes[kind];
  }
  ask.figure(what, bytes);
}
