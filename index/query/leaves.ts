/**
 * The leaves of a query made ready for one index: text cut to terms by the chains of its fields, words widened to their other
 * forms, weights from the statistics of the whole index. Knows no segment.
 */
import type { NumberedField } from '../document.ts';
import type { TermDictionary } from '../format/terms.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { fold } from '../text/table.ts';
import { type Cut, cut, isSameCut, isSingleCjk } from './cut.ts';
import { byPattern, byPrefix, countPrefix, type Expansion, type ExpansionLimits } from './expand.ts';
import { Expansions } from './expansions.ts';
import { byMistake, FUZZY_LENGTH, isAnagram } from './mistakes.ts';
import { boosted, joined, NONE, optional, type Plan, type PlanMember, standingFor, weightOf } from './plan.ts';
import type { Problem, Query } from './query.ts';
import type { Statistics } from './statistics.ts';
import { SYNONYMS_ASKED } from './synonyms.ts';

export interface PlanOptions {
  /** Fields asked where a query names none, with their weights. */
  readonly fields: ReadonlyMap<string, number>;
  readonly lang: string;
  /** `all`: every wanted word must be there; `any`: one at least, or a part of one (`prj` of PRJ-417). */
  readonly mode: 'all' | 'any';
  /** Names that stand for a field. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Other names that mean the same, as synonyms.ts reads them. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]>;
  readonly problems: Problem[];
  /** False: words are asked for as typed, in that form alone. */
  readonly widen: boolean;
}

/** What an occurrence of another form of a word counts, against one of the word as typed (bench/relevance.bench.ts). */
const FORM = 0.7;
const SYNONYM = 0.7;
/** Share of a word's weight that each of its parts has, where parts will do (bench/relevance.bench.ts). */
const PART = 0.5;
/** Share of a word's weight that a document gets more for the accents as typed. */
const ACCENT_BONUS = 0.1;
/** Share of a word's weight for a word one or two typing mistakes away. */
const MISTAKE = [1, 0.4, 0.2];
/** Up to so many terms are scored each; more are there or not. */
const SCORED_TERMS = 32;

/** A term, what an occurrence of it counts, and of what it is a synonym. */
type Form = readonly [term: string, weight: number, synonymOf?: string | undefined];

/** A query without others in it. */
export type Leaf = Exclude<Query, { readonly kind: 'bool' | 'or' }>;

export class Leaves {
  readonly #stats: Statistics;
  readonly #options: PlanOptions;
  readonly #expansions: Expansions;

  constructor(stats: Statistics, options: PlanOptions) {
    this.#stats = stats;
    this.#options = options;
    this.#expansions = new Expansions(options.problems);
  }

