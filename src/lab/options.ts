/**
 * Every knob of a synthetic web, with its default beside its meaning. The same options give the same bytes at the same
 * addresses, on any machine, in any order of asking.
 */
export const webDefaults = {
  seed: 1,
  /** Hosts, each a site of its own. */
  hosts: 20,
  /** Addresses of all hosts together, the odd ones (redirects, missing, ...) included. */
  pages: 1000,
  /** How unequal the hosts are: 0 all alike; 1 the k-th host has 1/k of the first one's pages. */
  hostSkew: 0.5,
  /** `address`: each host is an address of 127.0.0.0/8; `name`: each is `hN.lab.localhost`, all on 127.0.0.1. */
  hostBy: 'address' as 'address' | 'name',
  /** Links of a page beside those that make all pages reachable: mean of a geometric distribution. */
  links: 20,
  /** How steeply links favour well-known pages: 1 none is favoured, 3 a steep power law. */
  linkSkew: 3,
  /** Share of these links that leave the host. */
  external: 0.1,
  /** Median length of a page's text, KB, and its spread (log-normal). */
  sizeKB: 6,
  sizeSigma: 0.8,
  /** Languages and their weights. */
  languages: { en: 70, de: 10, fr: 8, es: 6, ru: 3, ja: 3 } as Readonly<Record<string, number>>,
  /** Shares of all addresses. */
  duplicates: 0.03,
  nearDuplicates: 0.03,
  redirects: 0.03,
  missing: 0.01,
  noindex: 0.01,
  /** Below `/private/`, which robots.txt forbids. */
  denied: 0.01,
  /** Answer 500 always. */
  broken: 0,
  /** Answer 503 to their first request, then well. */
  shaky: 0,
  /** Break the connection off at their first request, then answer well. */
  resets: 0,
  /** Share of hosts with a sitemap. */
  sitemaps: 0.5,
  /** Share of hosts whose robots.txt names a Crawl-delay, and that delay, ms. */
  crawlDelayHosts: 0,
  crawlDelayMs: 1000,
  /** Share of hosts that answer 429 with Retry-After to a request sooner than `limitMs` after the one before, and that pause, s. */
  limitedHosts: 0,
  limitMs: 100,
  retryAfterSeconds: 1,
  /** Share of pages that change from one epoch to the next, their ETag with them. */
  changing: 0.1,
  /** Length of an epoch, s; 0: the epoch stays what it is told to be. */
  epochSeconds: 0,
  /** Median time before an answer, ms, and its spread (log-normal); 0: at once. */
  latencyMs: 0,
  latencySigma: 0.5,
};

export type WebOptions = Readonly<typeof webDefaults>;

/** Options with the defaults filled in; a value out of its range is refused by name. */
export function settleWeb(given: Partial<WebOptions> = {}): WebOptions {
  const options = { ...webDefaults, ...given };
  for (const key of Object.keys(given)) if (!(key in webDefaults)) throw new RangeError(`a web has no option ${key}`);
  const whole = (key: 'hosts' | 'pages', most: number) => {
    const value = options[key];
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new RangeError(`${key} must be a whole number from 1 to ${most}, not ${value}`);
  };
  whole('hosts', 60_000);
  whole('pages', 100_000_000);
  if (options.pages < options.hosts) throw new RangeError(`${options.hosts} hosts need at least as many pages`);
  const shares = ['duplicates', 'nearDuplicates', 'redirects', 'missing', 'noindex', 'denied', 'broken'] as const;
  let sum = 0;
  for (const key of [...shares, 'shaky', 'resets', 'external', 'sitemaps', 'changing'] as const)
    if (!(options[key] >= 0 && options[key] <= 1))
      throw new RangeError(`${key} must lie from 0 to 1, not ${options[key]}`);
  for (const key of shares) sum += options[key];
  if (sum > 0.9) throw new RangeError(`${shares.join(', ')} make up ${sum} of all pages; 0.9 is the most`);
  return Object.freeze(options);
}
