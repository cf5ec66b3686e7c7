/**
 * An analysis chain: text in, tokens out, in order of position.
 *
 * A chain lays the code units of a token, already folded, at the start of `sink.units` and calls `sink.token`. It makes
 * no string a token: the index builder's sink looks the units up in its dictionary, the query's sink makes strings.
 * `start` and `end` are offsets in UTF-16 code units of the text as given, whatever folding did to the term, so that a
 * highlight is exact. Two tokens may share a position (a word and its parts).
 */
export interface Analyzer {
  /** Recorded in the index and checked when it is opened: changes whenever the same text would give other terms. */
  readonly name: string;
  /** Positions start at 0. Returns how many positions the text took, so that a caller can add a gap and go on. */
  analyze(text: string, lang: string, sink: TokenSink): number;
}

/** Takes tokens. Owned by the caller of `analyze`, which may use one sink for any number of texts. */
export interface TokenSink {
  /** At least MAX_TERM units. The chain writes it, the sink reads it within `token`; no one keeps it. */
  readonly units: Uint16Array;
  /**
   * @param length units of the term, 1..MAX_TERM
   * @param hash `hashUnits(units, length)`, which a chain computes on the way
   */
  token(length: number, hash: number, position: number, start: number, end: number): void;
}

/** Longest term, in code units; a chain cuts what is longer (a person may still find it by its beginning). */
export const MAX_TERM = 255;

/** FNV-1a over code units with a last mix, 32 bits unsigned: the hash that `token` takes. */
export function hashUnits(units: Uint16Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
