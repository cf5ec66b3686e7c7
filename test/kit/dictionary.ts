import type { Schema } from '../../index/document.ts';
import { Statistics } from '../../index/query/statistics.ts';
import { buildSegments, randomOf } from './search-index.ts';

const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'text', index: 'text' },
  ],
};

/** Dictionaries of these words, in one segment or more. */
export const dictionariesOf = (words: readonly string[], cuts: readonly number[] = []) =>
  new Statistics(
    buildSegments(
      words.map((text, i) => ({ id: `${i}`, text })),
      schema,
      cuts,
    ),
  ).dictionaries('text');

/** Some three thousand words of few letters, so that many are alike; `random` goes on behind them. */
export function alikeWords(): { vocabulary: string[]; random: (below: number) => number } {
  const random = randomOf(99);
  const word = (): string => Array.from({ length: 2 + random(8) }, () => 'abcde'[random(5)]).join('');
  return { vocabulary: [...new Set(Array.from({ length: 3000 }, word))], random };
}
