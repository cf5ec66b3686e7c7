/**
 * Which documents may have a twin at all: ids and digests fall into buckets by a hash, and a document whose two buckets hold
 * nothing else is no duplicate and has none. Most are of that kind, and need not be sorted.
 *
 * Memory: 4 to 8 bytes a document. Cost: a look at every id and digest (bench/dedup.bench.ts). What is let through for a bucket's
 * sake is compared as if there were no buckets.
 */
import { isLive, type SegmentReader } from '../../index/index.ts';

/** Buckets a document: with 8 to 16, one in eight of those without a twin is suspected. */
const BUCKETS = 8;
const DIGEST = 16;

/** A bit a bucket, set where it holds more than one. Over shared memory, for threads. */
export interface Suspects {
  readonly ids: Int32Array;
  readonly digests: Int32Array;
  /** Documents that are suspected, at most. */
  readonly most: number;
}

export function findSuspects(readers: readonly SegmentReader[]): Suspects {
  const docs = readers.reduce((sum, reader) => sum + reader.docs, 0);
  const words = Math.max(32, (2 ** Math.ceil(Math.log2(Math.max(1, docs * BUCKETS)))) >>> 5);
  const [ids, digests] = [new Buckets(words), new Buckets(words)];
  for (const reader of readers) {
    const terms = reader.terms('id');
    for (let n = 0; n < terms.size; n++) {
      terms.key(n);
      const hash = hashOf(terms.keyBytes, terms.keyFrom, terms.keyEnd);
      ids.add(hash);
      if (terms.df(n) > 1) ids.add(hash);
    }
    const digest = reader.column('digest');
    if (digest?.kind !== 'hash128') continue;
    for (let doc = 0; doc < reader.docs; doc++)
      if (isLive(reader.live, doc) && isLive(digest.present, doc))
        digests.add(hashOf(digest.bytes, doc * DIGEST, doc * DIGEST + DIGEST));
  }
  return { ids: ids.more, digests: digests.more, most: Math.min(docs, ids.most + digests.most) };
}

/** FNV-1a with a last mix. */
export function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = from; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** The bucket of a hash holds more than one. */
export const isSuspect = (buckets: Int32Array, hash: number): boolean =>
  (buckets[(hash >>> 5) & (buckets.length - 1)]! & (1 << (hash & 31))) !== 0;

class Buckets {
  readonly more: Int32Array;
  /** What lies in buckets with more than one, at most. */
  most = 0;
  readonly #one: Int32Array;

  constructor(words: number) {
    this.more = new Int32Array(new SharedArrayBuffer(words * 4));
    this.#one = new Int32Array(words);
  }
  add(hash: number): void {
    const word = (hash >>> 5) & (this.#one.length - 1);
    const bit = 1 << (hash & 31);
    if (this.#one[word]! & bit) {
      this.most += this.more[word]! & bit ? 1 : 2;
      this.more[word]! |= bit;
    } else this.#one[word]! |= bit;
  }
}
