/**
 * How often one client may ask: a token bucket each.
 *
 * `perSecond` tokens are given a second, up to `burst`; a request takes one. Memory is bounded: beyond `clients`
 * buckets the one not used for the longest time is forgotten, which can only be to its client's favour.
 */
export class RateLimit {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clients: number;
  /** In order of last use. */
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limits: { perSecond: number; burst: number; clients?: number }) {
    this.#perMs = limits.perSecond / 1000;
    this.#burst = limits.burst;
    this.#clients = limits.clients ?? 10_000;
  }

  /** Seconds to wait before the next request, 0: go ahead. `now` in ms, never going back. */
  take(client: string, now: number): number {
    const bucket = this.#buckets.get(client) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.at) * this.#perMs);
    bucket.at = now;
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > this.#clients) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.ceil((1 - bucket.tokens) / this.#perMs / 1000);
  }
}

/** Whom an address stands for: an IPv6 customer holds a whole /64, so that is what counts. */
export function clientOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice(7);
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const full = address.includes('::')
    ? [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left;
  return `${full.slice(0, 4).join(':')}::/64`;
}
