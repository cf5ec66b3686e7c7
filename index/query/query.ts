/**
 * What is asked, as a tree of plain data: what `parseQuery` makes of a line of text, and what a program may build itself.
 *
 * Leaves hold text as typed; it is analysed when the query meets an index, by the chain of each field it is asked of.
 */
export type Query =
  /** A word, or several that stand together without a space (`a/b`, `buttonColorState`): then a phrase of its parts as well. */
  | { readonly kind: 'word'; readonly text: string; readonly field?: string; readonly boost?: number }
  /** Words side by side; with `slop`, with up to that many steps of words between or swapped. */
  | {
      readonly kind: 'phrase';
      readonly text: string;
      readonly slop: number;
      readonly field?: string;
      readonly boost?: number;
    }
  | { readonly kind: 'prefix'; readonly text: string; readonly field?: string; readonly boost?: number }
  /** `*`: any characters, also none; `?`: exactly one. */
  | { readonly kind: 'wildcard'; readonly text: string; readonly field?: string; readonly boost?: number }
  | {
      readonly kind: 'fuzzy';
      readonly text: string;
      readonly edits: 1 | 2;
      readonly field?: string;
      readonly boost?: number;
    }
  /** Over a column, or over the terms of a keyword field; an end that is absent is open. */
  | {
      readonly kind: 'range';
      readonly field: string;
      readonly from?: string;
      readonly to?: string;
      readonly withFrom: boolean;
      readonly withTo: boolean;
    }
  | { readonly kind: 'bool'; readonly clauses: readonly Clause[] }
  /** At least one. */
  | { readonly kind: 'or'; readonly of: readonly Query[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };

export interface Clause {
  /**
   * `must`: is there; `not`: is not there; `want`: all of these are there if such documents exist, else as many as
   * possible (the searcher says when it had to give in).
   */
  readonly occur: 'must' | 'want' | 'not';
  readonly query: Query;
}

export interface Problem {
  readonly code:
    | 'unclosed-quote'
    | 'unclosed-bracket'
    | 'stray-bracket'
    | 'too-deep'
    | 'too-many-clauses'
    | 'too-long'
    | 'only-negative'
    | 'only-signs'
    | 'bad-range'
    | 'stray-operator'
    | 'unknown-field'
    | 'too-many-terms'
    | 'cost-limit'
    | 'time-limit'
    | 'no-sort'
    | 'unknown-word'
    | 'no-group';
  /** One sentence for the person who typed. */
  readonly message: string;
  /** Where in the text, in UTF-16 units; absent when it concerns the whole. */
  readonly at?: number;
}

/** The query in the language that `parseQuery` reads: parsing it again gives the same tree (while its fields are known). */
export function queryText(query: Query): string {
  switch (query.kind) {
    case 'word':
      return fielded(query, query.text);
    case 'phrase':
      return fielded(query, `"${query.text}"${query.slop > 0 ? `~${query.slop}` : ''}`);
    case 'prefix':
      return fielded(query, `${query.text}*`);
    case 'wildcard':
      return fielded(query, query.text);
    case 'fuzzy':
      return fielded(query, `${query.text}~${query.edits}`);
    case 'range':
      return `${query.field}:${query.withFrom ? '[' : '{'}${query.from ?? '*'} TO ${query.to ?? '*'}${query.withTo ? ']' : '}'}`;
    case 'or':
      return query.of.map(inner).join(' OR ');
    case 'bool':
      return query.clauses
        .map(({ occur, query }) => (occur === 'must' ? '+' : occur === 'not' ? '-' : '') + inner(query))
        .join(' ');
    case 'all':
      return '*';
    case 'none':
      return '';
  }
}

const inner = (query: Query): string =>
  query.kind === 'bool' || query.kind === 'or' ? `(${queryText(query)})` : queryText(query);

function fielded(query: { readonly field?: string; readonly boost?: number }, text: string): string {
  return `${query.field === undefined ? '' : `${query.field}:`}${text}${query.boost === undefined ? '' : `^${query.boost}`}`;
}
