import type { Bits } from '../query/bits.ts';
import type { Plan } from '../query/plan.ts';
import type { Limits } from './limits.ts';
import type { Prepared } from './plans.ts';
import type { SearchOptions } from './request.ts';

/** One search under way: what is looked for, in which documents, and how. */
export interface Asked {
  readonly ready: Prepared;
  readonly plan: Plan;
  /** What is added to the best ones whose words stand near each other. */
  readonly near: () => Plan;
  /** By segment, documents that may be hits; null: all. */
  readonly accept: readonly (Bits | null)[];
  readonly options: SearchOptions;
  readonly limits: Limits;
}

const MAX_LIMIT = 10_000;
export const limitOf = ({ limit }: SearchOptions): number => Math.min(Math.max(0, limit ?? 10), MAX_LIMIT);
export const fromOf = ({ from }: SearchOptions): number => Math.min(Math.max(0, from ?? 0), MAX_LIMIT);
