import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../../index/document.ts';
import { columnValue } from '../../../index/format/columns.ts';
import { encodeLength } from '../../../index/format/norms.ts';
import { END, PostingsCursor } from '../../../index/format/postings.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { SegmentBuilder } from '../../../index/segment/builder.ts';
import { openSegment, openShared, type SegmentReader } from '../../../index/segment/reader.ts';
import { documents, plainIndex, schema, spaceChain } from '../../kit/index-documents.ts';
import { dumpSegment } from '../../kit/index-dump.ts';

const Builder = suite('segment builder');

function build(docs: readonly Document[]): SegmentReader {
  const directory = new MemoryDirectory();
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs) builder.add(document);
  builder.write(directory, 's1');
  return openSegment(directory, 's1');
}

function check(docs: readonly Document[]): void {
  const reader = build(docs);
  assert.is(reader.docs, docs.length);
  for (const field of schema.fields) {
    if (field.index === 'none') continue;
    const plain = plainIndex(docs, field.name, field.index === 'keyword' ? 'keyword' : 'text');
    const terms = [...plain.keys()].sort((a, b) => (a < b ? -1 : 1));
    const dictionary = reader.terms(field.name);
    assert.is(dictionary.size, terms.length, field.name);
    const cursor = new PostingsCursor();
    const lengths = new Array<number>(docs.length).fill(0);
    for (const [n, term] of terms.entries()) {
      assert.is(dictionary.term(n), term);
      assert.is(dictionary.find(term), n);
      assert.is(dictionary.ceil(term), n);
      assert.is(dictionary.find(`${term}\u0001`), -1);
      assert.is(dictionary.ceil(`${term}\u0001`), n + 1);
      const postings = plain.get(term)!;
      assert.is(dictionary.df(n), postings.length);
      dictionary.postings(n, cursor);
      assert.is(cursor.doc, -1);
      for (const { doc, positions } of postings) {
        assert.is(cursor.next(), doc);
        lengths[doc]! += positions.length;
        assert.is(cursor.freq, field.index === 'keyword' ? 1 : positions.length);
        const count = cursor.positions();
        assert.equal([...cursor.positionBuffer.subarray(0, count)], field.index === 'text' ? positions : []);
      }
      assert.is(cursor.next(), END);
      assert.is(cursor.next(), END);
      assert.is(cursor.seek(5), END);
    }
    const norms = reader.norms(field.name);
    if (norms) assert.equal([...norms], lengths.map(encodeLength));
    else assert.is(field.index, 'keyword');
    if (field.index === 'text')
      assert.is(
        reader.stats(field.name).tokens,
        lengths.reduce((a, b) => a + b, 0),
      );
    assert.is(reader.stats(field.name).docs, lengths.filter((length) => length > 0).length);
  }
  for (const [doc, document] of docs.entries()) {
    const stored: Record<string, unknown> = {};
    for (const { name, stored: keep } of schema.fields)
      if (keep && document[name] !== undefined) stored[name] = document[name];
    assert.equal(reader.stored(doc), stored);
    for (const { name, column } of schema.fields) {
      if (column) assert.equal(columnValue(reader.column(name)!, doc), document[name], name);
    }
  }
}

for (const count of [0, 1, 2, 127, 128, 129, 700]) {
  Builder(`${count} documents come back as they went`, () => check(documents(count, count + 1)));
}

Builder('terms of one letter in many documents fill many blocks', () =>
  check(
    Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, body: `a ${i % 2 ? 'b b b' : ''} ${'c '.repeat(i % 300)}` })),
  ),
);

Builder('a reader that leaves postings on disk answers the same, from one cursor or many at once', () => {
  const directory = new MemoryDirectory();
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of documents(900, 4)) builder.add(document);
  builder.write(directory, 's1');
  const whole = openSegment(directory, 's1');
  const lean = openSegment(directory, 's1', 0, undefined, { lean: true });
  assert.equal(dumpSegment(lean), dumpSegment(whole));
  const again = openShared(directory, lean.share());
  assert.equal(dumpSegment(again), dumpSegment(whole));
  const pairs = [whole, lean].map((reader) => {
    const terms = reader.terms('body');
    const cursors = Array.from({ length: 40 }, (_, i) => terms.postings((i * 37) % terms.size));
    return cursors.map((cursor) => [cursor.next(), cursor.freq, cursor.seek(500), cursor.positions(), cursor.df]);
  });
  assert.equal(pairs[0], pairs[1]);
  for (const reader of [whole, lean, again]) reader.close();
  assert.ok(whole.bytes > 10_000);
});

const refused = (file: string) => (error: { code?: string; message: string }) =>
  error.code === 'bad-document' && error.message.includes(`field ${file} `) && error.message.length < 300;

