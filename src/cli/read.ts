import { answer, stage, stageNames } from '../check/all.ts';
import { withoutSecrets } from '../crawl-folder.ts';
import { CrawlError } from '../errors.ts';
import { defaults, optionKeys, type Settled } from '../options.ts';
import { readCondition } from '../page/condition.ts';
import { type Status, statusCode } from '../page/status.ts';
import type { HostRecord } from '../read/hosts.ts';
import { plain } from '../read/segment.ts';
import { settle } from '../settle.ts';
import { csvRow } from '../transfer/csv.ts';
import { linesOf } from './ask.ts';
import type { Call, Command } from './call.ts';
import { withCrawl } from './open.ts';
import { safe } from './print.ts';
import { whereFlag } from './steps.ts';

/** A value for people: `name: value` lines, objects indented. */
export async function show(call: Call, value: unknown, indent = ''): Promise<void> {
  for (const [name, inner] of Object.entries(value as object)) {
    if (inner === undefined || inner === '' || inner === null) continue;
    if (Array.isArray(inner) && inner.length > 0 && typeof inner[0] === 'object') {
      await call.out(`${indent}${name}:`);
      for (const one of inner) await call.out(safe(`${indent}  ${JSON.stringify(one, plain)}`));
    } else if (typeof inner === 'object' && !(inner instanceof Uint8Array) && !Array.isArray(inner)) {
      await call.out(`${indent}${name}:`);
      await show(call, inner, `${indent}  `);
    } else
      await call.out(safe(`${indent}${name}: ${typeof inner === 'object' ? JSON.stringify(inner, plain) : inner}`));
  }
}

const printed = async (call: Call, value: unknown): Promise<number> => {
  if (call.json) await call.out(JSON.stringify(value, plain));
  else await show(call, value);
  return 0;
};

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

const csvFlag = { flag: '--csv', says: 'dump as CSV instead of JSON lines' };
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
          const page = await crawl.page(call.args[0]);
          if (!page)
            throw new CrawlError('nothing-to-do', `crawldb does not know ${call.args[0]}; nuthatch why says more`);
          return printed(call, page);
        }
        if (call.flags.top) return dump(call, await crawl.topPages(call.flags.top as number));
        const where = call.flags.where === undefined ? undefined : readCondition(call.flags.where as string);
        if (call.flags.dump || call.flags.csv || status || where)
          return dump(call, crawl.pages(status as Status | undefined, where));
        return printed(call, await crawl.stats());
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
          return dump(
            call,
            crawl.segments().map((name) => crawl.segmentStats(name)),
          );
        if (url === undefined && /^https?:\/\//i.test(segment)) {
          const newest = crawl.segments().findLast((name) => crawl.segmentPage(name, segment));
          if (!newest) throw new CrawlError('nothing-to-do', `no segment holds ${segment}; nuthatch why says more`);
          return printed(call, crawl.segmentPage(newest, segment));
        }
        if (url === undefined) return printed(call, crawl.segmentStats(segment));
        const page = crawl.segmentPage(segment, url);
        if (!page) throw new CrawlError('nothing-to-do', `segment ${segment} holds nothing of ${url}`);
        return printed(call, page);
      }),
  },
  {
    name: 'readlinkdb',
    args: '[url]',
    says: 'which pages link to an address, and how they call it; all of them with --dump',
    flags: [dumpFlag, csvFlag],
    examples: ['readlinkdb https://example.org/'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        if (call.args[0] === undefined) return dump(call, crawl.allLinks());
        const links = await crawl.linksTo(call.args[0]);
        if (links.length === 0) throw new CrawlError('nothing-to-do', `linkdb knows no link to ${call.args[0]}`);
        return dump(call, links);
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
        if (call.flags.stats) return dump(call, crawl.hostStats(call.args[0]));
        const { top } = call.flags as { top?: number };
        if (top === undefined) return dump(call, crawl.hosts(call.args[0]));
        const all: HostRecord[] = [];
        for await (const host of crawl.hosts(call.args[0])) all.push(host);
        return dump(call, all.sort((a, b) => b.urls - a.urls || (a.host < b.host ? -1 : 1)).slice(0, top));
      }),
  },
  {
    name: 'check',
    args: '<stage>',
    says: `runs one stage alone, a JSON line in, a line out: ${stageNames.join(', ')}`,
    flags: [{ flag: '--from <file>', says: 'where the lines come from (default stdin)' }],
    examples: [`check robots < lines.jsonl`],
    run: async (call) => {
      const check = await stage(call.args[0]!);
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
        await call.out(
          call.json ? JSON.stringify(line, plain) : typeof line === 'string' ? line : JSON.stringify(line, plain),
        );
      return 0;
    },
  },
  {
    name: 'config',
    args: '',
    says: 'every option with its value, and where that comes from',
    flags: [],
    examples: ['config --config crawl.json'],
    run: async (call) => {
      const settled = settle(call.options, call.origins);
      const plainly = withoutSecrets(settled) as Settled;
      if (call.json) return printed(call, plainly);
      for (const path of optionKeys) {
        const [group, key] = path.split('.') as ['net', 'delay'];
        const value = JSON.stringify(settled[group][key]);
        const same = value === JSON.stringify(defaults[group][key]);
        const shown = same || value === JSON.stringify(plainly[group][key]) ? value : '(set; not shown)';
        await call.out(`${path} = ${shown}  (${call.origins.get(path) ?? (same ? 'default' : 'given')})`);
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
