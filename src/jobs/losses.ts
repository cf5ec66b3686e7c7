/**
 * What each duplicate lost to, and why: a file of the index commit, `dedup-<generation>`, replaced by each commit that
 * changes it.
 *
 *     losses := a record file: id of the loser -> rule:string winner:string        sorted by id, as bytes
 */
import { readFileSync } from 'node:fs';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import { type DedupRule, rules } from './dedup-order.ts';

export interface Lost {
  readonly winner: string;
  readonly rule: DedupRule;
}
export type Losses = Map<string, Lost>;

export const isLossesFile = (name: string): boolean => /^dedup-\d+$/.test(name);
export const lossesFile = (generation: number): string => `dedup-${generation}`;

const out = new ByteWriter(512);

/** The file's bytes; `scratch` is a path to write them to. */
export function encodeLosses(losses: Losses, scratch: string): Uint8Array {
  const writer = new RecordWriter(scratch);
  try {
    const ids = [...losses.keys()].map((id) => ({ id, key: Buffer.from(id) })).sort((a, b) => a.key.compare(b.key));
    for (const { id } of ids) {
      const { rule, winner } = losses.get(id)!;
      out.reset();
      out.string(rule);
      out.string(winner);
      writer.append(id, out.view());
    }
  } finally {
    writer.close();
  }
  return readFileSync(scratch);
}

export function readLosses(path: string): Losses {
  const losses: Losses = new Map();
  const reader = new RecordReader(path);
  try {
    while (reader.next()) losses.set(reader.key, decode(reader.value));
  } finally {
    reader.close();
  }
  return losses;
}

function decode(value: Uint8Array): Lost {
  const from = new ByteReader(value);
  return { rule: from.string() as DedupRule, winner: from.string() };
}

/** What an id lost to in the end: the winner may have lost to another since. Null when it lost to nothing. */
export function finalLoss(losses: Losses, id: string): { readonly winner: string; readonly rule: string } | null {
  const first = losses.get(id);
  if (!first) return null;
  let { winner } = first;
  for (let steps = 0; steps < losses.size && losses.has(winner); steps++) winner = losses.get(winner)!.winner;
  return { winner, rule: rules[first.rule] };
}
