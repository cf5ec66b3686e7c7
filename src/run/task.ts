/** What a thread does for a job: one map task, or one reduce task. Pure but for the files in the folder it is given. */
import { join } from 'node:path';
import { MergeReader, narrow } from '../store/merge.ts';
import { RecordWriter } from '../store/records.ts';
import { RecordSorter } from '../store/sort.ts';
import { Views } from '../store/views.ts';
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
  const keys = new Views();
  const values = new ValuesOfKey(reader);
  while (values.open()) {
    const { block, keyStart, keyEnd } = reader.top;
    job.reduce(keys.of(block, keyStart, keyEnd), values, args, emit, count);
    // A reducer may leave its loop early: what is left of the key is passed over.
    while (values.next());
  }
}

/** The values of one key after the other: one object for all keys, and no view of a value that nobody asked for. */
class ValuesOfKey implements Values {
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  private readonly reader: MergeReader;
  /** The first value of the present key has not been asked for yet. */
  private first = false;
  /** A record has been read that belongs to the next key. */
  private ahead = false;
  private more = true;
  private readonly iterator: Iterator<Uint8Array>;

  constructor(reader: MergeReader) {
    this.reader = reader;
    const done = { done: true, value: undefined } as const;
    const step: { done: false; value: Uint8Array } = { done: false, value: this.bytes };
    this.iterator = {
      next: () => {
        if (!this.next()) return done;
        step.value = this.bytes.subarray(this.start, this.end);
        return step;
      },
    };
  }

  /** On to the next key; false: there is none. The values of the key before have been read. */
  open(): boolean {
    if (!this.ahead && this.more) this.more = this.reader.next();
    this.ahead = false;
    this.first = true;
    return this.more;
  }

  next(): boolean {
    if (this.first) this.first = false;
    else {
      if (this.ahead || !this.more) return false;
      this.more = this.reader.next();
      if (!this.more) return false;
      if (!this.reader.same) {
        this.ahead = true;
        return false;
      }
    }
    const { block, valueStart, valueEnd } = this.reader.top;
    this.bytes = block;
    this.start = valueStart;
    this.end = valueEnd;
    return true;
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.iterator;
  }
}
