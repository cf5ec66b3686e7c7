/**
 * What does a merge cost beside building, with deletions and without?
 *
 *     npm run bench -- merge            d20k in eight segments; NUTHATCH_SETS=d50k for more
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FsDirectory, IndexWriter, type Schema, SegmentBuilder } from '../index/index.ts';
import { eachDocument, random } from './corpus.ts';
import { cpuSeconds, peakRss } from './memory.ts';
import { question } from './question.ts';

const ask = question('merge');
const SEGMENTS = 8;

const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true, column: 'string' },
    { name: 'title', index: 'text', stored: true, analyzer: 'plain' },
    { name: 'body', index: 'text', stored: true, analyzer: 'plain' },
  ],
};

for (const set of (process.env.NUTHATCH_SETS ?? 'd20k').split(',')) {
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-bench-'));
  try {
    const directory = new FsDirectory(folder);
    const writer = IndexWriter.open(directory);
    const builders = Array.from({ length: SEGMENTS }, () => new SegmentBuilder(schema));
    let docs = 0;
    let chars = 0;
    const before = cpuSeconds();
    const there = eachDocument(set, ({ title, text }) => {
      chars += title.length + text.length;
      builders[docs % SEGMENTS]!.add({ id: String(docs++), title, body: text });
    });
    if (!there) continue;
    for (const builder of builders) writer.attach(builder.write(directory, writer.newName()));
    const built = cpuSeconds() - before;
    writer.commit();
    const names = writer.segments.map(({ name }) => name);
    for (const share of [0, 0.2]) {
      const rnd = random(1);
      for (const { name, docs } of writer.segments) {
        writer.deleteDocs(
          name,
          Array.from({ length: docs }, (_, doc) => doc).filter(() => rnd() < share),
        );
      }
      const start = cpuSeconds();
      writer.merge(names);
      const cpu = cpuSeconds() - start;
      ask.figure(`${set} in ${SEGMENTS} segments, ${share * 100} % deleted`, {
        documents: docs,
        'CPU s': cpu,
        'of building': cpu / built,
        'MB of text a CPU s': chars / 1e6 / cpu,
        'peak RSS MB': peakRss() / 1e6,
      });
      writer.rollback();
    }
    writer.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
