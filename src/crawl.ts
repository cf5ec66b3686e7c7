import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { addressOf, admitKnown } from './crawl-address.ts';
import { takenAgain } from './crawl-again.ts';
import { FORMAT, folderOptions, noCrawl, readCrawlFile, writeCrawlFile } from './crawl-folder.ts';
import { CrawlHold, type Held } from './crawl-hold.ts';
import { KnownPages } from './crawl-known.ts';
import { brokenNote, linksAlone, noTexts, nothingDue, seedNotes } from './crawl-notes.ts';
import { CrawlReading } from './crawl-reading.ts';
import { CrawlSteps } from './crawl-steps.ts';
import { type Round, roundOf, type Summary, startSummary } from './crawl-summary.ts';
import { CrawlError } from './errors.ts';
import type { CrawlEvent, OnEvent } from './events.ts';
import { readReplacements } from './fields/replace.ts';
import { addDocuments } from './jobs/add.ts';
import { clean, removeSegments } from './jobs/clean.ts';
import { fetchSegment, namelessTo } from './jobs/fetch.ts';
import { freeList, type GenerateInput, generate } from './jobs/generate.ts';
import { hosts } from './jobs/hosts.ts';
import type { IndexCall, IndexSession } from './jobs/index-session.ts';
import { type InjectMode, inject } from './jobs/inject.ts';
import { invertlinks, linksTo } from './jobs/invertlinks.ts';
import { type LinkRankInput, linkrank } from './jobs/linkrank.ts';
import { type MergeSegmentsInput, mergedb, mergeSegments } from './jobs/mergedb.ts';
import { isFetched, isInverted, isUpdated } from './jobs/progress.ts';
import { type PurgeInput, purge } from './jobs/purge.ts';
import { updatedb } from './jobs/updatedb.ts';
import { placeOf } from './net/file.ts';
import type { Options, Settled } from './options.ts';
import { believed, type PageState } from './page/state.ts';
import { badSelector } from './parse/settings.ts';
import { segmentStats } from './read/segment.ts';
import { unknownDocuments, type Verdict, verify } from './read/verify.ts';
import type { Counters, JobContext } from './run/context.ts';
import type { Answer, Ask } from './search/answer.ts';
import { checkedAsk, checkedCount, checkedText } from './search/checked.ts';
import { placesOf } from './search/places.ts';
import { openSearch, type SearchSession } from './search/session.ts';
import { synonymsOf } from './search/synonyms.ts';
import type { Origins } from './settle.ts';
import { salvage, setAside } from './store/repair.ts';
import type { Tables } from './store/tables.ts';
import { exportBrowser } from './transfer/browser.ts';
import { exportDocuments, exportWarc, type Sink } from './transfer/export.ts';
import { hostOf } from './url/host.ts';
import { versionOf } from './version.ts';
import { type Explanation, whyOf } from './why/why.ts';

export interface CrawlMore {
  /** Told of everything that happens, as the diagnostics channel `nuthatch` is. */
  readonly onEvent?: OnEvent;
  /**
   * Stops what runs, cleanly: the call ends with CrawlError 'interrupted', and so does every later one of this crawl. The same call
   * goes on where the folder is opened again, without this signal.
   */
  readonly signal?: AbortSignal;
  /** ms since the epoch. */
  readonly clock?: () => number;
  /** Where options were written, for complaints; see `settle`. */
  readonly origins?: Origins;
  /** False: a folder that is no crawl folder is an error instead of a new crawl. */
  readonly create?: boolean;
}

export interface RunInput {
  /** Every page is asked for again, also those whose time has not come. */
  readonly again?: boolean;
}

const told = channel('nuthatch');
/**
 * What few crawls do, and what brings the client of the web or all parsers with it, which a crawl has in its threads: loaded
 * when it is called. Ten megabytes less in every other process.
 */
