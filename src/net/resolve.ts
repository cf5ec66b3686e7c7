import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/**
 * Names to addresses, cached and few at a time, and the guard that keeps a crawl out of places that only we can reach.
 *
 * A page on the web must not make us knock at our own router. Addresses in private, loopback, link-local and other
 * special ranges are refused unless a seed or the configuration names the host or its range. The check is made on the
 * very addresses the socket connects to, so neither a redirect nor a name that changes its mind gets around it.
 */
export interface Resolver {
  /** For `net.connect`: gives only addresses that may be connected to. Errors: those of DNS, and ADDRESS_REFUSED. */
  readonly lookup: Lookup;
  /** Null: may be connected to; else why not. For hosts that are addresses, and for sockets that are connected. */
  refuse(host: string, address: string): string | null;
}

export interface Address {
  readonly address: string;
  readonly family: number;
}
type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | Address[], family?: number) => void;
export type Lookup = (host: string, options: { all?: boolean; family?: unknown }, callback: LookupCallback) => void;
export type SystemLookup = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Address[]) => void,
) => void;

export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

/** getaddrinfo tells no time to live; five minutes is what browsers at most assume, and a round sees few hosts longer. */
const TTL_MS = 5 * 60_000;
/** A failure is forgotten soon: a resolver that stumbles once must not cost a host its round. */
const FAILURE_TTL_MS = 5000;
/** getaddrinfo blocks a thread of the four that files and zlib need as well. */
const AT_ONCE = 3;
const MAX_CACHED = 20_000;

interface Cached {
  readonly expires: number;
  readonly error: NodeJS.ErrnoException | null;
  readonly addresses: Address[];
}

export interface ResolverOptions {
  /** Hosts (as in an address, without port) and CIDR ranges that may be special. */
  readonly allow: readonly string[];
  readonly lookup?: SystemLookup;
  readonly clock?: () => number;
}

export function createResolver(options: ResolverOptions): Resolver {
  const system: SystemLookup = options.lookup ?? ((host, more, callback) => systemLookup(host, more, callback));
  const clock = options.clock ?? Date.now;
  const hosts = new Set<string>();
  const ranges = new BlockList();
  for (const entry of options.allow) {
    const slash = entry.indexOf('/');
    const address = bare(slash < 0 ? entry : entry.slice(0, slash));
    const family = isIP(address);
    if (family === 0) hosts.add(entry.toLowerCase());
    else {
      const type = family === 4 ? 'ipv4' : 'ipv6';
      if (slash < 0) ranges.addAddress(address, type);
      else ranges.addSubnet(address, Number(entry.slice(slash + 1)), type);
    }
  }

  const refuse = (host: string, address: string): string | null => {
    if (hosts.has(bare(host).toLowerCase())) return null;
    const plain = bare(address);
    const inner = embedded(plain);
    const family = isIP(plain);
    if (family === 0) return null; // a socket without an address has not connected to anything
    if (ranges.check(plain, family === 4 ? 'ipv4' : 'ipv6')) return null;
    if (inner !== null && ranges.check(inner, 'ipv4')) return null;
    return special(plain) ? refusal(host, address) : null;
  };

  const cache = new Map<string, Cached>();
  const asking = new Map<string, ((found: Cached) => void)[]>();
  const line: string[] = [];
  let running = 0;

  const ask = (): void => {
    while (running < AT_ONCE && line.length > 0) {
      const host = line.shift()!;
      running++;
      system(host, { all: true }, (error, addresses) => {
        running--;
        const found: Cached = {
          expires: clock() + (error ? FAILURE_TTL_MS : TTL_MS),
          error,
          addresses: error ? [] : addresses,
        };
        if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
        cache.set(host, found);
        const waiting = asking.get(host)!;
        asking.delete(host);
        for (const tell of waiting) tell(found);
        ask();
      });
    }
  };

  const lookup: Lookup = (host, more, callback) => {
    const answer = (found: Cached): void => {
      if (found.error) {
        callback(found.error, []);
        return;
      }
      const family = more.family === 4 || more.family === 6 ? more.family : 0;
      const fitting = found.addresses.filter((one) => family === 0 || one.family === family);
      const open = fitting.filter((one) => refuse(host, one.address) === null);
      const first = open[0];
      if (!first) {
        const why = fitting[0] ? refuse(host, fitting[0].address) : `${host} has no address`;
        const code = fitting[0] ? ADDRESS_REFUSED : 'ENOTFOUND';
        callback(Object.assign(new Error(why ?? ''), { code }), []);
        return;
      }
      if (more.all) callback(null, open);
      else callback(null, first.address, first.family);
    };
    const known = cache.get(host);
    const waiting = asking.get(host);
    if (known && known.expires > clock()) queueMicrotask(() => answer(known));
    else if (waiting) waiting.push(answer);
    else {
      asking.set(host, [answer]);
      line.push(host);
      ask();
    }
  };
  return { lookup, refuse };
}

const refusal = (host: string, address: string): string =>
  bare(host) === bare(address)
    ? `${address} is private; name it in net.allowPrivate to crawl it`
    : `${host} lies at the private address ${address}; name the host in net.allowPrivate to crawl it`;

const bare = (address: string): string =>
  address.startsWith('[') ? address.slice(1, -1) : address.includes('%') ? address.split('%')[0]! : address;

/** The IPv4 address inside an IPv6 one that stands for it (mapped, NAT64, 6to4); null: none. */
function embedded(address: string): string | null {
  if (isIP(address) !== 6) return null;
  const groups = expand(address);
  const [a, b] =
    groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff
      ? [groups[6]!, groups[7]!]
      : groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((g) => g === 0)
        ? [groups[6]!, groups[7]!]
        : groups[0] === 0x2002
          ? [groups[1]!, groups[2]!]
          : [-1, -1];
  return a < 0 ? null : `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

function expand(address: string): number[] {
  const text = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`,
  );
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16));
}

/** IANA's special-purpose registries, as far as they are not plain places of the internet. */
const SPECIAL = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  SPECIAL.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  SPECIAL.addSubnet(net, bits, 'ipv6');
function special(address: string): boolean {
  const plain = embedded(address) ?? address;
  return SPECIAL.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
}

/** True for an address (as in a URL, without port) that is a plain place of the internet; not for a name. */
export function isPublicAddress(host: string): boolean {
  const address = bare(host);
  return isIP(address) !== 0 && !special(address);
}

/** The first address of each host that has one: for queues by address. A few at a time. */
export async function addressesOf(
  hosts: readonly string[],
  lookup: Lookup = plainLookup,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rest = [...hosts];
  const work = async (): Promise<void> => {
    for (let host = rest.pop(); host !== undefined; host = rest.pop()) {
      const name = host;
      const address = await new Promise<string>((resolve) =>
        lookup(bare(name), {}, (error, one) => resolve(error || typeof one !== 'string' ? '' : one)),
      );
      if (address !== '') found.set(name, address);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
const plainLookup: Lookup = (host, _, callback) => systemLookup(host, callback);
