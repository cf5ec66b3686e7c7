/**
 * Sitemaps as a source of seeds: files of this machine or addresses, what they name read from their last entry to seed
 * lines for `inject`. A sitemap of sitemaps is followed: to a file beside it where it is a file and one of that name is
 * there, else over the network, which obeys robots.txt and keeps the pause of each host.
 *
 * What a sitemap of the web names must lie in the scope of the seeds and of itself; a file is its owner's word, and opens
 * the scope like any seed.
 */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CrawlError } from '../errors.ts';
import { delayOf, hostOptions } from '../fetch/pace.ts';
import { HttpClient } from '../net/get.ts';
import { Deadlines } from '../net/limit.ts';
import { redirectOf } from '../net/redirect.ts';
import { createResolver } from '../net/resolve.ts';
import { ALLOW_ALL, checkRobots, DENY_ALL, MAX_ROBOTS_BYTES, parseRobots, robotsByStatus } from '../net/robots.ts';
import { hintOf } from '../page/hint.ts';
import { explain } from '../page/reason.ts';
import { parseSitemap, type Sitemap, type SitemapUrl } from '../parse/sitemap.ts';
import type { JobContext } from '../run/context.ts';
import { createAdmit } from '../url/admit.ts';
import { fileUrlOf, isFile } from '../url/files.ts';
import { hostOf } from '../url/host.ts';
import { readTls } from './tls-files.ts';

/** How deep sitemaps of sitemaps may nest, and how many are read. */
const LEVELS = 3;
const SITEMAPS = 1000;
/** Of the sitemap protocol. */
const MAX_BYTES = 52_428_800;
const REDIRECTS = 5;
/** Folders that become the scope of what a file names. */
const SCOPES = 1000;

export interface SitemapSeeds {
  /** For `inject`: an address, and what is said of it, a line each. */
  readonly lines: readonly string[];
  /** Where they belong: what the scope of the crawl rests on. */
  readonly scope: readonly string[];
  /** Sitemaps read; those that could not be; addresses out of scope. */
  readonly counters: { readonly sitemaps: number; readonly failed: number; readonly outOfScope: number };
}

/** @throws CrawlError 'usage' when a sitemap that was named cannot be had; one that another names is a warning */
export async function readSitemaps(context: JobContext, sources: readonly string[]): Promise<SitemapSeeds> {
  const reader = new SitemapReader(context);
  try {
    for (const source of sources) await reader.read(source);
  } finally {
    await reader.close();
  }
  return reader.found();
}

class SitemapReader {
  readonly #context: JobContext;
  readonly #web: Web;
  readonly #lines = new Map<string, string>();
  readonly #scope = new Set<string>();
  readonly #seen = new Set<string>();
  #read = 0;
  #failed = 0;
  #outOfScope = 0;

  constructor(context: JobContext) {
    this.#context = context;
    this.#web = new Web(context);
  }

  async read(source: string): Promise<void> {
    const web = /^https?:\/\//i.test(source);
    const url = web || isFile(source) ? source : (fileUrlOf(source) ?? source);
    if (web) this.#web.named.add(hostOf(url));
    const problem = await this.#follow(url, 1, web ? url : null);
    if (problem !== null) throw new CrawlError('usage', `the sitemap ${source} ${problem}`, { where: source });
  }

  /** @param home the sitemap of the web that all began with; null: a file. Null: read; else what was wrong, for people */
  async #follow(url: string, level: number, home: string | null): Promise<string | null> {
    if (this.#seen.has(url)) return null;
    this.#seen.add(url);
    if (this.#seen.size > SITEMAPS) return `is one of more than ${SITEMAPS}`;
    const got = isFile(url) ? await readLocal(url) : await this.#web.get(url);
    if (typeof got === 'string') return got;
    const map = parseSitemap(got);
    if (map.kind === 'unknown') return 'is none: it holds neither addresses nor sitemaps';
    this.#read++;
    for (const problem of map.problems) this.#warn(`the sitemap ${url}: ${problem}`, url);
    this.#take(map, home);
    if (home !== null) this.#scope.add(home);
    for (const next of map.sitemaps) {
      const beside = isFile(url) ? join(dirname(fileURLToPath(url)), basename(new URL(next).pathname)) : '';
      const at = beside !== '' && existsSync(beside) ? (fileUrlOf(beside) ?? next) : next;
      const problem = level < LEVELS ? await this.#follow(at, level + 1, home) : `lies deeper than ${LEVELS} levels`;
      if (problem === null) continue;
      this.#failed++;
      this.#warn(`the sitemap ${at}, which ${url} names, ${problem}`, at);
    }
    return null;
  }

  #take(map: Sitemap, home: string | null): void {
    const { options, seeds } = this.#context;
    const admit = home === null ? null : createAdmit(options.scope, [...seeds, home], 'inject');
    for (const said of map.urls) {
      if (admit !== null && admit(said.url).url === null) {
        this.#outOfScope++;
        continue;
      }
      this.#lines.set(said.url, lineOf(said, this.#context.now));
      const folder = options.scope.mode === 'prefix' ? new URL('.', said.url).href : new URL('/', said.url).href;
      if (home === null && this.#scope.size < SCOPES) this.#scope.add(folder);
    }
  }

  #warn(message: string, where: string): void {
    this.#context.onEvent({ kind: 'warning', message, where });
  }

