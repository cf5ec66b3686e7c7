/** How a chain cuts what was typed: the query's side of analysis. */
import { ACCENTED, type Analyzer, ATOM, BARE, MAX_TERM, WHOLE } from '../text/analyzer.ts';

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

/** Shared: chains write it, and no one keeps it beyond a token. */
const units = new Uint16Array(MAX_TERM);

function termOf(length: number): string {
  let term = '';
  for (let i = 0; i < length; i++) term += String.fromCharCode(units[i]!);
  return term;
}

export function tokensOf(chain: Analyzer, text: string, lang: string): { tokens: CutToken[]; positions: number } {
  const tokens: CutToken[] = [];
  const positions = chain.analyze(text, lang, {
    units,
    token(length, _hash, position, start, end, kind = ATOM) {
      tokens.push({ term: termOf(length), position, start, end, kind });
    },
  });
  return { tokens, positions };
}

export function cut(chain: Analyzer, text: string, lang: string): Cut {
  const { tokens } = tokensOf(chain, text, lang);
  if (tokens.length === 1 && tokens[0]!.kind === ATOM) return { atoms: [tokens[0]!.term] };
  const atoms: string[] = [];
  let end = 0;
  for (const token of tokens) {
    if (token.kind === ATOM) atoms.push(token.term);
    if (token.end > end) end = token.end;
  }
  const single = atoms.length === 1;
  const whole = tokens.find((token) => token.kind === WHOLE);
  const bare = single ? tokens.find((token) => token.kind === BARE)?.term : undefined;
  const accented = single && tokens[0]!.kind === ATOM && tokens[1]?.kind === ACCENTED ? tokens[1].term : undefined;
  return {
    atoms,
    ...(whole && whole === tokens[0] && whole.end === end ? { whole: whole.term } : {}),
    ...(bare === undefined ? {} : { bare }),
    ...(accented === undefined ? {} : { accented }),
  };
}

/** The same terms of both. */
export const isSameCut = (a: Cut, b: Cut): boolean =>
  a === b ||
  (a.whole === b.whole &&
    a.bare === b.bare &&
    a.accented === b.accented &&
    a.atoms.length === b.atoms.length &&
    a.atoms.every((atom, i) => atom === b.atoms[i]));

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
/** One character of a script that is indexed in pairs: found as the beginning of pairs. */
export const isSingleCjk = (term: string): boolean => term.charCodeAt(0) > 0x10ff && CJK.test(term);
