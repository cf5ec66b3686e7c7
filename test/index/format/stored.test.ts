import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldValue } from '../../../index/document.ts';
import { encodeStored, StoredReader, StoredWriter } from '../../../index/format/stored.ts';
import { ByteWriter } from '../../../index/io/bytes.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { random } from '../../kit/index-documents.ts';

const Stored = suite('stored documents');
type Fields = [id: number, value: FieldValue][];

function write(directory: MemoryDirectory, name: string, documents: readonly Fields[]): StoredReader {
  const writer = new StoredWriter(directory, name);
  for (const fields of documents) writer.document(bytesOf(fields));
  writer.close();
  return new StoredReader(directory.open(name), name);
}
function bytesOf(fields: Fields): Uint8Array {
  const out = new ByteWriter();
  encodeStored(
    out,
    fields.map(([id]) => id),
    fields.map(([, value]) => value),
  );
  return out.finish();
}

Stored('values of every kind come back', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 });
  const value: fc.Arbitrary<FieldValue> = fc.oneof(text, fc.double({ noNaN: true }), fc.uint8Array(), fc.array(text));
  const fields = fc.array(fc.tuple(fc.nat(300), value), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 20 }), (documents) => {
      const reader = write(new MemoryDirectory(), 'x', documents);
      assert.is(reader.docs, documents.length);
      for (const [doc, expected] of documents.entries()) assert.equal(reader.document(doc), expected);
      for (let doc = documents.length - 1; doc >= 0; doc--)
        assert.equal(reader.documentBytes(doc), bytesOf(documents[doc]!));
    }),
    { numRuns: 200 },
  );
});

Stored('of the fields of a document some can be asked for, whatever kinds lie between', () => {
  const fields: Fields = [
    [1, 'one'],
    [2, 2.5],
    [3, new Uint8Array([3, 3])],
    [4, ['four', 'vier']],
    [5, 'five'],
  ];
  const reader = write(new MemoryDirectory(), 'x', [fields, fields]);
  for (let wanted = 0; wanted < 32; wanted++) {
    const expected = fields.filter(([id]) => wanted & (1 << (id - 1)));
    assert.equal(reader.document(1, new Set(expected.map(([id]) => id))), expected);
  }
});

function texts(count: number, longest: number, seed: number): Fields[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, i) => [
    [1, `${i} ${'lorem ipsum dolor '.repeat(Math.floor((next() * longest) / 18))}${next()}`],
  ]);
}

for (const [count, longest] of [
  [3000, 100],
  [300, 5000],
  [12, 200_000],
  [0, 1],
] as const) {
  Stored(`${count} documents of up to ${longest} letters are found in their blocks, in any order`, () => {
    const documents = texts(count, longest, count);
    const reader = write(new MemoryDirectory(), 'x', documents);
    reader.verify();
    for (let i = 0, doc = 0; i < count; i++, doc = (doc + 7919) % count)
      assert.equal(reader.document(doc), documents[doc]);
    assert.throws(() => reader.document(count), RangeError);
    assert.throws(() => reader.document(-1), RangeError);
    for (const block of reader.blocks)
      assert.ok(block.rawBytes < 16_384 + longest + 100, 'a block ends when it is full');
  });
}

Stored('two runs of the same documents fall into step, whatever came before', () => {
  const tail = texts(2000, 1500, 5);
  const whole = write(new MemoryDirectory(), 'x', tail);
  const later = write(new MemoryDirectory(), 'x', [...texts(3, 30_000, 6), ...tail]);
  const ends = new Set(whole.blocks.map(({ firstDoc, docs }) => firstDoc + docs));
  const shared = later.blocks.filter(({ firstDoc, docs }) => ends.has(firstDoc + docs - 3)).length;
  assert.ok(shared > later.blocks.length * 0.8, `${shared} of ${later.blocks.length} blocks end at the same document`);
});

Stored('hits that lie in blocks unpacked shortly before are given from memory, and that memory is bounded', () => {
  const documents = texts(2000, 1500, 8);
  const directory = new MemoryDirectory();
  write(directory, 'x', documents);
  let reads = 0;
  const file = directory.open('x');
  const counted = {
    size: file.size,
    read: (at: number, length: number) => {
      reads++;
      return file.read(at, length);
    },
    close: () => file.close(),
  };
  const reader = new StoredReader(counted, 'x');
  const far = [3, 700, 1400, 1999];
  reads = 0;
  for (let turn = 0; turn < 5; turn++) for (const doc of far) assert.equal(reader.document(doc), documents[doc]);
  assert.is(reads, far.length, 'each block is read once');
  reads = 0;
  const blocks = reader.blocks.length;
  for (let turn = 0; turn < 2; turn++) for (let doc = 0; doc < 2000; doc++) reader.document(doc);
  assert.ok(reads > blocks, `${reads} reads of ${blocks} blocks: not all of them are kept`);
});

Stored.run();