Builder('a document that does not fit is refused whole, and the next one goes on', () => {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  builder.add({ id: 'a', title: 'x' });
  const wrong: [string, unknown][] = [
    ['id', { title: 'no key' }],
    ['id', { id: '' }],
    ['id', { id: 7 }],
    ['id', { id: 'k'.repeat(40_000) }],
    ['titel', { id: 'b', titel: 'misspelt' }],
    ['time', { id: 'b', title: 'y', time: -1 }],
    ['time', { id: 'b', time: '7' }],
    ['boost', { id: 'b', boost: 'high' }],
    ['digest', { id: 'b', digest: new Uint8Array(3) }],
    ['title', { id: 'b', title: new Uint8Array(3) }],
    ['body', { id: 'b', body: ['x', 3] }],
    ['body', { id: 'b', body: { x: 1 } }],
    ['body', { id: 'b', body: null }],
  ];
  for (const [field, document] of wrong) assert.throws(() => builder.add(document as Document), refused(field));
  assert.is(builder.docs, 1);
  builder.add({ id: 'b', title: 'y' });
  const directory = new MemoryDirectory();
  assert.equal(builder.write(directory, 's1'), { name: 's1', docs: 2, replaced: [] });
  const reader = openSegment(directory, 's1');
  assert.is(reader.terms('title').size, 2);
  assert.equal(
    [reader.stored(0), reader.stored(1)],
    [
      { id: 'a', title: 'x' },
      { id: 'b', title: 'y' },
    ],
  );
  assert.throws(
    () => builder.write(directory, 's2'),
    (error: { code?: string }) => error.code === 'closed',
  );
});

Builder('a schema that contradicts itself is refused', () => {
  const bad = [
    { key: 'id', fields: [] },
    { key: 'id', fields: [{ name: 'id', index: 'text' as const }] },
    {
      key: 'id',
      fields: [
        { name: 'id', index: 'keyword' as const },
        { name: 'id', index: 'text' as const },
      ],
    },
    { key: 'id', lang: 'lang', fields: [{ name: 'id', index: 'keyword' as const }] },
    {
      key: 'id',
      fields: [
        { name: 'id', index: 'keyword' as const },
        { name: 't', index: 'text' as const, analyzer: 'none such' },
      ],
    },
  ];
  for (const schema of bad) {
    assert.throws(
      () => new SegmentBuilder(schema),
      (error: { code?: string }) => error.code === 'bad-schema',
    );
  }
});

Builder('empty values, numbers and values of many parts are what they are', () =>
  check([
    { id: 'a', title: '', body: '   ', tags: [], host: '' },
    { id: 'b', title: ['one two', '', 'two'], tags: ['x', 'x y'], time: 0 },
    { id: 'c', title: '42', time: 2 ** 32 - 1, boost: -0.5 },
    { id: '\u{1d4b3} é 東京', title: '𝒳 𝒳é' },
  ]),
);

Builder('a key added again replaces, and says which document went', () => {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) builder.add({ id });
  assert.equal(builder.write(new MemoryDirectory(), 's1').replaced, [0, 2, 1]);
});

Builder('memory stays within the budget whatever comes, and one document may be larger than it [RU-index-10]', () => {
  const budgetBytes = 1 << 20;
  const pages = documents(400, 77, 20_000);
  let builder = new SegmentBuilder(schema, { chain: spaceChain, budgetBytes });
  let full = 0;
  for (let i = 0; i < 4000; i++) {
    const before = builder.bytes;
    builder.add({ ...pages[i % 400]!, id: `${i}` });
    if (!builder.full) continue;
    full++;
    assert.ok(before < budgetBytes, 'it was within');
    assert.ok(builder.bytes < budgetBytes * 2, `${builder.bytes} after one more document`);
    builder = new SegmentBuilder(schema, { chain: spaceChain, budgetBytes });
  }
  assert.ok(full >= 2, `${full} times full`);
  const one = new SegmentBuilder(schema, { chain: spaceChain, budgetBytes: 1000 });
  one.add({ id: 'large', body: 'word '.repeat(100_000) });
  const directory = new MemoryDirectory();
  one.write(directory, 's1');
  assert.is(openSegment(directory, 's1').terms('body').ttf(0), 100_000);
});

Builder('stored fields that go to their file as they come make the same files', () => {
  const [kept, straight] = [new MemoryDirectory(), new MemoryDirectory()];
  const storeInto = { directory: straight, name: 's1' };
  const builders = [
    new SegmentBuilder(schema, { chain: spaceChain }),
    new SegmentBuilder(schema, { chain: spaceChain, storeInto }),
  ];
  for (const document of documents(300, 5)) for (const builder of builders) builder.add(document);
  builders[0]!.write(kept, 's1');
  assert.throws(() => builders[1]!.write(straight, 's2'), /lie in segment s1/);
  builders[1]!.write(straight, 's1');
  assert.equal(straight.list(), kept.list());
  for (const file of kept.list()) assert.equal(straight.read(file), kept.read(file), file);
});

Builder('a builder that is abandoned leaves no file', () => {
  const directory = new MemoryDirectory();
  const builder = new SegmentBuilder(schema, { chain: spaceChain, storeInto: { directory, name: 's1' } });
  for (const document of documents(300, 5)) builder.add(document);
  builder.abandon();
  assert.equal(directory.list(), []);
});

Builder.run();
