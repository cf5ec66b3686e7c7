import type { OnEvent } from '../events.ts';
import type { Settled } from '../options.ts';
import type { Tables } from '../store/tables.ts';
import type { Pool } from './pool.ts';

/** What a job did, by name; summed over its tasks. */
export type Counters = Readonly<Record<string, number>>;

/** What every job is handed. Plain values and owned things, no globals: the clock and the seeds of chance come from here. */
export interface JobContext {
  /** The crawl folder. */
  readonly dir: string;
  readonly options: Settled;
  /** Accepted seeds, normalised, in the order they came: the scope of links and the private ranges allowed rest on them. */
  readonly seeds: readonly string[];
  readonly pool: Pool;
  readonly tables: Tables;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** The clock of the job, ms since the epoch: one value for all it does. */
  readonly now: number;
  /** The clock behind it, for jobs that last: fetching stamps each answer. Absent: the one of the machine. */
  readonly clock?: () => number;
}
