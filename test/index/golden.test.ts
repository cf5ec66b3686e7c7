/**
 * Yesterday's bytes: an index that version 1 wrote, read by whatever stands here now.
 *
 * test/golden/v1/index holds it, dump.sha256 the digest of all that it answers (test/kit/index-dump.ts). `GOLDEN=write node --import tsx test/index/golden.test.ts`
 * made them once; they are made again only when version 1 was never released with them.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FsDirectory } from '../../index/io/fs-directory.ts';
import { SEGMENT_FILES, segmentFile } from '../../index/io/names.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { openSnapshot, type Snapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { documents, schema, spaceChain } from '../kit/index-documents.ts';
import { dump } from '../kit/index-dump.ts';

const Golden = suite('golden index');
const golden = fileURLToPath(new URL('../golden/v1/index', import.meta.url));
const answers = fileURLToPath(new URL('../golden/v1/dump.sha256', import.meta.url));
const docs = documents(180, 99, 60);

const digest = (snapshot: Snapshot): string =>
  createHash('sha256')
    .update(JSON.stringify(dump(snapshot)))
    .digest('hex');

function build(directory: FsDirectory, from: number, to: number, name: string) {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs.slice(from, to)) builder.add(document);
  return builder.write(directory, name);
}

if (process.env.GOLDEN === 'write') {
  rmSync(golden, { recursive: true, force: true });
  mkdirSync(golden, { recursive: true });
  const directory = new FsDirectory(golden);
  const writer = IndexWriter.open(directory);
  writer.attach(build(directory, 0, 140, writer.newName()));
  writer.attach(build(directory, 140, 180, writer.newName()));
  writer.deleteByKey(['doc-7', 'doc-150']);
  writer.addExtra('dedup-1', Buffer.from('two of them\n'));
  writer.setUser({ round: '1' });
  writer.commit();
  writer.close();
  const snapshot = openSnapshot(directory)!;
  writeFileSync(answers, `${digest(snapshot)}\n`);
  snapshot.close();
}

Golden('the index of version 1 answers as it did, to the last position', () => {
  const snapshot = openSnapshot(new FsDirectory(golden))!;
  snapshot.verify();
  assert.is(digest(snapshot), readFileSync(answers, 'utf8').trim());
  assert.is(snapshot.docs, 178);
  snapshot.close();
});

Golden('the same documents give the same bytes today', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-golden-'));
  try {
    const directory = new FsDirectory(folder);
    build(directory, 0, 140, 's1');
    for (const kind of SEGMENT_FILES) {
      const file = segmentFile('s1', kind);
      const same = Buffer.compare(readFileSync(join(golden, file)), readFileSync(join(folder, file))) === 0;
      // Stored documents are compressed by the zlib of this Node, whose output may differ from another's.
      if (kind === 'sto' || kind === 'seg') continue;
      assert.ok(same, `${file} has other bytes: a change of format needs a new version, and its reader of version 1`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Golden('a writer goes on with the index of version 1', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-golden-'));
  try {
    cpSync(golden, folder, { recursive: true });
    const directory = new FsDirectory(folder);
    const writer = IndexWriter.open(directory);
    writer.merge(writer.segments.map(({ name }) => name));
    writer.commit();
    writer.close();
    const snapshot = openSnapshot(directory)!;
    assert.is(snapshot.segments.length, 1);
    assert.is(snapshot.docs, 178);
    snapshot.close();
    assert.not.ok(existsSync(join(folder, 's1.trm')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Golden.run();
