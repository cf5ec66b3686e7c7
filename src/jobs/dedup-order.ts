/**
 * Which of two documents stays. Total orders: no two documents with different ids are equal, so the survivor does not
 * depend on the order of arrival.
 *
 * Length counts without the scheme, and of two addresses that differ in nothing else https stays: otherwise every site
 * that moved would keep its old half.
 */
export interface Candidate {
  readonly id: string;
  /** What the links to it are worth. */
  readonly score: number;
  /** When it was fetched, ms since the epoch. */
  readonly time: number;
  /** Place of its index segment in the list of segments, by name; and its number there. */
  readonly segment: number;
  readonly doc: number;
}

export const rules = {
  'url-latest': 'the same address was fetched again later',
  score: 'the other has the same content and a higher score',
  newer: 'the other has the same content and score, and was fetched later',
  shorter: 'the other has the same content and a shorter address',
  scheme: 'the other has the same content and the same address under https',
  order: 'the other has the same content, and its address comes first',
  near: 'the other has nearly the same content, and is the better one',
} as const;
export type DedupRule = keyof typeof rules;

/** The rule by which `b` stays rather than `a`; null when `a` stays. `by` as in `index.dedupBy`. */
export function loses(a: Candidate, b: Candidate, by: 'score' | 'url'): DedupRule | null {
  const shorter = lengthOf(a.id) - lengthOf(b.id);
  if (by === 'url' && shorter !== 0) return shorter > 0 ? 'shorter' : null;
  if (a.score !== b.score) return b.score > a.score ? 'score' : null;
  if (a.time !== b.time) return b.time > a.time ? 'newer' : null;
  if (shorter !== 0) return shorter > 0 ? 'shorter' : null;
  const scheme = schemeOf(b.id) - schemeOf(a.id);
  if (scheme !== 0) return scheme > 0 ? 'scheme' : null;
  if (a.id !== b.id) return a.id > b.id ? 'order' : null;
  // The same id twice with everything equal: the later place, as a rule that needs no name of its own.
  return (b.segment - a.segment || b.doc - a.doc) > 0 ? 'newer' : null;
}

/** True when `b` is the later copy of the same address; of copies of one time the better scored, then the later place. */
export const isLater = (a: Candidate, b: Candidate): boolean =>
  (b.time - a.time || b.score - a.score || b.segment - a.segment || b.doc - a.doc) > 0;

export const withoutScheme = (id: string): string => id.replace(/^https?:\/\//, '');
const lengthOf = (id: string): number => id.length - (id.startsWith('https://') ? 8 : id.startsWith('http://') ? 7 : 0);
const schemeOf = (id: string): number => (id.startsWith('https://') ? 1 : 0);
