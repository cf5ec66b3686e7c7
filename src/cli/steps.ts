import type { Crawl } from '../crawl.ts';
import type { Summary } from '../crawl-summary.ts';
import { CrawlError } from '../errors.ts';
import type { CrawlEvent } from '../events.ts';
import type { GenerateInput } from '../jobs/generate.ts';
import { linesOf } from '../lines.ts';
import { readCondition } from '../page/condition.ts';
import { listings, reasons } from '../page/reason.ts';
import { type Status, statusCode } from '../page/status.ts';
import type { Counters } from '../run/context.ts';
import type { Call, Command } from './call.ts';
import { count, counters, duration, size } from './figures.ts';
import { type Flag, threadsFlag } from './flags.ts';
import { withCrawl } from './open.ts';
import { placed, placeHint } from './place.ts';
import { toldFetched } from './told.ts';

const scopeFlags: readonly Flag[] = [
  { flag: '--scope <mode>', key: 'scope.mode', says: 'which addresses belong to the crawl' },
  { flag: '--depth <n>', key: 'scope.depth', says: 'links from a seed; -1: no limit' },
];
export const seedsFlag: Flag = {
  flag: '--seeds <file>',
  says: 'addresses, one a line, with TAB key=value after them; - is stdin',
  many: true,
};
const sitemapFlag: Flag = {
  flag: '--sitemap <file>',
  says: 'the pages that a sitemap names, or a sitemap of sitemaps: a file, gzipped or not, or an address',
  many: true,
};
const generateFlags: readonly Flag[] = [
  { flag: '--top-n <n>', key: 'round.topN', says: 'addresses in one fetchlist, best score first' },
  { flag: '--max-pages <n>', key: 'round.maxPages', says: 'pages fetched in all; -1: no limit' },
];
const fetchFlags: readonly Flag[] = [
  { flag: '--delay <time>', key: 'net.delay', says: 'pause between two requests to one host' },
  { flag: '--agent <name>', key: 'net.agent', says: 'who we say we are' },
  threadsFlag,
];
export const segmentFlag: Flag = {
  flag: '--segment <name>',
  says: 'the segment; the newest that waits for this step when absent',
};

export const whereFlag: Flag = {
  flag: '--where <condition>',
  says: 'only pages that fit: \'score >= 0.5 and not url ~ "/archive/"\'; compared by = != < <= > >= ~ (a regular expression), joined by and, or, not, ( ); names: url, status, reason, score, retries, interval, depth, httpStatus, due, fetched, modified, meta.NAME',
};

/** The seeds named on the command line and in files, as lines. */
export async function seedLines(call: Call): Promise<string[]> {
  for (const word of call.args) {
    const hint = placeHint(word);
    if (hint) call.note(hint);
  }
  const lines = call.args.map(placed);
  for (const file of (call.flags.seeds as string[] | undefined) ?? [])
    for await (const line of linesOf(file, `the seed file ${file}`)) lines.push(line);
  return lines;
}

const sitemapsOf = (call: Call): readonly string[] => (call.flags.sitemap as string[] | undefined) ?? [];

const crawl: Command = {
  name: 'crawl',
  args: '[url...]',
  says: 'crawls from the given addresses to a published index; on the same folder: resumes, or crawls again what is due',
  flags: [
    seedsFlag,
    sitemapFlag,
    { flag: '--again', says: 'every known page again, also those that are not due' },
    { flag: '--rounds <n>', key: 'round.rounds', says: 'rounds of generate, fetch, update; 0: until nothing is due' },
    ...scopeFlags,
    ...generateFlags,
    ...fetchFlags,
    {
      flag: '--links-only',
      key: 'index.linksOnly',
      says: 'reads where pages lead and what they ask of robots, and no text: no index is made',
      also: ['net.keepContent', false],
    },
  ],
  examples: [
    'crawl https://example.org/ --agent "acme (+https://acme.example)"',
    'crawl --seeds seeds.txt --rounds 3 --agent "acme (acme.example)"',
    'crawl https://example.org/ --links-only --agent "acme (acme.example)"',
  ],
  run: async (call) => {
    const seeds = await seedLines(call);
    return withCrawl(
      call,
      async (crawl) => {
        const sitemaps = sitemapsOf(call);
        if (sitemaps.length > 0) await crawl.injectSitemaps(sitemaps);
        const summary = await crawl.run(seeds, { again: call.flags.again === true });
        const { linksOnly } = crawl.options.index;
        if (call.json) await call.out(JSON.stringify(summary));
        else {
          for (const line of tellRun(summary, linksOnly)) await call.out(line);
          if (summary.published > 0)
            await call.out(`search with: nuthatch search${call.dir === 'crawl' ? '' : ` --dir ${call.dir}`} WORDS`);
        }
        // Why nothing was done is the result, not progress: --quiet keeps it.
        const silent = call.quiet && !call.json && summary.rounds === 0;
        for (const note of summary.notes) silent ? await call.out(note) : call.note(note);
        if (summary.leftOut > 0) return 1;
        // Tried, and nothing can be found: a script must not take that for a search.
        if (!linksOnly && summary.rounds > 0 && summary.published === 0) return 1;
        return summary.rounds === 0 && summary.indexed === 0 ? 3 : 0;
      },
      { create: true, tellKept: true },
    );
  },
};

