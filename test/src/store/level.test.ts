import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CrawlError } from '../../../src/errors.ts';
import { Level } from '../../../src/store/level.ts';

const LevelSuite = suite<{ dir: string }>('level');
/** A table on the disk, not only in the log: what is opened again is written out as one. */
LevelSuite.before.each(async (at) => {
  at.dir = mkdtempSync(join(tmpdir(), 'nuthatch-level-'));
  const level = await Level.open(at.dir);
  const batch = level.batch();
  for (let i = 0; i < 100; i++) batch.put(Buffer.from(`key ${i}`), Buffer.alloc(100, i));
  await batch.write(true);
  await batch.close();
  await level.close();
  await (await Level.open(at.dir)).close();
});
LevelSuite.after.each(({ dir }) => rmSync(dir, { recursive: true }));

const tableOf = (dir: string): string => join(dir, readdirSync(dir).find((name) => name.endsWith('.ldb'))!);
const codeOf = async (act: () => Promise<unknown>): Promise<string> => {
  try {
    await act();
  } catch (error) {
    return (error as CrawlError).code;
  }
  return 'none';
};

LevelSuite('a table that was cut is damaged, whichever way it is read', async ({ dir }) => {
  truncateSync(tableOf(dir), 100);
  const level = await Level.open(dir);
  try {
    assert.is(await codeOf(() => level.get('key 1')), 'damaged');
    assert.is(await codeOf(() => level.getMany([Buffer.from('key 1')])), 'damaged');
    assert.is(await codeOf(async () => level.chunks().next()), 'damaged');
  } finally {
    await level.close();
  }
});

LevelSuite('a store that lost a file of its own is damaged, and keeps the others', async ({ dir }) => {
  rmSync(join(dir, 'CURRENT'));
  assert.is(await codeOf(() => Level.open(dir)), 'damaged');
  assert.ok(tableOf(dir));
  rmSync(tableOf(dir));
  assert.is(await codeOf(async () => (await Level.open(dir)).close()), 'none', 'with nothing in it, it is a new one');
});

LevelSuite('a store without its manifest is damaged', async ({ dir }) => {
  for (const name of readdirSync(dir)) if (name.startsWith('MANIFEST')) rmSync(join(dir, name));
  assert.is(await codeOf(() => Level.open(dir)), 'damaged');
});

LevelSuite.run();
