/**
 * What a lab server has seen: the proof that a crawl was polite and complete, kept on the other side of the wire, where
 * the crawler has no say. A few numbers a host, two bytes a page.
 */

/** Timers may fire this much early, ms: a gap shorter than the delay by more than this is a violation. */
const TOLERANCE_MS = 1;

/** Upper edges of the gap histogram, ms: powers of two up to about a minute, then the rest. */
const GAP_EDGES: readonly number[] = [...Array.from({ length: 17 }, (_, i) => 2 ** i), Number.POSITIVE_INFINITY];

const REQUESTED = 1;
const SERVED = 2;
/** Its first request has been spoilt already. */
export const SPOILT = 4;

export interface HostCounts {
  readonly host: string;
  readonly requests: number;
  readonly bytes: number;
  /** Shortest time between the end of an answer and the start of the next request, ms; -1 with fewer than two. */
  readonly minGapMs: number;
  /** Most requests at one time. */
  readonly atOnce: number;
  readonly violations: number;
}

export interface LabCounts {
  readonly requests: number;
  readonly bytes: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly robots: number;
  readonly sitemaps: number;
  readonly connections: number;
  readonly politeness: {
    /** The sum of the next four. */
    readonly violations: number;
    /** Requests sooner after the answer before them than the delay of their host. */
    readonly tooSoon: number;
    /** Requests that came while another of the same host was being answered. */
    readonly overlapping: number;
    /** Requests of addresses that robots.txt forbids. */
    readonly denied: number;
    /** Requests that came before a Retry-After was over. */
    readonly beforeRetryAfter: number;
    readonly minGapMs: number;
    /** Gaps by length: `counts[i]` are below `edgesMs[i]`. */
    readonly edgesMs: readonly number[];
    readonly counts: readonly number[];
  };
  readonly pages: {
    /** Addresses that a complete crawl asks for: all that links lead to and robots.txt allows. */
    readonly expected: number;
    readonly requested: number;
    readonly missed: number;
    /** Of those that answer with a page, how many have been had, and how many not. */
    readonly served: number;
    readonly unserved: number;
    /** Asked for more than once. */
    readonly repeated: number;
    /** Some of those missed, to look at. */
    readonly missing: readonly string[];
  };
  /** CPU seconds the server has used. */
  readonly cpuSeconds: number;
  /** The hundred busiest. */
  readonly hosts: readonly HostCounts[];
}

export interface Expectation {
  readonly hosts: number;
  /** Numbers of pages run from 0 to this. */
  readonly pages: number;
  /** robots.txt forbids it. Asked at every request: must be cheap. */
  denied(page: number): boolean;
  /** A complete crawl asks for it. Asked when counts are. */
  expected(page: number): boolean;
  /** It answers with a body when all goes well. */
  servable(page: number): boolean;
  address(page: number): string;
  hostName(host: number): string;
  /** The pause that the host may ask for, ms. */
  delayMs(host: number): number;
}

export class Counter {
  readonly flags: Uint8Array;
  readonly #times: Uint8Array;
  readonly #requests: Float64Array;
  readonly #bytes: Float64Array;
  readonly #lastEnd: Float64Array;
  readonly #minGap: Float64Array;
  readonly #open: Int32Array;
  readonly #atOnce: Int32Array;
  readonly #violations: Float64Array;
  readonly #notBefore: Float64Array;
  readonly #gaps = new Array<number>(GAP_EDGES.length).fill(0);
  readonly #statuses = new Map<number, number>();
  readonly #know: Expectation;
  #tooSoon = 0;
  #overlapping = 0;
  #denied = 0;
  #early = 0;
  robots = 0;
  sitemaps = 0;
  connections = 0;

  constructor(know: Expectation) {
    this.#know = know;
    this.flags = new Uint8Array(know.pages);
    this.#times = new Uint8Array(know.pages);
    const perHost = () => new Float64Array(know.hosts);
    this.#requests = perHost();
    this.#bytes = perHost();
    this.#lastEnd = perHost().fill(-1);
    this.#minGap = perHost().fill(-1);
    this.#violations = perHost();
    this.#notBefore = perHost();
    this.#open = new Int32Array(know.hosts);
    this.#atOnce = new Int32Array(know.hosts);
  }

