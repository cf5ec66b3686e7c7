/** What a dictionary says of a term's postings, and what it lets a cursor read. */

/** A term in one document with at most this many positions keeps them in the dictionary. */
export const INLINE_POSITIONS = 8;

/** Where the postings of one term are: what the dictionary says of it. Words are counted from the file's first. */
export class TermEntry {
  /** Documents that have the term. */
  df = 0;
  /** How often it stands in all of them: the sum of the frequencies. */
  ttf = 0;
  /** The document, where there is but one. */
  doc = 0;
  postings = 0;
  postingsWords = 0;
  skips = 0;
  skipWords = 0;
  positions = 0;
  positionsWords = 0;
  /** Gaps of positions that stand in the dictionary; `inlineCount` of them are used. */
  readonly inline = new Int32Array(INLINE_POSITIONS);
  inlineCount = 0;
}

/** A dictionary with the arrays that its entries point into. */
export interface PostingsSource {
  readonly postingWords: Int32Array;
  readonly skipWords: Int32Array;
  readonly positionWords: Int32Array;
  /** Of the field, by document; null where it has none. */
  readonly norms: Uint8Array | null;
  readonly hasPositions: boolean;
  /** Fills `entry` with what is known of term `n`. */
  entry(n: number, entry: TermEntry): void;
}
