import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../index/errors.ts';
import { frame } from '../../index/io/frame.ts';
import { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { openSnapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { FaultyDirectory } from '../kit/faulty-directory.ts';
import { documents, schema, spaceChain } from '../kit/index-documents.ts';
import { dump } from '../kit/index-dump.ts';

const Damage = suite('damage');
const docs = documents(140, 3, 60);

function add(writer: IndexWriter, from: number, to: number): void {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs.slice(from, to)) builder.add(document);
  writer.attach(builder.write(writer.directory, writer.newName()));
}

/** An index of one commit: a segment with a deletion, and an extra file. */
function small(count = 12): MemoryDirectory {
  const directory = new MemoryDirectory();
  const writer = IndexWriter.open(directory);
  add(writer, 0, count);
  writer.deleteByKey(['doc-3']);
  writer.addExtra('dedup-1', Uint8Array.of(7, 8, 9));
  writer.setUser({ round: '1' });
  writer.commit();
  writer.close();
  return directory;
}

/** Opens and reads everything; the same as before, or a typed error that names a file. */
function sameOrTyped(directory: MemoryDirectory, expected: string, where: string, file: string): void {
  try {
    const snapshot = openSnapshot(directory)!;
    try {
      assert.is(JSON.stringify(dump(snapshot)), expected, `${where}: a wrong answer`);
      snapshot.verify();
    } finally {
      snapshot.close();
    }
    assert.unreachable(`${where}: not noticed`);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    assert.ok(['corrupt', 'too-new', 'too-old'].includes(error.code), `${where}: ${error.code}`);
    assert.is(error.file, file, where);
    assert.match(error.message, file);
  }
}

Damage('every byte of every file flipped is found, and the file named', () => {
  const whole = small();
  const snapshot = openSnapshot(whole)!;
  const expected = JSON.stringify(dump(snapshot));
  snapshot.close();
  for (const file of whole.list()) {
    const bytes = whole.read(file);
    for (let at = 0; at < bytes.length; at++) {
      const before = bytes[at]!;
      // Every bit has its turn, and now and then all eight.
      const mask = at % 9 === 8 ? 0xff : 1 << (at % 9);
      bytes[at] = before ^ mask;
      sameOrTyped(whole, expected, `${file} byte ${at} mask ${mask}`, file);
      bytes[at] = before;
    }
  }
});

Damage('every file cut at every length is found, and the file named', () => {
  const whole = small();
  const snapshot = openSnapshot(whole)!;
  const expected = JSON.stringify(dump(snapshot));
  snapshot.close();
  for (const file of whole.list()) {
    const bytes = whole.read(file);
    for (let length = 0; length < bytes.length; length++) {
      whole.files.set(file, bytes.subarray(0, length));
      sameOrTyped(whole, expected, `${file} cut to ${length}`, file);
    }
    whole.files.set(file, bytes);
  }
});

Damage('every file missing is found, and named; without a commit there is no index', () => {
  const whole = small();
  for (const file of whole.list()) {
    const bytes = whole.read(file);
    whole.remove(file);
    if (file.startsWith('commit-')) assert.is(openSnapshot(whole), null);
    else sameOrTyped(whole, '', `${file} missing`, file);
    whole.files.set(file, bytes);
  }
});

Damage('a file of another index in its place is found, though it is whole', () => {
  const whole = small(12);
  const other = small(13);
  for (const file of whole.list()) {
    const bytes = whole.read(file);
    const strange = other.read(file);
    if (file.startsWith('commit-') || Buffer.compare(bytes, strange) === 0) continue;
    whole.files.set(file, strange);
    sameOrTyped(whole, '', `${file} swapped`, file.endsWith('.seg') ? file : file);
    whole.files.set(file, bytes);
  }
});

Damage('a file of one kind under the name of another is found', () => {
  const whole = small();
  const kinds = whole.list();
  for (const file of kinds) {
    const bytes = whole.read(file);
    for (const other of kinds) {
      if (other === file) continue;
      whole.files.set(file, whole.read(other));
      sameOrTyped(whole, '', `${other} as ${file}`, file);
    }
    whole.files.set(file, bytes);
  }
});

Damage('a commit of a newer version is too-new for reader and writer, and left alone', () => {
  const whole = small();
  whole.publish('commit-2', frame('com', 99, new Uint8Array(40)));
  const before = whole.list();
  const tooNew = (error: unknown): boolean =>
    error instanceof IndexError &&
    error.code === 'too-new' &&
    error.file === 'commit-2' &&
    /upgrade/.test(error.message);
  assert.throws(() => openSnapshot(whole), tooNew);
  assert.throws(() => IndexWriter.open(whole), tooNew);
  assert.equal(whole.list(), before);
});

Damage('a damaged newest commit serves the one before, and a writer goes on from there', () => {
  const whole = small();
  whole.publish('commit-2', frame('com', 1, new Uint8Array(40)).fill(3, 20, 24));
  const snapshot = openSnapshot(whole)!;
  assert.is(snapshot.commit.generation, 1);
  assert.is(snapshot.passedOver[0]!.file, 'commit-2');
  snapshot.close();
  const writer = IndexWriter.open(whole);
  add(writer, 20, 30);
  assert.is(writer.commit().generation, 3);
  writer.close();
  const next = openSnapshot(whole)!;
  assert.is(next.docs, 21);
  next.close();
});

/** Builds, deletes, merges and commits on a directory that already has a commit. */
function work(directory: FaultyDirectory): void {
  const writer = IndexWriter.open(directory);
  try {
    add(writer, 12, 40);
    add(writer, 40, 60);
    writer.deleteByKey(['doc-5', 'doc-45']);
    writer.merge(writer.segments.slice(1).map(({ name }) => name));
    writer.addExtra('dedup-2', Uint8Array.of(1));
    writer.commit();
  } finally {
    writer.close();
  }
}

for (const forever of [false, true]) {
  Damage(
    `a disk that fails at the Nth call${forever ? ' and from then on' : ''} leaves the old commit or the new one`,
    () => {
      const count = new FaultyDirectory(small());
      work(count);
      const after = openSnapshot(count)!;
      const wanted = JSON.stringify(dump(after));
      after.close();
      assert.ok(count.calls > 50, `${count.calls} calls`);
      for (let n = 1; n <= count.calls; n++) {
        const inner = small();
        const old = openSnapshot(inner)!;
        const before = JSON.stringify(dump(old));
        const directory = new FaultyDirectory(inner);
        directory.failAt = n;
        directory.forever = forever;
        let failed: unknown = null;
        try {
          work(directory);
        } catch (error) {
          failed = error;
        }
        if (failed !== null) {
          assert.instance(failed, IndexError, `call ${n}: ${failed}`);
          assert.is((failed as IndexError).code, 'io', `call ${n}`);
        }
        // What was open all the time still answers; what is opened now is the old or the new, whole.
        assert.is(JSON.stringify(dump(old)), before, `call ${n}: an open reader`);
        old.close();
        const now = openSnapshot(inner)!;
        const answer = JSON.stringify(dump(now));
        assert.ok(answer === before || answer === wanted, `call ${n}: neither old nor new`);
        if (failed === null) assert.is(answer, wanted, `call ${n}: said to be done`);
        now.close();
        // And the next writer can do it all.
        if (answer === before) {
          work(new FaultyDirectory(inner));
          const again = openSnapshot(inner)!;
          assert.is(JSON.stringify(dump(again)), wanted, `call ${n}: the second attempt`);
          again.close();
          const leftovers = inner
            .list()
            .filter((name) => !/^(commit-\d+|s\d+(_\d+)?\.\w+|dedup-2|dedup-1)$/.test(name));
          assert.equal(leftovers, []);
        }
      }
    },
  );
}

Damage('a commit that failed can be made again by the same writer', () => {
  const inner = small();
  for (let n = 1; n < 40; n++) {
    const directory = new FaultyDirectory(new MemoryDirectory(inner.files));
    directory.reads = false;
    const writer = IndexWriter.open(directory);
    add(writer, 12, 30);
    writer.deleteByKey(['doc-5', 'doc-15']);
    directory.failAt = directory.calls + n;
    let failed = false;
    try {
      writer.commit();
    } catch (error) {
      failed = true;
      assert.instance(error, IndexError);
    }
    if (failed) writer.commit();
    writer.close();
    const snapshot = openSnapshot(directory)!;
    assert.is(snapshot.docs, 27, `call ${n}`);
    snapshot.close();
  }
});

Damage.run();
