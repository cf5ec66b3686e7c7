import { join } from 'node:path';
import type { Crawl } from '../crawl.ts';
import { noCrawl, readCrawlFile } from '../crawl-folder.ts';
import type { SearchSession } from '../search/session.ts';
import { settle } from '../settle.ts';
import type { Call } from './call.ts';

// What a command needs is loaded when it runs: a search should not wait for what fetches.

/** Runs `use` with the crawl folder of the call, which is closed whatever happens. */
export async function withCrawl<T>(
  call: Call,
  use: (crawl: Crawl) => Promise<T>,
  more: { create?: boolean } = {},
): Promise<T> {
  const { Crawl } = await import('../crawl.ts');
  const crawl = await Crawl.open(call.dir, call.options, {
    origins: call.origins,
    onEvent: call.onEvent,
    signal: call.signal,
    create: more.create ?? false,
  });
  try {
    return await use(crawl);
  } finally {
    await crawl.close();
  }
}

/** Runs `use` with the published index of the call's folder, and nothing else of it. */
export async function withSearch<T>(call: Call, use: (session: SearchSession) => Promise<T>): Promise<T> {
  const { index } = settle(call.options, call.origins);
  if (!readCrawlFile(call.dir)) throw noCrawl(call.dir);
  const { openSearch } = await import('../search/session.ts');
  const { synonymsOf } = await import('../search/synonyms.ts');
  const session = await openSearch(join(call.dir, 'index'), { synonyms: synonymsOf(index.synonyms, call.dir) });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}
