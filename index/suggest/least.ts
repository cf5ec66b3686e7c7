/** The smallest of many numbers: which entries are the best, where an entry's number says how good it is. */

/** The smallest distinct numbers of those offered, at most `limit`, in order. */
export class Least {
  readonly limit: number;
  count = 0;
  readonly numbers: Uint32Array;

  constructor(limit: number) {
    this.limit = limit;
    this.numbers = new Uint32Array(limit);
  }
  /** Only what is smaller can still come in. */
  get bound(): number {
    return this.count < this.limit ? 0x1_0000_0000 : this.limit === 0 ? 0 : this.numbers[this.limit - 1]!;
  }
  offer(number: number): void {
    if (number >= this.bound) return;
    const { numbers } = this;
    let at = this.count;
    while (at > 0 && numbers[at - 1]! > number) at--;
    if (at > 0 && numbers[at - 1] === number) return;
    if (this.count < this.limit) this.count++;
    numbers.copyWithin(at + 1, at, this.count - 1);
    numbers[at] = number;
  }
  has(number: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.numbers[i] === number) return true;
    return false;
  }
}

/** Numbers whose smallest are kept together. */
const BLOCK = 64;

/** Many numbers, of any stretch of which the smallest are found without reading all: the smallest of each block are known. */
export class Stretches {
  readonly numbers: Uint32Array;
  readonly #minima: Uint32Array;

  constructor(numbers: Uint32Array) {
    this.numbers = numbers;
    this.#minima = new Uint32Array(Math.ceil(numbers.length / BLOCK));
    for (let block = 0; block < this.#minima.length; block++) {
      const end = Math.min(numbers.length, (block + 1) * BLOCK);
      let least = numbers[block * BLOCK]!;
      for (let i = block * BLOCK + 1; i < end; i++) if (numbers[i]! < least) least = numbers[i]!;
      this.#minima[block] = least;
    }
  }

  /** Offers those of numbers[from..to) that `accept` takes; null takes all. Only those that can still come in are looked at. */
  offer(from: number, to: number, best: Least, accept: ((number: number) => boolean) | null): void {
    const { numbers } = this;
    let { bound } = best;
    for (let at = from; at < to; ) {
      const block = Math.trunc(at / BLOCK);
      const end = Math.min(to, (block + 1) * BLOCK);
      if (this.#minima[block]! < bound)
        for (; at < end; at++) {
          const number = numbers[at]!;
          if (number >= bound || (accept !== null && !accept(number))) continue;
          best.offer(number);
          bound = best.bound;
        }
      at = end;
    }
  }
}
