/**
 * From a word that was mistyped to the terms of the dictionary that may have been meant.
 */
import type { TermDictionary } from '../format/terms.ts';
import { isAccented } from './expand.ts';

/** Terms kept, the nearest and then the most frequent. */
const FUZZY_KEPT = 50;
/** Shorter words are not guessed at: what is one letter from them is another word. */
export const FUZZY_LENGTH = 4;
/** Terms looked at, over all segments: some tens of milliseconds. */
const LOOKED = 400_000;

export interface Guess {
  readonly term: string;
  readonly edits: number;
  readonly df: number;
}

/**
 * The terms within `edits` typing mistakes of a word (a letter wrong, missing, too many, or two neighbours swapped), nearest
 * and then most frequent first, the word itself left out. All of the dictionary's such terms are weighed, and the best 50
 * kept. Digits are never guessed: a term with other digits than the word is another thing.
 *
 * One edit leaves the first half of the word as it is, or the last, unless two letters are swapped across the middle, which
 * is one term to look up: so the candidates are a range of the sorted terms and one of those sorted from their end. Of two
 * edits at most one changes the head of the word, or else both do and its tail is as it was: the first kind is found by a
 * walk through the sorted terms that passes over every beginning which is too far off, the other is again a range of those
 * sorted from their end.
 */
export function byMistake(
  word: string,
  edits: 1 | 2,
  dictionaries: readonly TermDictionary[],
  looked = LOOKED,
): Guess[] {
  if (word.length < 2 || word.length > LONGEST) return [];
  const digits = digitsOf(word);
  const found = new Map<string, { edits: number; df: number }>();
  let left = looked;
  for (const dictionary of dictionaries) {
    const seen = new Set<number>();
    const take = (n: number, count: number, distance: number): void => {
      if (distance === 0 || distance > edits || seen.has(n)) return;
      seen.add(n);
      const term = unitsText(count);
      if (digitsOf(term) !== digits || isAccented(term)) return;
      const known = found.get(term);
      if (known) known.df += dictionary.df(n);
      else found.set(term, { edits: distance, df: dictionary.df(n) });
    };
    const { reversed } = dictionary;
    if (reversed && edits === 1) left = nearest(word, dictionary, left, take);
    else {
      const tail = reversed ? Math.min(word.length >> 1, TAIL) : 0;
      left = walk(word, reversed ? word.length - tail : NO_HEAD, dictionary, left, take);
      if (reversed) left = behind(word, tail, dictionary, left, take);
    }
  }
  return [...found]
    .map(([term, { edits, df }]) => ({ term, edits, df }))
    .sort((a, b) => a.edits - b.edits || b.df - a.df || (a.term < b.term ? -1 : 1))
    .slice(0, FUZZY_KEPT);
}

/** Takes term `n`, whose `count` units lie in `units`. */
type Take = (n: number, count: number, distance: number) => void;

/** Takes all terms one edit away; how many of `left` may still be looked at. */
function nearest(word: string, dictionary: TermDictionary, left: number, take: Take): number {
  const length = word.length;
  const half = length >> 1;
  const begin = word.slice(0, Math.max(1, half));
  const end = word.slice(half);
  const crossed = word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1);
  const look = (n: number): void => {
    const count = dictionary.units(n, units);
    if (count >= length - 1 && count <= length + 1) take(n, count, withinOne(word, count));
  };
  const last = dictionary.ceil(`${begin}\uffff`);
  for (let n = dictionary.ceil(begin); n < last && left-- > 0; n++) look(n);
  // From the end, a term that ends so comes before one that ends so with more in front.
  const beyond = dictionary.reverseCeil(`\uffff${end}`);
  for (let rank = dictionary.reverseCeil(end); rank < beyond && left-- > 0; rank++) look(dictionary.reverse(rank));
  const swapped = crossed !== word ? dictionary.find(crossed) : -1;
  if (swapped >= 0) look(swapped);
  return left;
}

/** Takes all terms at most two edits away that end as the word does in its last `tail` letters. */
function behind(word: string, tail: number, dictionary: TermDictionary, left: number, take: Take): number {
  const end = word.slice(word.length - tail);
  const beyond = dictionary.reverseCeil(`\uffff${end}`);
  for (let rank = dictionary.reverseCeil(end); rank < beyond && left-- > 0; rank++) {
    const n = dictionary.reverse(rank);
    const count = dictionary.units(n, units);
    if (Math.abs(count - word.length) > 2) continue;
    let i = 0;
    while (i < count && row(word, NO_HEAD, i + 1, units[i]!, i > 0 ? units[i - 1]! : -1) < FAR) i++;
    if (i === count) take(n, count, rows[count * WIDTH + word.length]!);
  }
  return left;
}

