import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BLOCK,
  bitsOf,
  pack,
  packedWords,
  packPatched,
  skipPatched,
  unpack,
  unpackFew,
  unpackPatched,
  unpackSummed,
} from '../../../index/format/pack.ts';

const Pack = suite('pack');
const words = new Int32Array(400);
const out = new Int32Array(BLOCK);
const few = new Uint32Array(BLOCK + 4);
const sizes = [1, 2, 31, 32, 33, 127, 128];

/** Numbers of at most `bits` bits, the largest among them. */
function numbers(bits: number, count: number): Int32Array {
  const largest = 2 ** bits - 1;
  return Int32Array.from({ length: count }, (_, i) =>
    i === count - 1 ? largest : Math.floor(largest * Math.abs(Math.sin(i + bits))),
  );
}

for (const count of sizes) {
  Pack(`${count} numbers of every width come back, and nothing behind them is touched`, () => {
    for (let bits = 0; bits <= 31; bits++) {
      const given = numbers(bits, count);
      words.fill(-1);
      const end = pack(given, count, bits, words, 3);
      assert.is(end - 3, packedWords(count, bits));
      assert.equal([words[2], words[end]], [-1, -1], `${bits} bits`);
      out.fill(77);
      unpack(words, 3, count, bits, out);
      assert.equal(out.subarray(0, count), given, `${bits} bits`);
    }
  });

  Pack(`${count} gaps of every width sum up`, () => {
    for (let bits = 0; bits <= 24; bits++) {
      const gaps = numbers(bits, count);
      pack(gaps, count, bits, words, 0);
      for (const before of [-1, 41]) {
        unpackSummed(words, 0, count, bits, out, before);
        let sum = before;
        for (let i = 0; i < count; i++) assert.is(out[i], (sum = (sum + gaps[i]! + 1) | 0), `${bits} bits, ${i}`);
      }
    }
  });
}

Pack('patched numbers come back, whatever stands out of them', () => {
  const outliers = fc.array(fc.tuple(fc.nat(127), fc.nat(2 ** 31 - 1)), { maxLength: 24 });
  const given = fc.tuple(fc.integer({ min: 1, max: BLOCK }), fc.nat(20), outliers, fc.infiniteStream(fc.nat(2 ** 20)));
  fc.assert(
    fc.property(given, ([count, bits, tops, stream]) => {
      const values = new Int32Array(BLOCK);
      for (let i = 0; i < count; i++) values[i] = stream.next().value! & (2 ** bits - 1);
      for (const [i, value] of tops) if (i < count) values[i] = value;
      words.fill(-1);
      const end = packPatched(values, count, words, 1);
      assert.is(words[0], -1);
      assert.is(words[end], -1);
      assert.is(words[1]! >>> 24, 0, 'the five bits above the header are free');
      assert.is(skipPatched(words, 1, count), end);
      assert.is(unpackPatched(words, 1, count, out), end);
      assert.equal(out.subarray(0, count), values.subarray(0, count));
      for (const [from, some] of [
        [0, count],
        [count >> 1, 1],
        [count - 1, 1],
        [count >> 2, count - (count >> 2)],
      ] as const) {
        few.fill(9);
        unpackFew(words, 1, from, some, few, 2);
        assert.equal([...few.subarray(2, 2 + some)], [...values.subarray(from, from + some)], `${some} from ${from}`);
        assert.equal([few[1], few[2 + some]], [9, 9]);
      }
      const widest = Math.max(...Array.from(values.subarray(0, count), bitsOf));
      assert.ok(end - 1 <= 1 + packedWords(count, widest), 'never longer than without patches');
    }),
    { numRuns: 3000 },
  );
});

Pack('one large number among small ones costs no width', () => {
  const values = new Int32Array(BLOCK).fill(1);
  values[127] = 300;
  const end = packPatched(values, BLOCK, words, 0);
  assert.is(end, 1 + 4);
});

Pack.run();
