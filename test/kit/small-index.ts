/** A small index that has one of everything, for tests that break it. */
import { MemoryDirectory } from '../../index/io/memory-directory.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { IndexWriter } from '../../index/writer.ts';
import { documents, schema, spaceChain } from './index-documents.ts';

const docs = documents(60, 3, 60).map((document) =>
  typeof document.body === 'string' ? { ...document, body: document.body.slice(0, 90) } : document,
);

/** Adds a segment of documents from..to of a fixed list. */
export function add(writer: IndexWriter, from: number, to: number): void {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs.slice(from, to)) builder.add(document);
  writer.attach(builder.write(writer.directory, writer.newName()));
}

/** An index of one commit: a segment with a deletion, and an extra file. */
export function small(count = 12): MemoryDirectory {
  const directory = new MemoryDirectory();
  const writer = IndexWriter.open(directory);
  add(writer, 0, count);
  writer.deleteByKey(['doc-3']);
  writer.addExtra('dedup-1', Uint8Array.of(7, 8, 9));
  writer.setUser({ round: '1' });
  writer.commit();
  writer.close();
  return directory;
}