const seldom = {
  parse: () => import('./jobs/parse.ts'),
  sitemaps: () => import('./jobs/sitemaps.ts'),
  archive: () => import('./transfer/import.ts'),
  toNutch: () => import('./transfer/nutch/export.ts'),
  fromNutch: () => import('./transfer/nutch/import.ts'),
};
/**
 * A crawl folder, opened: each method runs one job, `round` a fetch cycle, `run` everything.
 *
 * Opening reads `nuthatch.json` and takes nothing; the first call that writes (or reads a table) takes the folder for
 * this process until `close`. Searching never does, and `why` gives it back at once. Calls that write run one after the other, whoever makes them.
 */
export class Crawl extends CrawlReading implements AsyncDisposable {
  readonly dir: string;
  readonly options: Settled;
  private readonly given: Options;
  private readonly more: CrawlMore;
  private seeds: readonly string[];
  private readonly holding: CrawlHold;
  private readonly steps: CrawlSteps;
  private readonly counted = new KnownPages();
  private session: Promise<SearchSession> | undefined;

  private constructor(dir: string, given: Options, options: Settled, seeds: readonly string[], more: CrawlMore) {
    super();
    this.dir = dir;
    this.given = given;
    this.options = options;
    this.seeds = seeds;
    this.more = more;
    this.holding = new CrawlHold(
      dir,
      options.work.threads,
      () => readCrawlFile(dir) ?? this.keepSeeds([]),
      () => this.now(),
    );
    this.steps = new CrawlSteps({
      dir,
      options,
      signal: more.signal ?? new AbortController().signal,
      holding: this.holding,
      seeds: () => this.seeds,
      tell: (event) => this.tell(event),
      now: () => this.now(),
      reload: () => this.reload(),
    });
  }

  /**
   * `options` lie over those the folder was made with.
   * @throws CrawlError 'config' | 'too-new' | 'damaged'; 'missing-input' for a folder that is none, when `create` is false
   */
  static async open(dir: string, options: Options = {}, more: CrawlMore = {}): Promise<Crawl> {
    if (typeof dir !== 'string' || dir === '')
      throw new CrawlError('usage', `Crawl.open needs the folder of the crawl as a text, not ${JSON.stringify(dir)}`);
    const file = readCrawlFile(dir);
    if (!file && more.create === false) throw noCrawl(dir);
    const { given, options: settled, origins } = folderOptions(dir, file, options, more.origins);
    const bad = badSelector(settled.index);
    if (bad !== null) {
      const origin = origins.get(bad.key.split('.', 2).join('.')) ?? origins.get('index');
      throw new CrawlError('config', `${origin ? `${origin}: ` : ''}${bad.key}: ${bad.reason}`);
    }
    readReplacements(settled.index.replace);
    return new Crawl(dir, given, settled, file?.seeds ?? [], more);
  }

  /** Seed lines (address, then TAB key=value) into crawldb. Lines that are none are counted and warned of. */
  inject(lines: string | Iterable<string>, mode: InjectMode = 'keep'): Promise<Counters> {
    return this.steps.step('inject', async (context) => {
      const { counters, accepted } = await inject(context, { lines: [...linesOf(lines)], mode });
      const seeds = [...new Set([...this.seeds, ...accepted])];
      if (seeds.length > this.seeds.length) this.keepSeeds(seeds);
      return counters;
    });
  }

  /**
   * What sitemaps name, into crawldb: files (by their path) or addresses, which are fetched for it. `priority` is the score,
   * `changefreq` the interval, and with `update` a page that changed since its last fetch is due.
   * @throws CrawlError 'usage' when one of them cannot be had
   */
  injectSitemaps(sources: readonly string[], mode: InjectMode = 'keep'): Promise<Counters> {
    return this.steps.step('inject', async (context) => {
      const { readSitemaps } = await seldom.sitemaps();
      const { lines, scope, counters } = await readSitemaps(context, sources);
      const injected = await inject(context, { lines, mode, source: 'sitemap' });
      const seeds = [...new Set([...this.seeds, ...scope])];
      if (seeds.length > this.seeds.length) this.keepSeeds(seeds);
      return { ...injected.counters, ...counters };
    });
  }

  /** A fetchlist of what is due. `segments` counts those made: 0 when nothing is due. */
  generate(input: GenerateInput = {}): Promise<Counters> {
    return this.steps.step('generate', (context) => generate(context, input));
  }

