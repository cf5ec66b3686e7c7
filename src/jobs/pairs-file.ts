/**
 * Two texts by an address, as a file of an index commit:
 *
 *     pairs := a record file: address -> first:string second:string        sorted by address, as bytes
 */
import { readFileSync } from 'node:fs';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';

export type Pair = readonly [first: string, second: string];

/** The file's bytes; `scratch` is a path to write them to. */
export function encodePairs(pairs: Iterable<readonly [address: string, pair: Pair]>, scratch: string): Uint8Array {
  const sorted = [...pairs].map(([address, pair]) => ({ key: Buffer.from(address), address, pair }));
  sorted.sort((a, b) => a.key.compare(b.key));
  const out = new ByteWriter(512);
  const writer = new RecordWriter(scratch);
  try {
    for (const { address, pair } of sorted) {
      out.reset();
      out.string(pair[0]);
      out.string(pair[1]);
      writer.append(address, out.view());
    }
  } finally {
    writer.close();
  }
  return readFileSync(scratch);
}

export function* readPairs(path: string): Generator<readonly [address: string, pair: Pair], void, undefined> {
  const reader = new RecordReader(path);
  try {
    while (reader.next()) {
      const from = new ByteReader(reader.value);
      yield [reader.key, [from.string(), from.string()]];
    }
  } finally {
    reader.close();
  }
}
