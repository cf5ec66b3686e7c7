/** What a thread does for a job: one map task, or one reduce task. Pure but for the files in the folder it is given. */
import { join } from 'node:path';
import { compareBytes, MergeReader, narrow } from '../store/merge.ts';
import { RecordWriter } from '../store/records.ts';
import { RecordSorter } from '../store/sort.ts';
import type { Counting, Emit, Job, MapDone, MapTask, ReduceDone, ReduceTask, Values } from './job.ts';

const counting = (): { count: Counting; counters: Record<string, number> } => {
  const counters: Record<string, number> = {};
  return { counters, count: (name, by = 1) => void (counters[name] = (counters[name] ?? 0) + by) };
};

/** Maps one split into sorted runs, by partition. */
export async function mapTask(job: Job, task: MapTask): Promise<MapDone> {
  const sorter = new RecordSorter({
    folder: task.folder,
    partitions: task.partitions,
    memory: task.memory,
    combine: job.combine?.bind(job),
  });
  const slice = sorter.add.bind(sorter);
  const emit: Emit = Object.assign(
    (key: Uint8Array, value: Uint8Array) => slice(key, 0, key.length, value, 0, value.length),
    { slice },
  );
  const { count, counters } = counting();
  await job.map(task.split, task.args, emit, count);
  return { runs: sorter.finish(), counters };
}

/** Merges the runs of one partition, and reduces key by key into one sorted file. */
export async function reduceTask(job: Job, task: ReduceTask): Promise<ReduceDone> {
  const reader = new MergeReader(narrow(task.runs, task.folder));
  const output = 'output.rec';
  const writer = new RecordWriter(join(task.folder, output));
  const { count, counters } = counting();
  try {
    if (job.reduce) reduceAll(job as Required<Job>, task.args, reader, writer, count);
    else
      while (reader.next()) {
        const { block, keyStart, keyEnd, valueStart, valueEnd } = reader.top;
        writer.appendBytes(block, keyStart, keyEnd, block, valueStart, valueEnd);
      }
  } finally {
    reader.close();
    writer.close();
  }
  return { output, records: writer.records, counters };
}

function reduceAll(
  job: Required<Job>,
  args: unknown,
  reader: MergeReader,
  writer: RecordWriter,
  count: Counting,
): void {
  const slice = writer.appendBytes.bind(writer);
  const emit: Emit = Object.assign(
    (key: Uint8Array, value: Uint8Array) => slice(key, 0, key.length, value, 0, value.length),
    { slice },
  );
  let key = Buffer.allocUnsafe(256);
  let length = 0;
  let more = reader.next();
  /** True while the present record has the present key. */
  const same = (): boolean => {
    const { block, keyStart, keyEnd } = reader.top;
    return more && compareBytes(block, keyStart, keyEnd, key, 0, length) === 0;
  };
  // One iterator for all keys: made anew it would be the dearest part of a key with one value.
  let fresh = true;
  const done = { done: true, value: undefined } as const;
  const step: { done: false; value: Uint8Array } = { done: false, value: key };
  const iterator: Iterator<Uint8Array> = {
    next() {
      if (fresh) fresh = false;
      else more = reader.next();
      if (!more || !same()) {
        fresh = true;
        ended = true;
        return done;
      }
      const { block, valueStart, valueEnd } = reader.top;
      step.value = block.subarray(valueStart, valueEnd);
      return step;
    },
  };
  let ended = false;
  const values: Values = { [Symbol.iterator]: () => iterator };
  while (more) {
    const { block, keyStart, keyEnd } = reader.top;
    length = keyEnd - keyStart;
    if (key.length < length) key = Buffer.allocUnsafe(length * 2);
    block.copy(key, 0, keyStart, keyEnd);
    fresh = true;
    ended = false;
    job.reduce(key.subarray(0, length), values, args, emit, count);
    // A reducer may leave its loop early: what is left of the key is passed over.
    while (!ended) iterator.next();
  }
}
