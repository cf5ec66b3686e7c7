import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MemoryDirectory, openSegment, openShared, SegmentBuilder, type SegmentReader } from '../../../index/index.ts';
import { addSketch } from '../../../src/fields/document.ts';
import { pageSchema } from '../../../src/fields/schema.ts';
import { findNear, idsOf } from '../../../src/jobs/near.ts';
import { decodeNear, encodeNear } from '../../../src/jobs/near-file.ts';
import { defaults } from '../../../src/options.ts';
import { equalValues, NEAR_VALUES, sketchOf } from '../../../src/parse/near.ts';
import { random } from '../../kit/index-documents.ts';

const Near = suite('groups of nearly the same text');
const options = { ...defaults.index, nearDuplicates: 'group' as const };
const signal = new AbortController().signal;

interface Page {
  readonly id: string;
  readonly text: string;
  readonly boost?: number;
  readonly fetched?: number;
}
/** `cuts`: numbers of documents at which another segment begins. */
function readersOf(
  pages: readonly Page[],
  cuts: readonly number[] = [],
  directory = new MemoryDirectory(),
): SegmentReader[] {
  return [0, ...cuts].map((from, i, starts) => {
    const builder = new SegmentBuilder(pageSchema(options));
    for (const page of pages.slice(from, starts[i + 1])) {
      const document = { ...page };
      addSketch(document, options);
      builder.add(document);
    }
    builder.write(directory, `s${i}`);
    return openSegment(directory, `s${i}`);
  });
}
async function groupsOf(pages: readonly Page[], cuts: readonly number[] = [], by: 'score' | 'url' = 'score') {
  const readers = readersOf(pages, cuts);
  const groups = await findNear(readers, by, signal);
  const ids = idsOf(readers, groups);
  return groups.map((group) => group.map((doc) => ids.get(doc)!));
}

const words = (n: number, seed: number): string[] => {
  const next = random(seed);
  return Array.from({ length: n }, () => `w${Math.floor(next() * 1e6).toString(36)}`);
};
const changed = (text: readonly string[], share: number, seed: number): string => {
  const next = random(seed);
  return text.map((word) => (next() < share ? `x${Math.floor(next() * 1e6)}` : word)).join(' ');
};

/** Forty texts with none to four copies, each changed a little, in one shuffled list. */
function pages(seed: number): Page[] {
  const next = random(seed);
  const all = Array.from({ length: 40 }, (_, t) => {
    const text = words(60 + Math.floor(next() * 300), seed * 100 + t);
    return Array.from({ length: 1 + Math.floor(next() * 5) }, (_, copy) => ({
      id: `http://h.test/${t}/${copy}`,
      text: copy === 0 ? text.join(' ') : changed(text, 0.02 * copy, seed * 1000 + t * 10 + copy),
      boost: Math.floor(next() * 3),
      fetched: Math.floor(next() * 3),
    }));
  }).flat();
  return all
    .map((page) => ({ page, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ page }) => page);
}

/** Every pair compared: who is bound to whom; then leaders, best first. */
function dumb(all: readonly Page[]): string[][] {
  const sketches = all.map(({ text }) => new Uint32Array(sketchOf(text)!.buffer));
  const near = (a: number, b: number): boolean => equalValues(sketches[a]!, 0, sketches[b]!, 0) >= NEAR_VALUES;
  const order = all
    .map((_, i) => i)
    .sort(
      (a, b) =>
        all[b]!.boost! - all[a]!.boost! ||
        all[b]!.fetched! - all[a]!.fetched! ||
        all[a]!.id.length - all[b]!.id.length ||
        a - b,
    );
  const groups: number[][] = [];
  for (const i of order) {
    const group = groups.find(([leader]) => near(i, leader!));
    if (group) group.push(i);
    else groups.push([i]);
  }
  return groups.filter((group) => group.length > 1).map((group) => group.map((i) => all[i]!.id));
}
const sorted = (groups: readonly string[][]): string[] => groups.map((group) => group.join(' ')).sort();

for (const seed of [1, 2, 3])
  Near(
    `groups are those of comparing every pair, however the documents are cut into segments (seed ${seed})`,
    async () => {
      const all = pages(seed);
      const found = await groupsOf(all);
      assert.equal(sorted(found), sorted(dumb(all)));
      assert.ok(found.length > 10);
      assert.equal(await groupsOf(all, [1, 30, 31, 70]), found);
    },
  );

