/**
 * A process that rebuilds an index over and over until it is killed: in generation g every document has the title
 * `generation g`, there are 40 of them in segments of 10, sometimes merged. Arguments: folder.
 */
import { FsDirectory } from '../../index/io/fs-directory.ts';
import { SegmentBuilder } from '../../index/segment/builder.ts';
import { IndexWriter } from '../../index/writer.ts';
import { schema, spaceChain } from './index-documents.ts';

const directory = new FsDirectory(process.argv[2]!);
const writer = IndexWriter.open(directory);
for (let turn = 0; ; turn++) {
  const generation = Number(writer.user.generation ?? 0) + 1;
  for (let part = 0; part < 4; part++) {
    const builder = new SegmentBuilder(schema, { chain: spaceChain });
    for (let i = 0; i < 10; i++) builder.add({ id: `doc-${part * 10 + i}`, title: `generation ${generation}` });
    writer.attach(builder.write(directory, writer.newName()), { replace: true });
  }
  if (turn % 2) writer.merge(writer.segments.map(({ name }) => name));
  writer.setUser({ generation: String(generation) });
  writer.commit();
  if (turn === 0) process.stdout.write('ready\n');
}
