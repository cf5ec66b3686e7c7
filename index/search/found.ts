/** Hits on their way: what was found, before stored fields are read. */
import type { Document } from '../document.ts';
import type { Explanation } from '../query/explain.ts';
import type { Highlighted } from './highlight.ts';
import type { DocRef, Hit } from './request.ts';

export interface Grouped {
  readonly value: string | number | undefined;
  /** Hits with the same value that are not shown. */
  readonly more: number;
}

export interface FoundHit extends DocRef {
  score: number;
  /** The score before words near each other were looked at, and what these add. */
  readonly base: number;
  near: number;
  /** Place from 1 where these decided the order; to go on behind a hit that has one, it is counted to. */
  rank: number | undefined;
  /** Number of the document over all segments. */
  readonly global: number;
  readonly group: Grouped | undefined;
}

export interface Found {
  readonly total: number;
  readonly isExact: boolean;
  readonly isOver: boolean;
  readonly hits: readonly FoundHit[];
}

/** A hit; `after` is made when it is asked for, since turning a score into text costs more than finding it. */
export class FoundDocument implements Hit {
  readonly doc: DocRef;
  readonly key: string | undefined;
  readonly score: number;
  readonly fields: Document;
  highlights?: Readonly<Record<string, Highlighted>>;
  explain?: Explanation;
  group?: Grouped;
  readonly #found: FoundHit;

  constructor(doc: DocRef, key: string | undefined, score: number, fields: Document, found: FoundHit) {
    this.doc = doc;
    this.key = key;
    this.score = score;
    this.fields = fields;
    this.#found = found;
  }
  get after(): string {
    const { rank, base, global } = this.#found;
    return rank === undefined ? `${base}:${global}` : `~${rank}`;
  }
}

/** `score:doc`, or `~rank` among the hits that were looked at closer. Null for anything else: from the beginning. */
export function readAfter(after: string | undefined): { score: number; doc: number; rank?: number } | null {
  const rank = after === undefined ? null : /^~(\d{1,5})$/.exec(after);
  if (rank) return { score: 0, doc: 0, rank: Number(rank[1]) };
  const match = after === undefined ? null : /^(-?[\d.e+-]+):(\d+)$/.exec(after);
  return match ? { score: Number(match[1]), doc: Number(match[2]) } : null;
}
