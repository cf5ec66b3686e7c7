import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseMerges, FsDirectory, type IndexError, type IndexWriter } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import type { JobContext } from '../run/context.ts';
import { mergeOnThread } from './merge.ts';

/**
 * Merges segments of the index of a crawl folder: all into one, or as few as pay (`tiered`); deleted documents vanish. How
 * many were merged.
 * @throws CrawlError 'disk-full' before anything is written, 'interrupted'
 */
export async function mergeIndex(context: JobContext, writer: IndexWriter, how: 'one' | 'tiered'): Promise<number> {
  const directory = join(context.dir, 'index');
  let merged = 0;
  for (;;) {
    const { segments } = writer;
    const whole =
      segments.length > 1 || segments.some(({ deleted }) => deleted > 0) ? [segments.map(({ name }) => name)] : [];
    const [next] = how === 'one' ? whole : chooseMerges(segments);
    if (!next) return merged;
    const emptied = segments.every(({ name, docs, deleted }) => !next.includes(name) || docs === deleted);
    if (emptied) return merged;
    const bytes = roomFor(directory, next);
    const readers = writer.readers().filter(({ name }) => next.includes(name));
    try {
      const task = { directory, segments: readers.map((reader) => reader.share()), name: writer.newName() };
      writer.replace(next, await mergeOnThread(context, task, bytes));
      merged += next.length;
    } catch (error) {
      if (!/bad-schema|different schemas/.test(`${(error as IndexError).code} ${(error as Error).message}`))
        throw error;
      const message = 'segments with different fields are not merged; nuthatch index --all makes them alike';
      context.onEvent({ kind: 'warning', message });
      return merged;
    }
    if (how === 'one') return merged;
  }
}

/** A merge writes about what it reads, beside it: how many bytes. @throws CrawlError 'disk-full' */
function roomFor(directory: string, names: readonly string[]): number {
  let needed = 0;
  for (const file of new FsDirectory(directory).list())
    if (names.includes(file.split(/[._]/)[0]!)) needed += statSync(join(directory, file)).size;
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < needed)
    throw new CrawlError(
      'disk-full',
      `merging needs ${needed >> 20} MB beside the index, and ${Math.floor((bavail * bsize) / 2 ** 20)} MB are free`,
      { where: directory },
    );
  return needed;
}