/** Outcomes that the figures above the others have counted. */
const FINE: readonly string[] = ['ok', 'links-only', ...listings];

/** What a run did, for people: pages, what became of the others, what can be found, what it took. */
function tellRun(summary: Summary, linksOnly: boolean): string[] {
  const { rounds, urls, indexed, duplicates, published, outcomes } = summary;
  const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;
  const others = Object.entries(outcomes).filter(([reason]) => !FINE.includes(reason));
  const wide = Math.max(...others.map(([, n]) => count(n).length));
  const named = Math.max(...others.map(([reason]) => reason.length));
  const lines = others.map(
    ([reason, n]) =>
      `  ${count(n).padStart(wide)} ${reason.padEnd(named)}  ${reasons[reason as keyof typeof reasons] ?? ''}`,
  );
  const did = [
    indexed > 0 ? `${count(indexed)} indexed` : '',
    duplicates > 0 ? `${many(duplicates, 'duplicate')} removed` : '',
  ].filter(Boolean);
  return [
    // Nothing was due: the note says so, and when something will be.
    ...(rounds === 0
      ? []
      : [`${toldFetched(summary)} fetched in ${many(rounds, 'round')}; ${many(urls, 'address', 'addresses')} known`]),
    ...lines,
    ...(linksOnly ? [] : [`${many(published, 'page')} can be found${did.length > 0 ? ` (${did.join(', ')})` : ''}`]),
    `${duration(summary.seconds * 1000)}, ${summary.cpuSeconds.toFixed(1)} s CPU, ${size(summary.peakRssBytes)} peak memory`,
  ];
}

/** A step of its own: what it did goes to stdout, as JSON when asked. */
export const step = (
  name: string,
  says: string,
  flags: readonly Flag[],
  act: (crawl: Crawl, call: Call) => Promise<Counters>,
  more: { args?: string; create?: boolean; examples?: readonly string[] } = {},
): Command => ({
  name,
  args: more.args ?? '',
  says,
  flags,
  examples: more.examples ?? [],
  run: (call) =>
    withCrawl(
      // Its result says what it did; the line that a step of many has would say it twice.
      { ...call, onEvent: (event) => void (isEndOf(name, event) || call.onEvent(event)) },
      async (crawl) => {
        const did = await act(crawl, call);
        await call.out(call.json ? JSON.stringify(did) : `${name}: ${counters(did)}`);
        // Done in part: the warnings say what is missing.
        return did.leftOut ? 1 : 0;
      },
      { create: more.create ?? false, tellKept: KEEPS.has(name) },
    ),
});

/** Steps that options of the crawl steer. */
const KEEPS: ReadonlySet<string> = new Set(['inject', 'generate', 'fetch', 'parse', 'index', 'publish']);
const isEndOf = (step: string, event: CrawlEvent): boolean => event.kind === 'step-finished' && event.step === step;

export const segmentOf = (call: Call): string | undefined => call.flags.segment as string | undefined;

function generateInput({ flags }: Call): GenerateInput {
  const score = flags.minScore === undefined ? undefined : Number(flags.minScore);
  if (Number.isNaN(score)) throw new CrawlError('usage', `--min-score ${String(flags.minScore)} is no number`);
  const status = flags.status as string[] | undefined;
  const unknown = status?.find((name) => !Object.hasOwn(statusCode, name));
  if (unknown !== undefined)
    throw new CrawlError('usage', `there is no status ${unknown}; one of ${Object.keys(statusCode).join(', ')}`);
  return {
    ...(flags.perDomain === undefined ? {} : { perDomain: flags.perDomain as number }),
    ...(flags.segments === undefined ? {} : { segments: flags.segments as number }),
    ...(flags.addDays === undefined ? {} : { addDays: flags.addDays as number }),
    ...(score === undefined ? {} : { minScore: score }),
    ...(status ? { status: status as Status[] } : {}),
    ...(flags.where === undefined ? {} : { where: readCondition(flags.where as string) }),
    filter: flags.filter !== false,
  };
}

