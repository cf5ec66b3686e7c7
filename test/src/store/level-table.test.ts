import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Level } from '../../../src/store/level.ts';
import { crc32c, tableDamages } from '../../../src/store/level-table.ts';
import { random } from '../../kit/index-documents.ts';

const Tables = suite('table files');
const root = mkdtempSync(join(tmpdir(), 'nuthatch-level-table-'));
Tables.after(() => rmSync(root, { recursive: true, force: true }));

/** A folder with a few table files of several blocks each, closed. */
async function folder(name: string, records: number, letters: number): Promise<string> {
  const path = join(root, name);
  const next = random(records);
  for (let round = 0; round < 2; round++) {
    const level = await Level.open(path);
    const batch = level.batch();
    for (let i = 0; i < records; i++) {
      const value = Array.from({ length: 40 }, () => String.fromCharCode(97 + Math.floor(next() * letters))).join('');
      batch.put(Buffer.from(`key-${String(i).padStart(8, '0')}`), Buffer.from(value));
    }
    await batch.write(true);
    await batch.close();
    await level.close();
  }
  // What was written stands in a log until the next opening makes a table of it.
  await (await Level.open(path)).close();
  return path;
}
const files = (path: string): string[] => readdirSync(path).filter((name) => name.endsWith('.ldb'));

Tables('the checksum is that of RFC 3720', () => {
  assert.is(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.is(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assert.is(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
  assert.is(crc32c(Buffer.from('123456789')), 0xe3069283);
});

for (const [letters, what] of [
  [2, 'packed'],
  [26, 'hardly packed'],
] as const)
  Tables(`a table of ${what} blocks is whole; with a byte flipped it is damaged, and so with a cut`, async () => {
    const path = await folder(what, 130, letters);
    assert.equal(tableDamages(path), []);
    const name = files(path)[0]!;
    const whole = readFileSync(join(path, name));
    for (let at = 0; at < whole.length; at += letters === 2 ? 1 : 5) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 8);
      writeFileSync(join(path, name), damaged);
      assert.is(tableDamages(path).length, 1, `byte ${at} of ${whole.length}`);
    }
    for (let at = 0; at < whole.length; at += 97) {
      writeFileSync(join(path, name), whole.subarray(0, at));
      assert.is(tableDamages(path).length, 1, `cut at ${at}`);
    }
    writeFileSync(join(path, name), whole);
    assert.equal(tableDamages(path), []);
  });

Tables('a large table, whose index is packed too, is whole; and what is said of a damaged one names it', async () => {
  const path = await folder('large', 60_000, 4);
  assert.equal(tableDamages(path), []);
  const name = files(path).at(-1)!;
  const bytes = readFileSync(join(path, name));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(path, name), bytes);
  assert.match(
    tableDamages(path).join(),
    new RegExp(`${name}: the checksum of the block at \\d+ does not match; nuthatch repair`),
  );
});
Tables.run();
