/**
 * From what was typed to the terms of the dictionary: other forms of a word, beginnings, patterns.
 * Typing mistakes are mistakes.ts.
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
export function isAccented(term: string): boolean {
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
  /** Terms of the dictionary that were looked at. */
  readonly looked: number;
}

/** What an expansion may cost. */
export interface ExpansionLimits {
  /** Terms kept. */
  readonly terms: number;
  /** Terms of the dictionary looked at, over all segments. */
  readonly looked: number;
}
export const EXPANSION: ExpansionLimits = { terms: 4096, looked: 400_000 };

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
      if (found.size >= limits.terms || looked++ >= limits.looked)
        return { terms: [...found].sort(), isCut: true, looked };
      if (!(isPlain && isAccented(term))) found.add(term);
    }
  return { terms: [...found].sort(), isCut: false, looked };
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
  return { terms: [...found].sort(), isCut, looked };
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