  found(): SitemapSeeds {
    return {
      lines: [...this.#lines.values()],
      scope: [...this.#scope],
      counters: { sitemaps: this.#read, failed: this.#failed, outOfScope: this.#outOfScope },
    };
  }

  close(): Promise<void> {
    return this.#web.close();
  }
}

/** Half of the highest is what the protocol means where nothing is said. */
const PRIORITY = 0.5;

function lineOf(said: SitemapUrl, now: number): string {
  const hint = hintOf(said, now);
  const pairs = [said.url, `nutch.score=${said.priority || PRIORITY}`];
  if (hint !== null && hint.interval > 0) pairs.push(`nutch.fetchInterval=${hint.interval}`);
  if (hint !== null && hint.modified > 0) pairs.push(`nuthatch.modified=${new Date(hint.modified).toISOString()}`);
  return pairs.join('\t');
}

interface Got {
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

async function readLocal(url: string): Promise<Got | string> {
  try {
    const path = fileURLToPath(url);
    const { size } = await stat(path);
    if (size > MAX_BYTES) return `is longer than the ${MAX_BYTES >> 20} MB that a sitemap may have`;
    return { url, contentType: '', body: await readFile(path) };
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}

/** One request after the other, to whichever host, as gently as fetching is. */
class Web {
  /** Hosts that a person named: a private address of theirs may be connected to. */
  readonly named: Set<string>;
  readonly #context: JobContext;
  #client: HttpClient | null = null;
  readonly #robots = new Map<string, { readonly allowed: (url: string) => boolean; readonly delayMs: number }>();
  /** Host -> when it may be asked again, on the clock of the loop. */
  readonly #next = new Map<string, number>();

  constructor(context: JobContext) {
    this.#context = context;
    this.named = new Set(context.seeds.map(hostOf));
  }

  async get(from: string): Promise<Got | string> {
    const { net } = this.#context.options;
    let url = new URL(from);
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const own = hostOptions(net.hosts, url.hostname);
      const obeys = (own.robots ?? net.robots) === 'obey';
      if (obeys && !(await this.#rules(url)).allowed(url.href)) return explain('robots-denied');
      const answer = await this.#ask(url, MAX_BYTES);
      if (answer.kind === 'failure') return `cannot be had: ${answer.detail || explain(answer.reason)}`;
      const { head } = answer;
      const redirect = redirectOf(head.status, head.get('location'), url.href);
      const body = new Uint8Array(answer.body);
      answer.release();
      if (redirect === null) {
        if (head.status !== 200) return `is answered with status ${head.status}`;
        if (answer.cut !== '') return `is longer than the ${MAX_BYTES >> 20} MB that a sitemap may have`;
        return { url: url.href, contentType: head.get('content-type'), body };
      }
      if (redirect.to === null || !/^https?:/.test(redirect.to)) return explain('redirect-invalid');
      url = new URL(redirect.to);
    }
    return explain('too-many-redirects');
  }

  async #rules(url: URL): Promise<{ readonly allowed: (url: string) => boolean; readonly delayMs: number }> {
    const known = this.#robots.get(url.origin);
    if (known) return known;
    const { net } = this.#context.options;
    let at = new URL('/robots.txt', url);
    let robots = DENY_ALL;
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const answer = await this.#ask(at, MAX_ROBOTS_BYTES);
      if (answer.kind === 'failure') break;
      const { status } = answer.head;
      const redirect = redirectOf(status, answer.head.get('location'), at.href);
      const how = robotsByStatus(status);
      robots =
        how === 'parse' ? parseRobots(new Uint8Array(answer.body), net.agent) : how === 'allow' ? ALLOW_ALL : DENY_ALL;
      answer.release();
      if (redirect === null || redirect.to === null || !/^https?:/.test(redirect.to)) break;
      at = new URL(redirect.to);
    }
    const own = hostOptions(net.hosts, url.hostname).delay ?? net.delay;
    const delayMs = delayOf(own, robots.crawlDelayMs, net.maxDelay);
    const rules = {
      // A host that asks for a longer pause than we keep is not asked at all, as when fetching.
      allowed: (address: string): boolean => delayMs !== null && checkRobots(robots, address).allowed,
      delayMs: delayMs ?? own,
    };
    this.#robots.set(url.origin, rules);
    return rules;
  }

  async #ask(url: URL, maxBody: number): Promise<Awaited<ReturnType<HttpClient['get']>>> {
    const { net } = this.#context.options;
    const { signal } = this.#context;
    const wait = (this.#next.get(url.hostname) ?? 0) - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {}); // the check after it says so
    if (signal.aborted) throw new CrawlError('interrupted', 'stopped while reading sitemaps; nothing was injected');
    this.#client ??= this.#open();
    const answer = await this.#client.get({ url, limits: { maxBody } });
    const own = hostOptions(net.hosts, url.hostname).delay ?? net.delay;
    const delayMs = this.#robots.get(url.origin)?.delayMs ?? own;
    this.#next.set(url.hostname, performance.now() + delayMs);
    return answer;
  }

  #open(): HttpClient {
    const { net } = this.#context.options;
    const allow = [...net.allowPrivate, ...this.named];
    return new HttpClient({ ...net, tls: readTls(net.hosts) }, createResolver({ allow }), new Deadlines());
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}
