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

/** Entries kept; of more, the heaviest. Memory is some 700 bytes an entry. */
export const MAX_ENTRIES = 200_000;
/** Entries of one beginning that are kept and looked through for other words, the best first. FlexSearch would meet whole lists. */
export const LOOKED_THROUGH = 2000;
/** Words of an entry that can be typed to find it. */
const MAX_WORDS = 32;

const chain: Analyzer = new WordChain();
const units = new Uint16Array(MAX_TERM);

/** The words of an entry, or of what has been typed so far (`typed`: the last may be a beginning). */
export function wordsOf(text: string, typed: boolean): string[] {
  const words: string[] = [];
  let position = -1;
  const sink: TokenSink = {
    units,
    token(length, _hash, at, _start, _end, kind = ATOM) {
      if (kind === ACCENTED || words.length >= MAX_WORDS) return;
      // Typed words are asked by their parts; an entry can be found by part and whole.
      if (typed && (kind === WHOLE || kind === LAST || kind === BARE || at === position)) {
        if (kind !== LAST || at > 0) return;
      }
      if (kind === ATOM) position = at;
      words.push(String.fromCharCode(...units.subarray(0, length)));
    },
  };
  chain.analyze(text, '', sink);
  return words;
}
