/** Matches in the order of a column. Memory: every match. */
import { type Column, columnValue } from '../format/columns.ts';

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
