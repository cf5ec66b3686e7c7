/**
 * Sorts byte strings, from their beginning or from their end.
 *
 * Four bytes at a time: a string's next four bytes and its number make one 64-bit key, and keys are sorted without a
 * comparison function, which the engine does natively; strings with equal four bytes form a group that is sorted by the
 * next four. 212,000 terms take a fifth of the time of a sort with a comparison function (bench/words.bench.ts).
 *
 * @param bytes string n lies in starts[n] .. starts[n + 1]
 * @param backwards compare last bytes first
 * @returns the numbers 0..count in order; equal strings in order of number
 */
export function sortTerms(bytes: Uint8Array, starts: Uint32Array, count: number, backwards: boolean): Uint32Array {
  const keys = new BigUint64Array(count);
  const words = new Uint32Array(keys.buffer);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  // Groups still to be sorted: first, end, bytes known to be equal.
  const todo = [0, count, 0];
  while (todo.length > 0) {
    const depth = todo.pop()!;
    const end = todo.pop()!;
    const first = todo.pop()!;
    if (end - first < 2) continue;
    if (end - first <= 12) {
      insertionSort(bytes, starts, order, first, end, depth, backwards);
      continue;
    }
    let longest = 0;
    for (let i = first; i < end; i++) {
      const n = order[i]!;
      const from = starts[n]!;
      const to = starts[n + 1]!;
      const left = to - from - depth;
      if (left > longest) longest = left;
      let key = 0;
      // A byte that the string does not have counts as zero; where that makes strings equal, their lengths tell.
      if (backwards) {
        const at = to - 1 - depth;
        if (left >= 4) key = (bytes[at]! << 24) | (bytes[at - 1]! << 16) | (bytes[at - 2]! << 8) | bytes[at - 3]!;
        else for (let k = 0; k < left; k++) key |= bytes[at - k]! << (24 - 8 * k);
      } else {
        const at = from + depth;
        if (left >= 4) key = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
        else for (let k = 0; k < left; k++) key |= bytes[at + k]! << (24 - 8 * k);
      }
      words[2 * i] = n;
      words[2 * i + 1] = key;
    }
    if (longest === 0) {
      order.subarray(first, end).sort((a, b) => starts[a + 1]! - starts[a]! - (starts[b + 1]! - starts[b]!) || a - b);
      continue;
    }
    keys.subarray(first, end).sort();
    for (let i = first; i < end; i++) order[i] = words[2 * i]!;
    for (let i = first; i < end; ) {
      const key = words[2 * i + 1]!;
      let next = i + 1;
      while (next < end && words[2 * next + 1] === key) next++;
      if (next - i > 1) todo.push(i, next, depth + 4);
      i = next;
    }
  }
  return order;
}

/** Negative when string a comes before string b; both are known to agree in their first `depth` bytes. */
function compare(
  bytes: Uint8Array,
  starts: Uint32Array,
  a: number,
  b: number,
  depth: number,
  backwards: boolean,
): number {
  const lengthA = starts[a + 1]! - starts[a]!;
  const lengthB = starts[b + 1]! - starts[b]!;
  const common = Math.min(lengthA, lengthB);
  if (backwards) {
    const lastA = starts[a + 1]! - 1;
    const lastB = starts[b + 1]! - 1;
    for (let i = depth; i < common; i++) {
      const difference = bytes[lastA - i]! - bytes[lastB - i]!;
      if (difference !== 0) return difference;
    }
  } else {
    const firstA = starts[a]!;
    const firstB = starts[b]!;
    for (let i = depth; i < common; i++) {
      const difference = bytes[firstA + i]! - bytes[firstB + i]!;
      if (difference !== 0) return difference;
    }
  }
  return lengthA - lengthB || a - b;
}

function insertionSort(
  bytes: Uint8Array,
  starts: Uint32Array,
  order: Uint32Array,
  first: number,
  end: number,
  depth: number,
  backwards: boolean,
): void {
  for (let i = first + 1; i < end; i++) {
    const n = order[i]!;
    let at = i;
    while (at > first && compare(bytes, starts, order[at - 1]!, n, depth, backwards) > 0) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = n;
  }
}
