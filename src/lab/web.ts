import type { WebOptions } from './options.ts';
import { geometric, mix, skewed, unit } from './seeded.ts';
import { inventedWord, languageNames } from './words.ts';

/**
 * A synthetic web: which hosts there are, what each of their addresses is, and where its links lead. Pure arithmetic
 * over the seed: nothing is stored but one offset a host, so a hundred million pages cost no more memory than one.
 *
 * **Reachable**: page 0 of a host is `/`, and the home of host h > 0 is linked from the home of host (h-1)/FANOUT.
 * Page n > 0 is a child of page (n-1)/FANOUT; where that one is no plain page (a redirect has no links), its children
 * are linked by the page above it. So every address is reached from the home of host 0 by links alone, in steps that
 * grow with the logarithm of the size. Further links are drawn by a power law.
 */
export type Kind =
  | 'page'
  /** Byte for byte another page of its host. */
  | 'duplicate'
  /** Another page of its host, but for a sentence. */
  | 'near'
  | 'redirect'
  /** Linked, answered 404. */
  | 'missing'
  /** Asks not to be indexed. */
  | 'noindex'
  /** Forbidden by robots.txt. */
  | 'denied'
  /** Answers 500, always. */
  | 'broken';

/** Children of a page in the tree that makes all reachable. */
const FANOUT = 8;

export interface Link {
  readonly host: number;
  readonly page: number;
}

export class Web {
  readonly options: WebOptions;
  /** First global page number of each host, and after the last the number of all pages. */
  readonly offsets: Uint32Array;
  readonly #languages: { readonly name: string; readonly below: number }[] = [];
  readonly #kinds: { readonly kind: Kind; readonly below: number }[];

