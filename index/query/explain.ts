/** Why a document has the score it has: the plan once more, on this document alone, with every number that went in. */
import { NORM_LENGTHS } from '../format/norms.ts';
import type { SegmentReader } from '../segment/reader.ts';
import { Compiler, CursorPool } from './compile.ts';
import type { Plan } from './plan.ts';
import type { Statistics } from './statistics.ts';

export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

/** Null when the document does not match. */
export function explainPlan(plan: Plan, segment: SegmentReader, stats: Statistics, doc: number): Explanation | null {
  const compiler = new Compiler(segment, stats, new CursorPool());
  const explain = (plan: Plan): Explanation | null => {
    switch (plan.kind) {
      case 'none':
        return null;
      case 'group': {
        const details: Explanation[] = [];
        let tf = 0;
        for (const { field, term, weight, synonymOf } of plan.members) {
          const member = compiler.member(field, term, weight);
          if (!member || member.cursor.seek(doc) !== doc) continue;
          const { freq } = member.cursor;
          const norm = member.norms[doc]!;
          const one = freq * member.table[norm]!;
          tf += one;
          details.push(
            said(
              one,
              `${field}:${term}${insteadOf(synonymOf)}: ${times(freq)}, weight ${short(weight)}, length ${NORM_LENGTHS[norm]} of ${stats.average(field).toFixed(1)} on average`,
            ),
          );
        }
        return tf === 0
          ? null
          : saturated(
              plan.label,
              plan.weight,
              tf,
              `weight ${plan.weight.toFixed(4)} (idf of ${short(plan.df)} in ${stats.docs} documents, times boost)`,
              details,
            );
      }
      case 'phrase': {
        const details: Explanation[] = [];
        let tf = 0;
        for (const one of plan.fields) {
          const docs = compiler.docs({ ...plan, fields: [one], weight: 1 });
          if (!docs || docs.seek(doc) !== doc) continue;
          const score = docs.score();
          const part = (score * stats.bm25.k1) / (1 - score);
          tf += part;
          details.push(said(part, `${one.field}: the phrase, weight ${short(one.weight)}`));
        }
        return tf === 0
          ? null
          : saturated(
              `"${plan.label}"${insteadOf(plan.synonymOf)}`,
              plan.weight,
              tf,
              `weight ${plan.weight.toFixed(4)} (idf of its words, times boost)`,
              details,
            );
      }
      case 'and':
      case 'or':
      case 'best': {
        const found = plan.of.map(explain);
        if (plan.kind === 'and' && found.some((one) => !one)) return null;
        const details = found.filter((one) => one !== null);
        if (details.length === 0) return null;
        const values = details.map(({ value }) => value);
        return plan.kind === 'best'
          ? said(Math.max(...values), 'the best of', details)
          : said(
              values.reduce((a, b) => a + b, 0),
              plan.kind === 'and' ? 'all of' : 'the sum of',
              details,
            );
      }
      case 'not': {
        const from = explain(plan.from);
        return from && !explain(plan.without) ? said(from.value, 'without what is excluded', [from]) : null;
      }
      case 'optional': {
        const must = explain(plan.must);
        if (!must) return null;
        const more = explain(plan.more);
        return more ? said(must.value + more.value, 'the sum of', [must, more]) : must;
      }
      default: {
        const docs = compiler.docs(plan);
        if (!docs || docs.seek(doc) !== doc) return null;
        const label =
          plan.kind === 'terms' ? plan.label : plan.kind === 'range' ? `${plan.query.field} in range` : 'any document';
        return said(docs.score(), `${label}: is there, constant`);
      }
    }
  };
  return explain(plan);

  function saturated(
    label: string,
    weight: number,
    tf: number,
    why: string,
    details: readonly Explanation[],
  ): Explanation {
    const { k1, b } = stats.bm25;
    return said((weight * tf) / (k1 + tf), `${label}: weight * tf / (k1 + tf), k1 ${k1}, b ${b}`, [
      said(weight, why),
      said(tf, 'tf, the sum of', details),
    ]);
  }
}

const said = (value: number, description: string, details: readonly Explanation[] = []): Explanation => ({
  value,
  description,
  details,
});
/** Four places at most. */
const short = (value: number): string => String(Number(value.toFixed(4)));
const insteadOf = (name: string | undefined): string => (name === undefined ? '' : ` (a synonym of ${name})`);
const times = (freq: number): string => (freq === 1 ? 'once' : `${freq} times`);

export function explanationText(explanation: Explanation, indent = ''): string {
  return [
    `${indent}${explanation.value.toFixed(4)}  ${explanation.description}`,
    ...explanation.details.map((detail) => explanationText(detail, `${indent}  `)),
  ].join('\n');
}
