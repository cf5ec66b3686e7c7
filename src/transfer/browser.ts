import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exportTitles, FsDirectory, openSnapshot } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { suggestEntries } from '../jobs/suggest-file.ts';
import type { Counters } from '../run/context.ts';
import { writeWhole } from '../store/whole.ts';

/**
 * What the type-ahead of the published index offers, as static files that FlexSearch reads in a browser, without a server
 * (index/export/titles.ts says how). Shards first, `titles.json` that names them last, then shards of an earlier export
 * that it does not name go.
 * @throws CrawlError 'missing-input' when nothing is published
 */
export function exportBrowser(index: string, to: string): Counters {
  const snapshot = openSnapshot(new FsDirectory(index));
  if (!snapshot) throw new CrawlError('missing-input', `nothing is published in ${index}; run nuthatch index first`);
  try {
    const files = exportTitles(suggestEntries(snapshot.segments));
    mkdirSync(to, { recursive: true });
    let bytes = 0;
    for (const { name, json } of files.toReversed()) {
      writeWhole(join(to, name), json);
      bytes += Buffer.byteLength(json);
    }
    const names = new Set(files.map(({ name }) => name));
    for (const name of readdirSync(to))
      if (/^titles-\d+\.json$/.test(name) && !names.has(name)) rmSync(join(to, name), { force: true });
    return { files: files.length, bytes };
  } finally {
    snapshot.close();
  }
}
