import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Least, Stretches } from '../../../index/suggest/least.ts';

const Suite = suite('least');

const numbers = fc.array(fc.nat(500), { maxLength: 400 });

Suite('the smallest of any stretch, each once, are those a sort would give', () =>
  fc.assert(
    fc.property(numbers, fc.nat(400), fc.nat(400), fc.nat(20), fc.boolean(), (list, a, b, limit, odd) => {
      const [from, to] = [Math.min(a, b, list.length), Math.min(Math.max(a, b), list.length)];
      const best = new Least(limit);
      new Stretches(Uint32Array.from(list)).offer(from, to, best, odd ? (number) => number % 2 === 1 : null);
      const dumb = [...new Set(list.slice(from, to).filter((number) => !odd || number % 2 === 1))].sort(
        (x, y) => x - y,
      );
      assert.equal([...best.numbers.subarray(0, best.count)], dumb.slice(0, limit));
      for (const number of dumb) assert.is(best.has(number), dumb.indexOf(number) < limit);
    }),
  ),
);

Suite('several stretches may be offered, one after the other', () => {
  const best = new Least(3);
  const stretches = new Stretches(Uint32Array.from([9, 4, 7, 1, 4, 2]));
  stretches.offer(0, 2, best, null);
  stretches.offer(3, 6, best, null);
  assert.equal([...best.numbers], [1, 2, 4]);
});

Suite.run();
