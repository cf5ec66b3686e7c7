/**
 * The name a person most likely meant, or null when none is near: at most a third of the letters changed, added, left
 * out or swapped with their neighbour; case and hyphens do not count. Of equals the first.
 */
export function nearest(given: string, known: readonly string[]): string | null {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');
  const tail = (name: string): string => plain(name.split('.').at(-1)!);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const whole = distance(plain(given), plain(name));
    // `delay` and `fetch.delay` are near `net.delay` by their last part, one step further than the whole name.
    const last = name.includes('.') ? 1 + distance(tail(given), tail(name)) : whole;
    const steps = Math.min(whole, last);
    if (steps < least && steps <= Math.max(1, Math.floor(Math.max(given.length, 3) / 3))) {
      least = steps;
      best = name;
    }
  }
  return best;
}

/** Optimal string alignment distance. Cost: a.length x b.length. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
