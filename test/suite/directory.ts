import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError, type IndexErrorCode } from '../../index/errors.ts';
import type { Directory } from '../../index/io/directory.ts';

/**
 * What every directory does. `make` gives a new, empty one; `again` another opening of the same place, where the kind of
 * directory has such a thing.
 */
export function directoryContract(
  test: ReturnType<typeof suite>,
  kind: string,
  make: () => Directory,
  again: (directory: Directory) => Directory = (directory) => directory,
): void {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
  const fails = (code: IndexErrorCode, file: string, call: () => unknown): void =>
    assert.throws(call, (error: unknown) => {
      assert.instance(error, IndexError);
      assert.is((error as IndexError).code, code);
      assert.is((error as IndexError).file, file);
      assert.match((error as IndexError).message, /\w{4}/);
      return true;
    });
  const write = (directory: Directory, name: string, ...parts: Uint8Array[]): void => {
    const output = directory.create(name);
    for (const part of parts) output.write(part);
    output.close();
  };

  test(`${kind}: starts empty, and lists names in order`, () => {
    const directory = make();
    assert.equal(directory.list(), []);
    write(directory, 'b', bytes(1));
    write(directory, 'a', bytes(2));
    directory.publish('commit-1', bytes(3));
    assert.equal(again(directory).list(), ['a', 'b', 'commit-1']);
  });

  test(`${kind}: gives back what was written, whole and in parts`, () => {
    const directory = make();
    const part = bytes(4, 5, 6);
    const output = directory.create('f');
    output.write(bytes(1, 2, 3));
    output.write(bytes());
    output.write(part);
    part.fill(9);
    output.close();
    const read = again(directory).read('f');
    assert.equal([...read], [1, 2, 3, 4, 5, 6]);
    assert.instance(read.buffer, SharedArrayBuffer);
    const access = directory.open('f');
    assert.is(access.size, 6);
    assert.equal([...access.read(2, 3)], [3, 4, 5]);
    assert.equal([...access.read(6, 0)], []);
    fails('corrupt', 'f', () => access.read(4, 3));
    access.close();
    access.close();
  });

  test(`${kind}: an empty file is a file`, () => {
    const directory = make();
    write(directory, 'empty');
    assert.is(directory.read('empty').length, 0);
    assert.equal(directory.list(), ['empty']);
  });

  test(`${kind}: a name is used once`, () => {
    const directory = make();
    write(directory, 'f', bytes(1));
    fails('exists', 'f', () => directory.create('f'));
    fails('exists', 'f', () => directory.publish('f', bytes(2)));
    assert.equal([...directory.read('f')], [1]);
    directory.remove('f');
    write(directory, 'f', bytes(3));
    assert.equal([...directory.read('f')], [3]);
  });

  test(`${kind}: what is missing is named`, () => {
    const directory = make();
    fails('corrupt', 'nowhere', () => directory.read('nowhere'));
    fails('corrupt', 'nowhere', () => directory.open('nowhere'));
    fails('corrupt', 'nowhere', () => directory.sync(['nowhere']));
    assert.is(directory.remove('nowhere'), true);
  });

  test(`${kind}: a file that is open can be read after it was removed`, () => {
    const directory = make();
    write(directory, 'f', bytes(1, 2, 3));
    const access = directory.open('f');
    directory.remove('f');
    assert.equal(directory.list(), []);
    assert.equal([...access.read(0, 3)], [1, 2, 3]);
    access.close();
  });

  test(`${kind}: files synced are there, published ones without more`, () => {
    const directory = make();
    write(directory, 'f', bytes(1));
    directory.sync(['f']);
    directory.publish('commit-1', bytes(1, 2));
    assert.equal([...again(directory).read('commit-1')], [1, 2]);
  });

  test(`${kind}: a lock has one holder, and goes on when it is given back`, () => {
    const directory = make();
    const unlock = directory.lock('write.lock');
    fails('locked', 'write.lock', () => again(directory).lock('write.lock'));
    unlock();
    again(directory).lock('write.lock')();
  });
}
