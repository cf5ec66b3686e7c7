/** Which segments to merge, and when: a pure function of their sizes. */

export interface MergePolicy {
  /** About how many segments are merged at once: how many times larger the next size class is. At least 2. */
  readonly factor: number;
  /** Segments below this many documents count as this large, so that many small ones soon become one. */
  readonly minDocs: number;
  /** No merge makes a segment of more live documents. */
  readonly maxDocs: number;
  /** A segment with at least this share of deleted documents is rewritten by itself. */
  readonly maxDeleted: number;
}

export const TIERED: MergePolicy = { factor: 10, minDocs: 1000, maxDocs: 5_000_000, maxDeleted: 0.5 };

export interface SegmentSize {
  readonly name: string;
  /** Deleted ones included. */
  readonly docs: number;
  readonly deleted: number;
}

/**
 * The next merges to do: each a run of neighbours, none in two of them. Empty when all is well.
 *
 * Only neighbours are merged, so that documents keep their order and the index its bytes, whatever was merged first. A
 * merge is worth its cost when what comes out is of a higher size class than all that went in; so over many commits a
 * document is copied once a class, log n to the base `factor` times.
 */
export function chooseMerges(segments: readonly SegmentSize[], policy: MergePolicy = TIERED): string[][] {
  const live = segments.map((segment) => segment.docs - segment.deleted);
  const taken = segments.map(() => false);
  const merges: string[][] = [];
  const largest = Math.max(0, ...live);
  // Size class k holds up to `limit` = minDocs * factor ^ (k + 1) documents.
  for (let limit = policy.minDocs * policy.factor; ; limit *= policy.factor) {
    for (let start = 0; start < segments.length; ) {
      let end = start;
      let docs = 0;
      let weight = 0;
      while (end < segments.length && !taken[end] && live[end]! < limit && docs + live[end]! <= policy.maxDocs) {
        docs += live[end]!;
        weight += Math.max(live[end]!, policy.minDocs);
        end++;
      }
      if (end - start >= 2 && weight >= limit) {
        merges.push(segments.slice(start, end).map(({ name }) => name));
        taken.fill(true, start, end);
      }
      start = Math.max(end, start + 1);
    }
    if (limit > largest) break;
  }
  for (const [i, { name, docs, deleted }] of segments.entries()) {
    if (!taken[i] && deleted > 0 && deleted >= policy.maxDeleted * docs) merges.push([name]);
  }
  return merges;
}
