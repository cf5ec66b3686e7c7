/** What `net.hosts` may say of a host. */
export interface HostOptions {
  /** As `net.delay`. */
  readonly delay?: number;
  /** As `net.connections`. */
  readonly connections?: number;
  /** `ignore` for a host of yours, with the reason: it stands in the outcome of each of its pages. */
  readonly robots?: 'obey' | 'ignore';
  readonly reason?: string;
  /** Certificate authorities trusted for this host, beside the usual: path of a PEM file. */
  readonly ca?: string;
  /** Client certificate and its key: paths of PEM files. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** Takes any certificate of this host. */
  readonly insecure?: boolean;
}

/** Kinds of filters that `scope.filterSets` may name, after Nutch's URL filters. */
export const filterKinds = [
  'regex',
  'automaton',
  'prefix',
  'suffix',
  'domain',
  'domaindenylist',
  'validator',
  'fast',
] as const;
export type FilterKind = (typeof filterKinds)[number];
/** One of `scope.filterSets`: a filter with the lines of its file; `validator` has none. */
export interface FilterSet {
  readonly filter: FilterKind;
  readonly rules?: readonly string[];
}

/** Where addresses come from, as far as each may be normalised in its own way (`scope.normalizers`). */
export const normalizerScopes = ['inject', 'outlink', 'fetcher', 'crawldb', 'indexer'] as const;
export type NormalizerScope = (typeof normalizerScopes)[number];

