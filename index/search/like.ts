import type { Document } from '../document.ts';
import { tokensOf } from '../query/cut.ts';
import { joined, type Plan } from '../query/plan.ts';
import type { Statistics } from '../query/statistics.ts';
import { ACCENTED, BARE } from '../text/analyzer.ts';
import { stopWords } from '../text/stop.ts';
import { textsOf } from './texts.ts';

/** UTF-16 units of a field that are looked at. */
const LOOKED_AT = 50_000;
/** Words that are asked for: as many as Lucene's MoreLikeThis. */
const WORDS = 25;
/** How soon more of the same word adds little: the k1 of BM25. */
const K1 = 1.2;

/** A plan for documents like this one: any of its words that are rare in the index and frequent in it. */
export function likePlan(
  document: Document,
  fields: ReadonlyMap<string, number>,
  stats: Statistics,
  lang: string,
): Plan {
  const counts = new Map<string, number>();
  const stops = stopWords(lang);
  for (const field of fields.keys()) {
    const chain = stats.chain(field);
    const value = document[field];
    if (!chain || value === undefined) continue;
    for (const text of textsOf(value))
      for (const { term, kind } of tokensOf(chain, text.slice(0, LOOKED_AT), lang).tokens)
        if (kind !== ACCENTED && kind !== BARE && term.length > 2 && !stops.has(term))
          counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const weighed = [...counts.entries()].flatMap(([term, count]) => {
    const df = Math.max(...[...fields.keys()].map((field) => stats.df(field, term)));
    return df < 2 ? [] : [{ term, df, weight: stats.idf(df) * (count / (count + K1)) }];
  });
  weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  return joined(
    'or',
    weighed.slice(0, WORDS).map(({ term, df, weight }) => ({
      kind: 'group',
      label: term,
      df,
      weight,
      members: [...fields].map(([field, fieldWeight]) => ({ field, term, weight: fieldWeight })),
    })),
  );
}