  /** Fetches a segment; the oldest that waits for it when none is named. */
  fetch(segment?: string): Promise<Counters> {
    return this.steps.segmentStep('fetch', segment, (name) => !isFetched(this.dir, name), fetchSegment);
  }
  /** Parses the stored content of a fetched segment again. */
  parse(segment?: string): Promise<Counters> {
    const act = async (context: JobContext, name: string): Promise<Counters> =>
      (await seldom.parse()).parseSegment(context, name);
    return this.steps.segmentStep('parse', segment, (name) => isFetched(this.dir, name), act);
  }
  updatedb(segment?: string): Promise<Counters> {
    const waits = async (name: string, tables: Tables) => isFetched(this.dir, name) && !(await isUpdated(tables, name));
    return this.steps.segmentStep('updatedb', segment, waits, updatedb);
  }
  invertlinks(segment?: string): Promise<Counters> {
    const waits = async (name: string, tables: Tables) =>
      isFetched(this.dir, name) && !(await isInverted(tables, name));
    return this.steps.segmentStep('invertlinks', segment, waits, invertlinks);
  }

  /** crawldb, linkdb and segments of a crawl folder of Apache Nutch. */
  importNutch(from: string): Promise<Counters> {
    return this.steps.step('import', async (context) => (await seldom.fromNutch()).importNutch(context, from));
  }
  /** The same, for Apache Nutch, into a new folder. */
  exportNutch(to: string): Promise<Counters> {
    return this.steps.step('export', async (context) =>
      (await seldom.toNutch()).exportNutch(context, to, {
        segments: this.segments().filter((name) => /^\d{14}$/.test(name)),
      }),
    );
  }
  /** A fetchlist of given addresses, whatever crawldb knows of them. */
  freeList(urls: readonly string[]): Promise<Counters> {
    return this.steps.step('freegen', async (context) => (await freeList(context, urls)).counters);
  }
  /** Adds the outcomes of a segment to what is known of its hosts. */
  updateHosts(segment?: string): Promise<Counters> {
    const waits = async (name: string, tables: Tables) =>
      isFetched(this.dir, name) && !(await tables.hosts.applied(name));
    return this.steps.segmentStep('updatehosts', segment, waits, hosts);
  }
  /** What the links of the whole crawl give each page; the next `index` takes it for its prior. */
  linkrank(input: LinkRankInput = {}): Promise<Counters> {
    return this.steps.step('linkrank', (context) => linkrank(context, input));
  }
  /** One pass over crawldb: what no longer belongs there goes, and pages that none links to any more are marked. */
  purge(input: PurgeInput = {}): Promise<Counters> {
    return this.steps.step('purge', (context) => purge(context, input));
  }
  /** Takes over crawldb and linkdb of another crawl folder, which is not changed. */
  mergedb(from: string, filter = false): Promise<Counters> {
    return this.steps.step('mergedb', (context) => mergedb(context, from, filter));
  }
  /** Several segments as one, or as slices of a number of pages; those merged stay. */
  mergeSegments(segments: readonly string[], input: MergeSegmentsInput): Promise<Counters> {
    return this.steps.step('mergesegs', async (context) => (await mergeSegments(context, segments, input)).counters);
  }

