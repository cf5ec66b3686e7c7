/**
 * Synonyms from a file: what `SearcherOptions.synonyms` takes.
 *
 *     # a comment
 *     car, automobile, motor car              each stands for the others
 *     k8s => kubernetes, container cluster    a query for the first finds the others, not the other way round
 *
 * A name is one word or up to SYNONYM_WORDS of them. A name asked for is also looked for by its synonyms, which count less:
 * one of several words as a phrase, and where a query has the words of such a name one after the other, they are asked
 * for together or by a synonym. What stands in quotes is asked for as it is. Lines that cannot be used are named.
 *
 * Cost: at most SYNONYMS_ASKED synonyms a name, the first ones; a look-up in a map for each run of words of a query.
 */
import { fold } from '../text/table.ts';

/** Words of a name. */
export const SYNONYM_WORDS = 6;
/** Synonyms of one name that are looked for. */
export const SYNONYMS_ASKED = 16;

export interface Synonyms {
  /** By name: its words folded, one space between two. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Lines, from 1, that were passed over, and why. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

const NAME = /^[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*$/u;

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
        .map((name) => fold(name.trim()).replace(/\s+/gu, ' '))
        .filter(Boolean),
    );
    const bad = sides.flat().find((name) => !NAME.test(name));
    const long = sides.flat().find((name) => name.split(' ').length > SYNONYM_WORDS);
    if (bad !== undefined)
      problems.push({ line: i + 1, message: `${JSON.stringify(bad)} is not made of letters, digits and spaces` });
    else if (long !== undefined)
      problems.push({ line: i + 1, message: `${JSON.stringify(long)} has more than ${SYNONYM_WORDS} words` });
    else if (sides.length > 2 || sides.some((side) => side.length === 0))
      problems.push({ line: i + 1, message: 'a line reads "a, b, c" or "a, b => c, d"' });
    else if (sides.length === 2) for (const word of sides[0]!) add(word, sides[1]!);
    else if (sides[0]!.length === 1) problems.push({ line: i + 1, message: 'one name alone has no synonym' });
    else for (const word of sides[0]!) add(word, sides[0]!);
  });
  return { words: new Map([...words].map(([word, others]) => [word, [...others]])), problems };
}
