/** Addresses known at once, and bytes of them. */
const MOST_ADDRESSES = 50_000;
const MOST_BYTES = 8 << 20;

/** Addresses by their bytes: a table of slots, and all bytes in one piece. Numbers are given from 0. */
export class Addresses {
  #count = 0;
  #slots = new Int32Array(4096).fill(-1);
  #bytes = Buffer.allocUnsafeSlow(1 << 18);
  #used = 0;
  readonly #hash = new Column();
  readonly #from = new Column();
  readonly #to = new Column();
  /** Number of the head with which it was found the last time. */
  readonly #head = new Column();

  get full(): boolean {
    return this.#count > MOST_ADDRESSES || this.#used > MOST_BYTES;
  }

  clear(): void {
    this.#count = this.#used = 0;
    this.#slots = new Int32Array(4096).fill(-1);
    this.#bytes = Buffer.allocUnsafeSlow(1 << 18);
    for (const column of [this.#hash, this.#from, this.#to, this.#head]) column.clear();
  }

  text(id: number): string {
    return this.#bytes.toString('utf8', this.#from.of[id]!, this.#to.of[id]!);
  }

  /**
   * The address that is `length` bytes of `head` and then `tail` from `from` to `to`; -1: not known. `number`: that of the
   * head, the same for the same bytes alone; -1: it has none.
   */
  find(
    head: Uint8Array,
    length: number,
    number: number,
    tail: Uint8Array,
    from: number,
    to: number,
    hash: number,
  ): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = place(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!;
      if (id < 0) return -1;
      if (this.#hash.of[id] === hash && this.#is(id, head, length, number, tail, from, to)) return id;
    }
  }

  #is(
    id: number,
    head: Uint8Array,
    length: number,
    number: number,
    tail: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    const bytes = this.#bytes;
    let at = this.#from.of[id]!;
    if (this.#to.of[id]! - at !== length + to - from) return false;
    // From the end: where addresses differ, they do so there.
    const start = at + length;
    for (let i = to - 1; i >= from; i--) if (bytes[start + i - from] !== tail[i]) return false;
    // The head is mostly the longer part, and mostly the one by which the address was found before.
    if (number >= 0 && this.#head.of[id] === number) return true;
    for (let i = 0; i < length; i++) if (bytes[at++] !== head[i]) return false;
    this.#head.of[id] = number;
    return true;
  }

  add(head: Uint8Array, length: number, tail: Uint8Array, from: number, to: number, hash: number): number {
    const id = this.#count++;
    const size = length + to - from;
    if (this.#used + size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#used + size, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#from.set(id, this.#used);
    this.#used = copied(head, 0, length, this.#bytes, this.#used);
    this.#used = copied(tail, from, to, this.#bytes, this.#used);
    this.#to.set(id, this.#used);
    this.#hash.set(id, hash);
    this.#head.set(id, -1);
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    else this.#put(id);
    return id;
  }

  #put(id: number): void {
    const mask = this.#slots.length - 1;
    let slot = place(this.#hash.of[id]!) & mask;
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = id;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let id = 0; id < this.#count; id++) this.#put(id);
  }
}

/** Integers by address or by link, as many as there are. */
export class Column {
  of = new Int32Array(1024);

  set(at: number, value: number): void {
    if (at >= this.of.length) {
      const larger = new Int32Array(Math.max(at + 1, this.of.length * 2));
      larger.set(this.of);
      this.of = larger;
    }
    this.of[at] = value;
  }

  clear(): void {
    this.of = new Int32Array(1024);
  }
}

/** Byte by byte: these are short, and a call into native code costs more. Answers where it ended. */
export function copied(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  let to = at;
  for (let i = start; i < end; i++) into[to++] = from[i]!;
  return to;
}

/** Mixes the high bits of a hash into the low ones. */
const place = (hash: number): number => hash ^ (hash >>> 15);
