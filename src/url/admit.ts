import type { NormalizerScope, Settled } from '../options.ts';
import type { Reason } from '../page/reason.ts';
import { fileRoots, isFile } from './files.ts';
import { makeFilters } from './filter-sets.ts';
import { domainOf, hostOf } from './host.ts';
import { normalizeUrl } from './normalize.ts';
import { chain, readRewrites } from './normalizers.ts';
import { compileRules } from './rules.ts';
import { trapOf } from './traps.ts';

export type Admitted =
  | { readonly url: string }
  | {
      readonly url: null;
      readonly reason: Reason;
      /** Which rule or limit said no, for people. */
      readonly rule?: string;
      /** The address in its only form, where it has one. */
      readonly normalized?: string;
    };
export type Admit = (url: string, base?: string) => Admitted;

/**
 * The one gate: every address that enters the crawl, as seed, link, redirect or canonical, goes through it. Normalised
 * first, then scheme, length, scope, filters, traps, in this order; the first that refuses is the reason. Pure, no
 * network. Seeds set the scope: their hosts (with port; with and without www), domains, or folders; without seeds every
 * host is in it. Files of this machine belong to it below the folders of seeds and of `scope.files` alone, whatever the mode.
 * `from`: where the addresses come from, for a chain of rewrites of their own; absent: the one for all.
 * @throws CrawlError 'config' when a filter rule or a rewrite cannot be read
 */
export function createAdmit(scope: Settled['scope'], seeds: readonly string[], from?: NormalizerScope): Admit {
  const inScope = scopeOf(scope.mode, seeds);
  const roots = fileRoots(scope.files, seeds);
  const own = from === undefined ? undefined : scope.normalizers[from];
  const rewrites = readRewrites(own ?? scope.rewrites, own ? `scope.normalizers ${from}` : 'scope.rewrites');
  const normal = rewrites.length > 0 ? chain(rewrites) : normalizeUrl;
  const filter = scope.filters.length > 0 ? compileRules(scope.filters) : null;
  const sets = scope.filterSets.length > 0 ? makeFilters(scope.filterSets) : null;
  return (input, base) => {
    const url = normal(input, base);
    if (url === null) return { url: null, reason: 'url-invalid' };
    const web = url.startsWith('http://') || url.startsWith('https://');
    if (!web && (roots.length === 0 || !isFile(url)))
      return { url: null, reason: 'scheme-refused', normalized: url.slice(0, scope.maxUrl) };
    if (scope.maxUrl >= 0 && url.length > scope.maxUrl)
      return { url: null, reason: 'url-too-long', rule: `${url.length} characters, ${scope.maxUrl} are allowed` };
    if (!web) {
      if (!roots.some((root) => url.startsWith(root)))
        return { url: null, reason: 'outside-root', rule: `open are ${roots.slice(0, 3).join(' ')}`, normalized: url };
    } else if (!inScope(url))
      return { url: null, reason: 'out-of-scope', rule: `scope.mode ${scope.mode}`, normalized: url };
    if (filter) {
      const { accepted, rule, line } = filter(url);
      if (!accepted) {
        const named = line === undefined ? 'no + rule of scope.filters fits' : `${rule} (scope.filters line ${line})`;
        return { url: null, reason: 'filtered', rule: named, normalized: url };
      }
    }
    const refused = sets?.(url);
    if (refused?.accepted === false) return { url: null, reason: 'filtered', rule: refused.rule, normalized: url };
    const trap = trapOf(url, scope);
    if (trap) return { url: null, reason: 'trap', rule: trap, normalized: url };
    return { url };
  };
}

function scopeOf(mode: Settled['scope']['mode'], seeds: readonly string[]): (url: string) => boolean {
  const named = seeds.map((seed) => normalizeUrl(seed)).filter((url): url is string => url !== null);
  if (mode === 'any' || named.length === 0) return () => true;
  const urls = named.filter((url) => !isFile(url));
  if (mode === 'domain') {
    const domains = new Set(urls.map((url) => domainOf(hostOf(url))));
    return (url) => domains.has(domainOf(hostOf(url)));
  }
  if (mode === 'prefix') {
    const folders = [...new Set(urls.map(folderOf).flatMap(withTwin))];
    return (url) => {
      const plain = withoutScheme(url);
      return folders.some((folder) => plain.startsWith(folder));
    };
  }
  const authorities = new Set(urls.map(authorityOf).flatMap(withTwin));
  /** Links of a page mostly share an authority: the one accepted last is compared before it is cut out. */
  let last = '\0';
  return (url) => {
    if (url.startsWith(last)) return true;
    const authority = authorityOf(url);
    if (!authorities.has(authority)) return false;
    last = `${url.slice(0, url.indexOf('://') + 3)}${authority}/`;
    return true;
  };
}

/**
 * `example.org` and `www.example.org` are one site to people, and the one mostly redirects to the other: a seed brings
 * both into the scope. A registered domain and its www alone; `www.docs.example.org` is nobody's habit.
 */
function withTwin(plain: string): string[] {
  const host = plain.split(/[:/]/, 1)[0]!;
  const bare = host.startsWith('www.') ? host.slice(4) : host;
  if (domainOf(bare) !== bare || !/[a-z]/.test(bare) || plain.startsWith('[')) return [plain];
  return [plain, host === bare ? `www.${plain}` : plain.slice(4)];
}

/** Scheme does not matter: a site that moves to https stays in its scope. */
const withoutScheme = (url: string): string => url.slice(url.indexOf('://') + 3);
/** Host with port, as normalised: the default ports of both schemes are absent. */
const authorityOf = (url: string): string => {
  const plain = withoutScheme(url);
  const end = plain.search(/[/?#]/);
  return end < 0 ? plain : plain.slice(0, end);
};
const folderOf = (url: string): string => {
  const plain = withoutScheme(url).replace(/[?#].*$/, '');
  return plain.slice(0, plain.lastIndexOf('/') + 1);
};