/** Longer words are not guessed at. */
const LONGEST = 64;
const WIDTH = LONGEST + 1;
/** A distance above two, whatever it is. */
const FAR = 3;
/** By units of a term's beginning and of the word's: their distance, up to FAR. One walk at a time. */
const rows = new Uint8Array((LONGEST + 3) * WIDTH);
const before = new Uint16Array(256);
for (let j = 0; j < WIDTH; j++) rows[j] = Math.min(j, FAR);
/** Both edits may lie anywhere. */
const NO_HEAD = 0;
/** Letters at the end of a word that are long enough to be in few terms. */
const TAIL = 5;
/** Terms passed over by looking at each, before the next that may be near is searched for. */
const PATIENCE = 3;

/**
 * Takes all terms at most two edits away, of which at most one lies in the first `head` letters of the word.
 *
 * Terms in order share beginnings, so each goes on from the rows of the matrix that its beginning has from the term before
 * it. Only the five cells beside the diagonal can be two or less, and those before the head's last letter are to be one or less
 * (the last letter may be swapped with the first of the tail, past a cell of two). A beginning with no such cell is dead:
 * no term that begins so is wanted. Nor is one with another last letter, if the word has neither of the two about there:
 * the first term with a letter of the word is found by a search.
 *
 * Cost: terms looked at, times the letters that are new in each: some thousands of 212,000.
 */
function walk(word: string, head: number, dictionary: TermDictionary, left: number, take: Take): number {
  const length = word.length;
  /** Units of `before` whose rows stand. */
  let valid = 0;
  /** Beginnings that are dead: `dead` units, of which the last is below `bound`; 0: the term before was near to its end. */
  let dead = 0;
  let bound = 0;
  let passed = 0;
  for (let n = 0; n < dictionary.size && left > 0; n++) {
    left--;
    const count = dictionary.units(n, units);
    let shared = 0;
    while (shared < valid && shared < count && units[shared] === before[shared]) shared++;
    if (dead > 0 && shared >= dead - 1 && count >= dead && units[dead - 1]! < bound) {
      if (++passed < PATIENCE) continue;
      passed = 0;
      n = Math.max(n, dictionary.ceil(unitsText(dead - 1) + String.fromCharCode(Math.min(bound, 0xffff))) - 1);
      continue;
    }
    dead = passed = 0;
    valid = shared;
    while (valid < count) {
      const unit = units[valid]!;
      before[valid] = unit;
      if (row(word, head, ++valid, unit, valid > 1 ? units[valid - 2]! : -1) < FAR) continue;
      dead = valid;
      bound = firstAlive(word, valid, unit);
      break;
    }
    if (dead === 0 && Math.abs(count - length) <= 2) take(n, count, rows[count * WIDTH + length]!);
  }
  return left;
}

/**
 * The unit below which no other than `unit` is alive in its place: all that the word does not have about there are as dead as it.
 */
function firstAlive(word: string, i: number, unit: number): number {
  let next = 0x10000;
  for (let j = Math.max(0, i - 4); j < word.length && j < i + 2; j++) {
    const letter = word.charCodeAt(j);
    if (letter === unit) return unit + 1;
    if (letter > unit && letter < next) next = letter;
  }
  return next;
}

/** Row `i` of the matrix (optimal string alignment), for the unit that ends the beginning and the one before it; its least. */
function row(word: string, head: number, i: number, unit: number, last: number): number {
  const length = word.length;
  const from = Math.max(0, i - 2);
  const to = Math.min(length, i + 2);
  const own = i * WIDTH;
  const above = own - WIDTH;
  const twoAbove = above - WIDTH;
  if (from > to) return FAR;
  let least = FAR;
  for (let j = from; j <= to; j++) {
    let value = FAR;
    if (j === 0) value = Math.min(i, FAR);
    else {
      const letter = word.charCodeAt(j - 1);
      // Cells beside the band were never written by this walk, or by another: they are above two.
      const left = j > from ? rows[own + j - 1]! : FAR;
      const over = j < i + 2 ? rows[above + j]! : FAR;
      value = Math.min(FAR, left + 1, over + 1, rows[above + j - 1]! + (letter === unit ? 0 : 1));
      if (i > 1 && j > 1 && letter === last && word.charCodeAt(j - 2) === unit)
        value = Math.min(value, rows[twoAbove + j - 2]! + 1);
    }
    if (value > 1 && j < head) value = FAR;
    rows[own + j] = value;
    if (value < least) least = value;
  }
  return least;
}

const units = new Uint16Array(256);

function unitsText(count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += String.fromCharCode(units[i]!);
  return text;
}

const digitsOf = (word: string): string => word.replace(/\D/gu, '');

/** Letters of the one are those of the other, in another order. */
export const isAnagram = (a: string, b: string): boolean => [...a].sort().join('') === [...b].sort().join('');

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
