import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Crawl } from '../crawl.ts';
import { crawlFile, folderOptions, keptOptions, noCrawl, readCrawlFile } from '../crawl-folder.ts';
import { noTexts } from '../crawl-notes.ts';
import type { Options } from '../options.ts';
import type { SearchSession } from '../search/session.ts';
import type { Call } from './call.ts';

// What a command needs is loaded when it runs: a search should not wait for what fetches.

/** Runs `use` with the crawl folder of the call, which is closed whatever happens. */
export async function withCrawl<T>(
  call: Call,
  use: (crawl: Crawl) => Promise<T>,
  more: { create?: boolean; tellKept?: boolean } = {},
): Promise<T> {
  const told = more.tellKept ? tellKept(call.dir, call.options) : '';
  if (told) call.note(told);
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
  const file = readCrawlFile(call.dir);
  if (!file) throw noCrawl(call.dir);
  const { index, scope, search } = folderOptions(call.dir, file, call.options, call.origins).options;
  if (index.linksOnly && !existsSync(join(call.dir, 'index'))) throw noTexts(call.dir);
  const { openSearch } = await import('../search/session.ts');
  const { synonymsOf } = await import('../search/synonyms.ts');
  const { placesOf } = await import('../search/places.ts');
  const session = await openSearch(join(call.dir, 'index'), {
    synonyms: synonymsOf(index.synonyms, call.dir),
    placeOf: placesOf(search.links, scope.files, file.seeds),
  });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** Longest value that is shown of an option, in characters. */
const MOST_SHOWN = 60;

/** What a run takes over from the first one without being told: a person may have forgotten. '' when that is nothing. */
function tellKept(dir: string, call: Options): string {
  const told = keptOptions(dir, call).map(([path, value]) => {
    const text = JSON.stringify(value);
    return `${path} ${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text}`;
  });
  if (told.length === 0) return '';
  return `keeps from the first run: ${told.join(', ')} (${crawlFile(dir)}; a flag or --set changes it for one run, that file for good)`;
}
