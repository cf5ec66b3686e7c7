import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Level } from '../../../src/store/level.ts';
import { RecordWriter } from '../../../src/store/records.ts';
import { openTables, Table } from '../../../src/store/tables.ts';

const Tables = suite<{ dir: string }>('tables');
Tables.before.each((at) => {
  at.dir = mkdtempSync(join(tmpdir(), 'nuthatch-tables-'));
});
Tables.after.each(({ dir }) => rmSync(dir, { recursive: true }));

const keyOf = (i: number): string => `key ${String(i).padStart(6, '0')}`;
const fill = async (table: Table, value: number, from = 0, to = 20_000): Promise<void> => {
  const change = table.change();
  for (let i = from; i < to; i++) change.put(keyOf(i), new Uint8Array([value]));
  await change.commit(`fill ${value}`);
};
const valuesOf = async (table: Table): Promise<Set<number>> => {
  const values = new Set<number>();
  for await (const { value } of table.records()) values.add(value[0]!);
  return values;
};

Tables('a change of any size is one step for whoever reads while it is made', async ({ dir }) => {
  const table = await Table.open(join(dir, 'a'));
  await fill(table, 1);
  let done = false;
  const making = fill(table, 2).then(() => {
    done = true;
  });
  const seen: string[] = [];
  const scans: Promise<Set<number>>[] = [];
  while (!done) {
    const [first, last] = await table.getMany([Buffer.from(keyOf(0)), Buffer.from(keyOf(19_999))]);
    seen.push([first![0], last![0]].join());
    // A scan may outlive the change it began before, and still sees one state.
    if (seen.length % 4 === 1) scans.push(valuesOf(table));
  }
  for (const values of await Promise.all(scans)) seen.push([...values, ...values].join());
  await making;
  assert.ok(scans.length > 0 && seen.length > 1);
  assert.equal(
    [...new Set(seen)].filter((text) => text !== '1,1' && text !== '2,2'),
    [],
  );
  assert.equal([...(await valuesOf(table))], [2]);
  await table.close();
});

Tables('what was put, taken out and applied is there after the table was opened anew', async ({ dir }) => {
  let table = await Table.open(join(dir, 'a'));
  await fill(table, 1, 0, 10);
  const change = table.change();
  change.remove(keyOf(3));
  change.put(keyOf(11), new Uint8Array(0));
  await change.commit();
  await table.close();
  table = await Table.open(join(dir, 'a'));
  assert.is(await table.get(keyOf(3)), undefined);
  assert.is((await table.get(keyOf(11)))!.length, 0);
  assert.equal([await table.applied('fill 1'), await table.applied('fill 2')], [true, false]);
  let count = 0;
  for await (const entries of table.chunks()) count += entries.length;
  assert.is(count, 10, 'keys of the table itself are no records');
  await table.close();
});

Tables('a change that is given up leaves nothing', async ({ dir }) => {
  const table = await Table.open(join(dir, 'a'));
  const change = table.change();
  change.put('k', new Uint8Array(1));
  change.abandon();
  assert.is(await table.get('k'), undefined);
  assert.not.ok(existsSync(join(dir, 'a.journal.tmp')));
  await table.change().commit();
  await table.close();
});

Tables('of what a killed process leaves, a whole journal counts and a half one does not', async ({ dir }) => {
  let table = await Table.open(join(dir, 'a'));
  await fill(table, 1, 0, 10);
  await table.close();
  const journal = (name: string, value: number): void => {
    const writer = new RecordWriter(join(dir, name));
    for (let i = 0; i < 10; i++) writer.append(keyOf(i), new Uint8Array([1, value]));
    writer.close();
  };
  journal('a.journal.tmp', 2);
  table = await Table.open(join(dir, 'a'));
  assert.equal([...(await valuesOf(table))], [1]);
  await table.close();
  journal('a.journal', 3);
  table = await Table.open(join(dir, 'a'));
  assert.equal([...(await valuesOf(table))], [3]);
  assert.not.ok(existsSync(join(dir, 'a.journal')));
  await table.close();
});

Tables(
  'what was committed lies in tables, none of it in a log alone, which only its last write is synced of',
  async ({ dir }) => {
    const path = join(dir, 't');
    const table = await Table.open(path);
    const change = table.change();
    // More than the write buffer: logs change on the way.
    for (let i = 0; i < 60_000; i++) change.put(keyOf(i), Buffer.alloc(200, i));
    await change.commit();
    const logs = readdirSync(path).filter((name) => name.endsWith('.log'));
    assert.is(
      logs.reduce((sum, name) => sum + statSync(join(path, name)).size, 0),
      0,
    );
    await table.close();
  },
);

Tables('a folder that cannot be made is an error that names it, also where the system makes none at all', async () => {
  if (!existsSync('/proc/self')) return;
  const error = await openTables('/proc/nuthatch/crawl').then(
    () => assert.unreachable('it was made'),
    (failed) => failed,
  );
  assert.is(error.code, 'failed');
  assert.match(error.message, /\/proc\/nuthatch cannot be made/);
});

Tables('tables in use, of a newer format, or damaged are refused with a sentence', async ({ dir }) => {
  const tables = await openTables(dir);
  const refusal = (path: string): Promise<{ code: string; message: string }> =>
    openTables(path).then(
      () => assert.unreachable('it was opened'),
      (error) => error,
    );
  assert.is((await refusal(dir)).code, 'locked');
  await tables.close();
  const level = await Level.open(join(dir, 'linkdb'));
  const batch = level.batch();
  batch.put(Buffer.from('\0version'), Buffer.from([9]));
  await batch.write(true);
  await batch.close();
  await level.close();
  assert.is((await refusal(dir)).code, 'too-new');
  writeFileSync(join(dir, 'crawldb', 'CURRENT'), 'nothing\n');
  const error = await refusal(dir);
  assert.ok(['damaged', 'failed'].includes(error.code));
  assert.match(error.message, /crawldb/);
});

Tables.run();
