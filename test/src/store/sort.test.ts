import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MergeReader, narrow } from '../../../src/store/merge.ts';
import { readRecords } from '../../../src/store/records.ts';
import { RecordSorter } from '../../../src/store/sort.ts';

const Sort = suite('sort');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-sort-'));
Sort.after(() => rmSync(folder, { recursive: true }));

const key = fc.oneof(
  fc.constantFrom('', 'a', 'a\0', 'a\0\0\0', 'com.example https /', 'com.example https /a', 'com.example https /b'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(30).map((n) => `com.example.www https /some/folder/page-${n}`),
);
const sortAll = (keys: readonly string[], memory: number, partitions: number) => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const sorter = new RecordSorter({ folder, partitions, memory });
  keys.forEach((key, at) => {
    const bytes = Buffer.from(`<${key}>`);
    const value = Buffer.from(String(at));
    sorter.add(bytes, 1, bytes.length - 1, value, 0, value.length);
  });
  return sorter.finish().map((names) => names.map((name) => join(folder, name)));
};
const merged = (paths: readonly string[]): string[] => {
  const reader = new MergeReader(narrow(paths, folder));
  const seen: string[] = [];
  let last: string | undefined;
  while (reader.next()) {
    const { key, value } = reader.top;
    assert.is(reader.same, key === last);
    last = key;
    seen.push(`${key}=${Buffer.from(value)}`);
  }
  reader.close();
  return seen;
};

Sort('any keys come out as a stable sort by bytes gives them, in memory or in many runs', () => {
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 200 }),
      fc.constantFrom(1e6, 300, 1),
      fc.integer({ min: 1, max: 3 }),
      (keys, memory, partitions) => {
        const runs = sortAll(keys, memory, partitions);
        const expected = keys
          .map((key, at) => ({ key: Buffer.from(key), text: `${Buffer.from(key)}=${at}` }))
          .sort((a, b) => a.key.compare(b.key))
          .map(({ text }) => text);
        const got = runs.map(merged);
        if (partitions === 1) assert.equal(got[0], expected);
        assert.equal(got.flat().sort(), [...expected].sort());
        for (const [p, part] of got.entries()) {
          assert.equal(
            part,
            expected.filter((text) => part.includes(text)),
            `partition ${p}`,
          );
        }
        // Equal keys meet in one partition.
        const home = new Map<string, number>();
        got.forEach((part, p) => {
          for (const text of part) {
            const key = text.slice(0, text.lastIndexOf('='));
            assert.is(home.get(key) ?? p, p);
            home.set(key, p);
          }
        });
      },
    ),
    { numRuns: 150 },
  );
});

Sort('twenty thousand keys of few sites come out sorted', () => {
  const keys = Array.from(
    { length: 20_000 },
    (_, i) => `com.example-${(i * 7919) % 13}.www https /dir/${i % 97}/page-${(i * 48271) % 20_000}`,
  );
  const [runs] = sortAll(keys, 1e9, 1);
  const got = [...readRecords(runs![0]!)].map(({ key }) => key);
  assert.equal(got, [...keys].sort());
});

Sort('values of one key are folded, however often memory is full', () => {
  for (const memory of [1e6, 200]) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const sorter = new RecordSorter({
      folder,
      partitions: 1,
      memory,
      combine: (kept, start, _end, more, from) => {
        kept.writeUInt32LE(kept.readUInt32LE(start) + (more as Buffer).readUInt32LE(from), start);
        return true;
      },
    });
    const one = Buffer.from([1, 0, 0, 0]);
    for (let i = 0; i < 3000; i++) {
      const bytes = Buffer.from(`key ${(i * i) % 37}`);
      sorter.add(bytes, 0, bytes.length, one, 0, 4);
    }
    const sums = new Map<string, number>();
    for (const name of sorter.finish()[0]!)
      for (const { key, value } of readRecords(join(folder, name)))
        sums.set(key, (sums.get(key) ?? 0) + Buffer.from(value).readUInt32LE());
    const expected = new Map<string, number>();
    for (let i = 0; i < 3000; i++) expected.set(`key ${(i * i) % 37}`, (expected.get(`key ${(i * i) % 37}`) ?? 0) + 1);
    assert.equal([...sums].sort(), [...expected].sort());
  }
});

Sort('more runs than may be open at once are merged in rounds', () => {
  const keys = Array.from({ length: 450 }, (_, i) => `k${(i * 7919) % 50}`);
  const [runs] = sortAll(keys, 1, 1);
  assert.is(runs!.length, 450);
  const expected = keys.map((key, at) => `${key}=${at}`);
  assert.equal(
    merged(runs!),
    keys
      .map((key, at) => ({ key, at }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at))
      .map(({ at }) => expected[at]),
  );
});

Sort('a merge goes on across the blocks of its files, with long keys that share much', () => {
  const keys = Array.from({ length: 6000 }, (_, i) => `${'site '.repeat(40)}${(i * 7919) % 5000}`);
  const [runs] = sortAll(keys, 300_000, 1);
  assert.ok(runs!.length > 3);
  assert.equal(
    merged(runs!),
    keys
      .map((key, at) => ({ key, at }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at))
      .map(({ key, at }) => `${key}=${at}`),
  );
});

Sort.run();
