/** Matches in the order of a column, and at most some with the same value of one. Memory: every match. */
import { type Column, columnValue } from '../format/columns.ts';
import type { Grouped } from './found.ts';

export interface Match {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
  /** What it is sorted by. */
  readonly value: string | number | undefined;
  readonly group?: Grouped;
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

/** At most `most` matches of a value, in their order; those without one are not held together. */
export function grouped(matches: readonly Match[], columns: readonly (Column | null)[], most: number): Match[] {
  const counts = new Map<string | number, number>();
  const kept: { match: Match; value: string | number | undefined }[] = [];
  for (const match of matches) {
    const value = sortValue(columns[match.segment], match.doc);
    const count = value === undefined ? 0 : (counts.get(value) ?? 0) + 1;
    if (value !== undefined) counts.set(value, count);
    if (count <= most) kept.push({ match, value });
  }
  return kept.map(({ match, value }) => ({
    ...match,
    group: { value, more: value === undefined ? 0 : Math.max(0, counts.get(value)! - most) },
  }));
}
