/**
 * What does removing duplicates cost, and how much memory?
 *
 *     npm run bench -- dedup [--documents 1000000] [--threads 2]
 *
 * An index of four segments; one document in five has a twin, one in fifty an older copy of itself. To reach: a million
 * documents in 5 s on two idle cores, peak RSS 300 MB.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage, resourceUsage } from 'node:process';
import { parseArgs } from 'node:util';
import { FsDirectory, openSegment, SegmentBuilder } from '../index/index.ts';
import { findDuplicates } from '../src/jobs/dedup.ts';
import { createPool } from '../src/run/pool.ts';
import { random } from './corpus.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    threads: { type: 'string', default: '2' },
    build: { type: 'string' },
  },
  strict: false,
});
const DOCUMENTS = Number(values.documents);
const SEGMENTS = 4;

// The index is built by a process of its own, whose memory is not counted.
const dir = typeof values.build === 'string' ? values.build : mkdtempSync(join(tmpdir(), 'nuthatch-dedup-'));
const folder = join(dir, 'index');
const directory = new FsDirectory(folder);
if (values.build) {
  build();
  process.exit(0);
}
spawnSync(process.execPath, [...process.argv.slice(1), '--build', dir], { stdio: 'inherit' });

function build(): void {
  const rnd = random(1);
  const digest = new Uint8Array(16);
  const words = new DataView(digest.buffer);
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const builder = new SegmentBuilder({
      key: 'id',
      fields: [
        { name: 'id', index: 'keyword' },
        { name: 'boost', index: 'none', column: 'f64' },
        { name: 'fetched', index: 'none', column: 'f64' },
        { name: 'digest', index: 'none', column: 'hash128' },
      ],
    });
    for (let doc = segment; doc < DOCUMENTS; doc += SEGMENTS) {
      const page = doc % 50 === 7 ? doc - 1 : doc;
      words.setUint32(0, doc % 5 === 3 ? doc - 1 : doc, true);
      builder.add({
        id: `https://www.example-${page % 5003}.com/section-${page % 97}/article-about-something-${page}.html`,
        boost: rnd(),
        fetched: 1.8e12 + doc,
        digest: digest.slice(),
      });
    }
    builder.write(directory, `s${segment}`);
  }
}

const splits = Array.from({ length: SEGMENTS }, (_, segment) => {
  const reader = openSegment(directory, `s${segment}`);
  const split = { directory: folder, shared: reader.share(), docs: reader.docs };
  reader.close();
  return split;
});
const pool = createPool(Number(values.threads));
const before = resourceUsage().maxRSS;
const cpu = cpuUsage();
const started = performance.now();
const found = await findDuplicates(
  { dir, pool, signal: new AbortController().signal, onEvent: () => {} },
  splits,
  'score',
);
const { user, system } = cpuUsage(cpu);
console.log(
  `dedup of ${DOCUMENTS} documents: ${found.counters.duplicates} duplicates, ${((user + system) / 1e6).toFixed(2)} CPU s, ` +
    `${((performance.now() - started) / 1000).toFixed(2)} s, peak RSS ${(resourceUsage().maxRSS / 1024).toFixed(0)} MB ` +
    `(${(before / 1024).toFixed(0)} MB before)`,
);
found.discard();
await pool.close();
rmSync(dir, { recursive: true, force: true });
