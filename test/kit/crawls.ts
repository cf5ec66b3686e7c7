import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Crawl } from '../../src/crawl.ts';
import type { Options } from '../../src/options.ts';
import { startWeb, type Web } from './web.ts';

/** No pause between requests and one thread: what a test of one small site needs. */
export const quick: Options = { net: { delay: 0 }, work: { threads: 1 } };

/** Folders to crawl into, and webs to crawl, for the tests of one suite: gone after the last of them. */
export function placesOf(suite: { after(hook: () => Promise<void>): void }): {
  /** A path at which nothing is. */
  readonly folder: () => string;
  readonly webOf: (...web: Parameters<typeof startWeb>) => Promise<Web>;
} {
  const root = mkdtempSync(join(tmpdir(), 'crawls-'));
  const webs: Web[] = [];
  let folders = 0;
  suite.after(async () => {
    for (const web of webs) await web.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    folder: () => join(root, String(folders++)),
    webOf: async (...wanted) => {
      const web = await startWeb(...wanted);
      webs.push(web);
      return web;
    },
  };
}

/** What can be found, by id, in order. */
export async function idsOf(crawl: Crawl): Promise<string[]> {
  const ids: string[] = [];
  await crawl.export('jsonl', (line) => void ids.push(JSON.parse(line).id as string));
  return ids.sort();
}
