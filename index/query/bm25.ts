/**
 * BM25 over one field or several (BM25F: Robertson, Zaragoza, Taylor, Simple BM25 extension to multiple weighted fields,
 * 2004), as Lucene 8 scores where there is one field of weight 1.
 *
 *     idf    = ln(1 + (N - df + 0.5) / (df + 0.5))
 *     tf     = sum over fields of  weight * f / (1 - b + b * length / average)      length as decoded from the norm byte
 *     score  = boost * idf * tf / (k1 + tf)
 *
 * N, df and the averages are sums over all segments, deleted documents included until a merge drops them, so that a score
 * does not depend on how the documents are cut into segments.
 */
import { NORM_LENGTHS } from '../format/norms.ts';

export interface Bm25 {
  /** How soon more of the same stops counting. */
  readonly k1: number;
  /** How much a long field is held against a document, 0 to 1. */
  readonly b: number;
}
export const BM25: Bm25 = { k1: 1.2, b: 0.75 };

export function idf(df: number, docs: number): number {
  return Math.log(1 + (docs - df + 0.5) / (df + 0.5));
}

/** By norm byte: what one occurrence in a field adds to tf. */
export function lengthTable(weight: number, averageLength: number, b: number): Float64Array {
  const table = new Float64Array(256);
  const average = averageLength > 0 ? averageLength : 1;
  for (let norm = 0; norm < 256; norm++) table[norm] = weight / (1 - b + (b * NORM_LENGTHS[norm]!) / average);
  return table;
}
