/** A query, made ready for one index (planner.ts makes it of a query, compile.ts makes documents of it, segment by segment). */
import type { Query } from './query.ts';

export interface PlanMember {
  readonly field: string;
  readonly term: string;
  /** What an occurrence counts, the field's weight included. */
  readonly weight: number;
  /** What was asked for, where this stands for it. */
  readonly synonymOf?: string;
}

export type Plan =
  /** Terms that count as one: BM25F. `weight` is boost times idf. */
  | {
      readonly kind: 'group';
      readonly label: string;
      readonly members: readonly PlanMember[];
      readonly df: number;
      readonly weight: number;
    }
  | {
      readonly kind: 'phrase';
      readonly label: string;
      readonly fields: readonly { readonly field: string; readonly weight: number }[];
      readonly terms: readonly string[];
      readonly slop: number;
      readonly weight: number;
      readonly synonymOf?: string;
    }
  /** So many terms that they are only there or not: all documents that have one score the same. */
  | {
      readonly kind: 'terms';
      readonly label: string;
      readonly fields: readonly string[];
      readonly terms: readonly string[];
      /** All terms that begin so, as well. */
      readonly prefix?: string;
      readonly score: number;
    }
  | { readonly kind: 'range'; readonly query: Extract<Query, { kind: 'range' }>; readonly score: number }
  | { readonly kind: 'and' | 'or' | 'best'; readonly of: readonly Plan[] }
  | { readonly kind: 'not'; readonly from: Plan; readonly without: Plan }
  | { readonly kind: 'optional'; readonly must: Plan; readonly more: Plan }
  | { readonly kind: 'all'; readonly score: number }
  | { readonly kind: 'none' };

/** Matches nothing. */
export const NONE: Plan = { kind: 'none' };

/** Lists of postings that a document of the plan may make move: what one costs, about. */
export function partsOf(plan: Plan): number {
  switch (plan.kind) {
    case 'group':
      return plan.members.length;
    case 'phrase':
      return plan.terms.length * plan.fields.length;
    case 'and':
    case 'or':
    case 'best':
      return plan.of.reduce((sum, one) => sum + partsOf(one), 0);
    case 'not':
      return partsOf(plan.from) + partsOf(plan.without);
    case 'optional':
      return partsOf(plan.must) + partsOf(plan.more);
    default:
      return 1;
  }
}

/** Parts that match nothing leave an `or`, and make an `and` match nothing. */
export function joined(kind: 'and' | 'or' | 'best', plans: readonly Plan[]): Plan {
  const of = plans.filter((plan) => plan.kind !== 'none');
  if (of.length === 0 || (kind === 'and' && of.length < plans.length)) return NONE;
  return of.length === 1 ? of[0]! : { kind, of };
}

/** What must be there, and what makes it better. */
export function optional(must: Plan, more: Plan): Plan {
  return must.kind === 'none' || more.kind === 'none' ? must : { kind: 'optional', must, more };
}

/** The same documents, each score times `by`. */
export function boosted(plan: Plan, by: number): Plan {
  if (by === 1) return plan;
  switch (plan.kind) {
    case 'group':
    case 'phrase':
      return { ...plan, weight: plan.weight * by };
    case 'or':
    case 'and':
    case 'best':
      return { ...plan, of: plan.of.map((one) => boosted(one, by)) };
    case 'optional':
      return { ...plan, must: boosted(plan.must, by), more: boosted(plan.more, by) };
    default:
      return plan;
  }
}

/** The most that a plan's text can weigh, about. */
export function weightOf(plan: Plan): number {
  switch (plan.kind) {
    case 'group':
    case 'phrase':
      return plan.weight;
    case 'and':
      return plan.of.reduce((sum, one) => sum + weightOf(one), 0);
    case 'or':
    case 'best':
      return plan.of.reduce((most, one) => Math.max(most, weightOf(one)), 0);
    case 'optional':
      return weightOf(plan.must);
    default:
      return 0;
  }
}

/** The same plan, which says for what it stands. */
export function standingFor(name: string, plan: Plan): Plan {
  switch (plan.kind) {
    case 'group':
      return { ...plan, members: plan.members.map((member) => ({ ...member, synonymOf: name })) };
    case 'phrase':
      return { ...plan, synonymOf: name };
    case 'and':
    case 'or':
    case 'best':
      return { ...plan, of: plan.of.map((one) => standingFor(name, one)) };
    default:
      return plan;
  }
}
