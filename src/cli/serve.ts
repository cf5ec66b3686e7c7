import { once } from 'node:events';
import { serve } from '../serve/server.ts';
import type { Command } from './call.ts';
import { withCrawl } from './open.ts';

export const serveCommands: readonly Command[] = [
  {
    name: 'serve',
    args: '',
    says: 'serves the search page and the HTTP API until interrupted',
    flags: [
      { flag: '--host <host>', says: 'address to listen on (default 127.0.0.1)' },
      { flag: '--port <port>', says: 'port to listen on; 0: any (default 8080)', least: 0 },
      { flag: '--title <text>', says: 'heading of the page' },
      { flag: '--token <secret>', says: 'secret of the calls that change something' },
    ],
    examples: ['serve --port 9000'],
    run: (call) =>
      withCrawl(call, async (crawl) => {
        const { host, port, title, token } = call.flags as Partial<Record<string, string>>;
        const serving = await serve(crawl, {
          ...(host ? { host } : {}),
          ...(port === undefined ? {} : { port: Number(port) }),
          ...(title ? { title } : {}),
          ...(token ? { token } : {}),
          onError: (error, where) => call.note(`error in ${where}: ${(error as Error).message}`),
        });
        await call.out(call.json ? JSON.stringify({ address: serving.address }) : `search at ${serving.address}`);
        if (!call.signal.aborted) await once(call.signal, 'abort');
        await serving.close();
        return 0;
      }),
  },
];
