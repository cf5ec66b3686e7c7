import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginsFolded, fold, foldSlow } from '../../../index/text/table.ts';

const Table = suite('table');

const text = fc.string({
  unit: fc.constantFrom(...'aBé ß,ﬁИ字½.', '\u0301', '\ud83d\udc3f', '\ud835\udd1e', '\ud800', '\u00ad', '\t'),
  maxLength: 12,
});

Table('a text folds as its characters do, one by one, however long it is', () => {
  const one = (char: string): string => foldSlow(char);
  assert.is(fold('Straße, ÉCOLE\u0301 ½ 🐿'), 'strasse, ecole 1⁄2 🐿');
  fc.assert(fc.property(text, (some) => assert.is(fold(some), [...some].map(fold).join(''))));
  for (const char of ['A', 'é', 'ﬁ', 'И']) assert.is(fold(char), one(char));
  assert.is(fold('Ab é'.repeat(300)), 'ab e'.repeat(300));
});

Table('whether a folded text begins so is known without folding the whole', () =>
  fc.assert(
    fc.property(text, text, fc.nat(12), (a, b, n) => {
      for (const begin of [fold(b), fold(a).slice(0, n)])
        assert.is(beginsFolded(a, begin), fold(a).startsWith(begin), JSON.stringify([a, begin]));
    }),
  ),
);

Table.run();
