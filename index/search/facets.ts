/** How many hits have which value of a column. Cost: a look at every hit, once a field. */
import { isSet } from '../format/bits.ts';
import { type Column, columnValue } from '../format/columns.ts';
import type { Allowance } from '../query/allowance.ts';
import { type Bits, bitsOfDocs, bothBits } from '../query/bits.ts';
import { partsOf } from '../query/plan.ts';
import type { Asked } from './asked.ts';
import type { SearchOptions, SearchResult } from './request.ts';
import type { Segments } from './segments.ts';

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

/** Of each field asked for, the values that most hits have; a field without a column anywhere is left out. */
export function countFacets(
  segments: Segments,
  { plan, accept }: Asked,
  asked: NonNullable<SearchOptions['facets']>,
  allowance: Allowance,
): Pick<SearchResult, 'facets' | 'moreFacets'> {
  const parts = partsOf(plan);
  const hits = segments.all.map((segment, i) => {
    const docs = segments.docs(plan, segment, allowance);
    return docs ? bothBits(bitsOfDocs(docs, segment.docs, allowance, parts), accept[i]!) : null;
  });
  const out: Record<string, readonly Facet[]> = {};
  const more: Record<string, number> = {};
  for (const one of asked) {
    const { field: name, limit = 10 } = typeof one === 'string' ? { field: one } : one;
    const columns = segments.columns(name);
    // A field without a column anywhere has nothing to count, which is not the same as no values.
    if (hits.length > 0 && columns.every((column) => column === null)) continue;
    const counted = facetOf(segments.all.map(({ docs }, i) => ({ column: columns[i]!, hits: hits[i]!, docs })));
    out[name] = counted.slice(0, limit);
    if (counted.length > limit) more[name] = counted.length - limit;
  }
  return { facets: out, ...(Object.keys(more).length > 0 ? { moreFacets: more } : {}) };
}
