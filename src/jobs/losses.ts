/**
 * What each duplicate lost to, and why: a file of the index commit, `dedup-<generation>`, replaced by each commit that
 * changes it.
 *
 *     losses := pairs of pairs-file.ts: id of the loser -> rule winner
 */
import { type DedupRule, rules } from './dedup-order.ts';
import { encodePairs, readPairs } from './pairs-file.ts';

export interface Lost {
  readonly winner: string;
  readonly rule: DedupRule;
}
export type Losses = Map<string, Lost>;

export const isLossesFile = (name: string): boolean => /^dedup-\d+$/.test(name);
export const lossesFile = (generation: number): string => `dedup-${generation}`;

/** The file's bytes; `scratch` is a path to write them to. */
export const encodeLosses = (losses: Losses, scratch: string): Uint8Array =>
  encodePairs(
    [...losses].map(([id, { rule, winner }]) => [id, [rule, winner]] as const),
    scratch,
  );

export const readLosses = (path: string): Losses =>
  new Map([...readPairs(path)].map(([id, [rule, winner]]) => [id, { rule: rule as DedupRule, winner }]));

/** What an id lost to in the end: the winner may have lost to another since. Null when it lost to nothing. */
export function finalLoss(losses: Losses, id: string): { readonly winner: string; readonly rule: string } | null {
  const first = losses.get(id);
  if (!first) return null;
  let { winner } = first;
  for (let steps = 0; steps < losses.size && losses.has(winner); steps++) winner = losses.get(winner)!.winner;
  return { winner, rule: rules[first.rule] };
}
