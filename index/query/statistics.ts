/** What scoring must know of the whole index: sums over all segments, so that no score depends on how it is cut. */
import { fieldsOf, type NumberedField } from '../document.ts';
import { IndexError } from '../errors.ts';
import type { TermDictionary } from '../format/terms.ts';
import { segmentFile } from '../io/names.ts';
import type { SegmentReader } from '../segment/reader.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { createChain } from '../text/chains.ts';
import { BM25, type Bm25, idf, lengthTable } from './bm25.ts';
import { otherForms } from './expand.ts';

/** Terms remembered a field; beyond it the memory starts anew. */
const REMEMBERED = 20_000;

/** A term of a field, looked up once: planning asks how many documents have it, and then each segment where they are. */
export interface KnownTerm {
  readonly df: number;
  /** By segment, its number there; -1 where it is not. */
  readonly numbers: readonly number[];
}

export class Statistics {
  readonly segments: readonly SegmentReader[];
  /** Documents, deleted ones included until a merge. */
  readonly docs: number;
  readonly fields: ReadonlyMap<string, NumberedField>;
  readonly bm25: Bm25;
  readonly #averages = new Map<string, number>();
  /** By field, and by the name that fields give: fields of one chain share it, so that a word is cut once. */
  readonly #chains = new Map<string, Analyzer>();
  readonly #named = new Map<string, Analyzer>();
  readonly #tables = new Map<string, Float64Array>();
  /** By field, by term. */
  readonly #terms = new Map<string, Map<string, KnownTerm>>();
  readonly #forms = new Map<string, readonly string[]>();
  readonly #dictionaries = new Map<string, readonly TermDictionary[]>();
  readonly #analyzers: (name?: string) => Analyzer | undefined;

  constructor(
    segments: readonly SegmentReader[],
    bm25: Bm25 = BM25,
    analyzers: (name?: string) => Analyzer | undefined = createChain,
  ) {
    this.segments = segments;
    this.bm25 = bm25;
    this.#analyzers = analyzers;
    this.docs = segments.reduce((sum, segment) => sum + segment.docs, 0);
    this.fields = segments.length > 0 ? fieldsOf(segments[0]!.schema) : new Map();
  }

  /** Average length of a field, over the documents that have it. */
  average(field: string): number {
    let average = this.#averages.get(field);
    if (average === undefined) {
      let tokens = 0;
      let docs = 0;
      for (const segment of this.segments) {
        const stats = segment.stats(field);
        tokens += stats.tokens;
        docs += stats.docs;
      }
      average = docs > 0 ? tokens / docs : 1;
      this.#averages.set(field, average);
    }
    return average;
  }

  /** By norm byte, what an occurrence in the field adds to tf; one table a field and weight. */
  table(field: string, weight: number): Float64Array {
    const key = `${weight} ${field}`;
    let table = this.#tables.get(key);
    if (!table) {
      if (this.#tables.size > 500) this.#tables.clear();
      const isAnalysed = this.#isAnalysed(field);
      table = isAnalysed ? lengthTable(weight, this.average(field), this.bm25.b) : new Float64Array(256).fill(weight);
      this.#tables.set(key, table);
    }
    return table;
  }

  /** A query must be cut as the documents were: other terms would find less, and nobody would see why. */
  #checkChain(field: string, { name }: Analyzer): void {
    for (const segment of this.segments) {
      const recorded = segment.analyzer(field);
      if (recorded === name) continue;
      const what = `field ${field} of segment ${segment.name} was cut by ${recorded}, and this program cuts by ${name}`;
      throw new IndexError('too-old', `${what}; build the index again`, { file: segmentFile(segment.name, 'seg') });
    }
  }

  #isAnalysed(field: string): boolean {
    const kind = this.fields.get(field)?.index;
    return kind === 'text' || kind === 'bag';
  }

  dictionaries(field: string): readonly TermDictionary[] {
    let found = this.#dictionaries.get(field);
    if (!found) this.#dictionaries.set(field, (found = this.segments.map((segment) => segment.terms(field))));
    return found;
  }

  df(field: string, term: string): number {
    return this.term(field, term).df;
  }

  term(field: string, term: string): KnownTerm {
    let known = this.#terms.get(field);
    if (!known) this.#terms.set(field, (known = new Map()));
    let found = known.get(term);
    if (found === undefined) {
      let df = 0;
      const numbers: number[] = [];
      for (const dictionary of this.dictionaries(field)) {
        const n = dictionary.find(term);
        if (n >= 0) df += dictionary.df(n);
        numbers.push(n);
      }
      found = { df, numbers };
      if (known.size >= REMEMBERED) known.clear();
      known.set(term, found);
    }
    return found;
  }

  /** Other forms of a word in these fields (expand.ts), remembered. */
  forms(word: string, lang: string, fields: readonly string[]): readonly string[] {
    const key = `${lang} ${fields.join(' ')} ${word}`;
    let forms = this.#forms.get(key);
    if (!forms) {
      forms = otherForms(
        word,
        lang,
        fields.flatMap((field) => this.dictionaries(field)),
      );
      if (this.#forms.size >= REMEMBERED) this.#forms.clear();
      this.#forms.set(key, forms);
    }
    return forms;
  }

  idf(df: number): number {
    return idf(Math.min(df, this.docs), this.docs);
  }

  /** The chain that cuts a field; undefined when the field is not analysed. */
  chain(field: string): Analyzer | undefined {
    let chain = this.#chains.get(field);
    if (!chain && this.#isAnalysed(field)) {
      const name = this.fields.get(field)!.analyzer;
      chain = this.#named.get(name ?? '') ?? this.#analyzers(name);
      if (chain) {
        this.#named.set(name ?? '', chain);
        this.#checkChain(field, chain);
        this.#chains.set(field, chain);
      }
    }
    return chain;
  }
}
