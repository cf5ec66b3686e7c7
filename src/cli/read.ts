import { answer, stage, stageNames } from '../check/all.ts';
import { folderOptions, readCrawlFile, withoutSecrets } from '../crawl-folder.ts';
import { CrawlError } from '../errors.ts';
import { linesOf } from '../lines.ts';
import { optionKeys, type Settled } from '../options.ts';
import { readCondition } from '../page/condition.ts';
import { type Status, statusCode } from '../page/status.ts';
import type { HostRecord } from '../read/hosts.ts';
import { plain } from '../read/segment.ts';
import { csvRow } from '../transfer/csv.ts';
import type { Call, Command } from './call.ts';
import { withCrawl } from './open.ts';
import { placed } from './place.ts';
import { safe } from './print.ts';
import {
  brokenColumns,
  type Column,
  hostColumns,
  hostStatsColumns,
  linkColumns,
  pageColumns,
  segmentColumns,
  table,
  tell,
  tellStats,
} from './records.ts';
import { whereFlag } from './steps.ts';

const printed = async (call: Call, value: object): Promise<number> => {
  if (call.json) await call.out(JSON.stringify(value, plain));
  else for (const line of tell(value)) await call.out(line);
  return 0;
};

/** A few records as a table; as `dump` has them with `--json` or `--csv`. */
async function listed<T extends object>(
  call: Call,
  columns: readonly Column<T>[],
  records: AsyncIterable<T> | Iterable<T>,
): Promise<number> {
  if (call.json || call.flags.csv) return dump(call, records);
  const all: T[] = [];
  for await (const record of records) all.push(record);
  const width = process.stdout.isTTY ? (process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  if (all.length > 0) for (const line of table(columns, all, width)) await call.out(line);
  return 0;
}

/** The same records; when there is none, `otherwise` says so. */
async function* some<T>(records: AsyncIterable<T>, otherwise: string): AsyncGenerator<T, void, undefined> {
  let none = true;
  for await (const record of records) {
    none = false;
    yield record;
  }
  if (none) throw new CrawlError('nothing-to-do', otherwise);
}

/** Records as lines of JSON, or as CSV with a head line of names. */
async function dump(call: Call, records: AsyncIterable<object> | Iterable<object>): Promise<number> {
  let names: string[] | undefined;
  for await (const record of records) {
    if (!call.flags.csv) {
      await call.out(JSON.stringify(record, plain));
      continue;
    }
    if (!names) await call.out(csvRow((names = Object.keys(record))));
    const values = record as Record<string, unknown>;
    await call.out(
      csvRow(
        names.map((name) =>
          typeof values[name] === 'object' ? JSON.stringify(values[name], plain) : (values[name] as string),
        ),
      ),
    );
  }
  return 0;
}

const csvFlag = { flag: '--csv', says: 'as CSV with a head line' };
const topFlag = { flag: '--top <n>', says: 'the n first', least: 1 };
const dumpFlag = { flag: '--dump', says: 'every record, a JSON line each' };

export const readCommands: readonly Command[] = [
  {
    name: 'readdb',
    args: '[url]',
    says: 'what crawldb knows: statistics, one page, the best, or all',
    flags: [topFlag, dumpFlag, csvFlag, { flag: '--status <name>', says: 'dump only pages of this status' }, whereFlag],
    examples: ['readdb', 'readdb https://example.org/', 'readdb --dump --status gone --csv'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const { status } = call.flags as { status?: string };
        if (status !== undefined && !Object.hasOwn(statusCode, status))
          throw new CrawlError('usage', `--status must be one of ${Object.keys(statusCode).join(', ')}, not ${status}`);
        if (call.args[0] !== undefined) {
          const page = await crawl.page(placed(call.args[0]));
          if (!page)
            throw new CrawlError('nothing-to-do', `crawldb does not know ${call.args[0]}; nuthatch why says more`);
          return printed(call, page);
        }
        if (call.flags.top) return listed(call, pageColumns, await crawl.topPages(call.flags.top as number));
        const where = call.flags.where === undefined ? undefined : readCondition(call.flags.where as string);
        if (call.flags.dump || call.flags.csv || status || where)
          return dump(call, crawl.pages(status as Status | undefined, where));
        const stats = await crawl.stats();
        if (call.json) return printed(call, stats);
        for (const line of tellStats(stats)) await call.out(line);
        return 0;
      }),
  },
  {
    name: 'readseg',
    args: '[segment] [url]',
    says: 'what segments hold: a list, one segment, one page of it, or the newest of a page',
    flags: [csvFlag],
    examples: ['readseg', 'readseg https://example.org/', 'readseg 20261130153012 https://example.org/'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const [segment, url] = call.args;
        if (segment === undefined)
          return listed(
            call,
            segmentColumns,
            crawl.segments().map((name) => crawl.segmentStats(name)),
          );
        // The name of a segment is a time; all else is an address or a path.
        if (url === undefined && !/^\d{14}/.test(segment)) {
          const address = placed(segment);
          const newest = crawl.segments().findLast((name) => crawl.segmentPage(name, address));
          if (!newest) throw new CrawlError('nothing-to-do', `no segment holds ${segment}; nuthatch why says more`);
          return printed(call, crawl.segmentPage(newest, address)!);
        }
        if (url === undefined) return printed(call, crawl.segmentStats(segment));
        const page = crawl.segmentPage(segment, placed(url));
        if (!page) throw new CrawlError('nothing-to-do', `segment ${segment} holds nothing of ${url}`);
        return printed(call, page);
      }),
  },
  {
    name: 'readlinkdb',
    args: '[url]',
    says: 'which pages link to an address, and how they call it; all of them with --dump',
    flags: [
      dumpFlag,
      { flag: '--broken', says: 'links to what could not be had, and to what redirects there, with the reason' },
      csvFlag,
    ],
    examples: ['readlinkdb https://example.org/', 'readlinkdb --broken --csv'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        if (call.flags.broken) return listed(call, brokenColumns, crawl.brokenLinks());
        if (call.args[0] === undefined) return dump(call, crawl.allLinks());
        const links = await crawl.linksTo(placed(call.args[0]));
        if (links.length === 0) throw new CrawlError('nothing-to-do', `linkdb knows no link to ${call.args[0]}`);
        return listed(call, linkColumns, links);
      }),
  },
  {
    name: 'hosts',
    args: '[host]',
    says: 'what crawldb says of hosts: pages by status, due, best score, last fetch',
    flags: [
      topFlag,
      csvFlag,
      { flag: '--stats', says: 'what updatehosts has added up instead: outcomes, failures, response times' },
    ],
    examples: ['hosts', 'hosts example.org', 'hosts --stats'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const [name] = call.args;
        const { top, stats } = call.flags as { top?: number; stats?: boolean };
        if (stats) {
          const none = `nothing is added up${name ? ` for ${name}` : ''} yet; nuthatch updatehosts does that`;
          return listed(call, hostStatsColumns, some(crawl.hostStats(name), none));
        }
        const none = name
          ? `crawldb knows no page of ${name}; nuthatch hosts lists the hosts it knows`
          : 'crawldb knows no host yet; nuthatch crawl URL brings the first';
        const hosts = some(crawl.hosts(name), none);
        if (top === undefined) return listed(call, hostColumns, hosts);
        const all: HostRecord[] = [];
        for await (const host of hosts) all.push(host);
        return listed(
          call,
          hostColumns,
          all.sort((a, b) => b.urls - a.urls || (a.host < b.host ? -1 : 1)).slice(0, top),
        );
      }),
  },
  {
    name: 'check',
    args: '<stage>',
    short: 'runs one stage of a crawl alone, on lines of JSON',
    says: `runs one stage alone, a JSON line in, a line out: ${stageNames.join(', ')}`,
    flags: [{ flag: '--from <file>', says: 'where the lines come from (default stdin)' }],
    examples: ['check url < lines.jsonl', 'check robots --from lines.jsonl'],
    run: async (call) => {
      const check = await stage(call.args[0]!);
      if (call.flags.from === undefined && process.stdin.isTTY)
        call.note('reads lines of JSON from the keyboard; Ctrl-D ends');
      for await (const line of linesOf((call.flags.from as string | undefined) ?? '-'))
        if (line.trim() !== '') await call.out(await answer(check, line));
      return 0;
    },
  },
  {
    name: 'inspect',
    args: '<file>',
    says: 'what is in a file of a crawl folder, whatever its format',
    flags: [{ flag: '--most <n>', says: 'records shown at most (default 20)', least: 0 }],
    examples: ['inspect crawl/segments/20261130153012/crawl_fetch/00000.rec'],
    run: async (call) => {
      const { inspect } = await import('../read/inspect.ts');
      for (const line of inspect(call.args[0]!, (call.flags.most as number | undefined) ?? 20))
        await call.out(call.json || typeof line !== 'string' ? JSON.stringify(line, plain) : safe(line));
      return 0;
    },
  },
  {
    name: 'config',
    args: '',
    says: 'every option with its value in this folder, and where that comes from: default, folder, file or flag',
    flags: [],
    examples: ['config --config crawl.json'],
    run: async (call) => {
      const { options, given, origins } = folderOptions(call.dir, readCrawlFile(call.dir), call.options, call.origins);
      const plainly = withoutSecrets(options) as Settled;
      if (call.json) return printed(call, plainly);
      for (const path of optionKeys) {
        const [group, key] = path.split('.') as ['net', 'delay'];
        const value = JSON.stringify(options[group][key]);
        const from = given[group]?.[key] === undefined ? 'default' : (origins.get(path) ?? 'given');
        const open = from === 'default' || value === JSON.stringify(plainly[group][key]);
        const shown = open ? value : '(set; not shown)';
        await call.out(`${path} = ${shown}  (${from})`);
      }
      return 0;
    },
  },
  {
    name: 'verify',
    args: '',
    says: 'reads every checksum and compares the stores with each other',
    flags: [],
    examples: ['verify'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const { ok, problems } = await crawl.verify();
        if (call.json) await call.out(JSON.stringify({ ok, problems }));
        else {
          for (const problem of problems) await call.out(safe(problem));
          await call.out(ok ? 'all well' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`);
        }
        return ok ? 0 : 4;
      }),
  },
];
