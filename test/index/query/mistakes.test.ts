import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byMistake } from '../../../index/query/mistakes.ts';
import { alikeWords, dictionariesOf } from '../../kit/dictionary.ts';
import { randomOf } from '../../kit/search-index.ts';

const Mistakes = suite('mistakes');
const { vocabulary, random } = alikeWords();
const cuts = [700, 1500];
const dictionaries = dictionariesOf(vocabulary, cuts);

/** Restricted Damerau-Levenshtein distance (optimal string alignment), or anything above `most` once it must be that. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let twoBack: number[] = [];
  let back: number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let value = Math.min(back[j]! + 1, row[j - 1]! + 1, back[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, twoBack[j - 2]! + 1);
      row.push(value);
      if (value < least) least = value;
    }
    if (least > most) return most + 1;
    twoBack = back;
    back = row;
  }
  return back[b.length]!;
}

Mistakes('one mistake: exactly the terms that a walk through the dictionary finds', () => {
  for (let i = 0; i < 300; i++) {
    const word =
      i % 3
        ? vocabulary[random(vocabulary.length)]!
        : Array.from({ length: 2 + random(7) }, () => 'abcde'[random(5)]).join('');
    const expected = vocabulary.filter((term) => editDistance(word, term, 1) === 1).sort();
    const found = byMistake(word, 1, dictionaries).map(({ term }) => term);
    if (expected.length <= 50) assert.equal(found.sort(), expected, word);
    else assert.is(found.length, 50);
  }
});

/** What a walk through the whole vocabulary finds, in the order that is promised. */
function slowMistakes(word: string, most: number, words: readonly string[], dfOf: (term: string) => number): string[] {
  return words
    .map((term) => ({ term, edits: editDistance(word, term, most), df: dfOf(term) }))
    .filter(({ term, edits }) => edits > 0 && edits <= most && digitsOf(term) === digitsOf(word))
    .sort((a, b) => a.edits - b.edits || b.df - a.df || (a.term < b.term ? -1 : 1))
    .slice(0, 50)
    .map(({ term }) => term);
}
const digitsOf = (term: string): string => term.replace(/\D/g, '');

for (const [name, alphabet, longest] of [
  ['few letters', 'ab', 12],
  ['more letters', 'abcdefgh', 7],
  ['digits among letters', 'abc12', 8],
  ['letters beyond ASCII', 'aбγ\u4e2d\ud83d', 6],
] as const)
  for (const seed of [1, 2, 3])
    Mistakes(
      `two mistakes in a dictionary of ${name}, seed ${seed}: exactly what a walk through all of it finds`,
      () => {
        const random = randomOf(seed);
        const made = (): string =>
          Array.from({ length: 1 + random(longest) }, () => alphabet[random(alphabet.length)]!).join('');
        const words = [...new Set(Array.from({ length: 1500 }, made))];
        const segments = dictionariesOf(words, [400, 1100]);
        // Some characters are no letters to the chain: what the dictionary holds decides.
        const held = new Map<string, number>();
        for (const dictionary of segments)
          for (let n = 0; n < dictionary.size; n++)
            held.set(dictionary.term(n), (held.get(dictionary.term(n)) ?? 0) + dictionary.df(n));
        const terms = [...held.keys()];
        assert.ok(terms.length > 100);
        for (let i = 0; i < 60; i++) {
          const word = i % 2 ? terms[random(terms.length)]! : made();
          if (word.length < 2) continue;
          for (const edits of [1, 2] as const)
            assert.equal(
              byMistake(word, edits, segments).map(({ term }) => term),
              slowMistakes(word, edits, terms, (term) => held.get(term)!),
              `${JSON.stringify(word)}, ${edits}, seed ${seed}`,
            );
        }
      },
    );

Mistakes('two mistakes of every kind, at the beginning, across the middle and at the end', () => {
  const word = 'instalation';
  const near = [
    'installations',
    'nistalatoin',
    'xnstalatiom',
    'stalation',
    'instlatin',
    'aninstalation',
    'insatlaiton',
  ];
  const far = ['xxxtalation', 'installationss', 'instal', 'noitalatsni'];
  const found = byMistake(word, 2, dictionariesOf([...near, ...far, word]));
  assert.equal(found.map(({ term }) => term).sort(), [...near].sort());
});

Mistakes('what is looked at is bounded, and a word too long to be mistyped is left alone', () => {
  let asked = 0;
  const [dictionary] = dictionariesOf(vocabulary);
  const counted = new Proxy(dictionary!, {
    get(target, name) {
      if (name === 'units') asked++;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  byMistake('abcdeabc', 2, [counted], 100);
  assert.ok(asked <= 101, `${asked}`);
  assert.equal(byMistake('a'.repeat(65), 2, dictionaries), []);
});

Mistakes.run();
