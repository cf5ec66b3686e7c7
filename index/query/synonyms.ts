/**
 * Synonyms from a file: what `SearcherOptions.synonyms` takes.
 *
 *     # a comment
 *     car, automobile, auto        each stands for the others
 *     js => javascript             a query for the first finds the others, not the other way round
 *
 * One word each; a word asked for is also looked for by its synonyms, which count less. Lines that cannot be used are named.
 */
import { fold } from '../text/table.ts';

export interface Synonyms {
  /** By folded word. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Lines, from 1, that were passed over, and why. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

const ONE_WORD = /^[\p{L}\p{N}\p{M}]+$/u;

export function readSynonyms(text: string): Synonyms {
  const words = new Map<string, Set<string>>();
  const problems: { line: number; message: string }[] = [];
  const add = (word: string, others: readonly string[]): void => {
    const known = words.get(word) ?? new Set();
    for (const other of others) if (other !== word) known.add(other);
    if (known.size > 0) words.set(word, known);
  };
  text.split(/\r?\n/).forEach((given, i) => {
    const line = given.replace(/#.*/, '').trim();
    if (line === '') return;
    const sides = line.split('=>').map((side) =>
      side
        .split(',')
        .map((word) => fold(word.trim()))
        .filter(Boolean),
    );
    const bad = sides.flat().find((word) => !ONE_WORD.test(word));
    if (bad !== undefined) problems.push({ line: i + 1, message: `${JSON.stringify(bad)} is not one word` });
    else if (sides.length > 2 || sides.some((side) => side.length === 0))
      problems.push({ line: i + 1, message: 'a line reads "a, b, c" or "a, b => c, d"' });
    else if (sides.length === 2) for (const word of sides[0]!) add(word, sides[1]!);
    else if (sides[0]!.length === 1) problems.push({ line: i + 1, message: 'one word alone has no synonym' });
    else for (const word of sides[0]!) add(word, sides[0]!);
  });
  return { words: new Map([...words].map(([word, others]) => [word, [...others]])), problems };
}
