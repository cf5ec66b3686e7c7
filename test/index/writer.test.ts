import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../index/document.ts';
import { isLive } from '../../index/format/live.ts';
import type { Directory } from '../../index/io/directory.ts';
import { FsDirectory } from '../../index/io/fs-directory.ts';
import { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { Searcher } from '../../index/searcher.ts';
import { type BuiltSegment, SegmentBuilder } from '../../index/segment/builder.ts';
import { openSnapshot, type Snapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { documents, random, schema, spaceChain } from '../kit/index-documents.ts';

const Writer = suite('index writer');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-writer-'));
Writer.after(() => rmSync(folder, { recursive: true, force: true }));

function build(writer: IndexWriter, docs: readonly Document[]): BuiltSegment {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs) builder.add(document);
  return builder.write(writer.directory, writer.newName());
}

/** Every document that is there, in order. */
function contents(snapshot: Snapshot): Document[] {
  return snapshot.segments.flatMap((segment) =>
    Array.from({ length: segment.docs }, (_, doc) => doc)
      .filter((doc) => isLive(segment.live, doc))
      .map((doc) => segment.stored(doc)),
  );
}
function ids(directory: Directory): string[] {
  const snapshot = openSnapshot(directory);
  if (!snapshot) return [];
  const list = contents(snapshot).map((document) => document.id as string);
  snapshot.close();
  return list;
}
const doc = (id: string, title = 'a title'): Document => ({ id, title });
const code = (expected: string) => (error: { code?: string }) => error.code === expected;

let made = 0;
const places: Record<string, () => Directory> = {
  memory: () => new MemoryDirectory(),
  disk: () => new FsDirectory(join(folder, `index${made++}`)),
};

for (const [kind, make] of Object.entries(places)) {
  Writer(`${kind}: nothing is seen before the commit, all of it after`, () => {
    const directory = make();
    assert.is(openSnapshot(directory), null);
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a'), doc('b')]));
    assert.is(openSnapshot(directory), null);
    writer.commit();
    assert.equal(ids(directory), ['a', 'b']);
    writer.close();
  });

  Writer(
    `${kind}: a document of the same key replaces the older one, within a segment and across [RU-index-04]`,
    () => {
      const directory = make();
      const writer = IndexWriter.open(directory);
      writer.attach(build(writer, [doc('a', 'old'), doc('b'), doc('a', 'new')]));
      writer.commit();
      const first = openSnapshot(directory)!;
      assert.equal(contents(first), [doc('b'), doc('a', 'new')]);
      first.close();
      assert.is(writer.attach(build(writer, [doc('b', 'newer'), doc('c')]), { replace: true }), 1);
      writer.commit();
      const second = openSnapshot(directory)!;
      assert.equal(contents(second), [doc('a', 'new'), doc('b', 'newer'), doc('c')]);
      assert.is(second.docs, 3);
      second.close();
      assert.is(writer.deleteByKey(['nobody', '', 'a']), 1);
      assert.is(writer.deleteByKey(['a']), 0);
      writer.commit();
      assert.equal(ids(directory), ['b', 'c']);
      writer.close();
    },
  );

  Writer(`${kind}: a snapshot keeps what it opened, and its files until it is closed [RU-index-07]`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a'), doc('b')]));
    writer.attach(build(writer, [doc('c')]));
    writer.addExtra('s1.sug', new Uint8Array([1, 2, 3]));
    writer.commit();
    const old = openSnapshot(directory)!;
    writer.deleteByKey(['a']);
    writer.merge(['s1', 's2']);
    writer.removeExtra('s1.sug');
    writer.commit();
    assert.equal(
      contents(old).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.equal([...old.extra('s1.sug')!], [1, 2, 3]);
    assert.is(old.extra('s2.sug'), null);
    assert.ok(directory.list().includes('s1.trm'));
    old.close();
    assert.equal(ids(directory), ['b', 'c']);
    assert.equal(
      directory.list().filter((name) => /^s[12]\.|sug/.test(name)),
      [],
    );
    assert.equal(
      directory.list().filter((name) => name.startsWith('commit-')),
      ['commit-2'],
    );
    writer.close();
  });

  Writer(`${kind}: rollback forgets, and takes its files along`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a'), doc('b')]));
    writer.setUser({ round: '1' });
    writer.commit();
    const before = directory.list();
    writer.deleteByKey(['a']);
    writer.attach(build(writer, [doc('c')]));
    writer.addExtra('dedup-9', new Uint8Array(5));
    writer.setUser({ round: '2' });
    writer.rollback();
    assert.equal(directory.list(), before);
    assert.equal(writer.user, { round: '1' });
    writer.commit();
    assert.equal(ids(directory), ['a', 'b']);
    writer.close();
  });

  Writer(`${kind}: what a dead writer left is gone when the next one opens, and the commit is whole`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a')]));
    writer.commit();
    const before = directory.list().filter((name) => name !== 'write.lock');
    writer.attach(build(writer, [doc('b')]));
    writer.deleteByKey(['a']);
    build(writer, [doc('c')]);
    writer.close();
    const next = IndexWriter.open(directory);
    assert.equal(
      directory.list().filter((name) => name !== 'write.lock'),
      before,
    );
    assert.equal(ids(directory), ['a']);
    next.attach(build(next, [doc('d')]));
    next.commit();
    assert.equal(ids(directory), ['a', 'd']);
    next.close();
  });

  Writer(`${kind}: one writer at a time, as many readers as there are`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory);
    assert.throws(() => IndexWriter.open(directory), code('locked'));
    writer.attach(build(writer, [doc('a')]));
    writer.commit();
    const readers = [1, 2, 3].map(() => openSnapshot(directory)!);
    for (const reader of readers) reader.close();
    writer.close();
    assert.throws(() => writer.commit(), code('closed'));
    IndexWriter.open(directory).close();
  });

  Writer(`${kind}: a merge that missed a deletion is refused`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a'), doc('b')]));
    writer.attach(build(writer, [doc('c')]));
    writer.commit();
    const merged = build(writer, [doc('a'), doc('b'), doc('c')]);
    writer.deleteByKey(['b']);
    assert.throws(() => writer.replace(['s1', 's2'], merged), code('bad-document'));
    assert.throws(() => writer.merge(['s2', 's1']), RangeError);
    writer.close();
  });

  Writer(`${kind}: with keep 2 a damaged newest commit falls back to the one before, and says so`, () => {
    const directory = make();
    const writer = IndexWriter.open(directory, { keep: 2 });
    for (const id of ['a', 'b', 'c']) {
      writer.attach(build(writer, [doc(id)]));
      writer.commit();
    }
    writer.close();
    assert.equal(
      directory.list().filter((name) => name.startsWith('commit-')),
      ['commit-2', 'commit-3'],
    );
    directory.remove('s3.pst');
    const snapshot = openSnapshot(directory)!;
    assert.is(snapshot.commit.generation, 2);
    assert.equal(
      contents(snapshot).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(
      snapshot.passedOver.map(({ code, file }) => [code, file]),
      [['corrupt', 's3.pst']],
    );
    snapshot.close();
    const next = IndexWriter.open(directory);
    next.attach(build(next, [doc('d')]));
    next.commit();
    assert.equal(ids(directory), ['a', 'b', 'd']);
    next.close();
  });

  Writer(`${kind}: adds, updates, deletes and merges in any order equal a map [RU-index-01] [RU-index-03]`, () => {
    for (const seed of [1, 2, 3]) {
      const next = random(seed);
      const pool = documents(60, seed);
      const directory = make();
      let writer = IndexWriter.open(directory);
      const plain = new Map<string, Document>();
      for (let step = 0; step < 25; step++) {
        const act = next();
        if (act < 0.5) {
          const added = Array.from({ length: 1 + Math.floor(next() * 12) }, () => ({
            ...doc(`k${Math.floor(next() * 40)}`, pool[Math.floor(next() * 60)]!.title as string),
          }));
          writer.attach(build(writer, added), { replace: true });
          for (const document of added) {
            plain.delete(document.id as string);
            plain.set(document.id as string, document);
          }
        } else if (act < 0.7) {
          const keys = [1, 2, 3].map(() => `k${Math.floor(next() * 40)}`);
          const gone = new Set(keys.filter((key) => plain.delete(key)));
          assert.is(writer.deleteByKey(keys), gone.size, `seed ${seed} step ${step}`);
        } else if (act < 0.85) {
          const names = writer.segments.map(({ name }) => name);
          const start = Math.floor(next() * names.length);
          const run = names.slice(start, start + 1 + Math.floor(next() * 4));
          if (run.length > 0) writer.merge(run);
        } else if (act < 0.95) {
          writer.commit();
          assert.equal(ids(directory), [...plain.keys()], `seed ${seed} step ${step}`);
        } else {
          writer.commit();
          writer.close();
          writer = IndexWriter.open(directory);
        }
      }
      writer.commit();
      const snapshot = openSnapshot(directory)!;
      assert.equal(contents(snapshot), [...plain.values()], `seed ${seed}`);
      snapshot.verify();
      snapshot.close();
      writer.close();
    }
  });
}

