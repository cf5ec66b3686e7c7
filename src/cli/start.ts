/**
 * `npm start`: nuthatch shows itself. It serves its own documentation on loopback, crawls it, says what became of every
 * odd thing there, asks three queries, and opens the search page until Ctrl-C.
 *
 *     npm start                          the documentation, in a folder that is removed at the end
 *     npm start -- --once                ends after the queries
 *     npm start -- --agent 'NAME (+https://...)' https://example.org/
 *                                        the same with a site of yours, politely, kept in crawl/example.org
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Crawl } from '../crawl.ts';
import { CrawlError } from '../errors.ts';
import type { CrawlEvent } from '../events.ts';
import { type DocsSite, startDocsSite } from '../lab/docs-site.ts';
import type { Options } from '../options.ts';
import { explain, reasons } from '../page/reason.ts';
import { type Serving, serve } from '../serve/server.ts';
import { exitCodeOf, messageOf } from './exit.ts';
import { count, duration, size } from './figures.ts';
import { cut } from './print.ts';
import { told, toldFetched } from './told.ts';
import { wrapped } from './wrap.ts';

/** Pages of a user's site that one call fetches; at one a second that is some minutes. */
const MOST_PAGES = 200;
const USAGE = "npm start -- [--once] [--port N] [--agent 'NAME (+https://your.site/bot)' https://your.site/]";

/** Lines fit a terminal of 80 columns; an address may be longer. */
const say = (line = ''): void => void process.stdout.write(`${cut(line, 200)}\n`);
const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** The checkout: the folder of package.json above this file, whether it runs as source or as built. */
function checkout(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, 'package.json'))) at = dirname(at);
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (snippet: string): string =>
  snippet
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, ' ');

async function showHits(crawl: Crawl, query: string): Promise<void> {
  const { total, hits } = await crawl.search(query, { limit: 3 });
  say();
  say(`   ${query}  (${counted(total, 'hit')})`);
  hits.forEach((hit, i) => {
    say(`   ${i + 1}. ${cut(hit.title, 70)}`);
    say(`      ${cut(hit.url ?? hit.id, 72)}`);
    say(`      ${cut(plain(hit.snippet), 72)}`);
  });
}

/** What a step did, for those steps that a first visitor wants to hear of; '' for the others. */
function stepLine({ step, counters }: Extract<CrawlEvent, { kind: 'step-finished' }>): string {
  const n = (name: string): number => counters[name] ?? 0;
  if (step === 'fetch') return `fetch: ${told(step, counters)}`;
  if (step === 'updatedb') return `updatedb: ${counted(n('added'), 'new address', 'new addresses')}`;
  if (step === 'index') return `index: ${counted(n('indexed'), 'document')}`;
  if (step === 'dedup') return `dedup: ${counted(n('duplicates'), 'duplicate')} removed`;
  if (step === 'merge' && n('merged') > 1) return `merge: one index segment of ${n('merged')}`;
  if (step === 'publish') return `publish: ${counted(n('published'), 'document')} can be found`;
  return '';
}

/** Where an address stopped, and by which rule; or that it did not. */
async function reasonOf(crawl: Crawl, url: string): Promise<string> {
  const { steps, verdict } = await crawl.why(url);
  const stop = steps.findLast((step) => !step.ok);
  return stop ? stop.reason + (stop.rule ? ` (${stop.rule})` : '') : verdict;
}

/** What became of the odd things of the documentation site, each as `why` tells it. */
async function showOdd(crawl: Crawl, site: DocsSite): Promise<void> {
  const { odd } = site;
  for (const [what, path] of [
    ['a duplicate', odd.duplicate[1]],
    ['a redirect', odd.redirect],
    ['forbidden by robots.txt', odd.forbidden],
    ['a broken link', odd.broken],
    ['a file that is no page', odd.picture],
  ] as const) {
    const told = await reasonOf(crawl, site.origin + path);
    say(`   ${what.padEnd(24)} ${path}`);
    for (const line of wrapped(told.replaceAll(site.origin, ''), 50)) say(`   ${' '.repeat(24)} ${line}`);
  }
}

/** Titles to ask for on a site nobody has told us of: those that type-ahead offers, spread over the alphabet. */
async function someTitles(crawl: Crawl): Promise<string[]> {
  const titles = new Set<string>();
  for (const letter of 'setaciomprbdlfhgnuwvyjkqxz') {
    const title = (await crawl.suggest(letter, 3)).find((one) => !titles.has(one));
    if (title) titles.add(title);
    if (titles.size === 3) break;
  }
  return [...titles];
}

