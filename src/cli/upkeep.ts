import { CrawlError } from '../errors.ts';
import { parseSeed } from '../page/seed.ts';
import type { Command } from './call.ts';
import { threadsFlag } from './flags.ts';
import { seedLines, seedsFlag, segmentFlag, segmentOf, step } from './steps.ts';

const filterFlag = { flag: '--filter', says: 'what scope and filters refuse by now is left out' };

/** What keeps a crawl in shape over months. */
export const upkeepCommands: readonly Command[] = [
  step('updatehosts', 'adds the outcomes of a segment to what is known of its hosts', [segmentFlag], (crawl, call) =>
    crawl.updateHosts(segmentOf(call)),
  ),
  step(
    'linkrank',
    'reckons what the links of the whole crawl give each page; the next index takes it for its prior',
    [
      { flag: '--iterations <n>', says: 'passes over the links at most (default 10)', least: 1 },
      { flag: '--external', says: 'links within a host do not count' },
      threadsFlag,
    ],
    (crawl, call) =>
      crawl.linkrank({
        iterations: (call.flags.iterations as number | undefined) ?? 10,
        internal: call.flags.external !== true,
      }),
  ),
  step(
    'freegen',
    'makes a fetchlist of given addresses, whatever crawldb knows of them',
    [seedsFlag],
    async (crawl, call) => {
      const urls = (await seedLines(call)).flatMap((line) => parseSeed(line)?.url ?? []);
      if (urls.length === 0) throw new CrawlError('usage', 'freegen needs addresses, or a file of them with --seeds');
      return crawl.freeList(urls);
    },
    { args: '[url...]', create: true, examples: ['freegen https://example.org/changed'] },
  ),
  step(
    'repair',
    'makes tables that power loss broke anew, of seeds, segments and what can be read of them',
    [],
    (crawl) => crawl.repair(),
  ),
  step(
    'purge',
    'takes out of crawldb what no longer belongs there, and marks pages that none links to',
    [
      { flag: '--gone', says: 'pages that are gone go' },
      { flag: '--orphans', says: 'pages that none links to any more go' },
      filterFlag,
    ],
    (crawl, call) =>
      crawl.purge({
        gone: call.flags.gone === true,
        orphans: call.flags.orphans === true,
        filter: call.flags.filter === true,
      }),
  ),
  step(
    'mergedb',
    'takes over crawldb and linkdb of other crawl folders',
    [filterFlag],
    async (crawl, call) => {
      if (call.args.length === 0) throw new CrawlError('usage', 'mergedb needs the crawl folders to take over');
      const sum: Record<string, number> = {};
      for (const folder of call.args)
        for (const [name, by] of Object.entries(await crawl.mergedb(folder, call.flags.filter === true)))
          sum[name] = (sum[name] ?? 0) + by;
      return sum;
    },
    { args: '<folder...>', create: true, examples: ['mergedb --dir all first-crawl second-crawl'] },
  ),
  step(
    'mergesegs',
    'makes one segment of several',
    [
      { flag: '--name <name>', says: 'name of the segment made' },
      { flag: '--slice <n>', says: 'pages in one segment; more make NAME-1, NAME-2 and so on', least: 1 },
      filterFlag,
      threadsFlag,
    ],
    async (crawl, call) => {
      const segments = call.args.length > 0 ? call.args : crawl.segments();
      if (segments.length === 0) throw new CrawlError('nothing-to-do', 'there are no segments to merge');
      const unknown = segments.find((name) => !crawl.segments().includes(name));
      if (unknown !== undefined) throw new CrawlError('usage', `there is no segment ${unknown}`);
      const name = (call.flags.name as string | undefined) ?? `${segments[segments.length - 1]}-merged`;
      if (!/^[\w-]+$/.test(name) || crawl.segments().includes(name))
        throw new CrawlError('usage', `${name} is no name for a new segment; use letters, digits, - and _`);
      return crawl.mergeSegments(segments, {
        name,
        slice: (call.flags.slice as number | undefined) ?? -1,
        filter: call.flags.filter === true,
      });
    },
    { args: '[segment...]', examples: ['mergesegs --name year-2026'] },
  ),
];