  constructor(options: WebOptions) {
    this.options = options;
    const { hosts, pages, hostSkew } = options;
    const weights = Array.from({ length: hosts }, (_, h) => (h + 1) ** -hostSkew);
    const sum = weights.reduce((a, b) => a + b, 0);
    const sizes = weights.map((weight) => 1 + Math.floor(((pages - hosts) * weight) / sum));
    sizes[0]! += pages - sizes.reduce((a, b) => a + b, 0); // what rounding left over
    this.offsets = new Uint32Array(hosts + 1);
    for (let h = 0; h < hosts; h++) this.offsets[h + 1] = this.offsets[h]! + sizes[h]!;

    const total = Object.values(options.languages).reduce((a, b) => a + b, 0);
    let below = 0;
    for (const [name, weight] of Object.entries(options.languages)) {
      if (!languageNames.includes(name))
        throw new RangeError(`the lab does not speak ${name}; it speaks ${languageNames.join(', ')}`);
      this.#languages.push({ name, below: (below += weight / total) });
    }
    below = 0;
    this.#kinds = (
      [
        ['duplicate', options.duplicates],
        ['near', options.nearDuplicates],
        ['redirect', options.redirects],
        ['missing', options.missing],
        ['noindex', options.noindex],
        ['denied', options.denied],
        ['broken', options.broken],
      ] as const
    ).map(([kind, share]) => ({ kind, below: (below += share) }));
  }

  get hosts(): number {
    return this.options.hosts;
  }

  get pages(): number {
    return this.options.pages;
  }

  pagesOf(host: number): number {
    return this.offsets[host + 1]! - this.offsets[host]!;
  }

  /** The number of a page among the pages of all hosts. */
  id(host: number, page: number): number {
    return this.offsets[host]! + page;
  }

  kind(host: number, page: number): Kind {
    if (page === 0) return 'page';
    const u = unit(this.options.seed, this.id(host, page), 11);
    for (const { kind, below } of this.#kinds) if (u < below) return kind;
    return 'page';
  }

  /** A host speaks mostly one language; one page in ten is drawn anew. */
  language(host: number, page: number): string {
    const { seed } = this.options;
    const id = this.id(host, page);
    const u = unit(seed, id, 13) < 0.1 ? unit(seed, id, 17) : unit(seed, host, 19);
    return (this.#languages.find(({ below }) => u < below) ?? this.#languages[0]!).name;
  }

  /** What a duplicate is a copy of, what a near duplicate resembles: a plain page of the same host. */
  original(host: number, page: number): number {
    const size = this.pagesOf(host);
    for (let attempt = 0; attempt < 16; attempt++) {
      const candidate = mix(this.options.seed, this.id(host, page), 23 + attempt) % size;
      if (this.kind(host, candidate) === 'page') return candidate;
    }
    return 0; // the home, which is always a page
  }

  /** Where a redirect leads: a plain page of its host, or, one in eight, an earlier redirect: chains end. */
  target(host: number, page: number): number {
    const earlier = mix(this.options.seed, this.id(host, page), 51) % page;
    if (unit(this.options.seed, this.id(host, page), 53) < 0.125 && this.kind(host, earlier) === 'redirect')
      return earlier;
    return this.original(host, page);
  }

  /** 301 for good, or 302 for now. */
  permanent(host: number, page: number): boolean {
    return unit(this.options.seed, this.id(host, page), 57) < 0.7;
  }

  /** Path of a page. The number at its end is what the server reads back. */
  path(host: number, page: number): string {
    if (page === 0) return '/';
    if (this.kind(host, page) === 'denied') return `/private/${page}.html`;
    const hash = mix(this.options.seed, this.id(host, page), 61);
    return `/${inventedWord('en', hash % 24)}/${inventedWord('en', hash % 9973)}-${page}.html`;
  }

  /** The page of a path, or -1. Exact: another spelling of a path is no page. */
  pageAt(host: number, path: string): number {
    if (path === '/') return 0;
    if (!path.endsWith('.html')) return -1;
    let start = path.length - 5;
    while (start > 0 && path.charCodeAt(start - 1) >= 48 && path.charCodeAt(start - 1) <= 57) start--;
    const page = Number(path.slice(start, -5));
    if (start === path.length - 5 || page < 1 || page >= this.pagesOf(host)) return -1;
    return this.path(host, page) === path ? page : -1;
  }

  /** Only these carry links of their own: the tree runs through them. */
  carries(host: number, page: number): boolean {
    const kind = this.kind(host, page);
    return kind === 'page' || kind === 'noindex';
  }

  /** Links of a page, in their order on it; the same target may come twice. */
  links(host: number, page: number): Link[] {
    const { seed, links: mean, linkSkew, external } = this.options;
    const found: Link[] = [];
    if (page === 0)
      for (let h = host * FANOUT + 1; h <= host * FANOUT + FANOUT && h < this.hosts; h++)
        found.push({ host: h, page: 0 });
    this.#children(host, page, found);
    const id = this.id(host, page);
    const extra = geometric(unit(seed, id, 67), mean);
    for (let i = 0; i < extra; i++) {
      const away = this.hosts > 1 && unit(seed, id, 1000 + 3 * i) < external;
      const to = away ? skewed(unit(seed, id, 1001 + 3 * i), this.hosts, linkSkew) : host;
      found.push({ host: to, page: skewed(unit(seed, id, 1002 + 3 * i), this.pagesOf(to), linkSkew) });
    }
    return found;
  }

  #children(host: number, page: number, found: Link[]): void {
    const size = this.pagesOf(host);
    for (let child = page * FANOUT + 1; child <= page * FANOUT + FANOUT && child < size; child++) {
      found.push({ host, page: child });
      if (!this.carries(host, child)) this.#children(host, child, found);
    }
  }

  /** How often a page has changed by an epoch: its version, part of its ETag and of its text. */
  version(host: number, page: number, epoch: number): number {
    if (epoch <= 0) return 0;
    return unit(this.options.seed, this.id(host, page), 71) < this.options.changing ? epoch : 0;
  }

  hasSitemap(host: number): boolean {
    return unit(this.options.seed, host, 73) < this.options.sitemaps;
  }

  /** ms that robots.txt of the host asks for between requests; 0: it does not. */
  crawlDelayMs(host: number): number {
    return unit(this.options.seed, host, 79) < this.options.crawlDelayHosts ? this.options.crawlDelayMs : 0;
  }

  limited(host: number): boolean {
    return unit(this.options.seed, host, 83) < this.options.limitedHosts;
  }

  /** How a page behaves at its first request only. */
  mishap(host: number, page: number): 'none' | 'shaky' | 'reset' {
    const u = unit(this.options.seed, this.id(host, page), 89);
    if (page === 0 || u >= this.options.shaky + this.options.resets) return 'none';
    return u < this.options.shaky ? 'shaky' : 'reset';
  }

  /** How many addresses of each kind there are. Walks them all: a second for ten million. */
  census(): Record<Kind, number> {
    const count: Record<Kind, number> = {
      page: 0,
      duplicate: 0,
      near: 0,
      redirect: 0,
      missing: 0,
      noindex: 0,
      denied: 0,
      broken: 0,
    };
    for (let host = 0; host < this.hosts; host++)
      for (let page = 0; page < this.pagesOf(host); page++) count[this.kind(host, page)]++;
    return count;
  }
}
