/**
 * nuthatch on a data set, as the peers' harnesses run theirs: one field of title and text, tokens are runs of letters
 * and digits, nothing stored. One JSON line a result, with the names that the others use.
 *
 *     ours.ts index SET [--chain words]
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FsDirectory, type Schema, SegmentBuilder } from '../../index/index.ts';
import { eachDocument } from '../corpus.ts';
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
const size = (): number => readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

function index(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const started = performance.now();
  const before = cpuSeconds();
  const directory = new FsDirectory(folder);
  const chain = options.get('chain') ?? 'plain';
  let builder = new SegmentBuilder(schema(chain));
  let segments = 0;
  let docs = 0;
  let chars = 0;
  eachDocument(set, ({ title, text }) => {
    if (builder.full) {
      builder.write(directory, `s${segments++}`);
      builder = new SegmentBuilder(schema(chain));
    }
    builder.add({ id: String(docs++), body: `${title} ${text}` });
    chars += title.length + text.length;
  });
  builder.write(directory, `s${segments++}`);
  const cpu = cpuSeconds() - before;
  console.log(
    JSON.stringify({
      kind: 'build',
      engine: 'nuthatch',
      set,
      docs,
      segments,
      cpu_s: Number(cpu.toFixed(2)),
      wall_s: Number(((performance.now() - started) / 1000).toFixed(2)),
      MB_per_cpu_s: Number((chars / 1e6 / cpu).toFixed(1)),
      index_MB: Number((size() / 1e6).toFixed(1)),
      peak_rss_MB: Math.round(peakRss() / 1e6),
    }),
  );
}

if (action === 'index') index();
else {
  console.error('usage: ours.ts index SET');
  process.exitCode = 2;
}
