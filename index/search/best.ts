/** The best documents by score: the exact title first, and the first ones put in order once more by how near their words stand. */
import type { Allowance } from '../query/allowance.ts';
import { collectTop } from '../query/collect.ts';
import type { Docs } from '../query/docs.ts';
import { NONE, type Plan } from '../query/plan.ts';
import { TopDocs } from '../query/top.ts';
import { type Asked, fromOf } from './asked.ts';
import { exactTitles, titleTerms } from './exact-title.ts';
import { type Found, type FoundHit, readAfter } from './found.ts';
import type { Segments } from './segments.ts';

/** Hits that are looked at for words near each other: a number of its own, so that no page changes another's order. */
export const LOOKED_CLOSER = 50;
const COUNT_TO = 1000;

/** The best `limit` by score behind `from`. */
export function findBest(segments: Segments, asked: Asked, limit: number): Found {
  const { plan, accept, options, limits } = asked;
  const { all, stats, lang } = segments;
  const behind = readAfter(options.after);
  const from = behind ? (behind.rank ?? 0) : fromOf(options);
  const near = limit > 0 && !(behind && behind.rank === undefined) ? asked.near() : NONE;
  const top = new TopDocs(
    near.kind === 'none' ? limit + from : Math.max(limit + from, LOOKED_CLOSER),
    options.facets ? Number.POSITIVE_INFINITY : (options.countTo ?? COUNT_TO),
    behind && behind.rank === undefined ? behind : null,
    limits.allowance(),
  );
  const allowance = limits.allowance();
  const compiled = all.map((segment) => segments.docs(plan, segment, allowance));
  const field = options.exactTitle === false ? undefined : segments.titleField;
  const title = field === undefined ? null : titleTerms(asked.ready.query, field, stats, lang);
  // More than any other document can have.
  const bonus = title
    ? compiled.reduce((most, docs) => Math.max(most, docs?.max ?? 0), 0) *
        ((segments.options.prior?.most ?? 1.3) + 0.3) +
      1
    : 0;
  for (const [i, segment] of all.entries()) {
    const docs = compiled[i];
    if (!docs) continue;
    const prior = segments.prior(segment);
    const exact = title ? exactTitles(title, field!, segment, stats, segments.pool, lang, allowance) : null;
    top.segment(segments.bases[i]!, accept[i]!, prior, exact && exact.size > 0 ? exact : null);
    if (exact && exact.size > 0) {
      const again = segments.docs(plan, segment)!;
      for (const doc of exact) if (again.seek(doc) === doc) top.pushFirst(doc, again.score(), bonus);
    }
    collectTop(docs, top, segment.docs);
    if (top.allowance.isSpent) break;
  }
  const isExact = top.isExact && !top.allowance.isSpent && !allowance.isSpent;
  const hits = lookCloser(segments, top.results(), near, allowance);
  return {
    total: top.total,
    isExact,
    isOver: top.allowance.isSpent || allowance.isSpent,
    hits: hits.slice(from, from + limit),
  };
}

/** Puts the best in order once more, by what their words' nearness adds. */
function lookCloser(
  segments: Segments,
  best: readonly { readonly doc: number; readonly score: number }[],
  near: Plan,
  allowance: Allowance,
): FoundHit[] {
  const hits = best.map(({ doc, score }): FoundHit => {
    const ref = segments.ref(doc);
    return {
      segment: ref.segment,
      doc: ref.doc,
      global: doc,
      score,
      base: score,
      near: 0,
      rank: undefined,
      group: undefined,
    };
  });
  if (near.kind === 'none' || allowance.isSpent) return hits;
  const first = hits.slice(0, LOOKED_CLOSER).sort((a, b) => a.global - b.global);
  let segment = -1;
  let docs: Docs | null = null;
  for (const hit of first) {
    if (hit.segment !== segment) {
      segment = hit.segment;
      docs = segments.docs(near, segments.all[segment]!, allowance);
    }
    if (docs && docs.seek(hit.doc) === hit.doc) {
      hit.near = docs.score();
      hit.score = Math.fround(hit.base + hit.near);
    }
  }
  first.sort((a, b) => b.score - a.score || a.global - b.global);
  first.forEach((hit, i) => {
    hit.rank = i + 1;
  });
  return [...first, ...hits.slice(LOOKED_CLOSER)];
}
