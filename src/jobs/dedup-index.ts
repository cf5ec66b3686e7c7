import { join } from 'node:path';
import type { IndexWriter, SegmentReader } from '../../index/index.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { RecordReader } from '../store/records.ts';
import { decodeLoss, findDuplicates, readPlace } from './dedup.ts';
import type { Losses } from './losses.ts';
import { findNear, idsOf, type NearGroup } from './near.ts';

/** Takes out of the next commit what the three jobs of dedup find, and notes in `losses` what each lost to. */
export async function removeDuplicates(context: JobContext, writer: IndexWriter, losses: Losses): Promise<Counters> {
  const directory = join(context.dir, 'index');
  const splits = writer.readers().map((reader) => ({ directory, shared: reader.share(), docs: reader.docs }));
  const found = await findDuplicates(context, splits, context.options.index.dedupBy);
  try {
    for (const path of found.files) {
      const bySegment = new Map<number, number[]>();
      const reader = new RecordReader(path);
      try {
        while (reader.next()) {
          const { segment, doc } = readPlace(reader.block.subarray(reader.keyStart, reader.keyEnd));
          const loss = decodeLoss(reader.block.subarray(reader.valueStart, reader.valueEnd));
          const docs = bySegment.get(segment) ?? [];
          if (docs.length === 0) bySegment.set(segment, docs);
          docs.push(doc);
          if (loss.rule !== 'url-latest') losses.set(loss.id, { winner: loss.winner, rule: loss.rule });
        }
      } finally {
        reader.close();
      }
      for (const [segment, docs] of bySegment) writer.deleteDocs(found.segments[segment]!, docs);
    }
    return found.counters;
  } finally {
    found.discard();
  }
}

/** Takes out all but the leader of each group of nearly the same text; how many. */
export async function removeNear(context: JobContext, writer: IndexWriter, losses: Losses): Promise<number> {
  const readers = writer.readers();
  const groups = await nearGroups(context, readers);
  const docs = readers.map((): number[] => []);
  const idOf = idsOf(readers, groups);
  let base = 0;
  const bases = readers.map((reader) => (base += reader.docs) - reader.docs);
  for (const [leader, ...others] of groups)
    for (const doc of others) {
      const segment = bases.findLastIndex((from) => from <= doc);
      docs[segment]!.push(doc - bases[segment]!);
      losses.set(idOf.get(doc)!, { winner: idOf.get(leader!)!, rule: 'near' });
    }
  return readers.reduce((sum, { name }, segment) => sum + writer.deleteDocs(name, docs[segment]!), 0);
}

/** Groups of documents with nearly the same text; warns of those that cannot be compared. */
export async function nearGroups(context: JobContext, readers: readonly SegmentReader[]): Promise<NearGroup[]> {
  const message =
    'some pages were indexed before index.nearDuplicates was set, and are compared with none; nuthatch index --all compares all';
  if (readers.some((reader) => reader.liveDocs > 0 && reader.column('near') === null))
    context.onEvent({ kind: 'warning', message });
  return findNear(readers, context.options.index.dedupBy, context.signal);
}
