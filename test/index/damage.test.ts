import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../index/errors.ts';
import { frame } from '../../index/io/frame.ts';
import type { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { openSnapshot } from '../../index/snapshot.ts';
import { IndexWriter } from '../../index/writer.ts';
import { dump } from '../kit/index-dump.ts';
import { add, small } from '../kit/small-index.ts';

const Damage = suite('damage');
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

Damage.run();
