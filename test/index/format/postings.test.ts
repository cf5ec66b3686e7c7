import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeLength, NORM_LENGTHS } from '../../../index/format/norms.ts';
import { readPositions } from '../../../index/format/positions.ts';
import { END, PostingsCursor, readPostings } from '../../../index/format/postings.ts';
import { PostingsWriter } from '../../../index/format/postings-writer.ts';
import { readSkips } from '../../../index/format/skips.ts';
import { TermEntry } from '../../../index/format/term-entry.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';

const Postings = suite('postings');

interface Posting {
  readonly doc: number;
  readonly gaps: readonly number[];
}

/** Terms written one after the other and read by one cursor. */
function check(terms: readonly (readonly Posting[])[], norms: Uint8Array | null, withPositions: boolean): void {
  const directory = new MemoryDirectory();
  const writer = PostingsWriter.create(directory, 'p', 's', 'x');
  writer.field(norms, withPositions);
  const entries = terms.map((postings) => {
    for (const { doc, gaps } of postings) {
      writer.document(doc, gaps.length, Uint32Array.from([9, ...gaps]), 1);
    }
    assert.is(writer.finish(), postings.length > 0);
    return structuredCopy(writer.entry);
  });
  writer.close();
  const source = {
    postingWords: readPostings(directory.read('p'), 'p'),
    skipWords: readSkips(directory.read('s'), 's'),
    positionWords: readPositions(directory.read('x'), 'x'),
    norms,
    hasPositions: withPositions,
    entry: (n: number, entry: TermEntry) => {
      Object.assign(entry, { ...entries[n], inline: undefined });
      Object.defineProperty(entry, 'inline', { value: entries[n]!.inline, configurable: true });
    },
  };
  const cursor = new PostingsCursor();
  for (const [n, postings] of terms.entries()) {
    if (postings.length === 0) continue;
    cursor.reset(source, n);
    assert.is(cursor.df, postings.length);
    assert.is(cursor.blocks, Math.ceil(postings.length / 128));
    for (const { doc, gaps } of postings) {
      assert.is(cursor.next(), doc);
      assert.is(cursor.freq, gaps.length);
      let position = 0;
      const positions = withPositions ? gaps.map((gap) => (position += gap)) : [];
      assert.equal(positionsOf(cursor), positions);
    }
    assert.is(cursor.next(), END);
    seeks(cursor.reset(source, n), postings, withPositions);
    blocks(cursor.reset(source, n), postings, norms, withPositions);
  }
}

function positionsOf(cursor: PostingsCursor): number[] {
  const count = cursor.positions();
  return [...cursor.positionBuffer.subarray(0, count)];
}

function structuredCopy(entry: TermEntry): TermEntry {
  const copy = new TermEntry();
  copy.inline.set(entry.inline);
  return Object.assign(copy, { ...entry, inline: copy.inline });
}

/** Jumps of many sizes, and positions only now and then. */
function seeks(cursor: PostingsCursor, postings: readonly Posting[], withPositions: boolean): void {
  let at = -1;
  for (let step = 1; at < postings.length; step = (step * 5 + 1) % 211) {
    const target = (at < 0 ? -1 : postings[at]!.doc) + step;
    const expected = postings.findIndex(({ doc }) => doc >= target);
    assert.is(cursor.seek(target), expected < 0 ? END : postings[expected]!.doc);
    assert.is(cursor.seek(target), cursor.doc, 'a seek to where it is stays');
    if (expected < 0) break;
    at = expected;
    if (withPositions && step % 3 === 0) {
      let position = 0;
      const positions = postings[at]!.gaps.map((gap) => (position += gap));
      assert.equal(positionsOf(cursor), positions);
      assert.equal(positionsOf(cursor), positions, 'asked twice');
    }
    if (step % 7 === 0) {
      assert.is(cursor.next(), postings[at + 1]?.doc ?? END);
      at++;
    }
  }
}

