/** What rounds did, in figures. */
import { cpuUsage, resourceUsage } from 'node:process';
import type { SegmentStats } from './read/segment.ts';
import type { Counters } from './run/context.ts';

/** What one round did. */
export interface Round {
  readonly round: number;
  readonly segments: readonly string[];
  readonly fetched: number;
  readonly parsed: number;
  readonly failed: number;
  readonly unchanged: number;
  readonly gone: number;
  /** Reason of the outcome -> pages. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** What a whole run did; the answer of `nuthatch crawl --json`. */
export interface Summary {
  readonly rounds: number;
  readonly fetched: number;
  readonly parsed: number;
  readonly failed: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly urls: number;
  readonly indexed: number;
  /** Segments that are damaged or not whole, and so not in the index. */
  readonly leftOut: number;
  readonly duplicates: number;
  /** Documents that a search can find now. */
  readonly published: number;
  readonly seconds: number;
  /** Of the whole process, threads included. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Plain sentences: what was odd, or why nothing was done. */
  readonly notes: readonly string[];
}

/** Figures of one round, from those of its segments. */
export function roundOf(round: number, segments: readonly string[], stats: readonly SegmentStats[]): Round {
  const outcomes = added(stats.map((segment) => segment.outcomes));
  const kinds = added(stats.map((segment) => segment.kinds));
  return {
    round,
    segments,
    fetched: kinds.success ?? 0,
    parsed: stats.reduce((sum, segment) => sum + segment.parsed, 0),
    failed: (kinds.retry ?? 0) + (kinds['parse-failed'] ?? 0),
    unchanged: kinds['not-modified'] ?? 0,
    gone: kinds.gone ?? 0,
    outcomes,
  };
}

/** Begins to count; what it returns makes the summary of all that was done since. `now`: ms since the epoch. */
export function startSummary(
  now: () => number,
): (done: readonly Round[], indexed: Counters, urls: number, notes: readonly string[]) => Summary {
  const started = now();
  const cpu = cpuUsage();
  return (done, indexed, urls, notes) => {
    const used = cpuUsage(cpu);
    const sum = (name: 'fetched' | 'parsed' | 'failed' | 'unchanged' | 'gone'): number =>
      done.reduce((total, round) => total + round[name], 0);
    return {
      rounds: done.length,
      fetched: sum('fetched'),
      parsed: sum('parsed'),
      failed: sum('failed'),
      unchanged: sum('unchanged'),
      gone: sum('gone'),
      urls,
      indexed: indexed.indexed ?? 0,
      leftOut: indexed.leftOut ?? 0,
      duplicates: indexed.duplicates ?? 0,
      published: indexed.published ?? 0,
      seconds: (now() - started) / 1000,
      cpuSeconds: (used.user + used.system) / 1e6,
      peakRssBytes: resourceUsage().maxRSS * 1024,
      outcomes: added(done.map((round) => round.outcomes)),
      notes,
    };
  };
}

/** Counters added up by name. */
const added = (all: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + n;
  return Object.fromEntries(Object.entries(sum).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
};
