import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexWriter, MemoryDirectory, openSnapshot, SegmentBuilder } from '../../../index/index.ts';
import type { CrawlError } from '../../../src/errors.ts';
import { pageSchema } from '../../../src/fields/schema.ts';
import { passGate } from '../../../src/jobs/publish.ts';
import { defaults } from '../../../src/options.ts';

const Publish = suite('publish');

function indexOf(count: number): {
  writer: IndexWriter;
  add: (ids: string[]) => void;
  gate: (maxLoss?: number) => number;
} {
  const directory = new MemoryDirectory();
  const writer = IndexWriter.open(directory);
  const add = (ids: string[]): void => {
    const builder = new SegmentBuilder(pageSchema(defaults.index));
    for (const id of ids) builder.add({ id });
    writer.attach(builder.write(directory, writer.newName()), { replace: true });
  };
  add(Array.from({ length: count }, (_, i) => `d${i}`));
  writer.commit();
  const snapshot = openSnapshot(directory)!;
  const gate = (maxLoss = 0.3): number =>
    passGate(snapshot.segments, writer.readers(), maxLoss, (id) => (id.endsWith('1') ? 'http-404' : 'duplicates'));
  return { writer, add, gate };
}

Publish('what replaces documents of the same ids loses nothing', () => {
  const { add, gate } = indexOf(100);
  add(Array.from({ length: 100 }, (_, i) => `d${i}`));
  assert.is(gate(), 0);
});

Publish('RU-recrawl-05: 95 of 100 pages are not lost in one night, whatever came instead; the message says why', () => {
  const { writer, add, gate } = indexOf(100);
  writer.deleteByKey(Array.from({ length: 95 }, (_, i) => `d${i}`));
  add(Array.from({ length: 500 }, (_, i) => `new${i}`));
  let error: CrawlError | undefined;
  try {
    gate();
  } catch (thrown) {
    error = thrown as CrawlError;
  }
  assert.is(error?.code, 'publish-refused');
  assert.match(error!.message, /95 of 100 documents would be lost \(85 duplicates, 10 http-404\), such as d0, d1, d10/);
  assert.match(error!.message, /index\.maxLoss allows 30\./);
  assert.is(gate(1), 95);
});

Publish('a loss within the share passes, and so does one of ten documents, however small the index', () => {
  const { writer, gate } = indexOf(100);
  writer.deleteByKey(Array.from({ length: 30 }, (_, i) => `d${i}`));
  assert.is(gate(), 30);
  writer.deleteByKey(['d30']);
  assert.throws(() => gate());
  const small = indexOf(10);
  small.writer.deleteByKey(Array.from({ length: 10 }, (_, i) => `d${i}`));
  assert.is(small.gate(), 10);
});

Publish('documents that were deleted before, and merged away since, are not counted', () => {
  const { writer, gate } = indexOf(100);
  writer.deleteByKey(Array.from({ length: 5 }, (_, i) => `d${i}`));
  writer.merge(writer.segments.map(({ name }) => name));
  assert.is(gate(), 5);
});

Publish.run();