Writer(
  'an index can be made anew for another schema: the old documents go as they are replaced, and their segments with them',
  () => {
    const directory = new MemoryDirectory();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a'), doc('b')]));
    writer.commit();
    const more = { ...schema, fields: [...schema.fields, { name: 'place', index: 'keyword' as const, stored: true }] };
    const rebuilt = (from: string): BuiltSegment => {
      const builder = new SegmentBuilder(more, { chain: spaceChain });
      builder.add({ id: from, place: 'here' });
      return builder.write(directory, writer.newName());
    };
    writer.attach(rebuilt('a'), { replace: true });
    assert.throws(() => writer.merge(['s1', 's2']), code('bad-schema'));
    writer.attach(rebuilt('b'), { replace: true });
    writer.commit();
    assert.equal(
      writer.segments.map(({ name }) => name),
      ['s2', 's4'],
    );
    writer.merge(['s2', 's4']);
    writer.commit();
    const snapshot = openSnapshot(directory)!;
    assert.equal(contents(snapshot), [
      { id: 'a', place: 'here' },
      { id: 'b', place: 'here' },
    ]);
    snapshot.close();
    writer.close();
  },
);

Writer('a copy of the folder elsewhere opens, read-only, with its stored fields [RU-index-08]', () => {
  const from = new MemoryDirectory();
  const writer = IndexWriter.open(from);
  const docs = documents(300, 5);
  writer.attach(build(writer, docs));
  writer.commit();
  writer.close();
  const to = new MemoryDirectory(from.files);
  const snapshot = openSnapshot(to)!;
  assert.equal(
    contents(snapshot).map(({ id, title }) => [id, title]),
    docs.map(({ id, title }) => [id, title]),
  );
  assert.equal(to.list(), from.list());
  snapshot.close();
});

Writer(
  'an index whose words were cut otherwise says so when it is asked, and finds nothing wrong [RU-index-11]',
  () => {
    const directory = new MemoryDirectory();
    const writer = IndexWriter.open(directory);
    writer.attach(build(writer, [doc('a', 'red squirrel')]));
    writer.commit();
    writer.close();
    const snapshot = openSnapshot(directory)!;
    assert.is(snapshot.segments[0]!.analyzer('title'), 'space/1');
    const tooOld = (error: { code?: string; message: string }): boolean =>
      error.code === 'too-old' && /space\/1.*words\/\d.*build the index again/.test(error.message);
    assert.throws(() => new Searcher(snapshot).search('squirrel'), tooOld);
    const asBuilt = new Searcher(snapshot, { analyzers: spaceChain }).search('squirrel');
    assert.equal(
      asBuilt.hits.map(({ key }) => key),
      ['a'],
    );
    snapshot.close();
  },
);

Writer.run();
