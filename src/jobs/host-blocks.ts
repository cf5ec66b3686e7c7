import { existsSync, readFileSync } from 'node:fs';
import { ByteReader } from '../../index/io/bytes.ts';
import { siteOfKey } from '../page/key.ts';
import { decodeMainText } from '../page/segment.ts';
import { BlockCounts } from '../parse/repeats.ts';
import { MergeReader } from '../store/merge.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';

/**
 * What hosts repeat, remembered from one `index` to the next: a round that brings few pages of a host cannot tell. A
 * host's record is that of the last time when its pages were enough; the same round twice leaves the same. It is a file
 * of the index commit, replaced by each commit that changes it, so that an `index` that was interrupted finds the same
 * when it is run again.
 *
 *     blocks-<generation> := a record file: site -> (low:i32 high:i32)[], at most 64 (BlockCounts), in order of site
 *
 * At most 512 bytes a host. Without the file, or without a host in it, few pages are taken as they are.
 */
export const isBlocksFile = (name: string): boolean => /^blocks-\d+$/.test(name);
export const blocksFile = (generation: number): string => `blocks-${generation}`;

/**
 * What was known before (null: nothing), with what the builds of one `index` saw in its place (record files, the later ones
 * count): the bytes of the next file, null when there is nothing to keep. `scratch` is a path to write them to.
 */
export function mergeBlocks(known: string | null, seen: readonly string[], scratch: string): Uint8Array | null {
  const files = [...(known === null ? [] : [known]), ...seen].filter((one) => existsSync(one));
  const reader = new MergeReader(files);
  const writer = new RecordWriter(scratch);
  let site: string | null = null;
  let blocks: Uint8Array = new Uint8Array(0);
  try {
    while (reader.next()) {
      const { key, value } = reader.top;
      if (site !== null && key !== site) writer.append(site, blocks);
      site = key;
      blocks = new Uint8Array(value);
    }
    if (site !== null) writer.append(site, blocks);
  } finally {
    reader.close();
    writer.close();
  }
  return site === null ? null : readFileSync(scratch);
}

/**
 * Which blocks the pages of a host repeat, host by host, over a file of pages in key order: reads one host ahead of who
 * asks. Memory: the counts of one host (see BlockCounts). Cost: the file is read twice.
 */
export class HostBlocks {
  private readonly reader: RecordReader;
  private readonly textOf: (value: ByteReader) => Uint8Array;
  private readonly known: RecordReader | null;
  private readonly seen: RecordWriter | null;
  private counts = new BlockCounts();
  private site = '';
  private more: boolean;
  private knows: boolean;

  /**
   * `textOf`: the encoded PageText of a record's value. `known`: the file of what was remembered, where there is one; `seen`:
   * where what is seen now goes.
   */
  constructor(pages: string, textOf: (value: ByteReader) => Uint8Array, known: string | null = null, seen?: string) {
    this.reader = new RecordReader(pages);
    this.textOf = textOf;
    this.more = this.reader.next();
    this.known = known === null ? null : new RecordReader(known);
    this.knows = this.known?.next() ?? false;
    this.seen = seen === undefined ? null : new RecordWriter(seen);
  }

  /** The counts of the host of a key. Asked for every key of the file, in its order. */
  of(key: string): BlockCounts {
    const site = siteOfKey(key);
    if (site === this.site) return this.counts;
    this.site = site;
    this.counts = new BlockCounts();
    while (this.more && siteOfKey(this.reader.key) === site) {
      const { block, valueStart, valueEnd } = this.reader;
      this.counts.add(decodeMainText(this.textOf(new ByteReader(block.subarray(valueStart, valueEnd)))));
      this.more = this.reader.next();
    }
    if (!this.counts.tells) this.recall(site);
    else if (this.seen !== null) {
      const blocks = this.counts.repeated();
      this.seen.append(site, new Uint8Array(blocks.buffer));
    }
    return this.counts;
  }

  private recall(site: string): void {
    while (this.knows && this.known!.key < site) this.knows = this.known!.next();
    // A copy, since a record need not begin where integers may.
    if (this.knows && this.known!.key === site)
      this.counts.remember(new Int32Array(new Uint8Array(this.known!.value).buffer));
  }

  close(): void {
    this.reader.close();
    this.known?.close();
    this.seen?.close();
  }
}