  plan(query: Leaf): Plan {
    switch (query.kind) {
      case 'none':
        return NONE;
      case 'all':
        return { kind: 'all', score: 1 };
      case 'word':
        return this.#fielded(query, (fields, boost) => this.#word(query.text, fields, boost));
      case 'phrase':
        return this.#fielded(query, (fields, boost) => this.phrase(query.text, query.slop, fields, boost));
      case 'prefix':
        return this.#fielded(query, (fields, boost) =>
          this.#prefixed(`${query.text}*`, lastWord(query.text), fields, boost),
        );
      case 'wildcard':
        return this.#fielded(query, (fields, boost) =>
          this.#anyOf(query.text, fields, boost, (dictionaries, limits) =>
            byPattern(foldPattern(query.text), dictionaries, limits),
          ),
        );
      case 'fuzzy':
        return this.#fielded(query, (fields, boost) => this.#fuzzy(query.text, query.edits, fields, boost));
      case 'range':
        return {
          kind: 'range',
          query: { ...query, field: this.#options.aliases.get(query.field) ?? query.field },
          score: 1,
        };
    }
  }

  #fielded(
    query: { readonly field?: string; readonly boost?: number },
    make: (fields: ReadonlyMap<string, number>, boost: number) => Plan,
  ): Plan {
    const boost = query.boost ?? 1;
    if (query.field === undefined) return make(this.#options.fields, boost);
    const name = this.#options.aliases.get(query.field) ?? query.field;
    const field = this.#stats.fields.get(name);
    if (!field) {
      this.#options.problems.push({ code: 'unknown-field', message: `There is no field ${query.field}.` });
      return NONE;
    }
    if (field.index === 'text' || field.index === 'bag') return make(new Map([[name, 1]]), boost);
    return this.#exactly(query as Query & { text: string }, field);
  }

  /** A keyword or a column: the value, a beginning of it or a pattern, and no score to speak of. */
  #exactly(query: Query & { text?: string }, field: NumberedField): Plan {
    const text = 'text' in query && query.text !== undefined ? query.text : '';
    const label = `${field.name}:${text}`;
    if (field.index === 'none') {
      if (query.kind !== 'word' && query.kind !== 'phrase') return NONE;
      return {
        kind: 'range',
        query: { kind: 'range', field: field.name, from: text, to: text, withFrom: true, withTo: true },
        score: 1,
      };
    }
    const dictionaries = this.#stats.dictionaries(field.name);
    const lower = text.toLowerCase();
    const terms: readonly string[] =
      query.kind === 'prefix'
        ? this.#expansions.of(label, dictionaries, (all, limits) => byPrefix(text, all, limits))
        : query.kind === 'wildcard'
          ? this.#expansions.of(label, dictionaries, (all, limits) => byPattern(text, all, limits))
          : this.#stats.df(field.name, text) > 0 || lower === text
            ? [text]
            : [lower];
    return { kind: 'terms', label, fields: [field.name], terms, score: 1 };
  }

  /** The fields' chains may cut a text differently: fields that agree are asked together. */
  #cuts(text: string, fields: ReadonlyMap<string, number>): { cut: Cut; fields: [field: string, weight: number][] }[] {
    const groups: { cut: Cut; fields: [string, number][] }[] = [];
    const byChain = new Map<Analyzer, Cut>();
    for (const [field, weight] of fields) {
      const chain = this.#stats.chain(field);
      if (!chain) continue;
      let found = byChain.get(chain);
      if (!found) byChain.set(chain, (found = cut(chain, text, this.#options.lang)));
      if (found.atoms.length === 0) continue;
      const group = groups.find((one) => isSameCut(one.cut, found));
      if (group) group.fields.push([field, weight]);
      else groups.push({ cut: found, fields: [[field, weight]] });
    }
    return groups;
  }

  #word(text: string, fields: ReadonlyMap<string, number>, boost: number): Plan {
    return joined(
      'or',
      this.#cuts(text, fields).map(({ cut, fields }) => this.#cutWord(text, cut, fields, boost)),
    );
  }

  #cutWord(text: string, cut: Cut, fields: readonly [string, number][], boost: number): Plan {
    const [first] = cut.atoms;
    if (cut.atoms.length === 1) {
      // The sign belongs to the name: without it only where the index does not know it.
      if (cut.whole !== undefined && fields.some(([field]) => this.#stats.df(field, cut.whole!) > 0))
        return this.#group(text, fields, [[cut.whole, 1]], boost);
      if (isSingleCjk(first!)) return this.#prefixed(text, first!, new Map(fields), boost);
      const word = this.#group(text, fields, this.#widened(first!, cut.bare, fields), boost);
      if (cut.accented === undefined || word.kind !== 'group')
        return this.#orSynonyms(word, first!, true, fields, boost);
      const accented = this.#group(cut.accented, fields, [[cut.accented, 1]], boost * ACCENT_BONUS);
      const either = accented.kind === 'none' ? word : optional(word, accented);
      return this.#orSynonyms(either, first!, true, fields, boost);
    }
    const parts: Plan[] = [];
    if (cut.whole !== undefined) parts.push(this.#group(text, fields, [[cut.whole, 1]], boost));
    parts.push(this.#phraseOf(text, cut.atoms, 0, fields, boost));
    if (this.#options.mode === 'any')
      for (const atom of new Set(cut.atoms))
        parts.push(this.#group(atom, fields, this.#widened(atom, undefined, fields), boost * PART));
    return this.#orSynonyms(joined('or', parts), cut.atoms.join(' '), false, fields, boost);
  }

  #synonyms(name: string): readonly string[] {
    return (this.#options.widen && this.#options.synonyms?.get(name)?.slice(0, SYNONYMS_ASKED)) || [];
  }

  /** A plan of a name asked for in the default fields, or else one of the name's synonyms. */
  orSynonyms(plan: Plan, name: string): Plan {
    return this.#orSynonyms(plan, name, false, [...this.#options.fields], 1);
  }

  /** @param withWords synonyms of one word are in the plan already */
  #orSynonyms(
    plan: Plan,
    name: string,
    withWords: boolean,
    fields: readonly (readonly [string, number])[],
    boost: number,
  ): Plan {
    const others = this.#synonyms(name).filter((other) => !withWords || other.includes(' '));
    if (others.length === 0) return plan;
    const own = weightOf(plan);
    const instead = others.map((other) => {
      const found = this.phrase(other, 0, new Map(fields), boost);
      // Several words are rarer than one; still they must not weigh more than what was typed.
      const share = own > 0 ? Math.min(1, own / weightOf(found)) : 1;
      return standingFor(name, boosted(found, SYNONYM * share));
    });
    return joined('best', [plan, ...instead]);
  }

  /** A word with its other forms and synonyms of one word, and what each counts. */
  #widened(word: string, bare: string | undefined, fields: readonly (readonly [string, number])[]): Form[] {
    if (!this.#options.widen) return [[word, 1]];
    const terms = new Map<string, Form>([[word, [word, 1]]]);
    const add = (term: string, weight: number, synonymOf?: string): void => {
      if (!terms.has(term)) terms.set(term, [term, weight, synonymOf]);
    };
    const words = bare === undefined ? [word] : [word, bare];
    if (bare !== undefined) add(bare, FORM);
    const stemmed = fields.flatMap(([field]) => (this.#isStemmed(field) ? [field] : []));
    for (const one of words) for (const form of this.#stats.forms(one, this.#options.lang, stemmed)) add(form, FORM);
    for (const other of this.#synonyms(word)) if (!other.includes(' ')) add(fold(other), SYNONYM, word);
    return [...terms.values()];
  }

  #isStemmed(field: string): boolean {
    const name = this.#stats.fields.get(field)?.analyzer;
    return name === undefined || name === 'words' || name === 'address';
  }

  #group(label: string, fields: readonly (readonly [string, number])[], terms: readonly Form[], boost: number): Plan {
    const members: PlanMember[] = [];
    const { docs } = this.#stats;
    let df = 0;
    for (const [field, fieldWeight] of fields) {
      let inField = 0;
      for (const [term, weight, synonymOf] of terms) {
        const one = this.#stats.df(field, term);
        if (one === 0) continue;
        // Documents with either, as if the two had nothing to do with each other: the forms of a word seldom stand alone.
        inField += one - (inField * one) / docs;
        members.push({ field, term, weight: fieldWeight * weight, ...(synonymOf === undefined ? {} : { synonymOf }) });
      }
      if (inField > df) df = inField;
    }
    if (members.length === 0) return NONE;
    return { kind: 'group', label, members, df, weight: boost * this.#stats.idf(df) };
  }

  phrase(text: string, slop: number, fields: ReadonlyMap<string, number>, boost: number): Plan {
    return joined(
      'or',
      this.#cuts(text, fields).map(({ cut, fields }) =>
        cut.atoms.length === 1
          ? cut.whole !== undefined || isSingleCjk(cut.atoms[0]!)
            ? this.#cutWord(text, cut, fields, boost)
            : this.#group(text, fields, [[cut.atoms[0]!, 1]], boost)
          : this.#phraseOf(text, cut.atoms, slop, fields, boost),
      ),
    );
  }

  #phraseOf(
    label: string,
    terms: readonly string[],
    slop: number,
    fields: readonly (readonly [string, number])[],
    boost: number,
  ): Plan {
    const able: { field: string; weight: number }[] = [];
    let weight = 0;
    for (const [field, fieldWeight] of fields) {
      if (this.#stats.fields.get(field)?.index !== 'text') continue;
      const dfs = terms.map((term) => this.#stats.df(field, term));
      if (dfs.some((df) => df === 0)) continue;
      able.push({ field, weight: fieldWeight });
      const sum = dfs.reduce((sum, df) => sum + this.#stats.idf(df), 0);
      weight = weight === 0 ? sum : Math.min(weight, sum);
    }
    // A bag of words cannot tell what stands beside what: there all of the words must do.
    const bags = fields.filter(([field]) => this.#stats.fields.get(field)?.index === 'bag');
    const inBags = bags.map((field) =>
      joined(
        'and',
        terms.map((term) => this.#group(term, [field], [[term, 1]], boost)),
      ),
    );
    const phrase: Plan =
      able.length === 0 ? NONE : { kind: 'phrase', label, fields: able, terms, slop, weight: boost * weight };
    return joined('or', [phrase, ...inBags]);
  }

  /** Few terms are scored each; where they are many, a field that has one counts by its weight. */
  #prefixed(label: string, prefix: string, fields: ReadonlyMap<string, number>, boost: number): Plan {
    const names = [...fields.keys()];
    if (
      countPrefix(
        prefix,
        names.flatMap((field) => this.#stats.dictionaries(field)),
      ) > SCORED_TERMS
    )
      return joined(
        'or',
        names.map((field) => ({
          kind: 'terms',
          label,
          fields: [field],
          terms: [],
          prefix,
          score: boost * fields.get(field)!,
        })),
      );
    return this.#anyOf(label, fields, boost, (dictionaries, limits) => byPrefix(prefix, dictionaries, limits));
  }

  #anyOf(
    label: string,
    fields: ReadonlyMap<string, number>,
    boost: number,
    expand: (dictionaries: readonly TermDictionary[], limits: ExpansionLimits) => Expansion,
  ): Plan {
    const names = [...fields.keys()];
    const dictionaries = names.flatMap((field) => this.#stats.dictionaries(field));
    const terms = this.#expansions.of(label, dictionaries, expand);
    if (terms.length === 0) return NONE;
    if (terms.length <= SCORED_TERMS)
      return this.#group(
        label,
        [...fields],
        terms.map((term) => [term, 1]),
        boost,
      );
    return joined(
      'or',
      names.map((field) => ({ kind: 'terms', label, fields: [field], terms, score: boost * fields.get(field)! })),
    );
  }

  #fuzzy(text: string, edits: 1 | 2, fields: ReadonlyMap<string, number>, boost: number): Plan {
    return joined(
      'or',
      this.#cuts(text, fields).map(({ cut, fields }) => {
        const word = cut.atoms.length === 1 ? cut.atoms[0]! : cut.whole;
        if (word === undefined) return this.#cutWord(text, cut, fields, boost);
        const own = this.#group(word, fields, this.#widened(word, undefined, fields), boost);
        if (/^\d+$/.test(word)) return own;
        const dictionaries = fields.flatMap(([field]) => this.#stats.dictionaries(field));
        const guesses = byMistake(word, word.length < 6 ? 1 : edits, dictionaries).filter(
          ({ term }) => word.length >= FUZZY_LENGTH || isAnagram(word, term),
        );
        const parts: Plan[] = [own];
        for (const distance of [1, 2]) {
          const terms = guesses.filter((guess) => guess.edits === distance);
          const group = this.#group(
            `${word}~${distance}`,
            fields,
            terms.map(({ term }) => [term, 1]),
            boost,
          );
          if (group.kind !== 'group') continue;
          // A rare mistake must not weigh more than the word that was typed.
          const weight = Math.min(group.weight, own.kind === 'group' ? own.weight : group.weight);
          parts.push({ ...group, weight: weight * MISTAKE[distance]! });
        }
        return joined('or', parts);
      }),
    );
  }
}

/** What a prefix begins with, folded; of `app:butt*` the last word counts. */
function lastWord(text: string): string {
  return fold(text)
    .split(/[\s:/=]+/u)
    .at(-1)!
    .replace(/['-]/g, '');
}

const foldPattern = (text: string): string =>
  text
    .split(/([*?])/u)
    .map((part) => (part === '*' || part === '?' ? part : fold(part)))
    .join('');
