import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { Allowance } from '../../../index/query/allowance.ts';
import { Compiler, CursorPool } from '../../../index/query/compile.ts';
import { END } from '../../../index/query/docs.ts';
import { Statistics } from '../../../index/query/statistics.ts';
import { SegmentBuilder } from '../../../index/segment/builder.ts';
import { openSegment } from '../../../index/segment/reader.ts';
import { random } from '../../kit/index-documents.ts';

const Terms = suite('documents of many terms');
const DOCS = 30_000;

/** By document its words: ca0 is nearly everywhere, ca99 hardly anywhere; most documents lie behind the 20,000th. */
const directory = new MemoryDirectory();
const next = random(11);
const words = Array.from({ length: DOCS }, (_, doc) => {
  const found = new Set<string>();
  if (doc > 20_000 || next() < 0.01) for (let i = 0; i < 3; i++) found.add(`ca${Math.floor(100 * next() ** 3)}`);
  if (next() < 0.3) found.add('cb');
  return found;
});
const builder = new SegmentBuilder({
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'body', index: 'text', analyzer: 'plain' },
  ],
});
words.forEach((own, doc) => {
  builder.add({ id: `${doc}`, body: [...own].join(' ') });
});
builder.write(directory, 's');
const segment = openSegment(directory, 's');
const pool = new CursorPool();
const docsOf = (terms: readonly string[], prefix?: string, allowance?: Allowance) =>
  new Compiler(segment, new Statistics([segment]), pool, allowance).docs({
    kind: 'terms',
    label: '',
    fields: ['body'],
    terms,
    score: 1,
    ...(prefix === undefined ? {} : { prefix }),
  })!;
const dumb = (wanted: (word: string) => boolean): number[] =>
  words.flatMap((own, doc) => ([...own].some(wanted) ? [doc] : []));

Terms('one after the other they are those that a list gives, however far the next one is', () => {
  const docs = docsOf([], 'ca');
  const found: number[] = [];
  for (let doc = docs.next(); doc !== END; doc = docs.next()) found.push(doc);
  assert.equal(
    found,
    dumb((word) => word.startsWith('ca')),
  );
});

Terms('a seek lands on the first document from there on, from any place to any other', () => {
  const some = ['ca3', 'ca41', 'ca97', 'nowhere'];
  const expected = dumb((word) => some.includes(word));
  const seeks = random(5);
  for (let turn = 0; turn < 40; turn++) {
    const docs = docsOf(some);
    for (let target = Math.floor(seeks() * 25_000); ; target += 1 + Math.floor(seeks() * 6000)) {
      const doc = docs.seek(target);
      assert.is(doc, expected.find((one) => one >= target) ?? END, `seed 5, turn ${turn}, from ${target}`);
      if (doc === END) break;
    }
    pool.release();
  }
});

Terms('a set used before is empty when it is used again', () => {
  const all = docsOf([], 'c');
  while (all.next() !== END);
  pool.release();
  const docs = docsOf(['ca99']);
  const found: number[] = [];
  for (let doc = docs.next(); doc !== END; doc = docs.next()) found.push(doc);
  assert.equal(
    found,
    dumb((word) => word === 'ca99'),
  );
  pool.release();
});

Terms('the first hits cost a part of the postings, and an allowance ends the reading', () => {
  const whole = new Allowance(1e9);
  const all = docsOf([], 'c', whole);
  while (all.next() !== END);
  const first = new Allowance(1e9);
  const some = docsOf([], 'c', first);
  for (let i = 0; i < 10; i++) some.next();
  assert.ok(1e9 - first.left < (1e9 - whole.left) / 2, `${1e9 - first.left} of ${1e9 - whole.left} postings`);
  const little = new Allowance(500);
  const few = docsOf([], 'c', little);
  let count = 0;
  while (few.next() !== END) count++;
  assert.ok(little.left < 0);
  assert.ok(little.left > -200, 'it ends with the block it is in');
  assert.ok(count > 0);
});

Terms.run();
