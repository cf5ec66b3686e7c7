import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Candidate, loses } from '../../../src/jobs/dedup-order.ts';

const Order = suite('dedup order');
const page = (id: string, score: number, time: number): Candidate => ({ id, score, time, segment: 0, doc: 0 });
const best = (pages: readonly Candidate[], by: 'score' | 'url'): string =>
  pages.reduce((kept, other) => (loses(kept, other, by) ? other : kept)).id;
const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

Order('of equal content the higher score stays, then the newer, the shorter, the first', () => {
  const all = [
    page('http://x.test/aa', 2, 5),
    page('http://x.test/b', 2, 5),
    page('http://x.test/a', 2, 5),
    page('http://x.test/zzzz', 2, 6),
    page('http://x.test/zzzzz', 3, 1),
  ];
  const order = ['zzzzz', 'zzzz', 'a', 'b', 'aa'].map((name) => `http://x.test/${name}`);
  for (let left = all; left.length > 1; ) {
    const winners = new Set(permutations(left).map((some) => best(some, 'score')));
    assert.equal([...winners], [order.shift()!]);
    left = left.filter(({ id }) => !winners.has(id));
  }
});

Order('configured so, the shortest address stays whatever the scores', () => {
  const all = [page('http://x.test/long', 9, 9), page('http://x.test/b', 1, 1), page('http://x.test/a', 1, 2)];
  for (const some of permutations(all)) assert.is(best(some, 'url'), 'http://x.test/a');
});

Order('RU-dups-07: of four copies under http, https, www and none the plain https one stays, in every order', () => {
  const all = ['http://e.com/a', 'https://e.com/a', 'http://www.e.com/a', 'https://www.e.com/a'].map((id) =>
    page(id, 1, 1),
  );
  for (const some of permutations(all)) assert.is(best(some, 'score'), 'https://e.com/a');
});

Order('two different documents are never equal, and one of them loses by exactly one rule', () => {
  const all = [0, 1].flatMap((score) =>
    [0, 1].flatMap((time) =>
      ['http://x.test/', 'https://x.test/', 'http://x.test/a', 'id-7'].map((id) => page(id, score, time)),
    ),
  );
  for (const by of ['score', 'url'] as const)
    for (const a of all)
      for (const b of all) if (a !== b) assert.is((loses(a, b, by) === null) !== (loses(b, a, by) === null), true);
});

Order.run();
