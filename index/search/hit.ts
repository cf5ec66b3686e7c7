/** A document that was found becomes a hit: its stored fields, the passages that show why, how its score came about. */
import type { Document } from '../document.ts';
import { type Explanation, explainPlan } from '../query/explain.ts';
import type { Plan } from '../query/plan.ts';
import type { SegmentReader } from '../segment/reader.ts';
import { FoundDocument, type FoundHit } from './found.ts';
import { type Highlighted, highlight } from './highlight.ts';
import type { Hit, SearchOptions } from './request.ts';
import type { Segments } from './segments.ts';
import { soughtBy } from './sought.ts';
import { textsOf } from './texts.ts';

const PASSAGE = 200;
const NO_FIELDS: Document = {};

/** The hits of one search, in order. */
export function hitsOf(
  segments: Segments,
  found: readonly FoundHit[],
  plan: Plan,
  options: SearchOptions,
): readonly Hit[] {
  const passages = options.highlight ? passageFields(segments, options) : null;
  const sought = passages ? soughtBy(plan) : null;
  return found.map((one) => {
    const segment = segments.all[one.segment]!;
    const all = storedOf(segment, one.doc, passages, options);
    const key = all[segment.schema.key];
    const kept = options.stored;
    const hit = new FoundDocument(
      { segment: one.segment, doc: one.doc },
      typeof key === 'string' ? key : undefined,
      one.score,
      kept === undefined
        ? all
        : kept === false
          ? NO_FIELDS
          : Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))),
      one,
    );
    if (passages && sought) {
      const highlights: Record<string, Highlighted> = {};
      for (const { field, length } of passages) {
        const value = all[field];
        const analyzer = segments.stats.chain(field);
        if (value === undefined || !analyzer) continue;
        const lang = options.lang ?? segments.lang;
        highlights[field] = highlight(textsOf(value).join('\n'), sought, { analyzer, lang, length });
      }
      hit.highlights = highlights;
    }
    if (options.explain) hit.explain = explainHit(segments, segment, one, plan);
    if (one.group) hit.group = one.group;
    return hit;
  });
}

interface PassageField {
  readonly field: string;
  /** Of the passage; 0 for the whole. */
  readonly length: number;
}

function passageFields({ stats, titleField }: Segments, options: SearchOptions): readonly PassageField[] {
  const asked = typeof options.highlight === 'object' ? options.highlight : undefined;
  return [...stats.fields.values()]
    .filter(({ index, stored, name }) => index === 'text' && stored && (!asked || asked[name] !== undefined))
    .map(({ name }) => ({ field: name, length: asked?.[name] ?? (name === titleField ? 0 : PASSAGE) }));
}

/** The fields that are shown or looked at for passages, and the key: others stay packed. */
function storedOf(
  segment: SegmentReader,
  doc: number,
  passages: readonly PassageField[] | null,
  { stored }: SearchOptions,
): Document {
  if (stored === undefined) return segment.stored(doc);
  if (stored === false && !passages) return NO_FIELDS;
  const names = new Set([segment.schema.key, ...(stored || [])]);
  for (const { field } of passages ?? []) names.add(field);
  return segment.stored(doc, segment.fieldIds(names));
}

function explainHit(segments: Segments, segment: SegmentReader, found: FoundHit, plan: Plan): Explanation {
  const text = explainPlan(plan, segment, segments.stats, found.doc) ?? {
    value: 0,
    description: 'no match',
    details: [],
  };
  const factor = segments.prior(segment)?.factor(found.doc) ?? 1;
  const details: Explanation[] = [text];
  if (factor !== 1)
    details.push({ value: factor, description: `times the prior of ${segments.options.prior!.field}`, details: [] });
  if (found.near > 0)
    details.push({
      value: found.near,
      description: 'words that follow each other in the query stand near',
      details: [],
    });
  const rest = found.base - text.value * factor;
  if (rest > 1e-3 * Math.max(1, found.score))
    details.push({ value: rest, description: 'its title is exactly the query', details: [] });
  return details.length === 1 ? text : { value: found.score, description: 'score', details };
}
