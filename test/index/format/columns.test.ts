import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldSpec, FieldValue } from '../../../index/document.ts';
import { columnValue, readColumns, type StringColumn, writeColumns } from '../../../index/format/columns.ts';
import { allLive, countLive, isLive, kill, readLive, writeLive } from '../../../index/format/live.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { ColumnBuilder, misfit } from '../../../index/segment/column-builder.ts';

const Columns = suite('columns');
type Kind = NonNullable<FieldSpec['column']>;
const kinds: Record<Kind, fc.Arbitrary<FieldValue>> = {
  string: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'b', '', 'é')),
  u32: fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  f64: fc.double({ noNaN: true }),
  hash128: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  hash512: fc.uint8Array({ minLength: 64, maxLength: 64 }),
};

Columns('values of every kind come back, and missing ones are missing', () => {
  const rows = fc.array(
    fc.record(Object.fromEntries(Object.entries(kinds).map(([kind, value]) => [kind, fc.option(value)]))),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(rows, (rows) => {
      const directory = new MemoryDirectory();
      const names = Object.keys(kinds) as Kind[];
      const builders = names.map((kind) => new ColumnBuilder(kind));
      for (const [doc, row] of rows.entries()) {
        for (const [k, kind] of names.entries()) if (row[kind] !== null) builders[k]!.set(doc, row[kind]!);
      }
      writeColumns(
        directory,
        'c',
        rows.length,
        new Map(builders.map((builder, k) => [k * 5, builder.take(rows.length)])),
      );
      const columns = readColumns(directory.read('c'), 'c');
      for (const [k, kind] of names.entries()) {
        const column = columns.get(k * 5)!;
        assert.is(column.kind, kind);
        for (const [doc, row] of rows.entries()) assert.equal(columnValue(column, doc), row[kind] ?? undefined, kind);
      }
    }),
    { numRuns: 300 },
  );
});

for (const distinct of [1, 254, 255, 256, 65_535, 65_536]) {
  Columns(`${distinct} distinct strings are numbered in order and found`, () => {
    const directory = new MemoryDirectory();
    const builder = new ColumnBuilder('string');
    const value = (i: number): string => `v${((i * 7919) % distinct).toString(36)}`;
    for (let doc = 0; doc < distinct; doc++) builder.set(doc, value(doc));
    writeColumns(directory, 'c', distinct + 1, new Map([[0, builder.take(distinct + 1)]]));
    const { dictionary, ordinals } = readColumns(directory.read('c'), 'c').get(0) as StringColumn;
    const sorted = [...new Set(Array.from({ length: distinct }, (_, i) => value(i)))].sort();
    assert.is(dictionary.size, sorted.length);
    for (let i = 0; i < sorted.length; i += 1 + Math.floor(sorted.length / 500)) {
      assert.is(dictionary.value(i + 1), sorted[i]);
      assert.is(dictionary.find(sorted[i]!), i + 1);
    }
    assert.is(dictionary.find('u'), 0);
    assert.is(dictionary.find('w'), 0);
    assert.is(dictionary.ceil('w'), sorted.length + 1);
    for (let doc = 0; doc < distinct; doc += 97) assert.is(dictionary.value(ordinals[doc]!), value(doc));
    assert.is(ordinals[distinct], 0);
  });
}

Columns('a value that does not fit is told', () => {
  assert.equal(
    [
      misfit('u32', -1),
      misfit('u32', 1.5),
      misfit('u32', 2 ** 32),
      misfit('f64', '1'),
      misfit('hash128', new Uint8Array(15)),
      misfit('string', 3),
    ].map((wrong) => wrong !== null),
    [true, true, true, true, true, true],
  );
  assert.equal([misfit('u32', 0), misfit('string', ['a']), misfit('hash128', new Uint8Array(16))], [null, null, null]);
});

for (const docs of [0, 1, 31, 32, 33, 1000]) {
  Columns(`the live documents of ${docs} are counted and come back`, () => {
    const live = allLive(docs);
    assert.is(countLive(live), docs);
    const dead = new Set<number>();
    for (let doc = 0; doc < docs; doc += 3) {
      assert.is(kill(live, doc), true);
      assert.is(kill(live, doc), false);
      dead.add(doc);
    }
    const directory = new MemoryDirectory();
    writeLive(directory, 'l', live, docs);
    const read = readLive(directory.read('l'), 'l', docs);
    assert.is(countLive(read), docs - dead.size);
    for (let doc = 0; doc < docs; doc++) assert.is(isLive(read, doc), !dead.has(doc));
    assert.throws(() => readLive(directory.read('l'), 'l', docs + 1), /documents/);
  });
}

Columns.run();