  /**
   * Indexes fetched segments that are not indexed yet (`all`: every segment, into a new index), and publishes. Segments
   * that an interrupted round fetched and no more go into crawldb and linkdb first. Where duplicates come back that dedup
   * had taken out, it runs again, in the same commit.
   */
  async indexPages(call: IndexCall = {}): Promise<Counters> {
    if (this.options.index.linksOnly) throw noTexts(this.dir);
    for (const segment of this.segments())
      if (isFetched(this.dir, segment) && (call.segment ?? segment) === segment) await this.apply(segment);
    const act = async (session: IndexSession): Promise<Counters> => {
      const indexed = await session.indexPages(call);
      return session.dedupUndone ? { ...indexed, ...(await session.dedup()) } : indexed;
    };
    return this.steps.indexStep('index', act, { anew: call.all === true });
  }
  dedup(): Promise<Counters> {
    return this.steps.indexStep('dedup', (session) => session.dedup());
  }
  merge(): Promise<Counters> {
    return this.steps.indexStep('merge', (session) => session.merge());
  }
  /** Removes gone pages from the index, and segments whose pages are all in the index or gone, but for the `keep` newest. */
  clean(keep = 1): Promise<Counters> {
    let unneeded: readonly string[] = [];
    const act = async (session: IndexSession, context: JobContext): Promise<Counters> => {
      const cleaned = await clean(context, session, keep);
      unneeded = cleaned.unneeded;
      return cleaned.counters;
    };
    return this.steps.indexStep('clean', act, { published: () => removeSegments(this.dir, unneeded) });
  }
  /** Documents from elsewhere: lines of JSON with `id` or `url`, and fields. */
  add(lines: string | Iterable<string> | AsyncIterable<string>): Promise<Counters> {
    return this.steps.indexStep('add', (session) => addDocuments(session, linesOf(lines)));
  }

  /** A web archive (WARC or ARC) as a fetched segment, brought into crawldb and linkdb; `index` then publishes it. */
  async importArchive(path: string): Promise<Counters> {
    let segment = '';
    const counters = await this.steps.step('import', async (context) => {
      const { importArchive } = await seldom.archive();
      const imported = await importArchive(context, path);
      segment = imported.segment;
      return imported.counters;
    });
    await this.apply(segment);
    return counters;
  }

  /** Index, dedup, merge and publish, as one commit: a reader sees all of it or nothing. */
  async index(call: IndexCall = {}): Promise<Counters> {
    if (this.options.index.linksOnly) throw noTexts(this.dir);
    return this.steps.index(call);
  }

  /**
   * One round: what an earlier one left half done, else generate, fetch, updatedb, invertlinks (where texts are read). Null when
   * nothing is due.
   */
  async round(number = 1, input: GenerateInput = {}): Promise<Round | null> {
    let segments = await this.steps.unfinished();
    this.tell({ kind: 'round-started', round: number });
    if (segments.length === 0) {
      const before = new Set(this.segments());
      this.counted.generated(await this.generate(input));
      segments = this.segments().filter((name) => !before.has(name));
      if (segments.length === 0) return null;
    }
    for (const segment of segments) {
      if (!isFetched(this.dir, segment)) await this.fetch(segment);
      await this.apply(segment);
    }
    return roundOf(
      number,
      segments,
      segments.map((segment) => segmentStats(this.dir, segment)),
    );
  }

  /**
   * Up to `n` rounds (0: until nothing is due), stopping early when nothing is due or `round.maxPages` is reached. No page
   * is fetched twice, however short its interval, but for tries again of what failed for a passing reason. Files of this
   * machine and seeds that failed are looked at whether or not they are due; with `again` every page.
   */
  async *rounds(n = this.options.round.rounds, input: RunInput = {}): AsyncGenerator<Round, void, undefined> {
    const { maxPages, topN } = this.options.round;
    const started = this.now();
    const where = (_url: string, state: PageState): boolean => believed(state.fetched, started) < started;
    const { lists } = this.counted;
    const again = takenAgain(this.seeds, input.again ?? false, () => this.counted.lists === lists);
    let left = maxPages < 0 ? Number.POSITIVE_INFINITY : maxPages;
    for (let number = 1; (n === 0 || number <= n) && left > 0; number++) {
      const round = await this.round(number, { topN: Math.min(topN, left), again, where });
      if (!round) return;
      left -= round.fetched + round.failed + round.unchanged;
      yield round;
    }
  }

