/**
 * A merge-join: sorted record files on one side, a table on the other, both in key order. The table is asked in sorted
 * batches, one ahead of the visitor. Cost: about one microsecond a key.
 */
import { CrawlError } from '../errors.ts';
import { MergeReader } from './merge.ts';
import type { Table } from './tables.ts';

const BATCH = 1000;

/** A key that the files have, with what both sides say of it. But for `record`, good until the visitor returns. */
export class Joined {
  key: Buffer = Buffer.alloc(0);
  /** From the files: `bytes[start..end)`. */
  bytes: Buffer = this.key;
  start = 0;
  end = 0;
  /** From the table, undefined when it does not know the key. Owned by the visitor. */
  record: Buffer | undefined;

  /** From the files, as a view. */
  get value(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }
}

/** Some keys and values in a block of their own: that of the files is overwritten by what is read next. */
class Batch {
  keys: Buffer[] = [];
  records: Promise<(Buffer | undefined)[]> = Promise.resolve([]);
  bytes = Buffer.allocUnsafeSlow(1 << 16);
  /** Where the value of each key ends; it begins where the key ends. */
  readonly ends = new Uint32Array(BATCH);

  take(reader: MergeReader, table: Table): this {
    const keys: Buffer[] = [];
    let used = 0;
    while (keys.length < BATCH && reader.next()) {
      const { block, keyStart, keyEnd, valueEnd } = reader.top;
      const size = valueEnd - keyStart;
      if (used + size > this.bytes.length) {
        const grown = Buffer.allocUnsafeSlow((used + size) * 2);
        this.bytes.copy(grown, 0, 0, used);
        for (const [i, key] of keys.entries()) {
          const at = i === 0 ? 0 : this.ends[i - 1]!;
          keys[i] = grown.subarray(at, at + key.length);
        }
        this.bytes = grown;
      }
      block.copy(this.bytes, used, keyStart, valueEnd);
      this.ends[keys.length] = used + size;
      keys.push(this.bytes.subarray(used, used + keyEnd - keyStart));
      used += size;
    }
    this.keys = keys;
    this.records = keys.length > 0 ? table.getMany(keys) : Promise.resolve([]);
    return this;
  }
}

/** `signal` is looked at between batches. */
export async function join(
  files: readonly string[],
  table: Table,
  visit: (joined: Joined) => void,
  signal?: AbortSignal,
): Promise<void> {
  const reader = new MergeReader(files);
  const joined = new Joined();
  let batch = new Batch();
  let next = new Batch();
  try {
    batch.take(reader, table);
    while (batch.keys.length > 0) {
      const records = await batch.records;
      if (signal?.aborted)
        throw new CrawlError('interrupted', 'stopped; nothing has changed, and the same command does it');
      next.take(reader, table);
      // A visitor that throws leaves a read in flight: its end is waited for, its failure is that of the visitor.
      try {
        const { keys, bytes, ends } = batch;
        joined.bytes = bytes;
        let start = 0;
        for (let i = 0; i < keys.length; i++) {
          joined.key = keys[i]!;
          joined.start = start + joined.key.length;
          joined.end = start = ends[i]!;
          joined.record = records[i];
          visit(joined);
        }
      } catch (error) {
        await next.records.catch(() => {});
        throw error;
      }
      [batch, next] = [next, batch];
    }
  } finally {
    reader.close();
  }
}
