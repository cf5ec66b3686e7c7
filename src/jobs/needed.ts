/**
 * Which segments an index of all of them would be made of: those without which it would hold another text of a page, or
 * a page that is gone. A page that is in no index now counts too: as a duplicate, or in favour of its canonical address,
 * it may come back, and while the server says that it has not changed, its text lies nowhere else.
 *
 *     outcome := ordinal:u16 fetched:f64 document:u8       one that decides (decisive.ts), by the key of its page
 *     need    := document:u8 ordinal:u16                   a segment that the page needs
 */
import { statSync } from 'node:fs';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, stateAt } from '../page/codec.ts';
import { partFiles } from '../page/segment-files.ts';
import { believed } from '../page/state.ts';
import { statusCode } from '../page/status.ts';
import type { JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { RecordReader } from '../store/records.ts';
import { decides, isNewer, type Told } from './decisive.ts';

interface Split {
  readonly file: string;
  readonly ordinal: number;
}

export const neededJob: Job<Split, { readonly now: number }> = {
  name: 'needed',
  map({ file, ordinal }, _args, emit) {
    const reader = new RecordReader(file);
    const value = Buffer.alloc(11);
    value.writeUInt16LE(ordinal, 0);
    try {
      while (reader.next()) {
        const outcome = decodeOutcome(reader.value);
        if (!decides(outcome)) continue;
        value.writeDoubleLE(outcome.fetched, 2);
        value[10] = outcome.kind === 'success' ? (outcome.reason === 'links-only' ? 2 : 1) : 0;
        emit.slice(reader.block, reader.keyStart, reader.keyEnd, value, 0, value.length);
      }
    } finally {
      reader.close();
    }
  },
  reduce(key, values, { now }, emit) {
    let newest: (Told & { readonly kind: number }) | null = null;
    const texts: Told[] = [];
    const maybe: number[] = [];
    for (const bytes of values) {
      const value = Buffer.from(bytes);
      const told = { ordinal: value.readUInt16LE(0), fetched: believed(value.readDoubleLE(2), now), kind: value[10]! };
      // Read for its links alone: it decides only once it has been parsed from its content, which may have been.
      if (told.kind === 2) maybe.push(told.ordinal);
      else if (!newest || isNewer(told, newest)) newest = told;
      if (told.kind === 1) texts.push(told);
    }
    const need = Buffer.alloc(3);
    const needs = (document: boolean, ordinal: number): void => {
      need[0] = document ? 1 : 0;
      need.writeUInt16LE(ordinal, 1);
      emit(key, need);
    };
    for (const ordinal of maybe) needs(true, ordinal);
    if (newest?.kind === 1) needs(true, newest.ordinal);
    // That a page went is needed for as long as an older text of it lies about.
    else if (newest && texts.length > 0) needs(false, newest.ordinal);
  },
};

/** Pages looked up in crawldb at once. */
const BATCH = 1000;

/** Of `segments`, oldest first, those that are needed. Cost: a pass over their outcomes. */
export async function neededSegments(context: JobContext, segments: readonly string[]): Promise<Set<string>> {
  const splits = segments.flatMap((segment, ordinal) =>
    partFiles(context.dir, segment, 'crawl_fetch').map((file): Split => ({ file, ordinal })),
  );
  const needed = new Set<string>();
  const bytes = splits.reduce((sum, { file }) => sum + statSync(file).size, 0);
  const output = await runJob(neededJob, { splits, args: { now: context.now }, bytes }, context);
  let keys: Buffer[] = [];
  let ordinals: number[] = [];
  const look = async (): Promise<void> => {
    if (context.signal.aborted) throw new CrawlError('interrupted', 'clean was stopped; nothing has changed');
    for (const [at, record] of (await context.tables.crawldb.getMany(keys)).entries())
      if (record && !GONE.has(record[stateAt.status]!)) needed.add(segments[ordinals[at]!]!);
    keys = [];
    ordinals = [];
  };
  try {
    for (const file of output.files) {
      const reader = new RecordReader(file);
      try {
        while (reader.next()) {
          const { block, valueStart } = reader;
          const ordinal = block.readUInt16LE(valueStart + 1);
          if (needed.has(segments[ordinal]!)) continue;
          if (block[valueStart] === 0) {
            needed.add(segments[ordinal]!);
            continue;
          }
          keys.push(Buffer.from(block.subarray(reader.keyStart, reader.keyEnd)));
          ordinals.push(ordinal);
          if (keys.length >= BATCH) await look();
        }
      } finally {
        reader.close();
      }
    }
    await look();
    return needed;
  } finally {
    output.discard();
  }
}

/** Of such a page no text is shown, and one that comes back is fetched whole. */
const GONE: ReadonlySet<number> = new Set([statusCode.gone, statusCode.duplicate]);
