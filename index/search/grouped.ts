/** At most some hits with the same value of a column. */
import { setBit } from '../format/bits.ts';
import { type Column, columnValue } from '../format/columns.ts';
import { type Bits, emptyBits } from '../query/bits.ts';
import type { DocRef } from './request.ts';
import { sortValue } from './sorted.ts';

export type GroupValue = string | number;

/** The first `most` of each value, in their order; those without one are not held together. */
export function firstOfEach<T extends DocRef>(
  hits: readonly T[],
  columns: readonly (Column | null)[],
  most: number,
): { readonly hit: T; readonly value: GroupValue | undefined }[] {
  const counts = new Map<GroupValue, number>();
  const kept: { hit: T; value: GroupValue | undefined }[] = [];
  for (const hit of hits) {
    const value = sortValue(columns[hit.segment], hit.doc);
    const count = value === undefined ? 0 : (counts.get(value) ?? 0) + 1;
    if (value !== undefined) counts.set(value, count);
    if (count <= most) kept.push({ hit, value });
  }
  return kept;
}

/** The documents with one of these values; null where there are none. Cost: a look at every document. */
export function docsWith(column: Column | null, values: ReadonlySet<GroupValue>, docs: number): Bits | null {
  if (!column || values.size === 0) return null;
  let bits: Bits | null = null;
  if (column.kind === 'string') {
    const ordinals = new Set([...values].map((value) => column.dictionary.find(String(value))));
    ordinals.delete(0);
    if (ordinals.size === 0) return null;
    for (let doc = 0; doc < docs; doc++)
      if (ordinals.has(column.ordinals[doc]!)) setBit((bits ??= emptyBits(docs)), doc);
    return bits;
  }
  for (let doc = 0; doc < docs; doc++) {
    const value = columnValue(column, doc);
    if (typeof value === 'number' && values.has(value)) setBit((bits ??= emptyBits(docs)), doc);
  }
  return bits;
}
