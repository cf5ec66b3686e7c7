/**
 * Sorts keys that lie in one block of bytes: by multikey quicksort on four bytes at a time, since the keys of a site share
 * their first twenty to sixty, which a sort by comparison reads again in each of its twenty rounds. Equal keys keep the
 * order of their numbers. Source: Bentley and Sedgewick, Fast algorithms for sorting and searching strings (1997).
 */
const NONE = new Uint32Array(0);

/** May be used again and again, by one caller at a time. */
export class KeySort {
  private bytes: Uint8Array = new Uint8Array(0);
  private at = NONE;
  private length = NONE;
  private order = NONE;
  /** For each place of `order`: four bytes of its key at the present depth, and how many of them are real. */
  private word = new Float64Array(64);

  /** Sorts `order[from..to)`, numbers that ascend at first: key n is `bytes[at[n] .. at[n] + length[n])`. */
  sort(
    bytes: Uint8Array,
    at: Uint32Array<ArrayBuffer>,
    length: Uint32Array<ArrayBuffer>,
    order: Uint32Array<ArrayBuffer>,
    from: number,
    to: number,
  ): void {
    this.bytes = bytes;
    this.at = at;
    this.length = length;
    this.order = order;
    if (this.word.length < to) this.word = new Float64Array(Math.max(to, this.word.length * 2));
    this.load(from, to, 0);
    this.loaded(from, to, 0);
  }

  /** Sorts a part whose keys are the same up to `depth` and whose words are loaded. */
  private loaded(from: number, to: number, depth: number): void {
    let start = from;
    let end = to;
    let level = depth;
    for (;;) {
      if (end - start < 16) {
        this.insertion(start, end, level);
        return;
      }
      const { word, order } = this;
      const pivot = median(word[start]!, word[(start + end) >>> 1]!, word[end - 1]!);
      let low = start;
      let high = end;
      for (let i = start; i < high; ) {
        const value = word[i]!;
        if (value === pivot) i++;
        else {
          const j = value < pivot ? low++ : --high;
          const other = order[i]!;
          order[i] = order[j]!;
          order[j] = other;
          word[i] = word[j]!;
          word[j] = value;
          if (value < pivot) i++;
        }
      }
      this.loaded(start, low, level);
      this.loaded(high, end, level);
      // The equal ones: their next four bytes, or, where the keys end here, the order of coming.
      if (pivot % 8 < 4) {
        order.subarray(low, high).sort();
        return;
      }
      start = low;
      end = high;
      level += 4;
      this.load(start, end, level);
    }
  }

  private load(start: number, end: number, depth: number): void {
    const { bytes, at, length, order, word } = this;
    for (let i = start; i < end; i++) {
      const record = order[i]!;
      const left = length[record]! - depth;
      const from = at[record]! + depth;
      if (left >= 4)
        word[i] =
          (((bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!) >>> 0) * 8 +
          4;
      else {
        const one = left > 0 ? bytes[from]! : 0;
        const two = left > 1 ? bytes[from + 1]! : 0;
        const three = left > 2 ? bytes[from + 2]! : 0;
        word[i] = (((one << 24) | (two << 16) | (three << 8)) >>> 0) * 8 + left;
      }
    }
  }

  private insertion(start: number, end: number, depth: number): void {
    const { order } = this;
    for (let i = start + 1; i < end; i++) {
      const record = order[i]!;
      let j = i - 1;
      while (j >= start && this.after(order[j]!, record, depth)) {
        order[j + 1] = order[j]!;
        j--;
      }
      order[j + 1] = record;
    }
  }

  /** Whether record a comes after record b: by key from `depth` on, then by the order of coming. */
  private after(a: number, b: number, depth: number): boolean {
    const { bytes, at, length } = this;
    const aLength = length[a]!;
    const bLength = length[b]!;
    const aAt = at[a]!;
    const bAt = at[b]!;
    const both = Math.min(aLength, bLength);
    for (let i = depth; i < both; i++) {
      const difference = bytes[aAt + i]! - bytes[bAt + i]!;
      if (difference !== 0) return difference > 0;
    }
    return aLength === bLength ? a > b : aLength > bLength;
  }
}

const median = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
