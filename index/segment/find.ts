import { isLive } from '../format/live.ts';
import type { PostingsCursor } from '../format/postings.ts';
import type { SegmentReader } from './reader.ts';

/**
 * The live document with this key, -1 when there is none.
 * Cost: a look-up in the dictionary. `reuse`: a cursor of the caller's, for who asks often.
 */
export function findLive(segment: SegmentReader, key: string, reuse?: PostingsCursor): number {
  const keys = segment.terms(segment.schema.key);
  const n = keys.find(key);
  if (n < 0) return -1;
  const docs = keys.postings(n, reuse);
  for (let doc = docs.next(); doc < segment.docs; doc = docs.next()) if (isLive(segment.live, doc)) return doc;
  return -1;
}
