/**
 * What fetching knows of hosts from one round to the next: what their robots.txt said, and when each queue was asked last.
 * Keys of its own in the table `hosts`, beside the records of the job of that name:
 *
 *     \x01robots/<authority>   value: as in the rules file of a shard       \x01pace/<queue>   value: ms since the epoch:f64
 */
import { existsSync } from 'node:fs';
import { rulesFile } from '../fetch/log.ts';
import type { JobContext } from '../run/context.ts';
import { readRecords } from '../store/records.ts';

const rulesKey = (authority: string): string => `\x01robots/${authority}`;
const paceKey = (queue: string): string => `\x01pace/${queue}`;
/** Rules handed to shards; those of hosts beyond it are fetched again. */
const MAX_RULES_BYTES = 64 << 20;

/** By authority, `scheme://host[:port]`. */
export async function knownRules(
  context: JobContext,
  authorities: Iterable<string>,
): Promise<Record<string, Uint8Array>> {
  const names = [...authorities].sort();
  const found = await context.tables.hosts.getMany(names.map((name) => Buffer.from(rulesKey(name))));
  const rules: Record<string, Uint8Array> = Object.create(null);
  let bytes = 0;
  for (const [i, value] of found.entries()) {
    if (!value || (bytes += value.length) > MAX_RULES_BYTES) continue;
    rules[names[i]!] = new Uint8Array(value);
  }
  return rules;
}

/** When each queue ended its last request, ms since the epoch. */
export async function knownEnds(context: JobContext, queues: Iterable<string>): Promise<Record<string, number>> {
  const names = [...queues].sort();
  const found = await context.tables.hosts.getMany(names.map((name) => Buffer.from(paceKey(name))));
  const ends: Record<string, number> = Object.create(null);
  for (const [i, value] of found.entries()) if (value?.length === 8) ends[names[i]!] = value.readDoubleLE(0);
  return ends;
}

/** @param files how many rules files the shards of the segment have left */
export async function keepHosts(
  context: JobContext,
  segment: string,
  files: number,
  ends: ReadonlyMap<string, number>,
): Promise<void> {
  const change = context.tables.hosts.change();
  try {
    const entries = new Map<string, Uint8Array>();
    for (let file = 0; file < files; file++) {
      const path = rulesFile(context.dir, segment, file);
      if (!existsSync(path)) continue;
      for (const { key, value } of readRecords(path)) entries.set(rulesKey(key), value);
    }
    for (const [queue, end] of ends) {
      const value = Buffer.alloc(8);
      value.writeDoubleLE(end);
      entries.set(paceKey(queue), value);
    }
    for (const key of [...entries.keys()].sort()) change.put(Buffer.from(key), entries.get(key)!);
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  }
}
