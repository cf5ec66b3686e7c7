import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ByteReader, ByteWriter } from '../../../index/io/bytes.ts';
import { Beginnings } from '../../../index/suggest/beginnings.ts';
import { createIndex } from '../../../index/suggest/build.ts';

const Suite = suite('beginnings');
type Part = readonly [key: string, data: string];

/** The words of an entry, as a list of entries. */
function ours(entries: readonly (readonly string[])[], most = Number.POSITIVE_INFINITY): Part[] {
  const beginnings = new Beginnings(most);
  for (const [number, words] of entries.entries()) beginnings.add(number, words);
  const out = new ByteWriter();
  beginnings.write(out);
  const from = new ByteReader(out.view());
  return Array.from({ length: from.varint() }, () => [from.string(), from.string()] as const);
}

function theirs(entries: readonly (readonly string[])[]): Part[] {
  const index = createIndex();
  for (const [number, words] of entries.entries()) index.add(number, words.join(' '));
  const parts: Part[] = [];
  index.export((key, data) => void (typeof data === 'string' && parts.push([key, data])));
  return parts;
}

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }),
  fc.string({
    unit: fc.constantFrom('é', '"', '\\', '\u0007', '\ud83d\udc3f', '\ud800', '字'),
    minLength: 1,
    maxLength: 3,
  }),
);
const entries = fc.array(fc.array(word, { maxLength: 24 }), { maxLength: 40 });

Suite('what is written is what FlexSearch exports, byte for byte', () =>
  fc.assert(fc.property(entries, (list) => assert.equal(ours(list), theirs(list)))),
);

Suite('so it is when there are too many entries and beginnings for one part', () => {
  const many = Array.from({ length: 30_000 }, (_, n) => [n.toString(36), (n * 7919).toString(36)]);
  const parts = ours(many);
  assert.ok(parts.length > 2);
  assert.equal(parts, theirs(many));
});

Suite('of a beginning that too many entries have, those are written that FlexSearch gives first', () => {
  const list = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? ['alpha', 'beta'] : ['beta', 'gamma', 'alpine']));
  const read = (parts: readonly Part[]) => {
    const index = createIndex();
    for (const [key, data] of parts) index.import(key, data);
    return index;
  };
  const some = read(ours(list, 120));
  const all = read(theirs(list));
  for (const begin of ['a', 'al', 'alpi', 'beta', 'g', 'x'])
    assert.equal(some.search(begin, { limit: 500 }), all.search(begin, { limit: 120 }), begin);
});

Suite('a word of any length has beginnings up to the longest term', () => {
  assert.equal(ours([['x'.repeat(255)]]), theirs([['x'.repeat(255)]]));
  assert.equal(ours([['x'.repeat(300)]]), ours([['x'.repeat(255)]]));
});

Suite.run();