  /** When the last answer of the host was sent, ms; -1: none yet. */
  lastEnd(host: number): number {
    return this.#lastEnd[host]!;
  }

  /** A request for something of a host has come; robots.txt does not pass here, for no delay is owed to it. */
  began(host: number, page: number, now: number): void {
    const open = ++this.#open[host]!;
    this.#requests[host]!++;
    if (open > this.#atOnce[host]!) this.#atOnce[host] = open;
    const delay = this.#know.delayMs(host);
    if (open > 1) {
      if (delay > 0) {
        this.#overlapping++;
        this.#violations[host]!++;
      }
    } else if (this.#lastEnd[host]! >= 0) {
      const gap = now - this.#lastEnd[host]!;
      const min = this.#minGap[host]!;
      if (min < 0 || gap < min) this.#minGap[host] = gap;
      this.#gaps[GAP_EDGES.findIndex((edge) => gap < edge)]!++;
      if (gap < delay - TOLERANCE_MS) {
        this.#tooSoon++;
        this.#violations[host]!++;
      }
    }
    if (now < this.#notBefore[host]! - TOLERANCE_MS) {
      this.#early++;
      this.#violations[host]!++;
    }
    if (page < 0) return;
    this.flags[page]! |= REQUESTED;
    if (this.#times[page]! < 255) this.#times[page]!++;
    if (this.#know.denied(page)) {
      this.#denied++;
      this.#violations[host]!++;
    }
  }

  ended(host: number, page: number, status: number, bytes: number, now: number): void {
    this.#open[host]!--;
    this.#lastEnd[host] = now;
    this.count(host, status, bytes);
    if (page >= 0 && (status === 200 || status === 304)) this.flags[page]! |= SERVED;
  }

  count(host: number, status: number, bytes: number): void {
    this.#bytes[host]! += bytes;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  /** The host has said Retry-After: nothing of it is to be asked for before then. */
  hold(host: number, until: number): void {
    this.#notBefore[host] = until;
  }

  counts(): LabCounts {
    const know = this.#know;
    let expected = 0;
    let requested = 0;
    let served = 0;
    let unserved = 0;
    let repeated = 0;
    const missing: string[] = [];
    for (let page = 0; page < know.pages; page++) {
      const flags = this.flags[page]!;
      if (this.#times[page]! > 1) repeated++;
      if (!know.expected(page)) continue;
      expected++;
      if (flags & REQUESTED) requested++;
      else if (missing.length < 20) missing.push(know.address(page));
      if (flags & SERVED) served++;
      else if (know.servable(page)) unserved++;
    }
    const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
    const gaps = this.#minGap.filter((gap) => gap >= 0);
    const violations = this.#tooSoon + this.#overlapping + this.#denied + this.#early;
    const { user, system } = process.cpuUsage();
    return {
      requests: sum(this.#requests) + this.robots,
      bytes: sum(this.#bytes),
      statuses: Object.fromEntries([...this.#statuses].sort(([a], [b]) => a - b)),
      robots: this.robots,
      sitemaps: this.sitemaps,
      connections: this.connections,
      politeness: {
        violations,
        tooSoon: this.#tooSoon,
        overlapping: this.#overlapping,
        denied: this.#denied,
        beforeRetryAfter: this.#early,
        minGapMs: gaps.length ? Math.min(...gaps) : -1,
        edgesMs: GAP_EDGES.map((edge) => (Number.isFinite(edge) ? edge : -1)), // JSON has no infinity
        counts: [...this.#gaps],
      },
      pages: { expected, requested, missed: expected - requested, served, unserved, repeated, missing },
      cpuSeconds: (user + system) / 1e6,
      hosts: Array.from(this.#requests, (requests, host) => ({
        host: know.hostName(host),
        requests,
        bytes: this.#bytes[host]!,
        minGapMs: this.#minGap[host]!,
        atOnce: this.#atOnce[host]!,
        violations: this.#violations[host]!,
      }))
        .sort((a, b) => b.requests - a.requests)
        .slice(0, 100),
    };
  }
}
