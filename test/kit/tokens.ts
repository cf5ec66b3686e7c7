import { type Analyzer, hashUnits, MAX_TERM } from '../../index/text/analyzer.ts';

export interface Token {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

/** All tokens of a text, and the number of positions it took; checks hash, order and offsets of each on the way. */
export function tokensOf(chain: Analyzer, text: string, lang = ''): { tokens: Token[]; positions: number } {
  const tokens: Token[] = [];
  const units = new Uint16Array(MAX_TERM);
  let last = 0;
  const positions = chain.analyze(text, lang, {
    units,
    token(length, hash, position, start, end, kind = 0) {
      if (length < 1 || length > MAX_TERM) throw new Error(`a term of ${length} units in ${JSON.stringify(text)}`);
      if (hash !== hashUnits(units, length)) throw new Error(`wrong hash in ${JSON.stringify(text)}`);
      if (position < last) throw new Error(`position ${position} behind ${last} in ${JSON.stringify(text)}`);
      if (start < 0 || end > text.length || start >= end)
        throw new Error(`offsets ${start}-${end} in ${JSON.stringify(text)}`);
      last = position;
      tokens.push({ term: String.fromCharCode(...units.subarray(0, length)), position, start, end, kind });
    },
  });
  if (tokens.length > 0 && positions <= last) throw new Error(`${positions} positions, last token at ${last}`);
  return { tokens, positions };
}

export const termsOf = (chain: Analyzer, text: string, lang = ''): string[] =>
  tokensOf(chain, text, lang).tokens.map((token) => token.term);
