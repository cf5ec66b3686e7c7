import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chainNames, createChain } from '../../../index/text/chains.ts';
import { termsOf, tokensOf } from '../../kit/tokens.ts';

const Chains = suite('chains');

Chains('every chain takes any text, keeps its bounds and says the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      for (const name of chainNames)
        assert.equal(tokensOf(createChain(name)!, text), tokensOf(createChain(name)!, text), name);
    }),
    { seed: 3, numRuns: 300 },
  );
});

Chains('a name that is none makes no chain', () => {
  for (const name of ['absent', '', '__proto__', 'constructor']) assert.is(createChain(name), undefined, name);
  assert.is(createChain()!.name, createChain('words')!.name);
});

Chains('names differ, and carry a version', () => {
  const names = chainNames.map((name) => createChain(name)!.name);
  assert.is(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z-]+\/\d+$/);
});

Chains('plain is runs of letters and digits, as a regular expression finds them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."aZ9 .-_'\u00c9\u00df\u0431\u6771\u0663\u2019+"), maxLength: 60 }),
      (text) => {
        const expected = [...text.matchAll(/[\p{L}\p{Nd}]+/gu)].map(([word]) => word.toLowerCase());
        assert.equal(termsOf(createChain('plain')!, text), expected);
      },
    ),
    { seed: 4, numRuns: 2000 },
  );
});

Chains('keyword is the value, unchanged', () => {
  assert.equal(termsOf(createChain('keyword')!, 'As It Is / here'), ['As It Is / here']);
  assert.equal(termsOf(createChain('keyword')!, ''), []);
});

Chains('an address gives its host, the domains above, their labels and the words of the path', () => {
  const address = createChain('address')!;
  const text = 'https://www.docs.example.org:8080/guide/Set_up.html?v=2';
  const { tokens } = tokensOf(address, text);
  assert.equal(
    tokens.map(({ term }) => term),
    [
      'docs.example.org',
      'docs',
      'example.org',
      'example',
      'org',
      'guide',
      'set_up.html',
      'set',
      'up',
      'html',
      'v',
      '2',
    ],
  );
  for (const { term, start, end } of tokens) assert.is(text.slice(start, end).toLowerCase(), term);
  assert.ok(termsOf(address, 'https://example.org/caf%C3%A9').includes('cafe'));
  assert.ok(termsOf(address, 'https://example.org/100%').includes('100'));
  assert.equal(termsOf(address, 'plain words'), ['plain', 'words']);
});

Chains('a bag of FlexSearch\u2019s encoder finds what sounds alike', () => {
  const soundex = createChain('flex-latin-soundex')!;
  assert.equal(termsOf(soundex, 'Smith'), termsOf(soundex, 'Smyth'));
  const chain = createChain('flex-normalize')!;
  assert.equal(termsOf(chain, 'Caf\u00e9 Noir'), ['cafe', 'noir']);
});

Chains.run();
