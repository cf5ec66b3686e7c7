/**
 * An analysis chain: text in, tokens out, in order of position.
 *
 * `start` and `end` are offsets in UTF-16 code units of the text as given, whatever folding did to the term, so that a
 * highlight is exact. Two tokens may share a position (a word and its parts). The callback form is for callers that
 * keep few tokens; the index builder uses the chain's own tight loop (see table.ts).
 */
export interface Analyzer {
  /** Recorded in the index and checked when it is opened: changes whenever the same text would give other terms. */
  readonly name: string;
  analyze(text: string, lang: string, emit: (term: string, position: number, start: number, end: number) => void): void;
}

export interface Token {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}