export const crawlCommands: readonly Command[] = [
  crawl,
  step(
    'inject',
    'puts seeds into crawldb',
    [
      seedsFlag,
      sitemapFlag,
      { flag: '--update', says: 'a known address takes score, interval and metadata of its seed line' },
      { flag: '--overwrite', says: 'a known address starts anew' },
      ...scopeFlags,
    ],
    async (crawl, call) => {
      const lines = await seedLines(call);
      const sitemaps = sitemapsOf(call);
      if (lines.length === 0 && sitemaps.length === 0)
        throw new CrawlError('usage', 'inject needs addresses, a file of them with --seeds, or a --sitemap');
      if (call.flags.update && call.flags.overwrite)
        throw new CrawlError('usage', '--update and --overwrite exclude each other');
      const mode = call.flags.overwrite ? 'overwrite' : call.flags.update ? 'update' : 'keep';
      const did: Record<string, number> = {};
      for (const one of [
        ...(lines.length > 0 ? [await crawl.inject(lines, mode)] : []),
        ...(sitemaps.length > 0 ? [await crawl.injectSitemaps(sitemaps, mode)] : []),
      ])
        for (const [name, n] of Object.entries(one)) did[name] = (did[name] ?? 0) + n;
      return did;
    },
    {
      args: '[url...]',
      create: true,
      examples: ['inject https://example.org/', 'inject --seeds seeds.txt --update', 'inject --sitemap sitemap.xml.gz'],
    },
  ),
  step(
    'generate',
    'makes a fetchlist of the pages that are due',
    [
      ...generateFlags,
      { flag: '--per-host <n>', key: 'round.perHost', says: 'addresses of one host in one fetchlist; -1: no limit' },
      { flag: '--per-domain <n>', says: 'the same for a registered domain, all its hosts together', least: 1 },
      { flag: '--segments <n>', says: 'fetchlists made at once', least: 1 },
      { flag: '--min-score <score>', says: 'pages below this score stay' },
      { flag: '--status <status>', says: 'only pages in this state', many: true },
      whereFlag,
      { flag: '--add-days <n>', says: 'as if it were so many days later', least: 0 },
      { flag: '--no-filter', says: 'also pages that scope and filters refuse by now' },
      threadsFlag,
    ],
    (crawl, call) => crawl.generate(generateInput(call)),
  ),
  step('fetch', 'fetches and parses a fetchlist', [segmentFlag, ...fetchFlags], (crawl, call) =>
    crawl.fetch(segmentOf(call)),
  ),
  step('parse', 'parses the stored content of a segment again', [segmentFlag, threadsFlag], (crawl, call) =>
    crawl.parse(segmentOf(call)),
  ),
  step('updatedb', 'brings the outcomes of a segment into crawldb', [segmentFlag, threadsFlag], (crawl, call) =>
    crawl.updatedb(segmentOf(call)),
  ),
  step('invertlinks', 'brings the links of a segment into linkdb', [segmentFlag, threadsFlag], (crawl, call) =>
    crawl.invertlinks(segmentOf(call)),
  ),
  step(
    'index',
    'indexes the fetched segments and publishes them',
    [{ flag: '--all', says: 'every segment again, into a new index' }, segmentFlag, threadsFlag],
    (crawl, call) =>
      crawl.indexPages({ all: call.flags.all === true, ...(segmentOf(call) ? { segment: segmentOf(call)! } : {}) }),
  ),
  step('dedup', 'removes duplicates from the index, and publishes it', [threadsFlag], (crawl) => crawl.dedup()),
  step('merge', 'makes one segment of the index, and publishes it', [threadsFlag], (crawl) => crawl.merge()),
  step(
    'publish',
    'index, dedup and merge as one: what was fetched becomes what is searched, all of it or nothing',
    [{ flag: '--all', says: 'every segment again, into a new index' }, threadsFlag],
    (crawl, call) => crawl.index({ all: call.flags.all === true }),
    { examples: ['publish', 'publish --set index.maxLoss=1'] },
  ),
  step(
    'clean',
    'removes gone pages from the index, and segments that nothing needs any more',
    [{ flag: '--keep <n>', says: 'newest segments that stay whatever happens (default 1)', least: 0 }],
    (crawl, call) => crawl.clean((call.flags.keep as number | undefined) ?? 1),
  ),
];
