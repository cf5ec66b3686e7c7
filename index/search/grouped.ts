/** At most some hits with the same value of a column. */
import { setBit } from '../format/bits.ts';
import { type Column, columnValue } from '../format/columns.ts';
import type { Allowance } from '../query/allowance.ts';
import { BitDocs, type Bits, bothBits, emptyBits } from '../query/bits.ts';
import { END } from '../query/docs.ts';
import { type Asked, fromOf, limitOf } from './asked.ts';
import { findBest, LOOKED_CLOSER } from './best.ts';
import { type Found, readAfter } from './found.ts';
import type { DocRef } from './request.ts';
import type { Segments } from './segments.ts';
import { findSorted, sortValue } from './sorted.ts';

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

/**
 * Takes as many of the best as it needs to have enough different ones, so that few groups cost no look at every match; then
 * counts the members of those shown.
 */
export function findGrouped(
  segments: Segments,
  asked: Asked,
  { field, limit: most = 1 }: { readonly field: string; readonly limit?: number },
): Found {
  const { options } = asked;
  const columns = segments.columns(field);
  const docs = segments.all.reduce((sum, segment) => sum + segment.docs, 0);
  const limit = limitOf(options);
  const behind = readAfter(options.after);
  const from = behind ? 0 : fromOf(options);
  const { after: _, ...fromFirst } = options;
  const whole: Asked = { ...asked, options: { ...fromFirst, from: 0 } };
  for (let depth = Math.max(LOOKED_CLOSER, 2 * (from + limit)); ; depth *= 8) {
    const found =
      options.sort === undefined
        ? findBest(segments, whole, Math.min(depth, Math.max(1, docs)))
        : findSorted(segments, whole, Number.POSITIVE_INFINITY);
    const isAll = options.sort !== undefined || found.isOver || found.hits.length < depth;
    const kept = firstOfEach(found.hits, columns, most);
    const at = behind
      ? kept.findIndex(
          ({ hit }) => hit.rank === behind.rank && (behind.rank !== undefined || hit.global === behind.doc),
        )
      : -1;
    if (!isAll && (kept.length < from + limit || (behind && (at < 0 || kept.length < at + 1 + limit)))) continue;
    const start = behind ? at + 1 : from;
    const shown = kept.slice(start, start + limit);
    const allowance = asked.limits.allowance();
    const counts = countGroups(segments, asked, columns, new Set(shown.map(({ value }) => value)), allowance);
    return {
      ...found,
      isOver: found.isOver || allowance.isSpent,
      hits: shown.map(({ hit, value }) => ({
        ...hit,
        group: { value, more: value === undefined ? 0 : Math.max(0, counts.get(value)! - most) },
      })),
    };
  }
}

/** How many matches have each of some values of a column. */
function countGroups(
  segments: Segments,
  { plan, accept }: Asked,
  columns: readonly (Column | null)[],
  wanted: ReadonlySet<GroupValue | undefined>,
  allowance: Allowance,
): ReadonlyMap<GroupValue, number> {
  const values = new Set([...wanted].filter((value) => value !== undefined));
  const counts = new Map<GroupValue, number>([...values].map((value) => [value, 0]));
  for (const [i, segment] of segments.all.entries()) {
    const bits = docsWith(columns[i]!, values, segment.docs);
    const docs = bits ? segments.docs(plan, segment, allowance) : null;
    if (!docs) continue;
    const members = new BitDocs(bothBits(bits, accept[i]!)!, 0);
    for (let doc = members.next(); doc !== END; doc = members.seek(doc + 1)) {
      const match = docs.seek(doc);
      if (match === END || !allowance.spend(1)) break;
      if (match !== doc) continue;
      const value = sortValue(columns[i], doc)!;
      counts.set(value, counts.get(value)! + 1);
    }
  }
  return counts;
}
