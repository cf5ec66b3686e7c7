/** How a chain cuts what was typed: the query's side of analysis. */
import { ACCENTED, type Analyzer, ATOM, BARE, LAST, MAX_TERM, WHOLE } from '../text/analyzer.ts';

export interface Cut {
  /** One term a position. */
  readonly atoms: readonly string[];
  /** The whole as one term, where it has parts or signs. */
  readonly whole?: string;
  /** A single word without its elision or possessive. */
  readonly bare?: string;
  /** A single word with its accents. */
  readonly accented?: string;
}

export interface CutToken {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

export function tokensOf(chain: Analyzer, text: string, lang: string): { tokens: CutToken[]; positions: number } {
  const tokens: CutToken[] = [];
  const units = new Uint16Array(MAX_TERM);
  const positions = chain.analyze(text, lang, {
    units,
    token(length, _hash, position, start, end, kind = ATOM) {
      tokens.push({ term: String.fromCharCode(...units.subarray(0, length)), position, start, end, kind });
    },
  });
  return { tokens, positions };
}

export function cut(chain: Analyzer, text: string, lang: string): Cut {
  const { tokens } = tokensOf(chain, text, lang);
  const atoms: string[] = [];
  for (const { term, kind } of tokens) if (kind === ATOM) atoms.push(term);
  const end = tokens.reduce((most, token) => Math.max(most, token.end), 0);
  const single = atoms.length === 1;
  const first = (kind: number): string | undefined => tokens.find((token) => token.kind === kind)?.term;
  const whole = tokens.find((token) => token.kind === WHOLE);
  const bare = single ? first(BARE) : undefined;
  const accented = single && tokens[0]!.kind === ATOM && tokens[1]?.kind === ACCENTED ? tokens[1].term : undefined;
  return {
    atoms,
    ...(whole && whole === tokens[0] && whole.end === end ? { whole: whole.term } : {}),
    ...(bare === undefined ? {} : { bare }),
    ...(accented === undefined ? {} : { accented }),
  };
}

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
/** One character of a script that is indexed in pairs: found as the beginning of pairs. */
export const isSingleCjk = (term: string): boolean => CJK.test(term);
export { LAST };
