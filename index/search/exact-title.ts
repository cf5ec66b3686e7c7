/** The rule that the document whose title is exactly the query comes first: which documents these are. */
import { encodeLength } from '../format/norms.ts';
import type { Allowance } from '../query/allowance.ts';
import { Compiler, type CursorPool } from '../query/compile.ts';
import { cut, tokensOf } from '../query/cut.ts';
import { END } from '../query/docs.ts';
import type { Query } from '../query/query.ts';
import type { Statistics } from '../query/statistics.ts';
import type { SegmentReader } from '../segment/reader.ts';
import { ACCENTED, BARE } from '../text/analyzer.ts';
import { textsOf } from './texts.ts';

/** Words of a query beyond which it is no title. */
const MOST_WORDS = 64;
/** Documents of one title that are put first, in a segment. */
const MOST_TITLES = 1000;
/** Titles that are looked at word by word, in a segment. */
const TITLES_VERIFIED = 20;

export interface TitleTerms {
  readonly atoms: readonly string[];
  readonly positions: number;
  readonly shape: string;
}

/** Terms that a title must have, one a position, when the query is nothing but words and phrases; else null. */
export function titleTerms(query: Query, field: string, stats: Statistics, lang: string): TitleTerms | null {
  const text = plainText(query);
  const chain = stats.chain(field);
  if (text === null || !chain) return null;
  const { tokens, positions } = tokensOf(chain, text, lang);
  const atoms = cut(chain, text, lang).atoms;
  if (atoms.length === 0 || atoms.length > MOST_WORDS) return null;
  return { atoms, positions, shape: shapeOf(tokens) };
}

/** Documents whose title has these words and no other. */
export function exactTitles(
  terms: TitleTerms,
  field: string,
  segment: SegmentReader,
  stats: Statistics,
  pool: CursorPool,
  lang: string,
  allowance: Allowance,
): Set<number> {
  const found = new Set<number>();
  const norms = segment.norms(field);
  const docs = new Compiler(segment, stats, pool, allowance).docs(
    terms.atoms.length === 1
      ? { kind: 'terms', label: '', fields: [field], terms: terms.atoms, score: 1 }
      : { kind: 'phrase', label: '', fields: [{ field, weight: 1 }], terms: terms.atoms, slop: 0, weight: 1 },
  );
  if (!docs || !norms) return found;
  const length = encodeLength(terms.positions);
  for (let doc = docs.next(); doc !== END && found.size < MOST_TITLES && allowance.spend(1); doc = docs.next())
    if (norms[doc] === length) found.add(doc);
  // Signs count: C is not C++. Where the title is kept and candidates are few, it is read.
  if (found.size > 0 && found.size <= TITLES_VERIFIED && stats.fields.get(field)?.stored) {
    const chain = stats.chain(field)!;
    const wanted = segment.fieldIds([field]);
    for (const doc of found) {
      const title = segment.stored(doc, wanted)[field];
      if (!textsOf(title).some((text) => shapeOf(tokensOf(chain, text, lang).tokens) === terms.shape))
        found.delete(doc);
    }
  }
  return found;
}

const shapeOf = (tokens: readonly { readonly term: string; readonly kind: number }[]): string =>
  tokens.flatMap(({ term, kind }) => (kind === ACCENTED || kind === BARE ? [] : [term])).join('\n');

/** The text of a query of nothing but wanted words and phrases; null for any other. */
export function plainText(query: Query): string | null {
  switch (query.kind) {
    case 'word':
    case 'phrase':
      return query.field === undefined ? query.text : null;
    case 'bool': {
      const texts = query.clauses.map((clause) => (clause.occur === 'want' ? plainText(clause.query) : null));
      return texts.some((text) => text === null) ? null : texts.join(' ');
    }
    default:
      return null;
  }
}
