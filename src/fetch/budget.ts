/**
 * Bytes held by all shards together: bodies in flight, waiting to be parsed, not yet written. One counter in shared
 * memory, so that a shard with large pages leaves less to the others and their sum stays bounded.
 */
export class Budget {
  readonly #cell: BigInt64Array;
  readonly #limit: bigint;
  /** What this shard holds, to be given back should it end early. */
  #own = 0;

  /** @param shared made by `Budget.memory()`; the limit is in bytes */
  constructor(shared: SharedArrayBuffer, limit: number) {
    this.#cell = new BigInt64Array(shared);
    this.#limit = BigInt(limit);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(8);
  }

  /** What all shards hold now, for whoever made the memory. */
  static used(shared: SharedArrayBuffer): number {
    return Number(Atomics.load(new BigInt64Array(shared), 0));
  }

  add(bytes: number): void {
    if (bytes === 0) return;
    this.#own += bytes;
    Atomics.add(this.#cell, 0, BigInt(bytes));
  }

  /** True: begin nothing new for now. A shard that holds nothing may always begin one, so that none waits for ever. */
  full(): boolean {
    return this.#own > 0 && Atomics.load(this.#cell, 0) > this.#limit;
  }

  /** Over all shards. */
  used(): number {
    return Number(Atomics.load(this.#cell, 0));
  }

  close(): void {
    this.add(-this.#own);
  }
}
