import { ByteReader } from '../../index/io/bytes.ts';
import { siteOfKey } from '../page/key.ts';
import { decodeMainText } from '../page/segment.ts';
import { BlockCounts } from '../parse/repeats.ts';
import { RecordReader } from '../store/records.ts';

/**
 * Which blocks the pages of a host repeat, host by host, over a file of pages in key order: reads one host ahead of who
 * asks. Memory: the counts of one host (see BlockCounts). Cost: the file is read twice.
 */
export class HostBlocks {
  private readonly reader: RecordReader;
  private readonly textOf: (value: ByteReader) => Uint8Array;
  private counts = new BlockCounts();
  private site = '';
  private more: boolean;

  /** `textOf`: the encoded PageText of a record's value. */
  constructor(pages: string, textOf: (value: ByteReader) => Uint8Array) {
    this.reader = new RecordReader(pages);
    this.textOf = textOf;
    this.more = this.reader.next();
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
    return this.counts;
  }

  close(): void {
    this.reader.close();
  }
}
