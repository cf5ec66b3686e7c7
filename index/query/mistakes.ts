/**
 * From a word that was mistyped to the terms of the dictionary that may have been meant.
 */
import type { TermDictionary } from '../format/terms.ts';
import { isAccented } from './expand.ts';

/** Terms at most `edits` typing mistakes away: a letter wrong, missing, too many, or two neighbours swapped. */
const FUZZY_KEPT = 50;
/** Shorter words are not guessed at: what is one letter from them is another word. */
export const FUZZY_LENGTH = 4;

export interface Guess {
  readonly term: string;
  readonly edits: number;
  readonly df: number;
}

/**
 * The terms within `edits` of a word, nearest and then most frequent first, the word itself left out. Digits are never
 * guessed: a term with other digits than the word is another thing.
 *
 * One edit leaves the first half of the word as it is, or the last, unless two letters are swapped across the middle, which
 * is one term to look up: so the candidates are a range of the sorted terms and one of those sorted from their end. With two
 * edits the last third may still be as it is, or else only terms with the same first letter are looked at.
 */
export function byMistake(
  word: string,
  edits: 1 | 2,
  dictionaries: readonly TermDictionary[],
  looked = 400_000,
): Guess[] {
  const length = word.length;
  if (length < 2) return [];
  const half = length >> 1;
  const head = edits === 1 ? Math.max(1, half) : 1;
  const tail = edits === 1 ? length - half : Math.floor(length / 3);
  const begin = word.slice(0, head);
  const end = word.slice(length - tail);
  const crossed = word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1);
  const digits = digitsOf(word);
  const found = new Map<string, { edits: number; df: number }>();
  let left = looked;
  for (const dictionary of dictionaries) {
    const seen = new Set<number>();
    const take = (n: number): void => {
      const count = dictionary.units(n, units);
      if (count < length - edits || count > length + edits) return;
      const distance = edits === 1 ? withinOne(word, count) : editDistance(word, unitsText(count), edits);
      if (distance === 0 || distance > edits || seen.has(n)) return;
      seen.add(n);
      const term = unitsText(count);
      if (digitsOf(term) !== digits || isAccented(term)) return;
      const known = found.get(term);
      if (known) known.df += dictionary.df(n);
      else found.set(term, { edits: distance, df: dictionary.df(n) });
    };
    const last = dictionary.ceil(`${begin}\uffff`);
    for (let n = dictionary.ceil(begin); n < last && left-- > 0; n++) take(n);
    if (dictionary.reversed && tail > 0) {
      // From the end, a term that ends so comes before one that ends so with more in front.
      const behind = dictionary.reverseCeil(`\uffff${end}`);
      for (let rank = dictionary.reverseCeil(end); rank < behind && left-- > 0; rank++) take(dictionary.reverse(rank));
    }
    const swapped = half > 0 && crossed !== word ? dictionary.find(crossed) : -1;
    if (swapped >= 0) take(swapped);
  }
  return [...found]
    .map(([term, { edits, df }]) => ({ term, edits, df }))
    .sort((a, b) => a.edits - b.edits || b.df - a.df || (a.term < b.term ? -1 : 1))
    .slice(0, FUZZY_KEPT);
}

const units = new Uint16Array(256);

function unitsText(count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += String.fromCharCode(units[i]!);
  return text;
}

const digitsOf = (word: string): string => word.replace(/\D/gu, '');

/** 0, 1 or 2 (more) edits between a word and the term in `units`: what is equal at both ends is taken off. */
function withinOne(word: string, count: number): number {
  const length = word.length;
  const shorter = Math.min(length, count);
  let from = 0;
  while (from < shorter && word.charCodeAt(from) === units[from]) from++;
  if (from === length && from === count) return 0;
  let back = 0;
  while (back < shorter - from && word.charCodeAt(length - 1 - back) === units[count - 1 - back]) back++;
  const inWord = length - from - back;
  const inTerm = count - from - back;
  if (inWord <= 1 && inTerm <= 1) return 1;
  const isSwap =
    inWord === 2 &&
    inTerm === 2 &&
    word.charCodeAt(from) === units[from + 1] &&
    word.charCodeAt(from + 1) === units[from];
  return isSwap ? 1 : 2;
}

/** Restricted Damerau-Levenshtein distance (optimal string alignment), or anything above `most` once it must be that. */
export function editDistance(a: string, b: string, most: number): number {
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
