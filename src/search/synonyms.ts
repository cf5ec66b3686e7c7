import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSynonyms } from '../../index/index.ts';
import { CrawlError, whyNot } from '../errors.ts';

/**
 * What `index.synonyms` asks for, as a searcher takes it. An entry with a comma or `=>` is a line as index/query/synonyms.ts reads
 * it; any other is the path of a file of such lines, from the crawl folder.
 *
 * @throws CrawlError 'config' naming the file and line that cannot be used
 */
export function synonymsOf(
  entries: readonly string[],
  dir: string,
): ReadonlyMap<string, readonly string[]> | undefined {
  const all = new Map<string, Set<string>>();
  for (const entry of entries) {
    const isLine = entry.includes(',') || entry.includes('=>');
    const file = isLine ? '' : resolve(dir, entry);
    const { words, problems } = readSynonyms(isLine ? entry : textOf(file));
    const [problem] = problems;
    if (problem) {
      const place = isLine ? JSON.stringify(entry) : `${file} line ${problem.line}`;
      throw new CrawlError('config', `index.synonyms: ${place}: ${problem.message}`);
    }
    for (const [word, others] of words) all.set(word, new Set([...(all.get(word) ?? []), ...others]));
  }
  return all.size === 0 ? undefined : new Map([...all].map(([word, others]) => [word, [...others]]));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CrawlError('config', `index.synonyms: ${file} cannot be read: ${whyNot(cause)}`, { cause });
  }
}
