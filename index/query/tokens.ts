/** Analysis and parsing alone, as plain data: to see what a chain makes of a text and the parser of a line. */
import { ACCENTED, ATOM, BARE, GROUP, LAST, WHOLE } from '../text/analyzer.ts';
import { createChain } from '../text/chains.ts';
import { stemmerOf } from '../text/stem.ts';
import { tokensOf } from './cut.ts';
import { type ParseOptions, parseQuery } from './parse.ts';
import type { Problem, Query } from './query.ts';

const KINDS: Record<number, string> = {
  [ATOM]: 'word',
  [WHOLE]: 'whole',
  [GROUP]: 'group',
  [BARE]: 'bare',
  [ACCENTED]: 'accented',
  [LAST]: 'last',
};

export interface AnalyzedToken {
  readonly term: string;
  readonly position: number;
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** What other forms of the word share, where the language is stemmed. Not in the index: used when a query is widened. */
  readonly stem?: string;
}

/** @param analyzer name of a chain, or nothing for the default; an unknown name gives no tokens */
export function analyzeTokens(
  text: string,
  options: { readonly lang?: string; readonly analyzer?: string } = {},
): readonly AnalyzedToken[] {
  const chain = createChain(options.analyzer);
  if (!chain) return [];
  const stem = options.lang === undefined ? undefined : stemmerOf(options.lang);
  return tokensOf(chain, text, options.lang ?? '').tokens.map(({ kind, ...token }) => ({
    ...token,
    kind: KINDS[kind]!,
    ...(stem && kind === ATOM ? { stem: stem(token.term) } : {}),
  }));
}

/** @param fields names that a colon selects; every name when absent */
export function queryTree(
  query: string,
  fields?: readonly string[],
): { readonly query: Query; readonly problems: readonly Problem[] } {
  const options: ParseOptions = { isField: fields ? (name) => fields.includes(name) : () => true };
  return parseQuery(query, options);
}