/** What `net.login` may say of an origin. */
export interface LoginOptions {
  /** For Basic and Digest, whichever the server asks for. */
  readonly user?: string;
  readonly password?: string;
  /** Address to which `fields` are posted before the first page, and again when a page leads back to it. */
  readonly form?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Every knob of a crawl, with its default beside its meaning. The type is derived, so the two cannot disagree; a flag
 * of the command line names a key here, so help cannot drift.
 */
export const defaults = {
  /** How gently we knock. Changes what is fetched. */
  net: {
    /** Who we say we are; with a way to reach you when you crawl sites of others: `acme-bot (+https://acme.example/bot)`. */
    agent: 'nuthatch',
    /** Pause between the end of one request to a host and the start of the next, ms; robots.txt may ask for more, never less. */
    delay: 1000,
    /** Longest Crawl-delay that is waited for, ms; a host that asks for more is left with a reason. -1: wait however long. */
    maxDelay: 30_000,
    /** What shares one queue and one delay: `host`, `domain` or `ip`. */
    queueBy: 'host' as 'host' | 'domain' | 'ip',
    /** Requests at once to one queue. Above 1 the delay lies between starts. */
    connections: 1,
    /** Requests at once in one shard, over all hosts. A thousand hosts that answer in 200 ms and are asked once a second need 170. */
    inFlight: 256,
    /** Longest body kept, in bytes after decoding; the rest is cut and the page marked truncated. */
    maxBody: 4 << 20,
    /** From the start of a request to its last byte, ms. */
    timeout: 30_000,
    /** From the start of a request to the first byte of the answer, ms. */
    firstByteTimeout: 10_000,
    /** Redirects followed at once in the same round; further ones are left to the next. */
    redirects: 5,
    /** Tries of a page that fails for a passing reason, before it counts as gone. */
    retries: 3,
    /** Failures in a row after which a host is left alone for the rest of the round. */
    hostFailures: 5,
    /** `obey`, or `ignore` where the host is yours; recorded with each outcome. */
    robots: 'obey' as 'obey' | 'ignore',
    /** Hosts or CIDR ranges in private, loopback or link-local space that may be connected to, beside those of the seeds. */
    allowPrivate: [] as readonly string[],
    /** Extra request headers by origin: `{ 'https://wiki.example': { authorization: '...' } }`; never sent elsewhere, never logged. */
    headers: {} as Readonly<Record<string, Readonly<Record<string, string>>>>,
    /** Who we are to an origin: `{ 'https://wiki.example': { user, password } }`, or a form: `{ form: '/login', fields: { ... } }`. */
    login: {} as Readonly<Record<string, LoginOptions>>,
    /** What differs for a host, or for all below `*.domain`: `{ 'wiki.example': { delay: 0 } }`. */
    hosts: {} as Readonly<Record<string, HostOptions>>,
    /** Slowest body, in bytes a second, once it has taken ten seconds; 0: however slow. */
    minRate: 0,
    /** Read the sitemaps that robots.txt names; their pages count as linked from them. A seed may be a sitemap in any case. */
    sitemaps: true,
    /** HTTP/2 where a server offers it. */
    http2: false,
    /** Proxy for all requests: `http://proxy.example:3128`, with `user:password@` where it asks. It then resolves the names, so `allowPrivate` is its affair. */
    proxy: '',
    /** Keep what servers sent, as WARC, so that it can be parsed again and exported. */
    keepContent: true,
    /** Keep beside each answer what was asked, as WARC request records; never cookies, logins or headers of `net.headers`. */
    keepRequests: false,
  },
  /** Which addresses belong to the crawl. */
  scope: {
    /** `host`: the hosts of the seeds, with and without `www.`; `domain`: their registered domains; `prefix`: below the seeds' folders; `any`: all. */
    mode: 'host' as 'host' | 'domain' | 'prefix' | 'any',
    /** Links from a seed; -1: no limit. */
    depth: -1,
    /** Rules `+regex` and `-regex`; the first that is found in the address decides; none: accepted. */
    filters: [] as readonly string[],
    /** Filters of Nutch's kinds after `filters`, in order; every one must accept: `{ "filter": "suffix", "rules": ["+I", ".zip"] }`, of `regex`, `automaton`, `prefix`, `suffix`, `domain`, `domaindenylist`, `fast` and `validator`. */
    filterSets: [] as readonly FilterSet[],
    /** Rewrites of addresses before the filters, to a fixed point, in order: `host FROM TO`, `protocol HOST SCHEME`,
     * `slash HOST +` or `-`, `query` (parameters in order), `ajax` (`#!state` as a parameter), `nutch` (the rules that Nutch
     * ships), `regex /PATTERN/TEXT/`; `*.HOST` is all below it. */
    rewrites: [] as readonly string[],
    /** Chains of their own in place of `rewrites`, by where an address comes from: `inject` (seeds), `outlink` (links, sitemaps),
     * `fetcher` (redirects), `crawldb` (when fetchlists are made, by `purge` and `mergedb`), `indexer` (the address that a hit shows). */
    normalizers: {} as Readonly<Partial<Record<NormalizerScope, readonly string[]>>>,
    /** Folders of this machine whose files may be fetched (`file:`), beside those that seeds name: absolute paths. */
    files: [] as readonly string[],
    /** Longest address, in characters. */
    maxUrl: 2048,
    /** Path segments beyond which an address counts as a trap. */
    maxSegments: 16,
    /** Query parameters beyond which an address counts as a trap. */
    maxParams: 10,
    /** Repeats of one path segment beyond which an address counts as a trap. */
    maxRepeats: 3,
  },
  /** How much a round takes. */
  round: {
    /** Rounds of generate, fetch, update; 0: until nothing is due. */
    rounds: 0,
    /** URLs in one fetchlist, best score first. */
    topN: 50_000,
    /** URLs of one host in one fetchlist; -1: no limit. */
    perHost: -1,
    /** Pages fetched in all; -1: no limit. */
    maxPages: -1,
    /** Time the fetch of one round may take, s; -1: no limit. */
    timeLimit: -1,
    /** Pages a second, over `slowTime`, below which the fetch of a round ends and the rest is left to the next; 0: however slow. */
    minSpeed: 0,
    /** How long a round must be below `minSpeed`, s. */
    slowTime: 60,
    /** Time after which a page generated but never fetched may be generated again, s. */
    lease: 3600,
  },
  /** When a page is fetched again. */
  schedule: {
    /** `default`: a fixed interval; `adaptive`: shorter for pages that change. */
    mode: 'default' as 'default' | 'adaptive',
    /** Time between two fetches of a page, s; where the schedule starts. */
    interval: 30 * 86_400,
    /** Shortest time the adaptive schedule comes to, s. */
    minInterval: 60,
    /** Longest time between two fetches, s. */
    maxInterval: 90 * 86_400,
    /** Share by which the adaptive schedule lengthens the interval of a page that has not changed. */
    increase: 0.4,
    /** Share by which it shortens the interval of a page that has. */
    decrease: 0.2,
    /** Wait after a failure that may pass, s; from the last of `net.retries` on twice as long each time. */
    retryInterval: 86_400,
    /** Share of the time since its last change by which the adaptive schedule fetches a page earlier; 0: not at all. */
    syncRate: 0.3,
    /** Bounds of single hosts, s: `{ "news.example.org": { "min": 3600, "max": 86400 } }`. */
    hosts: {} as Readonly<Record<string, { readonly min: number; readonly max: number }>>,
    /** Pace of single media types: `{ "application/pdf": { "increase": 1, "decrease": 0.1 } }`. */
    mimes: {} as Readonly<Record<string, { readonly increase: number; readonly decrease: number }>>,
  },
  /** What is read and found. */
  index: {
    /** `score`: of several pages with the same content the best scored stays; `url`: the one with the shortest address. */
    dedupBy: 'score' as 'score' | 'url',
    /** Pages with nearly the same text: `group`: a search shows the best of them and offers the others; `delete`: dedup keeps
     * the best one alone; `off`. */
    nearDuplicates: 'off' as 'off' | 'group' | 'delete',
    /** Share of the published documents that one publish may lose, 0 to 1; more is refused and explained. */
    maxLoss: 0.3,
    /** `one`: each publish makes one segment of the index; `tiered`: only what pays, for a crawl that never ends. */
    merge: 'one' as 'one' | 'tiered',
    /** Read pages for their links and what they ask of robots alone: a map of a site, a check of its links. No text is kept, so there
     * is nothing to index, and of documents the head alone is asked for. */
    linksOnly: false,
    /** Parser: `auto` (a fast scan), `exact` (htmlparser2), or `loose` (node-html-parser; its limits are in its doc). */
    parser: 'auto' as 'auto' | 'exact' | 'loose',
    /** CSS selectors of the elements that hold the main text, where a page has one of them; the rest is boilerplate. */
    include: [] as readonly string[],
    /** CSS selectors of elements that are not indexed at all. */
    exclude: [] as readonly string[],
    /** Texts of a page that become meta values of their own: `{ "price": ".product .price" }`; see `index.metadata`. */
    extract: {} as Readonly<Record<string, string>>,
    /** Longest title kept, in characters; -1: no limit. */
    maxTitle: 200,
    /** Longest text of a page that is indexed, in characters; -1: no limit. */
    maxText: 1_000_000,
    /** Anchor texts of the links to a page: each once a linking host, each once in all, or as often as it comes. */
    anchors: 'per-host' as 'per-host' | 'unique' | 'all',
    /** Anchor texts indexed for one page. */
    maxAnchors: 200,
    /** How much the link score of a page weighs: its boost is the score to this power, 0 to 1; 0: not at all. */
    scorePower: 0.5,
    /** Names of meta elements that are kept as fields `meta.NAME`; `dc.*`: all that begin so, in one field `meta.dc`; `*`: all, in
     * a field `meta`. */
    metadata: [] as readonly string[],
    /** Fields that every page gets beside its own, whose names are refused: `{ "source": "intranet" }`; several values as a list. Or as Nutch writes it:
     * `"source:intranet,tag:a b"`. */
    static: {} as Readonly<Record<string, string | readonly string[]>>,
    /** Rewrites of a field, in order: `field=/regex/replacement/flags`, `field:target=...`; `urlmatch=regex` and
     * `hostmatch=regex` open a block for those pages only. */
    replace: [] as readonly string[],
    /** Words and names of several words that mean about the same, asked for together: lines `car, auto` or `k8s => kubernetes cluster`,
     * or the path of a file of such lines, from the crawl folder. For searching: nothing has to be indexed again. */
    synonyms: [] as readonly string[],
    /** Named parts of the web: a page is in one when its address contains a text of `in` and none of `out`. */
    subcollections: {} as Readonly<
      Record<string, { readonly in: readonly string[]; readonly out?: readonly string[] }>
    >,
  },
  /** How it is asked. */
  search: {
    /** Longest time that one search of `nuthatch serve` may take, ms; it then answers with what was found until there. -1: no limit. */
    timeLimit: 3000,
    /** By folder of this machine, or beginning of an address: the address under which people reach what lies there. Hits lead to it. */
    links: {} as Readonly<Record<string, string>>,
  },
  /** How fast we work. Changes no result. */
  work: {
    /** Threads at most, of shards and of tasks; `'auto'`: one a core, at most 8, and one for each 4,000 pages that are fetched. */
    threads: 'auto' as number | 'auto',
    /** Bytes in flight, waiting to be parsed and not yet written, over all shards. */
    memory: 64 << 20,
  },
};

export type Settled = typeof defaults;
/** A time or a size as a text: `250ms`, `30d`, `4MB`. Which unit fits an option, `settle` says. */
export type Measure = `${number}${'ms' | 's' | 'm' | 'h' | 'd' | 'B' | 'kB' | 'MB' | 'GB'}`;
type Given<T> = T extends number ? T | Measure : T;
export type Options = { [G in keyof Settled]?: { [K in keyof Settled[G]]?: Given<Settled[G][K]> } };

/** Every `group.key`, in the order of `defaults`. */
export const optionKeys: readonly string[] = Object.entries(defaults).flatMap(([group, keys]) =>
  Object.keys(keys).map((key) => `${group}.${key}`),
);
