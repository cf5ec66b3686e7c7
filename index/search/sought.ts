import type { Plan } from '../query/plan.ts';
import type { Sought } from './highlight.ts';

/** What a plan looks for, for marking: each term with its weight, each phrase whole. */
export function soughtBy(plan: Plan): Sought {
  const terms = new Map<string, number>();
  const phrases: { terms: readonly string[]; slop: number; weight: number }[] = [];
  const prefixes = new Map<string, number>();
  const visit = (plan: Plan): void => {
    switch (plan.kind) {
      case 'group':
        for (const { term } of plan.members) terms.set(term, Math.max(terms.get(term) ?? 0, plan.weight));
        break;
      case 'terms':
        for (const term of plan.terms) terms.set(term, Math.max(terms.get(term) ?? 0, plan.score));
        if (plan.prefix !== undefined) prefixes.set(plan.prefix, plan.score);
        break;
      case 'phrase':
        phrases.push({ terms: plan.terms, slop: plan.slop, weight: plan.weight });
        break;
      case 'and':
      case 'or':
      case 'best':
        plan.of.forEach(visit);
        break;
      case 'not':
        visit(plan.from);
        break;
      case 'optional':
        visit(plan.must);
        visit(plan.more);
        break;
      default:
        break;
    }
  };
  visit(plan);
  return { terms, phrases, prefixes };
}
