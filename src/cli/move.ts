import { CrawlError } from '../errors.ts';
import { linesOf } from '../lines.ts';
import type { Counters } from '../run/context.ts';
import type { Call, Command } from './call.ts';
import { counters } from './figures.ts';
import { threadsFlag } from './flags.ts';
import { withCrawl } from './open.ts';

/** Not one line could be used: a script must not take that for done. */
function addedOr(call: Call, did: Counters): number {
  if (!did.rejected || did.added || did.updated || did.deleted) return 0;
  call.note(
    `nothing was added: ${did.rejected === 1 ? 'the only line' : `each of ${did.rejected} lines`} was left out; the warnings say why`,
  );
  return 1;
}

export const moveCommands: readonly Command[] = [
  {
    name: 'add',
    args: '<file>',
    short: 'indexes documents without a crawl, from lines of JSON',
    says: 'indexes documents without a crawl: lines of {"id" or "url", "title", "text", ...}; - is stdin',
    flags: [],
    examples: ['add notes.jsonl', 'add - < notes.jsonl'],
    run: (call) =>
      withCrawl(
        call,
        async (crawl) => {
          const did = await crawl.add(linesOf(call.args[0]!));
          await call.out(call.json ? JSON.stringify(did) : `add: ${counters(did)}`);
          return addedOr(call, did);
        },
        { create: true },
      ),
  },
  {
    name: 'import',
    args: '<format> <file>',
    short: 'brings in a web archive, documents, or a crawl of Nutch',
    says: 'a web archive (warc: WARC or ARC, of any crawler) as a fetched segment, then indexed; documents (jsonl); or a crawl folder of Apache Nutch (nutch)',
    flags: [threadsFlag],
    examples: ['import warc pages.warc.gz', 'import jsonl notes.jsonl', 'import nutch ../nutch/crawl'],
    run: async (call) => {
      const [format, file] = call.args as [string, string];
      if (format === 'nutch')
        return withCrawl(
          call,
          async (crawl) => {
            const did = await crawl.importNutch(file);
            await call.out(call.json ? JSON.stringify(did) : `import: ${counters(did)}`);
            return 0;
          },
          { create: true },
        );
      if (format !== 'warc' && format !== 'jsonl')
        throw new CrawlError('usage', `import warc, jsonl or nutch, not ${format}`);
      return withCrawl(
        call,
        async (crawl) => {
          const did = format === 'warc' ? await crawl.importArchive(file) : await crawl.add(linesOf(file));
          const indexed = format === 'warc' ? await crawl.index() : {};
          await call.out(call.json ? JSON.stringify({ ...did, ...indexed }) : `import: ${counters(did)}`);
          return format === 'jsonl' ? addedOr(call, did) : 0;
        },
        { create: true },
      );
    },
  },
  {
    name: 'export',
    args: '<format>',
    short: 'writes out the index, its type-ahead, or the stored responses',
    says:
      'the published index as jsonl or csv, its type-ahead as static files for a browser, the stored responses as warc, ' +
      'crawldb, linkdb and segments for nutch',
    flags: [
      { flag: '--to <path>', says: 'where to (default stdout; a warc needs a file, browser and nutch a folder)' },
    ],
    examples: ['export jsonl > pages.jsonl', 'export csv --to pages.csv', 'export browser --to public/titles'],
    run: async (call) => {
      const [format] = call.args;
      const to = call.flags.to as string | undefined;
      if (format === 'nutch') {
        if (to === undefined) throw new CrawlError('usage', 'export nutch needs --to FOLDER');
        return withCrawl(call, async (crawl) => {
          const did = await crawl.exportNutch(to);
          await call.out(call.json ? JSON.stringify(did) : `export: ${counters(did)}`);
          return 0;
        });
      }
      if (format !== 'jsonl' && format !== 'csv' && format !== 'warc' && format !== 'browser')
        throw new CrawlError('usage', `export jsonl, csv, browser, warc or nutch, not ${format}`);
      if (format === 'warc' && to === undefined) throw new CrawlError('usage', 'export warc needs --to FILE');
      if (format === 'browser' && to === undefined) throw new CrawlError('usage', 'export browser needs --to FOLDER');
      return withCrawl(call, async (crawl) => {
        const did = await crawl.export(format, to ?? call.out);
        if (to !== undefined) await call.out(call.json ? JSON.stringify(did) : `export: ${counters(did)}`);
        return 0;
      });
    },
  },
];
