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
   * @param kind what the token is to the word it comes from; a builder need not look at it. ATOM when absent
   */
  token(length: number, hash: number, position: number, start: number, end: number, kind?: TokenKind): void;
}

/** An ordinary word, or one part of a longer one; parts of one word take positions of their own, side by side. */
export const ATOM = 0;
/** A word with its signs (`c++`, `1.2.3`), or its joined form (`email` for e-mail), at the position of its first part. */
export const WHOLE = 1;
/** Part of a whole that itself has parts: `audit_log` of `erp.audit_log`; at the position of its first part. */
export const GROUP = 2;
/** The word without its elision or possessive (`école` of l'école, `dog` of dog's), at the same position as the word. */
export const BARE = 3;
/** The word with its accents, at the same position as the word without: not another occurrence, a finer one. */
export const ACCENTED = 4;
/** The last character of a run of Han, Kana or Hangul, alone: every character so begins a term; a longer query skips it. */
export const LAST = 5;
export type TokenKind = 0 | 1 | 2 | 3 | 4 | 5;

/** Longest term, in code units; a chain cuts what is longer (a person may still find it by its beginning). */
export const MAX_TERM = 255;

/** FNV's offset basis as a signed integer: a double here would make every step of the hash a conversion. */
export const FNV_START = 0x811c9dc5 | 0;
/** FNV-1a over code units with a last mix, 32 bits unsigned: the hash that `token` takes. */
export function hashUnits(units: Uint16Array, length: number): number {
  let hash = FNV_START;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
