/** Matches in the order of a column. Memory: every match. */
import { isSet } from '../format/bits.ts';
import { type Column, columnValue } from '../format/columns.ts';
import { END } from '../query/docs.ts';
import { partsOf } from '../query/plan.ts';
import type { Asked } from './asked.ts';
import { type Found, readAfter } from './found.ts';
import type { Segments } from './segments.ts';

export interface Match {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  /** What it is sorted by. */
  readonly value: string | number | undefined;
}

/** Values that can be compared; undefined where the column is missing, or has none for the document. */
export const sortValue = (column: Column | null | undefined, doc: number): string | number | undefined =>
  column ? (columnValue(column, doc) as string | number | undefined) : undefined;

/** In place. Matches without a value come last, equal ones in document order. */
export function sortMatches(matches: Match[], isDown: boolean): void {
  matches.sort((a, b) => {
    if (a.value !== b.value) {
      if (a.value === undefined) return 1;
      if (b.value === undefined) return -1;
      return a.value < b.value === isDown ? 1 : -1;
    }
    return a.segment - b.segment || a.doc - b.doc;
  });
}

/** The column of a field `name` or `-name` in each segment; null when no segment has one. */
export function sortColumns(segments: Segments, sort: string | undefined): readonly (Column | null)[] | null {
  if (sort === undefined) return null;
  const name = sort.replace(/^-/, '');
  return segments.hasColumn(name) ? segments.columns(name) : null;
}

/** Every match, sorted; `limit` of them. */
export function findSorted(segments: Segments, { plan, accept, options, limits }: Asked, limit: number): Found {
  const columns = sortColumns(segments, options.sort);
  const matches: Match[] = [];
  const allowance = limits.allowance();
  const parts = partsOf(plan);
  for (const [i, segment] of segments.all.entries()) {
    const docs = segments.docs(plan, segment, allowance);
    if (!docs) continue;
    const bits = accept[i]!;
    const prior = segments.prior(segment);
    const column = columns?.[i];
    for (let doc = docs.next(); doc !== END && allowance.spend(parts); doc = docs.next()) {
      if (bits && !isSet(bits, doc)) continue;
      const score = Math.fround(docs.score() * (prior?.factor(doc) ?? 1));
      matches.push({ segment: i, doc, score, value: columns ? sortValue(column, doc) : score });
    }
  }
  sortMatches(matches, columns === null || options.sort!.startsWith('-'));
  const after = readAfter(options.after);
  const from =
    after && after.rank === undefined
      ? matches.findIndex((match) => segments.bases[match.segment]! + match.doc === after.doc) + 1
      : Math.max(0, options.from ?? 0);
  return {
    total: matches.length,
    isExact: !allowance.isSpent,
    isOver: allowance.isSpent,
    hits: matches.slice(from, from + limit).map(({ segment, doc, score }) => ({
      segment,
      doc,
      score,
      base: score,
      near: 0,
      rank: undefined,
      global: segments.bases[segment]! + doc,
      group: undefined,
    })),
  };
}
