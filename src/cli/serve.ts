import { once } from 'node:events';
import type { Crawl } from '../crawl.ts';
import { CrawlError } from '../errors.ts';
import type { SearchSource } from '../serve/handler.ts';
import type { Call, Command } from './call.ts';
import { count } from './figures.ts';
import { withCrawl } from './open.ts';

/**
 * The crawl as the server asks it. Searching takes no lock; `why` reads the tables, so it opens the folder for as long
 * as one question takes: a server that runs for months must not keep crawls out.
 */
function sourceOf(crawl: Crawl, call: Call): SearchSource {
  let last: Promise<unknown> = Promise.resolve();
  return {
    search: (query, ask) => crawl.search(query, ask),
    suggest: (prefix, limit) => crawl.suggest(prefix, limit),
    documents: () => crawl.documents(),
    name: crawl.name,
    reload: () => crawl.reload(),
    why: (url) => {
      const answer = last.then(async () => {
        const { Crawl } = await import('../crawl.ts');
        const own = await Crawl.open(crawl.dir, call.options, { origins: call.origins, create: false });
        try {
          return await own.why(url);
        } finally {
          await own.close();
        }
      });
      last = answer.catch(() => undefined); // its asker is told; the next question does not depend on it
      return answer;
    },
  };
}

export const serveCommands: readonly Command[] = [
  {
    name: 'serve',
    args: '',
    says: 'serves the search page and the HTTP API until interrupted',
    flags: [
      { flag: '--host <host>', says: 'address to listen on (default 127.0.0.1)' },
      { flag: '--port <port>', says: 'port to listen on; 0: any (default 8080)', least: 0 },
      { flag: '--title <text>', says: 'heading of the page (default: the host of the site that was crawled)' },
      { flag: '--token <secret>', says: 'secret of the calls that change something; better in NUTHATCH_TOKEN' },
    ],
    examples: ['serve --port 9000'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const { host, port, title, token = process.env.NUTHATCH_TOKEN } = call.flags as Partial<Record<string, string>>;
        if (Number(port) > 65535) throw new CrawlError('usage', `--port must be at most 65535, not ${port}`);
        const { serve } = await import('../serve/server.ts');
        const serving = await serve(sourceOf(crawl, call), {
          ...(host ? { host } : {}),
          ...(port === undefined ? {} : { port: Number(port) }),
          ...(title ? { title } : {}),
          ...(token ? { token } : {}),
          timeLimit: crawl.options.search.timeLimit,
          onError: (error, where) => call.note(`error in ${where}: ${(error as Error).message}`),
        });
        const documents = await crawl.documents();
        if (call.json) await call.out(JSON.stringify({ address: serving.address, documents }));
        else {
          await call.out(`search at ${serving.address}`);
          call.note(
            documents === 0
              ? `nothing is indexed in ${call.dir} yet; the page shows what a crawl publishes as soon as it does`
              : `${count(documents)} page${documents === 1 ? '' : 's'} can be found; Ctrl-C ends it`,
          );
        }
        if (!call.signal.aborted) await once(call.signal, 'abort');
        await serving.close();
        return 0;
      }),
  },
];
