import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../index/errors.ts';
import { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { openSnapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { FaultyDirectory } from '../kit/faulty-directory.ts';
import { dump } from '../kit/index-dump.ts';
import { add, small } from '../kit/small-index.ts';

const Faults = suite('faults of the disk');

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
  Faults(
    `a disk that fails at the Nth call${forever ? ' and from then on' : ''} leaves the old commit or the new one`,
    () => {
      const count = new FaultyDirectory(small());
      work(count);
      const after = openSnapshot(count)!;
      const wanted = JSON.stringify(dump(after));
      after.close();
      assert.ok(count.calls > 50, `${count.calls} calls`);
      // A disk that stays broken differs little from one that fails once: a fifth of the calls tell.
      for (let n = 1; n <= count.calls; n += forever ? 5 : 1) {
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

Faults('a commit that failed can be made again by the same writer', () => {
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

Faults.run();
