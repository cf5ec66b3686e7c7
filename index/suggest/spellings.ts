/**
 * What a word that finds nothing may have been meant to be: the words of the vocabulary that begin with it but for one mistake
 * behind its first letter. Spellings that no word has are passed over where the vocabulary forks, so that of the letters
 * that could be added or changed only those are tried that some word has at that place, in any script.
 */
import type { Vocabulary, WordRange } from './vocabulary.ts';

export type Spelling = (word: string, vocabulary: Vocabulary) => Generator<WordRange, void, undefined>;

/** By how likely the mistake is: two letters swapped, one too many, one wrong or missing. */
export const SPELLINGS: readonly Spelling[] = [swapped, shortened, changed];

/** Numbers are as they are, and little is left of a short word. */
export const canBeMistyped = (word: string): boolean => word.length >= 3 && word.length <= 24 && !/\d/.test(word);

function* swapped(word: string, vocabulary: Vocabulary): Generator<WordRange, void, undefined> {
  for (let i = 0; i + 1 < word.length; i++)
    if (word[i] !== word[i + 1])
      yield vocabulary.beginning(word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2), vocabulary.all);
}

function* shortened(word: string, vocabulary: Vocabulary): Generator<WordRange, void, undefined> {
  for (let i = 1; i < word.length; i++)
    if (word[i] !== word[i - 1]) yield vocabulary.beginning(word.slice(0, i) + word.slice(i + 1), vocabulary.all);
}

function* changed(word: string, vocabulary: Vocabulary): Generator<WordRange, void, undefined> {
  let alike = vocabulary.all;
  for (let i = 1; i < word.length; i++) {
    const begin = word.slice(0, i);
    alike = vocabulary.beginning(begin, alike);
    for (let next = alike.from; next < alike.to; ) {
      const unit = vocabulary.unitBehind(next, begin);
      if (unit < 0) {
        next++;
        continue;
      }
      const letter = String.fromCharCode(unit);
      const fork = vocabulary.beginning(begin + letter, { from: next, to: alike.to });
      next = fork.to;
      if (unit >= 0x30 && unit <= 0x39) continue;
      if (letter !== word[i]) yield vocabulary.beginning(begin + letter + word.slice(i + 1), fork);
      yield vocabulary.beginning(begin + letter + word.slice(i), fork);
    }
  }
}
