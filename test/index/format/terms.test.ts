import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { END, PostingsCursor } from '../../../index/format/postings.ts';
import { sortTerms } from '../../../index/format/sort-terms.ts';
import { decodeString, decodeUnits, encodeString, encodeUnits } from '../../../index/format/units.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { SegmentBuilder } from '../../../index/segment/builder.ts';
import { openSegment } from '../../../index/segment/reader.ts';
import { spaceChain } from '../../kit/index-documents.ts';

const Terms = suite('terms');
/** Any code units: surrogate pairs, lone ones, zeros. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.nat(0x7f), fc.constantFrom(0, 0xd83d, 0xde00, 0xe000, 0xffff)))
  .map((units) => String.fromCharCode(...units));
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A dictionary of a keyword field whose terms are these. */
function dictionary(terms: readonly string[]) {
  const directory = new MemoryDirectory();
  const schema = {
    key: 'id',
    fields: [
      { name: 'id', index: 'keyword' as const },
      { name: 't', index: 'keyword' as const },
    ],
  };
  const builder = new SegmentBuilder(schema);
  for (const [i, term] of terms.entries()) builder.add({ id: `${i}`, t: term });
  builder.write(directory, 's');
  return openSegment(directory, 's').terms('t');
}

Terms('any string comes back from its bytes, and bytes are in the order of <', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const left = new Uint8Array(a.length * 3);
      const right = new Uint8Array(b.length * 3);
      const endA = encodeString(a, left, 0);
      const endB = encodeString(b, right, 0);
      assert.is(decodeString(left, 0, endA), a);
      const order = Buffer.compare(left.subarray(0, endA), right.subarray(0, endB));
      assert.is(Math.sign(order), byUnits(a, b));
      const units = Uint16Array.from({ length: a.length }, (_, i) => a.charCodeAt(i));
      const again = new Uint8Array(a.length * 3);
      assert.is(encodeUnits(units, 0, a.length, again, 0), endA);
      assert.equal(again, left);
      const decoded = new Uint16Array(a.length);
      assert.is(decodeUnits(left, 0, endA, decoded), a.length);
      assert.equal(decoded, units);
    }),
    { numRuns: 2000 },
  );
});

Terms('the sort without comparisons equals the sort with them, forwards and backwards', () => {
  const short = fc.uint8Array({ maxLength: 12, max: 3 });
  const texts = fc.array(fc.oneof(short, fc.uint8Array({ maxLength: 6 })), { maxLength: 400 });
  fc.assert(
    fc.property(texts, (list) => {
      const starts = new Uint32Array(list.length + 1);
      for (const [i, text] of list.entries()) starts[i + 1] = starts[i]! + text.length;
      const bytes = Buffer.concat(list);
      for (const backwards of [false, true]) {
        const key = (i: number): Buffer => Buffer.from(backwards ? [...list[i]!].reverse() : list[i]!);
        const expected = [...list.keys()].sort((a, b) => Buffer.compare(key(a), key(b)) || a - b);
        assert.equal([...sortTerms(bytes, starts, list.length, backwards)], expected);
      }
    }),
    { numRuns: 500 },
  );
});

for (const size of [0, 1, 31, 32, 33, 64, 65, 1000]) {
  Terms(`among ${size} terms each is found, and each gap has its ceiling`, () => {
    const terms = Array.from({ length: size }, (_, i) => `t${((i * 7919) % 10007).toString(36)}`).sort(byUnits);
    const d = dictionary(terms);
    assert.is(d.size, size);
    for (const [n, term] of terms.entries()) {
      assert.is(d.find(term), n);
      assert.is(d.ceil(term), n);
      assert.is(d.term(n), term);
      assert.is(d.find(`${term}!`), -1);
      assert.is(d.ceil(`${term}!`), n + 1);
    }
    assert.is(d.ceil(''), 0);
    assert.is(d.find(''), -1);
    assert.is(d.ceil('zz'), size);
  });
}

Terms('whatever the terms, look-ups equal those of a sorted list', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        anyText.filter((text) => text !== ''),
        { maxLength: 120 },
      ),
      fc.array(anyText),
      (list, probes) => {
        const d = dictionary(list);
        const sorted = [...list].sort(byUnits);
        assert.is(d.size, sorted.length);
        for (const probe of [...probes, ...sorted]) {
          const ceil = sorted.findIndex((term) => term >= probe);
          assert.is(d.ceil(probe), ceil < 0 ? sorted.length : ceil);
          assert.is(d.find(probe), sorted.indexOf(probe));
        }
        for (const [n, term] of sorted.entries()) assert.is(d.term(n), term);
      },
    ),
    { numRuns: 200 },
  );
});

Terms('a term of thousands of units is a term like any other', () => {
  const long = ['a'.repeat(10_000), `${'a'.repeat(9_999)}b`, 'é'.repeat(8_000), 'b'];
  const d = dictionary(long);
  for (const term of long) assert.is(d.term(d.find(term)), term);
});

Terms('the order from the end answers every ending', () => {
  const directory = new MemoryDirectory();
  const schema = {
    key: 'id',
    fields: [
      { name: 'id', index: 'keyword' as const },
      { name: 't', index: 'bag' as const },
    ],
  };
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  const terms = Array.from({ length: 700 }, (_, i) => `${(i * 7919).toString(7)}${i % 5 ? '' : 'é'}`);
  builder.add({ id: '1', t: terms.join(' ') });
  builder.write(directory, 's');
  const d = openSegment(directory, 's').terms('t');
  const distinct = [...new Set(terms)];
  assert.is(d.size, distinct.length);
  const ranks = Array.from({ length: d.size }, (_, rank) => d.reverse(rank));
  assert.equal(
    [...ranks].sort((a, b) => a - b),
    [...ranks.keys()],
    'a permutation',
  );
  for (const ending of ['', '6', '66', 'é', '1é', '123456', 'zz', ...distinct.slice(0, 50)]) {
    const expected = distinct.filter((term) => term.endsWith(ending)).sort(byUnits);
    const found: string[] = [];
    for (let rank = d.reverseCeil(ending); rank < d.size; rank++) {
      const term = d.term(d.reverse(rank));
      if (!term.endsWith(ending)) break;
      found.push(term);
    }
    assert.equal(found.sort(byUnits), expected, ending);
  }
});

Terms('a cursor asked for nothing is at its beginning, and can be pooled', () => {
  const d = dictionary(['x', 'y']);
  const cursor = new PostingsCursor();
  for (const n of [1, 0, 1]) {
    d.postings(n, cursor);
    assert.is(cursor.doc, -1);
    assert.is(cursor.next(), n);
    assert.is(cursor.next(), END);
  }
});

Terms.run();
