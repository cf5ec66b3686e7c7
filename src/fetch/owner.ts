import type { Settled } from '../options.ts';
import { hashOfText } from '../url/hash.ts';
import { domainOf, hostOf } from '../url/host.ts';

/**
 * Who fetches what: a URL belongs to a queue (its host, domain or address), a queue to exactly one shard. Only the owner
 * ever connects for a queue, so the delay is kept without a lock and whatever the number of shards.
 */

/** `addresses` gives the address of a host for `ip`; a host it does not know is a queue of its own. */
export function queueOf(
  url: string,
  by: Settled['net']['queueBy'],
  addresses: ReadonlyMap<string, string> = NO_ADDRESSES,
): string {
  const host = hostOf(url);
  if (by === 'host') return host;
  return by === 'domain' ? domainOf(host) : (addresses.get(host) ?? host);
}
const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/**
 * The shard of a queue, by rendezvous hash: every shard draws a number from (queue, shard), the highest has it. One
 * shard more takes its share from all others and moves nothing else. Pure: every thread comes to the same answer.
 */
export function ownerOf(queue: string, shards: number): number {
  if (shards === 1) return 0;
  const hash = hashOfText(queue);
  let owner = 0;
  let highest = -1;
  for (let shard = 0; shard < shards; shard++) {
    const drawn = mix(hash ^ Math.imul(shard + 1, 0x9e3779b1));
    if (drawn > highest) {
      highest = drawn;
      owner = shard;
    }
  }
  return owner;
}

/** The finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
