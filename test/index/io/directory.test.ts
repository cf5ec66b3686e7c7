import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { IndexError } from '../../../index/errors.ts';
import { FsDirectory } from '../../../index/io/fs-directory.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { directoryContract } from '../../suite/directory.ts';

const Directories = suite('directory');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-directory-'));
Directories.after(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
directoryContract(Directories, 'memory', () => new MemoryDirectory());
directoryContract(
  Directories,
  'disk',
  () => new FsDirectory(join(folder, `d${made++}`)),
  (directory) => new FsDirectory(directory.where),
);

Directories('disk: the lock of a process that is gone is taken over', () => {
  const place = join(folder, 'dead');
  const directory = new FsDirectory(place);
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  directory.lock('write.lock')();
  writeFileSync(join(place, 'write.lock'), `${dead} 12345`);
  directory.lock('write.lock')();
});

Directories('disk: a lock whose process number was given to another program is nobody’s', () => {
  const place = join(folder, 'reused');
  const directory = new FsDirectory(place);
  directory.lock('write.lock')();
  writeFileSync(join(place, 'write.lock'), `${process.pid} 1`);
  if (process.platform === 'linux') directory.lock('write.lock')();
});

Directories('disk: a write that the system refuses carries its error and the file', () => {
  const place = join(folder, 'file-in-the-way');
  writeFileSync(place, '');
  assert.throws(
    () => new FsDirectory(place).create('f'),
    (error: IndexError) => error.code === 'io' && error.file === 'f' && error.cause instanceof Error,
  );
});

Directories('disk: a temporary file of a publish that died is not listed and does not hinder the next', () => {
  const place = join(folder, 'temporary');
  const directory = new FsDirectory(place);
  directory.publish('commit-1', Uint8Array.of(1));
  writeFileSync(join(place, 'commit-2.tmp'), 'half');
  assert.equal(directory.list(), ['commit-1']);
  directory.publish('commit-2', Uint8Array.of(2));
  assert.equal([...directory.read('commit-2')], [2]);
});

Directories.run();
