/** Counts of the four-word sequences of a text. */
function shingles(text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let i = 0; i < Math.max(1, words.length - 3); i++) {
    const key = words.slice(i, i + 4).join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

export interface Measured {
  readonly precision: number;
  readonly recall: number;
}

/** How much of `got` is in `wanted`, and the other way round. */
export function compareTexts(got: string, wanted: string): Measured {
  const [a, b] = [shingles(got), shingles(wanted)];
  let common = 0;
  for (const [key, count] of b) common += Math.min(count, a.get(key) ?? 0);
  return { precision: common / total(a), recall: common / total(b) };
}
export const f1 = ({ precision, recall }: Measured): number => (2 * precision * recall) / (precision + recall);
