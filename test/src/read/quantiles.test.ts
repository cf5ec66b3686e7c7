import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Quantiles, spreadOf } from '../../../src/read/quantiles.ts';

const Spread = suite('quantiles');

Spread('each quantile lies within one part in a hundred of that of a sort', () => {
  const value = fc.oneof(
    fc.constant(0),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).filter((v) => v === 0 || Math.abs(v) > 1e-12),
  );
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0, 0.01, 0.25, 0.5, 0.9, 1),
      (values, share) => {
        const quantiles = new Quantiles();
        for (const one of values) quantiles.add(one);
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(share * values.length)) - 1]!;
        assert.ok(
          Math.abs(quantiles.at(share) - exact) <= Math.abs(exact) * 0.0101,
          `${quantiles.at(share)}, ${exact}`,
        );
      },
    ),
    { numRuns: 1000 },
  );
});
Spread('nothing has no spread, and negative scores have a greatest one', () => {
  assert.is(spreadOf(new Quantiles()), null);
  const quantiles = new Quantiles();
  for (const value of [-3, -2, -1]) quantiles.add(value);
  const { min, mean, max } = spreadOf(quantiles)!;
  assert.equal([min, mean, max], [-3, -2, -1]);
});
Spread.run();
