import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schema } from '../../../index/document.ts';
import { byMistake, editDistance } from '../../../index/query/mistakes.ts';
import { Statistics } from '../../../index/query/statistics.ts';
import { buildSegments, randomOf } from '../../kit/search-index.ts';

const Mistakes = suite('mistakes');
const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'text', index: 'text' },
  ],
};

/** Dictionaries of these words, in one segment or more. */
const dictionariesOf = (words: readonly string[], cuts: readonly number[] = []) =>
  new Statistics(
    buildSegments(
      words.map((text, i) => ({ id: `${i}`, text })),
      schema,
      cuts,
    ),
  ).dictionaries('text');

const random = randomOf(99);
const letters = 'abcde';
const vocabulary = [
  ...new Set(
    Array.from({ length: 3000 }, () => Array.from({ length: 2 + random(8) }, () => letters[random(5)]).join('')),
  ),
];
const cuts = [700, 1500];
const dictionaries = dictionariesOf(vocabulary, cuts);

/** The textbook distance, by recursion with memory. */
function slowDistance(a: string, b: string): number {
  const known = new Map<string, number>();
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    let least = Math.min(
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    );
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      least = Math.min(least, distance(i - 2, j - 2) + 1);
    known.set(key, least);
    return least;
  };
  return distance(a.length, b.length);
}

Mistakes('the distance is the textbook\u2019s', () => {
  for (let i = 0; i < 2000; i++) {
    const [a, b] = [vocabulary[random(vocabulary.length)]!, vocabulary[random(vocabulary.length)]!];
    assert.is(Math.min(3, editDistance(a, b, 2)), Math.min(3, slowDistance(a, b)), `${a} ${b}`);
  }
});

Mistakes('one mistake: exactly the terms that a walk through the dictionary finds', () => {
  for (let i = 0; i < 300; i++) {
    const word =
      i % 3
        ? vocabulary[random(vocabulary.length)]!
        : Array.from({ length: 2 + random(7) }, () => letters[random(5)]).join('');
    const expected = vocabulary.filter((term) => term !== word && slowDistance(word, term) === 1).sort();
    const found = byMistake(word, 1, dictionaries).map(({ term }) => term);
    if (expected.length <= 50) assert.equal(found.sort(), expected, word);
    else assert.is(found.length, 50);
  }
});

Mistakes('two mistakes: nothing that is further, nearest first', () => {
  for (let i = 0; i < 60; i++) {
    const word = vocabulary[random(vocabulary.length)]!;
    const found = byMistake(word, 2, dictionaries);
    for (const { term, edits } of found) assert.is(edits, slowDistance(word, term));
    assert.equal(
      found.map(({ edits }) => edits),
      found.map(({ edits }) => edits).toSorted((a, b) => a - b),
    );
  }
});

Mistakes.run();
