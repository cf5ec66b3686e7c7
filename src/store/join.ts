/**
 * A merge-join: sorted record files on one side, a table on the other, both in key order. The table is asked in sorted
 * batches, one ahead of the visitor. Cost: about one microsecond a key.
 */
import { CrawlError } from '../errors.ts';
import { MergeReader } from './merge.ts';
import type { Table } from './tables.ts';

const BATCH = 1000;

export interface Joined {
  readonly key: Buffer;
  /** From the files. Owned by the visitor, as is `record`. */
  readonly value: Buffer;
  /** From the table, undefined when it does not know the key. */
  readonly record: Buffer | undefined;
}

/** `signal` is looked at between batches. */
export async function join(
  files: readonly string[],
  table: Table,
  visit: (joined: Joined) => void,
  signal?: AbortSignal,
): Promise<void> {
  const reader = new MergeReader(files);
  const take = (): { keys: Buffer[]; values: Buffer[]; records: Promise<(Buffer | undefined)[]> } => {
    const keys: Buffer[] = [];
    const values: Buffer[] = [];
    while (keys.length < BATCH && reader.next()) {
      const { block, keyStart, keyEnd, valueEnd } = reader.top;
      // One copy for both: the block is overwritten by what is read next.
      const copy = Buffer.from(block.subarray(keyStart, valueEnd));
      keys.push(copy.subarray(0, keyEnd - keyStart));
      values.push(copy.subarray(keyEnd - keyStart));
    }
    return { keys, values, records: keys.length > 0 ? table.getMany(keys) : Promise.resolve([]) };
  };
  try {
    let next = take();
    while (next.keys.length > 0) {
      const { keys, values } = next;
      const records = await next.records;
      if (signal?.aborted)
        throw new CrawlError('interrupted', 'stopped; nothing has changed, and the same command does it');
      next = take();
      // A visitor that throws leaves a read in flight: its end is waited for, its failure is that of the visitor.
      try {
        for (let i = 0; i < keys.length; i++) visit({ key: keys[i]!, value: values[i]!, record: records[i] });
      } catch (error) {
        await next.records.catch(() => {});
        throw error;
      }
    }
  } finally {
    reader.close();
  }
}
