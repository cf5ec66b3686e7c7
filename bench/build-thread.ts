/** A thread of build.bench.ts: builds every second document of a set into segments of its own, and answers their names. */
import { parentPort, workerData } from 'node:worker_threads';
import { type BuiltSegment, FsDirectory, type Schema, SegmentBuilder } from '../index/index.ts';
import { eachDocument } from './corpus.ts';

const { set, folder, schema, thread, threads } = workerData as {
  set: string;
  folder: string;
  schema: Schema;
  thread: number;
  threads: number;
};
const directory = new FsDirectory(folder);
/** Builders side by side share the room of one. */
const share = { budgetBytes: (160 << 20) / threads };
const built: BuiltSegment[] = [];
let builder = new SegmentBuilder(schema, share);
let nth = 0;
const flush = (): void => {
  built.push(builder.write(directory, `t${thread}-${built.length}`));
  builder = new SegmentBuilder(schema, share);
};
eachDocument(set, ({ title, text }) => {
  const id = nth++;
  if (id % threads !== thread) return;
  builder.add({ id: String(id), body: `${title} ${text}` });
  if (builder.full) flush();
});
flush();
parentPort!.postMessage(built);
