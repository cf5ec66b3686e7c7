/** How many hits have which value of a column. Cost: a look at every hit, once a field. */
import { isSet } from '../format/bits.ts';
import { type Column, columnValue } from '../format/columns.ts';
import type { Bits } from '../query/bits.ts';

export interface Facet {
  readonly value: string | number;
  readonly count: number;
}

/** A segment's column of the field, and which of its documents are hits; null where it has none. */
export interface FacetSegment {
  readonly column: Column | null;
  readonly hits: Bits | null;
  readonly docs: number;
}

/** Most first, ties by value. */
export function facetOf(segments: readonly FacetSegment[]): readonly Facet[] {
  const counts = new Map<string | number, number>();
  for (const { column, hits, docs } of segments) if (column && hits) countValues(column, hits, docs, counts);
  return [...counts.entries()]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function countValues(column: Column, bits: Bits, docs: number, counts: Map<string | number, number>): void {
  if (column.kind === 'string') {
    const byOrdinal = new Int32Array(column.dictionary.size + 1);
    for (let doc = 0; doc < docs; doc++) if (isSet(bits, doc)) byOrdinal[column.ordinals[doc]!]!++;
    for (let ordinal = 1; ordinal < byOrdinal.length; ordinal++) {
      const count = byOrdinal[ordinal]!;
      if (count === 0) continue;
      const value = column.dictionary.value(ordinal)!;
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    return;
  }
  for (let doc = 0; doc < docs; doc++) {
    if (!isSet(bits, doc)) continue;
    const value = columnValue(column, doc);
    if (typeof value === 'number') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
}
