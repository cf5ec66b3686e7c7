import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CrawlError } from '../errors.ts';
import { complaints, type LabFigures, table } from '../lab/figures.ts';
import { growth } from '../lab/growth.ts';
import { settleWeb, type WebOptions, webDefaults } from '../lab/options.ts';
import { report } from '../lab/report.ts';
import { measure } from '../lab/run.ts';
import { type LabSpec, serverOf } from '../lab/spec.ts';
import { settle } from '../settle.ts';
import type { Call, Command } from './call.ts';
import { type Flag, readSetting, threadsFlag } from './flags.ts';

const flags: readonly Flag[] = [
  { flag: '--pages <n>', says: `pages of the synthetic web (default ${webDefaults.pages})`, least: 1 },
  { flag: '--hosts <n>', says: `its hosts (default ${webDefaults.hosts})`, least: 1 },
  { flag: '--seed <n>', says: 'its seed: the same one, the same web (default 1)', least: 0 },
  {
    flag: '--web <key=value>',
    says: `one more of its options (${Object.keys(webDefaults).join(', ')}); may be repeated`,
    many: true,
  },
  { flag: '--delay <time>', key: 'net.delay', says: 'pause between two requests to one host; in a lab 0 unless given' },
  { flag: '--port <port>', says: 'serve: port to listen on; 0: any', least: 0 },
  threadsFlag,
  { flag: '--out <folder>', says: 'run: where figures.json and report.html go' },
  {
    flag: '--compare <file>',
    says: 'run: figures of an earlier run to set beside it; given twice, nothing is run',
    many: true,
  },
  { flag: '--shards <list>', says: 'run: one crawl for each of these numbers of threads, such as 1,2,4' },
  { flag: '--sizes <list>', says: 'run: one crawl for each of these numbers of pages, such as 10000,100000' },
];

export const labCommands: readonly Command[] = [
  {
    name: 'lab',
    args: '<action> [folder]',
    says: 'serve: a synthetic web, or a folder of HTML, on loopback; run: a measured crawl of it',
    short: 'a synthetic web on loopback, and measured crawls of it',
    flags,
    examples: [
      'lab serve --pages 10000 --hosts 50',
      'lab serve ./site --port 8081',
      'lab run --pages 10000 --out before',
      'lab run --pages 10000 --compare before/figures.json',
      'lab run --shards 1,2 --sizes 1000,10000',
    ],
    run: (call) => {
      const [action] = call.args;
      if (action === 'serve') return serve(call);
      if (action === 'run') return run(call);
      throw new CrawlError('usage', `lab ${action}: it is lab serve or lab run`);
    },
  },
];

function webOf(call: Call, pages?: number): LabSpec['web'] {
  const folder = call.args[1];
  if (folder !== undefined) {
    if (!existsSync(folder)) throw new CrawlError('usage', `there is no folder ${folder}`);
    return { kind: 'folder', folder: resolve(folder) };
  }
  const given: Record<string, unknown> = {};
  for (const text of (call.flags.web as string[] | undefined) ?? []) {
    const setting = readSetting(text);
    if (!setting) throw new CrawlError('usage', `--web ${text}: it must be key=value, such as links=10`);
    given[setting.path] = setting.value;
  }
  for (const key of ['pages', 'hosts', 'seed']) if (call.flags[key] !== undefined) given[key] = call.flags[key];
  if (pages !== undefined) given.pages = pages;
  try {
    return { kind: 'synthetic', options: settleWeb(given as Partial<WebOptions>) };
  } catch (cause) {
    throw new CrawlError('usage', (cause as Error).message, { cause });
  }
}

/** `--delay` of a lab: 0 unless it was given, for its hosts are nobody's. Checked as any option is. */
const delayOf = (call: Call): number =>
  call.options.net?.delay === undefined ? 0 : settle(call.options, call.origins).net.delay;

async function serve(call: Call): Promise<number> {
  const server = serverOf({ web: webOf(call), port: Number(call.flags.port ?? 0), delayMs: delayOf(call) });
  const seeds = await server.listen();
  const { hosts, pages } = server.site;
  if (call.json) await call.out(JSON.stringify({ seeds, hosts, pages }));
  else await call.out(`${pages} pages on ${hosts} host${hosts === 1 ? '' : 's'}; start at ${seeds.join(' ')}`);
  call.note(`figures: ${seeds[0]}.lab/counts; --set net.allowPrivate='["127.0.0.0/8"]' lets a crawl reach all hosts`);
  if (!call.signal.aborted) await once(call.signal, 'abort');
  const counts = server.counts();
  await server.close();
  if (call.json) await call.out(JSON.stringify(counts));
  else
    await call.out(
      `${counts.requests} requests, ${counts.politeness.violations} violations, ` +
        `${counts.pages.requested} of ${counts.pages.expected} pages asked for, ${counts.pages.missed} missed`,
    );
  return 0;
}

/** Whole numbers between commas. */
function numbers(call: Call, name: 'shards' | 'sizes'): readonly (number | undefined)[] {
  const text = call.flags[name] as string | undefined;
  if (text === undefined) return [undefined];
  const list = text.split(',').map(Number);
  if (list.some((n) => !Number.isSafeInteger(n) || n < 1))
    throw new CrawlError('usage', `--${name} ${text}: it must be whole numbers with commas between them`);
  return list;
}

function readFigures(file: string): LabFigures {
  let read: LabFigures;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CrawlError('usage', `${file} holds no figures: ${(cause as Error).message}`, { cause });
  }
  if (read.format !== 1) throw new CrawlError('usage', `${file} holds no figures of lab run`);
  return read;
}

async function run(call: Call): Promise<number> {
  const earlier = ((call.flags.compare as string[] | undefined) ?? []).map(readFigures);
  if (earlier.length > 1) {
    await call.out(call.json ? JSON.stringify(earlier) : table(earlier));
    return 0;
  }
  const runs: LabFigures[] = [];
  let bad = 0;
  const several = numbers(call, 'sizes').length * numbers(call, 'shards').length > 1;
  for (const pages of numbers(call, 'sizes'))
    for (const threads of numbers(call, 'shards')) {
      const { options } = call;
      const figures = await measure({
        web: webOf(call, pages),
        options: {
          ...options,
          net: { ...options.net, delay: delayOf(call) },
          ...(threads === undefined ? {} : { work: { ...options.work, threads } }),
        },
        // A folder each: what one crawl left would be work or duplicates to the next.
        ...(typeof call.flags.dir === 'string'
          ? { dir: several ? join(call.dir, `run-${runs.length + 1}`) : call.dir }
          : {}),
        signal: call.signal,
        onEvent: call.onEvent,
      });
      runs.push(figures);
      for (const complaint of complaints(figures)) {
        bad++;
        call.note(complaint);
      }
    }
  if (typeof call.flags.out === 'string') {
    mkdirSync(call.flags.out, { recursive: true });
    for (const [i, figures] of runs.entries()) {
      const end = several ? `-${i + 1}` : '';
      writeFileSync(join(call.flags.out, `figures${end}.json`), `${JSON.stringify(figures)}\n`);
      writeFileSync(join(call.flags.out, `report${end}.html`), report(figures, complaints(figures)));
    }
  }
  if (call.json) await call.out(JSON.stringify(several ? runs : runs[0]));
  else await call.out(several ? growth(runs) : table([...earlier, ...runs]));
  return bad > 0 ? 1 : 0;
}
