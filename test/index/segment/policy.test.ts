import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseMerges, type SegmentSize, TIERED } from '../../../index/segment/policy.ts';
import { random } from '../../kit/index-documents.ts';

const Policy = suite('merge policy');
const sizes = (...docs: number[]): SegmentSize[] => docs.map((n, i) => ({ name: `s${i}`, docs: n, deleted: 0 }));

Policy('a few segments are left alone', () => {
  assert.equal(chooseMerges([]), []);
  assert.equal(chooseMerges(sizes(5, 5, 5)), []);
  assert.equal(chooseMerges(sizes(50_000, 5, 5, 5)), []);
});

Policy('ten small neighbours become one, the large one before them is not copied', () => {
  const merges = chooseMerges(sizes(50_000, ...Array(10).fill(5)));
  assert.equal(merges, [Array.from({ length: 10 }, (_, i) => `s${i + 1}`)]);
});

Policy('a segment half deleted is rewritten', () => {
  assert.equal(
    chooseMerges([
      { name: 'a', docs: 100, deleted: 49 },
      { name: 'b', docs: 100, deleted: 50 },
    ]),
    [['b']],
  );
});

Policy('no merge makes more than the most documents', () => {
  const policy = { ...TIERED, maxDocs: 25_000 };
  for (const merge of chooseMerges(sizes(...Array(40).fill(2000)), policy)) assert.ok(merge.length * 2000 <= 25_000);
  assert.equal(chooseMerges(sizes(30_000, 30_000, 30_000), policy), []);
});

Policy('over thousands of commits segments stay few and a document is copied a few times', () => {
  for (const seed of [1, 2, 3]) {
    const next = random(seed);
    let segments: { name: string; docs: number; deleted: number }[] = [];
    let names = 0;
    let added = 0;
    let copied = 0;
    let most = 0;
    for (let commit = 0; commit < 3000; commit++) {
      const docs = 1 + Math.floor(next() ** 4 * 5000);
      added += docs;
      segments.push({ name: `n${names++}`, docs, deleted: 0 });
      for (const segment of segments) if (next() < 0.02) segment.deleted = Math.min(segment.docs, segment.deleted + 1);
      for (const merge of chooseMerges(segments)) {
        const start = segments.findIndex(({ name }) => name === merge[0]);
        const run = segments.slice(start, start + merge.length);
        assert.equal(
          run.map(({ name }) => name),
          merge,
          'neighbours, in order',
        );
        const live = run.reduce((sum, segment) => sum + segment.docs - segment.deleted, 0);
        copied += live;
        segments = [
          ...segments.slice(0, start),
          { name: `n${names++}`, docs: live, deleted: 0 },
          ...segments.slice(start + merge.length),
        ];
      }
      most = Math.max(most, segments.length);
    }
    assert.ok(most < 60, `seed ${seed}: ${most} segments at once`);
    assert.ok(copied < (1 + Math.log10(added)) * added, `seed ${seed}: ${copied / added} copies of a document`);
  }
});

Policy.run();