  /**
   * Everything: inject, rounds, index, dedup, merge, publish. On a folder that was left in the middle it goes on. Where links
   * alone are read, it ends with the rounds.
   */
  async run(lines: string | Iterable<string> = [], input: RunInput = {}): Promise<Summary> {
    const summarize = startSummary(() => this.now());
    this.counted.forget();
    const notes: string[] = [];
    const seeds = [...linesOf(lines)].filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
    // Before anything is made: the folder then keeps the name that is given next.
    const nameless = namelessTo([...this.seeds, ...seeds].map(hostNamed), this.options.net.agent);
    if (nameless !== null) throw new CrawlError('config', nameless);
    if (seeds.length > 0) {
      const injected = await this.inject(seeds);
      if (injected.rejected) notes.push(`${injected.rejected} of ${seeds.length} seeds were refused`);
    }
    if (this.seeds.length === 0 && seeds.length > 0)
      throw new CrawlError(
        'nothing-to-do',
        `nothing to crawl: every seed was refused (${seeds.length}); the warnings say why`,
      );
    if (this.seeds.length === 0)
      throw new CrawlError('usage', 'there is nothing to crawl: name an address, or a file of them with --seeds');
    const done: Round[] = [];
    for await (const round of this.rounds(undefined, input)) done.push(round);
    const { linksOnly } = this.options.index;
    if (!linksOnly) await this.holding.freshThreads();
    const indexed = linksOnly ? {} : await this.index();
    if (indexed.leftOut) notes.push(`${indexed.leftOut} segments were left out of the index; the warnings say why`);
    const known = this.counted.known ?? (await this.stats());
    if (done.length === 0) notes.push(nothingDue(known));
    if (linksOnly) {
      notes.push(linksAlone);
      const broken = brokenNote(done);
      if (broken !== null) notes.push(broken);
    }
    notes.push(...(await seedNotes(this.seeds, this)));
    if (linksOnly) return summarize(done, indexed, known.urls, notes);
    const unknown = await unknownDocuments(join(this.dir, 'index'), (await this.hold('crawl')).tables.crawldb);
    if (unknown !== null) notes.push(unknown);
    return summarize(done, indexed, known.urls, notes);
  }

  /**
   * Searches the published index; needs no lock, and keeps the snapshot it opened until `reload`.
   * @throws CrawlError 'usage' for a member of `ask` that does not exist or does not fit
   */
  async search(query: string, ask: Partial<Ask> = {}): Promise<Answer> {
    const wanted = { limit: 10, from: 0, ...checkedAsk(ask) };
    return (await this.searching()).search(checkedText(query, 'the query of search'), wanted);
  }
  async suggest(prefix: string, limit = 10): Promise<readonly string[]> {
    const text = checkedText(prefix, 'what suggest begins with');
    return (await this.searching()).suggest(text, checkedCount(limit, 'the limit of suggest'));
  }
  /** The host of a crawl of one site, without `www.`; undefined when seeds name several, or none. */
  get name(): string | undefined {
    const hosts = new Set(this.seeds.map((seed) => hostOf(seed).replace(/^www\./, '')));
    const [host] = hosts;
    return hosts.size === 1 && host ? host : undefined;
  }
  /** Documents that a search can find now. */
  async documents(): Promise<number> {
    return (await this.searching()).documents;
  }
  /** Answers from the newest commit from now on. */
  async reload(): Promise<void> {
    if (this.session) await (await this.session).reload();
  }

  /**
   * Follows one address from seed to hit, and says where it stopped, by which rule. Where this crawl does not hold the folder,
   * it is taken for the question alone.
   */
  async why(url: string): Promise<Explanation> {
    checkedText(url, 'the address of why');
    return this.holding.visit((held) => this.explain(url, held), 'why');
  }
  private async explain(url: string, { tables }: Held): Promise<Explanation> {
    const session = await this.searching();
    return whyOf(placeOf(url), {
      dir: this.dir,
      tables,
      seeds: this.seeds,
      admit: await admitKnown(this.options.scope, this.seeds, tables, placeOf(url)),
      maxDepth: this.options.scope.depth,
      now: this.now(),
      linksTo: (address) => linksTo(tables, address),
      indexed: (id) => session.document(id),
      published: async (segment) => session.holds(segment),
      duplicate: (id) => session.duplicate(id),
      near: (id) => session.near(id),
    });
  }

