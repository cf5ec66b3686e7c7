import { cut } from '../query/cut.ts';
import { byMistake } from '../query/mistakes.ts';
import type { Query } from '../query/query.ts';
import type { Statistics } from '../query/statistics.ts';

/** Words of a query that are looked up: each unknown one costs a walk through the dictionaries. */
const MOST_WORDS = 8;

/**
 * The line with words of the index for those that it does not know: the most frequent one a typing mistake away, two for
 * words above five letters. Undefined where there is nothing to say.
 */
export function didYouMean(
  asked: string,
  query: Query,
  fields: readonly string[],
  stats: Statistics,
  lang: string,
): string | undefined {
  let text = asked;
  let changed = false;
  for (const word of plainWords(query).slice(0, MOST_WORDS)) {
    for (const field of fields) {
      const chain = stats.chain(field);
      if (!chain) continue;
      const { atoms } = cut(chain, word, lang);
      const [atom] = atoms;
      if (atoms.length !== 1 || atom!.length < 4 || /\d/.test(atom!) || fields.some((one) => stats.df(one, atom!) > 0))
        break;
      const dictionaries = fields.flatMap((one) => stats.dictionaries(one));
      const guess =
        byMistake(atom!, 1, dictionaries)[0] ?? (atom!.length > 5 ? byMistake(atom!, 2, dictionaries)[0] : undefined);
      if (guess) {
        const at = text.indexOf(word);
        text = text.slice(0, at) + guess.term + text.slice(at + word.length);
        changed = true;
      }
      break;
    }
  }
  return changed ? text : undefined;
}

function plainWords(query: Query): string[] {
  switch (query.kind) {
    case 'word':
      return query.field === undefined ? [query.text] : [];
    case 'bool':
      return query.clauses.flatMap((clause) => (clause.occur === 'not' ? [] : plainWords(clause.query)));
    case 'or':
      return query.of.flatMap(plainWords);
    default:
      return [];
  }
}
