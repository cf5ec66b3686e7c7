/** What type-ahead offers, and how its words are cut: the same for building and for asking. */
import { ACCENTED, type Analyzer, ATOM, BARE, LAST, MAX_TERM, type TokenSink, WHOLE } from '../text/analyzer.ts';
import { WordChain } from '../text/words.ts';

export interface SuggestEntry {
  /** What is shown: a title, a heading, a host. Never made up of parts. */
  readonly text: string;
  /** What it leads to: the key of a document; '' for none. */
  readonly id: string;
  /** Heavier ones come first; any number. */
  readonly weight: number;
}

/** Entries kept; of more, the heaviest. The file, which is in memory, has some 130 bytes an entry. */
export const MAX_ENTRIES = 200_000;
/** Words of an entry that can be typed to find it. */
const MAX_WORDS = 32;

const chain: Analyzer = new WordChain();
const units = new Uint16Array(MAX_TERM);

/** The words that an entry is found by: parts and wholes. `take` gets units[0..length) and `hashUnits` of them, and keeps neither. */
export function eachWord(text: string, take: (units: Uint16Array, length: number, hash: number) => void): void {
  let left = MAX_WORDS;
  const sink: TokenSink = {
    units,
    token(length, hash, _at, _start, _end, kind = ATOM) {
      if (kind !== ACCENTED && left-- > 0) take(units, length, hash);
    },
  };
  chain.analyze(text, '', sink);
}

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (units, length) => words.push(String.fromCharCode(...units.subarray(0, length))));
  return words;
}

/** The words of what has been typed so far, the last of which may be a beginning: asked by their parts. */
export function wordsTyped(text: string): string[] {
  const words: string[] = [];
  let position = -1;
  const sink: TokenSink = {
    units,
    token(length, _hash, at, _start, _end, kind = ATOM) {
      if (kind === ACCENTED || words.length >= MAX_WORDS) return;
      if (kind === LAST ? at > 0 : kind === WHOLE || kind === BARE || at === position) return;
      if (kind === ATOM) position = at;
      words.push(String.fromCharCode(...units.subarray(0, length)));
    },
  };
  chain.analyze(text, '', sink);
  return words;
}
