/** The expansions of one query: each is bounded, and so are all together; those that are cut short are named. */
import type { TermDictionary } from '../format/terms.ts';
import { EXPANSION, type Expansion, type ExpansionLimits } from './expand.ts';
import type { Problem } from './query.ts';

/** All together: some tenths of a second, and as many look-ups. */
const EXPANSIONS: ExpansionLimits = { terms: 65_536, looked: 1_600_000 };
/** Patterns cut short that are named. */
const MOST_CUT = 5;

export class Expansions {
  #terms = EXPANSIONS.terms;
  #looked = EXPANSIONS.looked;
  #cut = 0;
  readonly #problems: Problem[];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  /** The terms that `expand` finds, as far as there is room for them. */
  of(
    label: string,
    dictionaries: readonly TermDictionary[],
    expand: (dictionaries: readonly TermDictionary[], limits: ExpansionLimits) => Expansion,
  ): readonly string[] {
    const { terms, isCut, looked } = expand(dictionaries, {
      terms: Math.min(EXPANSION.terms, this.#terms),
      looked: Math.min(EXPANSION.looked, this.#looked),
    });
    this.#terms -= terms.length;
    this.#looked -= Math.min(looked, this.#looked);
    if (isCut && this.#cut++ < MOST_CUT)
      this.#problems.push({
        code: 'too-many-terms',
        message:
          terms.length === 0
            ? `The query looks for so many words that ${label} was left out.`
            : `${label} matches so many words that only the first ${terms.length} were looked for.`,
      });
    return terms;
  }
}
