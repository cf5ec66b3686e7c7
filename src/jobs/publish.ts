/** publish: the gate before a commit of the index. */
import { findLive, isLive, PostingsCursor, type SegmentReader } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';

/** Documents that may always go: a site of five pages may lose three of them. */
const ALWAYS_ALLOWED = 10;
const EXAMPLES = 3;

/**
 * Lets a commit pass, or refuses it: of the documents that can be found now, no larger share than `maxLoss` may be
 * missing after it, whatever made them go (gone pages, duplicates, other options) and whatever came instead.
 *
 * @param why why a document goes, where known
 * @returns how many go
 * @throws CrawlError 'publish-refused', saying how many, why, and how to publish all the same
 */
export function passGate(
  published: readonly SegmentReader[],
  next: readonly SegmentReader[],
  maxLoss: number,
  why: (id: string) => string,
): number {
  const kept = new Map(next.map((segment) => [segment.name, segment]));
  const reasons = new Map<string, number>();
  const examples: string[] = [];
  let lost = 0;
  let total = 0;
  const cursor = new PostingsCursor();
  for (const segment of published) {
    total += segment.liveDocs;
    const same = kept.get(segment.name);
    if (same && same.liveDocs === segment.liveDocs) continue;
    const ids = segment.terms('id');
    for (let n = 0; n < ids.size; n++) {
      ids.postings(n, cursor);
      for (let doc = cursor.next(); doc < segment.docs; doc = cursor.next()) {
        if (!isThere(segment, doc) || (same && isThere(same, doc))) continue;
        const id = ids.term(n);
        if (has(next, id)) continue;
        lost++;
        const reason = why(id);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        if (examples.length < EXAMPLES) examples.push(id);
      }
    }
  }
  if (lost <= ALWAYS_ALLOWED || lost <= maxLoss * total) return lost;
  const told = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${n} ${reason}`);
  throw new CrawlError(
    'publish-refused',
    `not published: ${lost} of ${total} documents would be lost (${told.join(', ')}), such as ${examples.join(', ')}; ` +
      `index.maxLoss allows ${Math.floor(maxLoss * total)}. The index is as it was; if this is right, ` +
      'run nuthatch publish --set index.maxLoss=1',
  );
}

const isThere = ({ live }: SegmentReader, doc: number): boolean => isLive(live, doc);

const lookup = new PostingsCursor();
const has = (segments: readonly SegmentReader[], id: string): boolean =>
  segments.some((segment) => findLive(segment, id, lookup) >= 0);
