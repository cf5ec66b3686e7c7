import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLive } from '../../index/format/live.ts';
import { FsDirectory } from '../../index/io/fs-directory.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { openSnapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { documents, schema, spaceChain } from '../kit/index-documents.ts';
import { dumpSegment } from '../kit/index-dump.ts';

const Processes = suite('index between threads and processes');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-processes-'));
Processes.after(() => rmSync(folder, { recursive: true, force: true }));
const churn = fileURLToPath(new URL('../kit/index-churn.ts', import.meta.url));

Processes('a second thread reads the first one’s memory, and finds the same', async () => {
  const directory = new FsDirectory(join(folder, 'threads'));
  const writer = IndexWriter.open(directory);
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of documents(300, 8)) builder.add(document);
  writer.attach(builder.write(directory, writer.newName()));
  writer.deleteByKey(['doc-4']);
  writer.commit();
  writer.close();
  const snapshot = openSnapshot(directory)!;
  const reader = snapshot.segments[0]!;
  const mark = new SharedArrayBuffer(4);
  // A thread does not inherit the TypeScript loader by itself.
  const load =
    'import("tsx/esm/api").then(({ register }) => (register(), import(require("node:worker_threads").workerData.module)))';
  const worker = new Worker(load, {
    eval: true,
    workerData: {
      module: new URL('../kit/index-thread.ts', import.meta.url).href,
      where: directory.where,
      shared: { ...reader.share(), mark },
    },
  });
  const [answer] = (await once(worker, 'message')) as [{ dump: string; sharedBytes: boolean }];
  assert.is(answer.dump, JSON.stringify(dumpSegment(reader)));
  assert.is(answer.sharedBytes, true);
  assert.is(new Int32Array(mark)[0], 4711);
  snapshot.close();
});

function start(place: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', churn, place], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** One generation, all 40 documents of it, or it is wrong. */
function look(directory: FsDirectory): number {
  const snapshot = openSnapshot(directory)!;
  const titles = snapshot.segments.flatMap((segment) =>
    Array.from({ length: segment.docs }, (_, doc) => doc)
      .filter((doc) => isLive(segment.live, doc))
      .map((doc) => segment.stored(doc).title as string),
  );
  const generation = Number(snapshot.commit.user.generation);
  assert.equal(new Set(titles), new Set([`generation ${generation}`]));
  assert.is(titles.length, 40);
  snapshot.close();
  return generation;
}

Processes(
  'readers see whole generations only while another process rebuilds, until it is killed [RU-index-05] [RU-index-07]',
  async () => {
    const place = join(folder, 'churn');
    const directory = new FsDirectory(place);
    let before = 0;
    for (let round = 0; round < 4; round++) {
      const child = start(place);
      const gone = once(child, 'exit');
      await once(child.stdout!, 'data');
      // Looked at as fast as can be, a different number of times a round, so that the kill falls anywhere.
      let seen = before;
      for (let i = 0; i < 40 + 17 * round; i++) {
        const generation = look(directory);
        assert.ok(generation >= seen, `${generation} after ${seen}`);
        seen = generation;
      }
      assert.ok(seen > before, 'it went on');
      child.kill('SIGKILL');
      await gone;
      const after = look(directory);
      assert.ok(after >= seen);
      before = after;
    }
    const writer = IndexWriter.open(directory);
    assert.is(Number(writer.user.generation), before);
    const names = new Set(writer.committed.segments.map(({ name }) => name));
    const stray = directory.list().filter((name) => /^s\d/.test(name) && !names.has(name.split(/[._]/)[0]!));
    assert.equal(stray, [], 'nothing of the dead is left');
    writer.close();
  },
);

Processes.run();