Near('a chain of small changes makes no group of texts that have little in common', async () => {
  const text = words(100, 7);
  const chain = Array.from({ length: 12 }, (_, i) => ({
    id: `http://h.test/${String(i).padStart(2, '0')}`,
    text: [...words(100, 8).slice(0, i * 8), ...text.slice(i * 8)].join(' '),
  }));
  const groups = await groupsOf(chain);
  assert.ok(groups.length > 1, JSON.stringify(groups));
  assert.not.ok(groups.some((group) => group.includes(chain[0]!.id) && group.includes(chain[11]!.id)));
});

Near(
  'the leader is the better scored, then the newer, then the one with the shorter address; by url that first',
  async () => {
    const text = words(50, 3).join(' ');
    const of = (a: Partial<Page>, b: Partial<Page>, by: 'score' | 'url' = 'score') =>
      groupsOf(
        [
          { id: 'http://h.test/aa', text, ...a },
          { id: 'http://h.test/b', text, ...b },
        ],
        [],
        by,
      ).then(([group]) => group![0]);
    assert.is(await of({ boost: 2 }, { boost: 1, fetched: 9 }), 'http://h.test/aa');
    assert.is(await of({ fetched: 2 }, { fetched: 1 }), 'http://h.test/aa');
    assert.is(await of({ fetched: 1 }, { fetched: 1 }), 'http://h.test/b');
    assert.is(await of({ boost: 2 }, { boost: 1 }, 'url'), 'http://h.test/b');
    assert.is(await of({ id: 'http://h.test/b' }, { id: 'https://h.test/b' }), 'https://h.test/b');
  },
);

Near('documents without words, or deleted, are in no group', async () => {
  const text = words(50, 3).join(' ');
  const four = [
    { id: 'a', text: '!' },
    { id: 'b', text: '!' },
    { id: 'c', text },
    { id: 'd', text },
  ];
  const directory = new MemoryDirectory();
  const [reader] = readersOf(four, [], directory);
  assert.equal(await findNear([reader!], 'score', signal), [[2, 3]]);
  const { name, files } = reader!.share();
  const killed = openShared(directory, { name, files, live: Int32Array.of(0b0111), checked: true });
  assert.equal(await findNear([killed], 'score', signal), []);
});

Near('ten thousand copies of one text are one group, and cost no comparison of each with each', async () => {
  const text = words(50, 5);
  const all = Array.from({ length: 10_000 }, (_, i) => ({ id: `http://h.test/${i}`, text: `${text.join(' ')} n${i}` }));
  const groups = await groupsOf(all);
  assert.is(groups.length, 1);
  assert.is(groups[0]!.length, 10_000);
});

Near('a signal stops it', async () => {
  const stop = new AbortController();
  stop.abort();
  const error = await findNear(readersOf(pages(1)), 'score', stop.signal).then(
    () => undefined,
    (failure: { code: string }) => failure,
  );
  assert.is(error?.code, 'interrupted');
});

Near('groups come back from their file, and any flipped byte and any cut is told', () => {
  const segments = [{ docs: 5 }, { docs: 3 }];
  const bytes = encodeNear(
    [
      [6, 1],
      [3, 0, 7],
    ],
    segments,
  );
  const { groups, leaders } = decodeNear(bytes, 'near-1', segments);
  assert.equal(
    groups.map((group) => [...group]),
    [
      [2, 1, 0, 2, 0],
      [0, 1, 2],
    ],
  );
  assert.equal([...leaders], [6, 3]);
  const fails = (damaged: Uint8Array, at: number): void =>
    assert.throws(
      () => decodeNear(damaged, 'near-1', segments),
      (error: { code: string }) => /corrupt|too-/.test(error.code),
      `byte ${at}`,
    );
  for (let at = 0; at < bytes.length; at++) {
    fails(bytes.slice(0, at), at);
    const flipped = bytes.slice();
    flipped[at]! ^= 1 << (at % 8);
    fails(flipped, at);
  }
  assert.throws(() => decodeNear(bytes, 'near-1', [{ docs: 5 }, { docs: 4 }]), /other segments/);
});
Near.run();
