/**
 * What might be meant by what has been typed so far.
 *
 * All words typed must begin a word of the entry. When that finds nothing, one mistake is allowed in one word of three
 * letters or more without digits: two letters swapped, then one too many, then one wrong or missing: each such spelling is
 * one more look-up of FlexSearch's hash, so no second, tolerant index is needed (it would be twice the size).
 */
import { ByteReader } from '../io/bytes.ts';
import { unframe } from '../io/frame.ts';
import { beginsFolded, fold } from '../text/table.ts';
import { createIndex, VERSION, type WordIndex } from './build.ts';
import { LOOKED_THROUGH, type SuggestEntry, wordsOf } from './entries.ts';

/** Entries that are ranked. */
const CANDIDATES = 200;
/** Words of a line that are looked at. */
const MAX_WORDS = 8;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function openSuggest(bytes: Uint8Array, file = 'suggest.sug'): Suggest {
  const body = new ByteReader(unframe(bytes, file, 'sug', VERSION), file);
  const entries: SuggestEntry[] = [];
  const words: string[] = [];
  for (let left = body.varint(); left > 0; left--) {
    entries.push({ text: body.string(), id: body.string(), weight: body.f64() });
    words.push(body.string());
  }
  const index = createIndex();
  for (let left = body.varint(); left > 0; left--) index.import(body.string(), body.string());
  return new Suggest(entries, words, index);
}

export class Suggest {
  readonly #entries: readonly SuggestEntry[];
  /** By entry, its words with a space before each. */
  readonly #words: readonly string[];
  readonly #index: WordIndex;

  constructor(entries: readonly SuggestEntry[], words: readonly string[], index: WordIndex) {
    this.#entries = entries;
    this.#words = words;
    this.#index = index;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** At most `limit` entries; those that begin with what was typed first, then the heaviest, then the shortest. */
  ask(typed: string, limit = 8): SuggestEntry[] {
    const words = wordsOf(typed.slice(0, 200), true).slice(0, MAX_WORDS);
    if (words.length === 0 || limit <= 0) return [];
    let found = this.#find(words);
    if (found.length === 0) found = this.#findMistyped(words);
    const begin = fold(typed).replace(/\s+/gu, ' ').trimStart();
    const begins = (entry: SuggestEntry): number => (beginsFolded(entry.text, begin) ? 0 : 1);
    return found
      .map((number) => ({ number, entry: this.#entries[number]!, begins: begins(this.#entries[number]!) }))
      .sort(
        (a, b) =>
          a.begins - b.begins ||
          b.entry.weight - a.entry.weight ||
          a.entry.text.length - b.entry.text.length ||
          a.number - b.number,
      )
      .slice(0, limit)
      .map(({ entry }) => entry);
  }

  /** Entries with a word that begins with each of these. */
  #find(words: readonly string[]): number[] {
    if (words.length === 1) return this.#search(words[0]!, CANDIDATES);
    const lists: (readonly number[])[] = [];
    for (const word of words) {
      const list = this.#search(word, LOOKED_THROUGH);
      if (list.length === 0) return [];
      lists.push(list);
    }
    return this.#together(words, lists);
  }

  #search(word: string, limit: number): number[] {
    return this.#index.search(word, { limit }) as number[];
  }

  /** Those of the scarcest list, gone through for the other words. */
  #together(words: readonly string[], lists: readonly (readonly number[])[]): number[] {
    let scarcest = 0;
    for (let w = 1; w < lists.length; w++) if (lists[w]!.length < lists[scarcest]!.length) scarcest = w;
    const begins = words.filter((_, w) => w !== scarcest).map((word) => ` ${word}`);
    const out: number[] = [];
    for (const number of lists[scarcest]!) {
      const all = this.#words[number]!;
      if (!begins.every((begin) => all.includes(begin))) continue;
      out.push(number);
      if (out.length === CANDIDATES) break;
    }
    return out;
  }

  #findMistyped(words: readonly string[]): number[] {
    const lists = words.map((word) => this.#search(word, LOOKED_THROUGH));
    const unknown = lists.filter(({ length }) => length === 0).length;
    const known = words.map((word) => this.#knownLength(word));
    for (const spellings of [swapped, shortened, changed]) {
      const found = new Set<number>();
      // The last word is the one being typed: most likely the one that is wrong.
      for (let w = words.length - 1; w >= 0; w--) {
        const word = words[w]!;
        if (word.length < 3 || word.length > 24 || /\d/.test(word)) continue;
        // One mistake does not mend two words.
        if (unknown > (lists[w]!.length === 0 ? 1 : 0)) continue;
        for (const spelling of spellings(word, known[w]!)) {
          const list = this.#search(spelling, LOOKED_THROUGH);
          if (list.length === 0) continue;
          const some = this.#together(words.with(w, spelling), lists.with(w, list));
          for (const number of some) found.add(number);
          if (found.size >= CANDIDATES) break;
        }
        if (found.size > 0) return [...found];
      }
    }
    return [];
  }

  /** How much of a word begins some word: a spelling that differs further on finds nothing. */
  #knownLength(word: string): number {
    let length = 0;
    while (length < word.length && this.#search(word.slice(0, length + 1), 1).length > 0) length++;
    return length;
  }
}

/** The first place at which a spelling differs is at most `last`. */
function* swapped(word: string, last: number): Generator<string> {
  for (let i = 0; i <= last && i + 1 < word.length; i++)
    if (word[i] !== word[i + 1]) yield word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2);
}

function* shortened(word: string, last: number): Generator<string> {
  for (let i = 1; i <= last && i < word.length; i++)
    if (word[i] !== word[i - 1]) yield word.slice(0, i) + word.slice(i + 1);
}

function* changed(word: string, last: number): Generator<string> {
  for (let i = 1; i <= last && i < word.length; i++)
    for (const letter of LETTERS) {
      if (letter !== word[i]) yield word.slice(0, i) + letter + word.slice(i + 1);
      yield word.slice(0, i) + letter + word.slice(i);
    }
}
