import { END } from '../format/postings.ts';
import { cut } from '../query/cut.ts';
import { byMistake, type Guess } from '../query/mistakes.ts';
import type { Query } from '../query/query.ts';
import type { Statistics } from '../query/statistics.ts';
import { fold } from '../text/table.ts';

/** Words of a query that are looked up: each unknown one costs a walk through the dictionaries. */
const MOST_WORDS = 8;

/** Documents of a segment and field that are asked for their language. */
const MOST_ASKED = 100;

/**
 * The line with words of the index for those that it does not know: the most frequent one a typing mistake away, two for
 * words above five letters. Never a word of another language than the other words are found in, or than `lang` says.
 * Undefined where there is nothing to say.
 */
export function didYouMean(
  asked: string,
  query: Query,
  fields: readonly string[],
  stats: Statistics,
  lang: string,
  isLangGiven: boolean,
): string | undefined {
  let text = asked;
  let changed = false;
  const words = plainWords(query).slice(0, MOST_WORDS);
  let wanted: ReadonlySet<string> | undefined = isLangGiven ? new Set([primary(lang)]) : undefined;
  for (const word of words) {
    for (const field of fields) {
      const chain = stats.chain(field);
      if (!chain) continue;
      const { atoms } = cut(chain, word, lang);
      const [atom] = atoms;
      if (atoms.length !== 1 || atom!.length < 4 || /\d/.test(atom!) || fields.some((one) => stats.df(one, atom!) > 0))
        break;
      const dictionaries = fields.flatMap((one) => stats.dictionaries(one));
      wanted ??= new Set(words.flatMap((one) => [...languagesOf(fold(one), fields, stats)]));
      const isFitting = ({ term }: Guess): boolean => {
        const spoken = wanted!.size > 0 ? languagesOf(term, fields, stats) : wanted!;
        return spoken.size === 0 || [...spoken].some((one) => wanted!.has(one));
      };
      const guess =
        byMistake(atom!, 1, dictionaries).find(isFitting) ??
        (atom!.length > 5 ? byMistake(atom!, 2, dictionaries).find(isFitting) : undefined);
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

const primary = (lang: string): string => lang.toLowerCase().replace(/[-_].*/, '');

/** Languages of the first documents that have a term; none where documents have no language. */
function languagesOf(term: string, fields: readonly string[], stats: Statistics): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const segment of stats.segments) {
    const name = segment.schema.lang;
    const column = name === undefined ? null : segment.column(name);
    if (column?.kind !== 'string') continue;
    for (const field of fields) {
      const dictionary = segment.terms(field);
      const n = dictionary.find(term);
      if (n < 0) continue;
      const cursor = dictionary.postings(n);
      for (let asked = 0; asked < MOST_ASKED && cursor.next() !== END; asked++) {
        const lang = column.dictionary.value(column.ordinals[cursor.doc]!);
        if (lang) spoken.add(primary(lang));
      }
    }
  }
  return spoken;
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
