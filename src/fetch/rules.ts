import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { ALLOW_ALL, DENY_ALL, parseRobots, type Robots, robotsByStatus } from '../net/robots.ts';

/**
 * What the robots.txt of each authority (scheme, host, port) said, and when. Kept over rounds with its age, so that a
 * recrawl does not ask again within a day, and a host whose robots.txt fails tonight keeps the rules of yesterday.
 *
 *     stored := version:u8=1  fetched:f64  status:u16  body:bytes
 */
export interface StoredRules {
  /** ms since the epoch. */
  readonly fetched: number;
  readonly status: number;
  readonly body: Uint8Array;
}

/** RFC 9309, 2.4: no longer than 24 hours, unless it cannot be had. */
const RULES_TTL_MS = 24 * 3_600_000;
/** RFC 9309, 2.3.1.4: after that long without an answer, the last copy has had its time. */
const STALE_MS = 30 * 24 * 3_600_000;

const out = new ByteWriter(1024);
export function encodeRules(rules: StoredRules): Uint8Array {
  out.reset();
  out.u8(1);
  out.f64(rules.fetched);
  out.u16(rules.status);
  out.bytes(rules.body);
  return out.finish();
}

/** Null: written by something newer, or damaged: then it is fetched again. */
export function decodeRules(bytes: Uint8Array): StoredRules | null {
  try {
    const from = new ByteReader(bytes);
    if (from.u8() !== 1) return null;
    return { fetched: from.f64(), status: from.u16(), body: new Uint8Array(from.bytes()) };
  } catch {
    return null; // a cache that cannot be read is an empty cache
  }
}

export interface Rules {
  readonly robots: Robots;
  /** Nothing may be fetched, since the file could not be had. */
  readonly unreachable: boolean;
  /** For people: where they come from. */
  readonly detail: string;
}

export class RulesBook {
  readonly #agent: string;
  readonly #stored = new Map<string, StoredRules>();
  readonly #known = new Map<string, Rules>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** From an earlier round. */
  remember(authority: string, stored: StoredRules): void {
    this.#stored.set(authority, stored);
  }

  /** Null: has to be fetched. */
  get(authority: string, now: number): Rules | null {
    const known = this.#known.get(authority);
    if (known) return known;
    const stored = this.#stored.get(authority);
    if (!stored || now - stored.fetched > RULES_TTL_MS) return null;
    return this.#learn(authority, stored, '');
  }

  /** An answer came, of whatever status but those that mean unreachable. */
  learn(authority: string, stored: StoredRules): Rules {
    this.#stored.set(authority, stored);
    return this.#learn(authority, stored, '');
  }

  /** No answer that counts came: the last copy holds, or nothing of the host may be fetched in this round. */
  unreachable(authority: string, now: number, why: string): Rules {
    const stored = this.#stored.get(authority);
    if (stored && now - stored.fetched <= STALE_MS)
      return this.#learn(authority, stored, `robots.txt of ${new Date(stored.fetched).toISOString()}: ${why}`);
    const rules: Rules = { robots: DENY_ALL, unreachable: true, detail: why };
    this.#known.set(authority, rules);
    return rules;
  }

  #learn(authority: string, stored: StoredRules, detail: string): Rules {
    const robots = robotsByStatus(stored.status) === 'parse' ? parseRobots(stored.body, this.#agent) : ALLOW_ALL;
    const lost = robots.linesLost > 0 ? `${robots.linesLost} lines of robots.txt beyond the limit were not read` : '';
    const rules: Rules = { robots, unreachable: false, detail: detail || lost };
    this.#known.set(authority, rules);
    return rules;
  }
}
