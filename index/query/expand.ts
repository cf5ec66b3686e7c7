/**
 * From what was typed to the terms of the dictionary: other forms of a word, beginnings, patterns, typing mistakes.
 *
 * Answers are the same however documents are cut into segments: terms are gathered over all segments first.
 */
import type { TermDictionary } from '../format/terms.ts';
import { stemmerOf } from '../text/stem.ts';
import { fold } from '../text/table.ts';

/** Terms looked at for the other forms of one word. Common beginnings have some hundreds. */
const FORMS_LOOKED_AT = 3000;
/** Other forms kept, the most frequent first. */
const FORMS_KEPT = 24;

const isWord = /^[\p{L}\p{M}]+$/u;

/**
 * Terms, but for the word itself, that share its stem, most frequent first. They lie near it in the sorted dictionary, since
 * stemmers of suffixes leave a word's beginning alone: so no list of stems need be stored or built when an index is opened.
 */
export function otherForms(word: string, lang: string, dictionaries: readonly TermDictionary[]): string[] {
  const stem = stemmerOf(lang);
  if (!stem || word.length < 3 || !isWord.test(word)) return [];
  const wanted = stem(word);
  let shared = 0;
  while (shared < word.length && shared < wanted.length && word[shared] === wanted[shared]) shared++;
  // The last letter of a stem is the one that endings change: happy, happiness; hope, hoping.
  if (shared > 3 || (shared > 2 && 'eiy'.includes(word[shared - 1]!))) shared--;
  // Dutch doubles a vowel in a closed syllable: zaal, zalen.
  if (lang.startsWith('nl')) shared = Math.min(shared, Math.max(2, wanted.length - 2));
  if (shared < 2) return [];
  const begin = word.slice(0, shared);
  const longest = word.length + 10;
  const counts = new Map<string, number>();
  for (const dictionary of dictionaries) {
    let looked = 0;
    for (let n = dictionary.ceil(begin); n < dictionary.size && looked < FORMS_LOOKED_AT; n++, looked++) {
      const term = dictionary.term(n);
      if (!term.startsWith(begin)) break;
      if (term === word || term.length > longest || term.length < 2 || !isWord.test(term)) continue;
      const known = counts.get(term);
      if (known !== undefined) counts.set(term, known + dictionary.df(n));
      else if (stem(term) === wanted && !isAccented(term)) counts.set(term, dictionary.df(n));
    }
  }
  return mostFrequent(counts, FORMS_KEPT);
}

/** A term kept as written, beside the folded one: found by its folded form already. */
function isAccented(term: string): boolean {
  for (let i = 0; i < term.length; i++) if (term.charCodeAt(i) >= 0xdf) return fold(term) !== term;
  return false;
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): string[] {
  return [...counts.entries()]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([term]) => term);
}

export interface Expansion {
  readonly terms: readonly string[];
  /** There were more terms, or more would have had to be looked at. */
  readonly isCut: boolean;
}

/** What an expansion may cost. */
export interface ExpansionLimits {
  /** Terms kept. */
  readonly terms: number;
  /** Terms of the dictionary looked at, over all segments. */
  readonly looked: number;
}
const EXPANSION: ExpansionLimits = { terms: 4096, looked: 400_000 };

/** All terms that begin so. */
export function byPrefix(
  prefix: string,
  dictionaries: readonly TermDictionary[],
  limits: ExpansionLimits = EXPANSION,
): Expansion {
  const found = new Set<string>();
  const isPlain = !isAccented(prefix);
  let looked = 0;
  for (const dictionary of dictionaries)
    for (let n = dictionary.ceil(prefix); n < dictionary.size; n++) {
      const term = dictionary.term(n);
      if (!term.startsWith(prefix)) break;
      if (found.size >= limits.terms || looked++ >= limits.looked) return { terms: [...found].sort(), isCut: true };
      if (!(isPlain && isAccented(term))) found.add(term);
    }
  return { terms: [...found].sort(), isCut: false };
}

/** The most terms of one dictionary that begin so. */
export function countPrefix(prefix: string, dictionaries: readonly TermDictionary[]): number {
  let most = 0;
  for (const dictionary of dictionaries)
    most = Math.max(most, dictionary.ceil(`${prefix}\uffff`) - dictionary.ceil(prefix));
  return most;
}

/** All terms that match a pattern of `*` and `?`. The longer of its two fixed ends decides where is looked. */
export function byPattern(
  pattern: string,
  dictionaries: readonly TermDictionary[],
  limits: ExpansionLimits = EXPANSION,
): Expansion {
  const begin = /^[^*?]*/u.exec(pattern)![0];
  const end = /[^*?]*$/u.exec(pattern)![0];
  const found = new Set<string>();
  let looked = 0;
  let isCut = false;
  const take = (term: string): boolean => {
    if (found.size >= limits.terms || looked++ >= limits.looked) {
      isCut = true;
      return false;
    }
    if (matches(pattern, term) && !isAccented(term)) found.add(term);
    return true;
  };
  for (const dictionary of dictionaries) {
    if (end.length > begin.length && dictionary.reversed) {
      for (let rank = dictionary.reverseCeil(end); rank < dictionary.size; rank++) {
        const term = dictionary.term(dictionary.reverse(rank));
        if (!term.endsWith(end) || !take(term)) break;
      }
    } else
      for (let n = dictionary.ceil(begin); n < dictionary.size; n++) {
        const term = dictionary.term(n);
        if (!term.startsWith(begin) || !take(term)) break;
      }
    if (isCut) break;
  }
  return { terms: [...found].sort(), isCut };
}

/** Does the whole of `term` match? Greedy with one point of return: linear but for patterns made to be slow. */
export function matches(pattern: string, term: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < term.length) {
    const char = pattern[p];
    if (char === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (char === '?' || char === term[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

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