/** Blocks tell the truth of what is in them, loaded or not. */
function blocks(
  cursor: PostingsCursor,
  postings: readonly Posting[],
  norms: Uint8Array | null,
  withPositions: boolean,
): void {
  const pairsOf = (list: readonly Posting[]): [number, number][] =>
    list.map(({ doc, gaps }) => [gaps.length, norms ? norms[doc]! : 0]);
  const bounds = (b: number, list: readonly Posting[]): void => {
    const count = cursor.impacts(b);
    const impacts = Array.from({ length: count }, (_, i) => [cursor.impactFreqs[i]!, cursor.impactNorms[i]!] as const);
    for (const [freq, norm] of pairsOf(list)) {
      assert.ok(
        impacts.some(([f, n]) => f >= freq && n <= norm),
        `block ${b}: (${freq}, ${norm}) is above its impacts`,
      );
    }
    for (const [f, n] of impacts) {
      const near = pairsOf(list).some(([freq, norm]) => norm === n && (freq === f || (freq > 40 && freq > f * 0.85)));
      assert.ok(near, `block ${b}: no document is like (${f}, ${n})`);
    }
    for (let i = 1; i < count; i++) {
      assert.ok(impacts[i]![0] > impacts[i - 1]![0] && impacts[i]![1] > impacts[i - 1]![1], 'rising');
    }
  };
  for (let b = cursor.blocks - 1; b >= 0; b--) {
    const list = postings.slice(b * 128, b * 128 + 128);
    assert.is(cursor.blockLast(b), list.at(-1)!.doc);
    bounds(b, list);
    assert.is(cursor.load(b), list.length);
    cursor.loadFreqs();
    assert.equal(
      [...cursor.docs.subarray(0, list.length)],
      list.map(({ doc }) => doc),
    );
    assert.equal(
      [...cursor.freqs.subarray(0, list.length)],
      list.map(({ gaps }) => gaps.length),
    );
    assert.is(cursor.next(), list[0]!.doc);
    const gaps = withPositions ? list.flatMap((posting) => posting.gaps) : [];
    const found = cursor.blockGaps();
    assert.equal([...cursor.positionBuffer.subarray(0, found)], gaps);
  }
  bounds(-1, postings);
}

/** `count` postings with gaps of up to `spread` documents and now and then many positions. */
function postings(count: number, spread: number, seed: number): Posting[] {
  let doc = -1;
  let state = seed;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return Array.from({ length: count }, () => {
    doc += 1 + next(spread);
    const freq = next(40) === 0 ? 1 + next(900) : 1 + next(4);
    return { doc, gaps: Array.from({ length: freq }, () => next(next(10) === 0 ? 100_000 : 60)) };
  });
}

const normsFor = (docs: number): Uint8Array =>
  Uint8Array.from({ length: docs }, (_, i) => encodeLength(1 + ((i * 37) % 5000)));

for (const count of [1, 2, 127, 128, 129, 255, 256, 257, 1000]) {
  Postings(`a term of ${count} documents comes back by steps, by jumps and by blocks`, () => {
    for (const [seed, spread] of [1, 3, 50].entries()) {
      const terms = [
        postings(count, spread, seed + 1),
        postings(1, 900, 5),
        postings(count, spread, seed + 9),
        postings(3, 9, 2),
      ];
      const norms = normsFor(1 + Math.max(...terms.flat().map(({ doc }) => doc)));
      check(terms, norms, true);
      check(terms, norms, false);
      check(terms, null, true);
    }
  });
}

Postings('every frequency of a single document is kept, in the dictionary or not', () => {
  for (let freq = 1; freq < 300; freq++) {
    const gaps = Array.from({ length: freq }, (_, i) => i * 3);
    check([[{ doc: 17, gaps }], [{ doc: 0, gaps: [0] }]], normsFor(20), true);
  }
});

Postings('terms of any shape, one after the other', () => {
  const posting = fc.tuple(
    fc.integer({ min: 1, max: 300 }),
    fc.array(fc.nat(2 ** 20), { minLength: 1, maxLength: 12 }),
  );
  const term = fc.array(posting, { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), (list) => {
      const terms = list.map((steps) => {
        let doc = -1;
        return steps.map(([gap, gaps]) => ({ doc: (doc += gap), gaps }));
      });
      check(terms, normsFor(1 + Math.max(...terms.flat().map(({ doc }) => doc))), true);
    }),
    { numRuns: 60 },
  );
});

Postings('norms are Lucene’s bytes: 0 to 40 exact, then four bits, never above the length', () => {
  for (let length = 0; length <= 40; length++) assert.is(NORM_LENGTHS[encodeLength(length)], length);
  for (let length = 0, before = 0; length < 100_000; length++) {
    const norm = encodeLength(length);
    assert.ok(norm >= before);
    before = norm;
    assert.ok(NORM_LENGTHS[norm]! <= length && length < (NORM_LENGTHS[norm + 1] ?? Number.POSITIVE_INFINITY));
  }
  // Values of Lucene's SmallFloat.intToByte4 and byte4ToInt.
  assert.equal([41, 42, 56, 57, 100, 1000, 65_536, 2 ** 31 - 1].map(encodeLength), [40, 41, 48, 48, 57, 87, 135, 255]);
  assert.equal(
    [40, 48, 57, 87, 135].map((norm) => NORM_LENGTHS[norm]),
    [40, 56, 96, 984, 61_464],
  );
});

Postings.run();
