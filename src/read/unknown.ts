import { isLive, PostingsCursor, type SegmentReader } from '../../index/index.ts';
import { keyOf } from '../page/key.ts';
import type { Table } from '../store/tables.ts';

/** Ids come in the order of their terms, so the keys of a batch are near each other: some microseconds a document. */
const AT_ONCE = 1000;

/**
 * Ids of live documents that came from a crawl and that crawldb does not know.
 * @param every one id of so many is looked at
 * @param looked told how many were looked at, each time some were
 */
export async function* unknownIds(
  segments: readonly SegmentReader[],
  table: Table,
  every = 1,
  looked: (ids: number) => void = () => {},
): AsyncGenerator<string, void, undefined> {
  let ids: string[] = [];
  const unknown = async (): Promise<string[]> => {
    const sorted = ids.map((id): [Buffer, string] => [Buffer.from(keyOf(id)), id]);
    sorted.sort(([a], [b]) => Buffer.compare(a, b));
    const found = await table.getMany(sorted.map(([key]) => key));
    looked(ids.length);
    ids = [];
    return sorted.filter((_, at) => !found[at]).map(([, id]) => id);
  };
  for (const segment of segments)
    for (const id of crawledIds(segment, every)) if (ids.push(id) >= AT_ONCE) yield* await unknown();
  yield* await unknown();
}

/** Ids of live documents that came from a crawl segment; of the ids in their order, one of so many. */
function* crawledIds(segment: SegmentReader, every: number): Generator<string, void, undefined> {
  const ids = segment.terms('id');
  const from = segment.column('segment');
  if (from?.kind !== 'string') return;
  const docs = new PostingsCursor();
  for (let n = 0; n < ids.size; n += every) {
    ids.postings(n, docs);
    for (let doc = docs.next(); doc < segment.docs; doc = docs.next())
      if (isLive(segment.live, doc) && from.ordinals[doc] !== 0) yield ids.term(n);
  }
}