async function listen(crawl: Crawl, port: number | undefined, title: string): Promise<Serving> {
  const options = {
    title,
    onError: (error: unknown, where: string) => say(`   error in ${where}: ${messageOf(error)}`),
  };
  try {
    return await serve(crawl, { ...options, port: port ?? 8080 });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return serve(crawl, { ...options, port: 0 });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      once: { type: 'boolean' },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return say(USAGE);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new CrawlError('usage', `--port ${values.port}: it must be a whole number from 0 to 65535`);
  for (const seed of positionals)
    if (!/^https?:\/\//i.test(seed) || !URL.canParse(seed))
      throw new CrawlError('usage', `${seed} is no address of a site; it must begin with https:// or http://`);

  const own = positionals.length > 0;
  const stop = new AbortController();
  const onSignal = (): void => (stop.signal.aborted ? process.exit(130) : stop.abort());
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

  const site = own ? null : await startDocsSite(join(checkout(), 'docs'));
  const dir = own
    ? join('crawl', new URL(positionals[0]!).host.replaceAll(':', '_'))
    : mkdtempSync(join(tmpdir(), 'nuthatch-start-'));
  let crawl: Crawl | null = null;
  let serving: Serving | null = null;
  try {
    const seeds = own ? positionals : [`${site!.origin}/`];
    say('nuthatch: a crawler and a search engine in one process');
    say();
    if (site) {
      say(`1. Its own documentation stands at ${site.origin}/`);
      say('   with a menu, a redirect, a duplicate page, a page that robots.txt forbids,');
      say('   a broken link, and a file that is no page.');
    } else {
      say(`1. Crawling ${seeds.join(' ')}`);
      say(`   At most ${MOST_PAGES} pages in this call, one request a second; it obeys robots.txt.`);
      say(`   What is learnt is kept in ${dir}. Ctrl-C stops, the same command goes on.`);
    }
    say();
    say('2. The crawl');
    const onEvent = (event: CrawlEvent): void => {
      if (event.kind === 'step-finished') {
        const line = stepLine(event);
        if (line) say(`   ${line}`);
      }
      if (event.kind === 'warning') say(`   ${event.message}`);
      if (event.kind === 'page' && own) say(`   ${cut(`${event.url}  ${explain(event.reason)}`, 76)}`);
    };
    const options: Options = own
      ? { round: { maxPages: MOST_PAGES }, ...(values.agent ? { net: { agent: values.agent } } : {}) }
      : { net: { delay: 10 } };
    crawl = await Crawl.open(dir, options, {
      onEvent,
      signal: stop.signal,
    });
    const report = await crawl.run(seeds);
    say(
      `   ${toldFetched(report)} fetched, ${report.published} in the index; ` +
        `${duration(report.seconds * 1000)}, ${report.cpuSeconds.toFixed(1)} CPU s, at most ${size(report.peakRssBytes)}`,
    );
    for (const note of report.notes) say(`   ${note}`);
    say();
    if (site) await showOdd(crawl, site);
    else
      for (const [reason, n] of Object.entries(report.outcomes).sort((a, b) => b[1] - a[1]))
        say(`   ${String(n).padStart(6)}  ${reason in reasons ? explain(reason as keyof typeof reasons) : reason}`);
    say();
    if (report.published === 0) {
      for (const seed of seeds)
        for (const line of wrapped(`${seed}: ${await reasonOf(crawl, seed)}`, 76)) say(`   ${line}`);
      say('   So there is nothing to search.');
      process.exitCode = 1;
      return;
    }
    say('3. Three queries');
    const queries = site
      ? ['how are results ranked', 'resume an interrupted crawl', 'net.delay']
      : await someTitles(crawl);
    for (const query of queries) await showHits(crawl, query);
    say();
    if (values.once || stop.signal.aborted) return;
    serving = await listen(crawl, port, site ? 'nuthatch' : new URL(seeds[0]!).host);
    say(`4. The search page: ${serving.address}`);
    say('   Ctrl-C ends it.');
    if (!stop.signal.aborted) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
  } finally {
    await serving?.close(0);
    await crawl?.close();
    await site?.close();
    if (!own) rmSync(dir, { recursive: true, force: true });
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

main().catch((error: unknown) => {
  const usage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  const message = usage ? (error as Error).message.split('. ')[0] : messageOf(error);
  process.stderr.write(`nuthatch: ${message}\n`);
  if (usage) process.stderr.write(`usage: ${USAGE}\n`);
  if (error instanceof CrawlError && error.code === 'interrupted') process.stderr.write('the same command goes on\n');
  process.exitCode = usage ? 2 : exitCodeOf(error);
});
