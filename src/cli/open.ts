import { Crawl } from '../crawl.ts';
import type { Call } from './call.ts';

/** Runs `use` with the crawl folder of the call, which is closed whatever happens. */
export async function withCrawl<T>(
  call: Call,
  use: (crawl: Crawl) => Promise<T>,
  more: { create?: boolean } = {},
): Promise<T> {
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