  /**
   * Documents of the published index as `jsonl` or `csv`, the stored responses as one `warc` file, the type-ahead for a
   * `browser` as a folder of static files.
   */
  async export(format: 'jsonl' | 'csv' | 'warc' | 'browser', to: Sink): Promise<Counters> {
    const index = join(this.dir, 'index');
    if (format === 'jsonl' || format === 'csv') return exportDocuments(index, format, to);
    if (typeof to !== 'string') throw new CrawlError('usage', `${format} is exported to a file or folder, by its name`);
    return format === 'warc' ? exportWarc(this.dir, to) : exportBrowser(index, to);
  }
  /**
   * Tables that power loss broke: set aside, and made anew of seeds and segments; records of crawldb that none of them
   * holds are taken over as far as they can be read. `setAside` 0: none was broken. To be called before anything else.
   */
  async repair(): Promise<Counters> {
    this.holding.alive();
    const aside = await setAside(this.dir, this.now());
    for (const [name, path] of aside)
      this.tell({ kind: 'warning', message: `${name} was damaged; what is left of it lies in ${path}`, where: path });
    if (aside.size === 0) return { setAside: 0 };
    const { tables } = await this.hold('repair');
    if (aside.has('crawldb')) await this.inject(this.seeds);
    for (const segment of this.segments().filter((name) => isFetched(this.dir, name))) {
      await this.apply(segment);
      if (aside.has('hosts')) await this.updateHosts(segment);
    }
    const broken = aside.get('crawldb');
    const salvaged = broken ? await salvage(broken, tables.crawldb) : 0;
    return { setAside: aside.size, salvaged, urls: (await this.stats()).urls };
  }
  /** Reads every checksum and compares the stores with each other. */
  async verify(): Promise<Verdict> {
    return this.steps.exclusive((context) => verify(context));
  }

  /** Resolves when the folder can be taken again. Safe to call twice. */
  async close(): Promise<void> {
    await this.holding.end();
    await (await this.session?.catch(() => undefined))?.close();
    this.session = undefined;
    await this.holding.release();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected now(): number {
    return (this.more.clock ?? Date.now)();
  }
  private tell(event: CrawlEvent): void {
    this.more.onEvent?.(event);
    if (told.hasSubscribers) told.publish(event);
  }
  protected addressOf(url: string): string {
    return addressOf(this.options.scope, this.seeds, url);
  }
  private searching(): Promise<SearchSession> {
    this.holding.alive();
    if (this.session) return this.session;
    const synonyms = synonymsOf(this.options.index.synonyms, this.dir);
    const placeOf = placesOf(this.options.search.links, this.options.scope.files, this.seeds);
    const session = openSearch(join(this.dir, 'index'), { synonyms, placeOf });
    this.session = session;
    // One that could not be opened is tried again by the next call.
    session.catch(() => {
      this.session = undefined;
    });
    return session;
  }

  protected hold(doing: string): Promise<Held> {
    return this.holding.take(doing);
  }
  private keepSeeds(seeds: readonly string[]): void {
    this.seeds = seeds;
    const before = readCrawlFile(this.dir);
    writeCrawlFile(this.dir, {
      format: FORMAT,
      created: before?.created || new Date(this.now()).toISOString(),
      by: before?.by || `nuthatch ${versionOf()}`,
      options: before?.options ?? this.given,
      seeds,
    });
  }

  /** What a fetched segment found goes into crawldb and linkdb, where it is not there yet. */
  private async apply(segment: string): Promise<void> {
    const { tables } = await this.hold('crawl');
    if (!(await isUpdated(tables, segment))) this.counted.updated(await this.updatedb(segment));
    if (!this.options.index.linksOnly && !(await isInverted(tables, segment))) await this.invertlinks(segment);
  }
}

/** A text is its lines: taken for a list it would be one of letters. */
const linesOf = <T extends Iterable<string> | AsyncIterable<string>>(lines: string | T): T | string[] =>
  typeof lines === 'string' ? lines.split(/\r?\n/) : lines;

/** The host that a seed line names, as an address with or without its scheme. */
const hostNamed = (line: string): string => {
  const text = line.split('\t')[0]!.trim();
  return hostOf(text.includes('://') ? text : `https://${text}`);
};
