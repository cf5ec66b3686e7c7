/**
 * Type-ahead for a browser without a server: static JSON files that FlexSearch itself reads.
 *
 *     titles.json        { "version": 1, "entries": n, "shards": ["titles-0.json", ...] }
 *     titles-<i>.json    { "entries": [[text, id, weight], ...], "parts": [[key, data], ...] }
 *
 * A shard is an index of its own over its entries, numbered from 0: `const index = new FlexSearch.Index({ tokenize: 'forward' })`,
 * `index.import(key, data)` for each part, then `index.search(typed)` gives places in `entries`. The heaviest entries
 * come in the first shard, so that a page can show something when that alone has arrived. No file grows beyond some
 * megabytes: FlexSearch's users met the longest string there is with one file for all.
 *
 * Words are those of the search (text/words.ts), so what is typed should be lower-cased and rid of accents before it is asked.
 * The same entries give the same bytes. Cost: about 200 bytes an entry.
 */
import { createIndex, heaviest } from '../suggest/build.ts';
import { type SuggestEntry, wordsOf } from '../suggest/entries.ts';

const TITLES_VERSION = 1;
const SHARD = 5000;

export interface StaticFile {
  readonly name: string;
  readonly json: string;
}

/** @param shard entries in one file */
export function exportTitles(entries: Iterable<SuggestEntry>, shard = SHARD): readonly StaticFile[] {
  const kept = heaviest(entries);
  const files: StaticFile[] = [];
  for (let from = 0; from < kept.length; from += shard) {
    const some = kept.slice(from, from + shard);
    const index = createIndex();
    some.forEach(({ text }, i) => {
      index.add(i, wordsOf(text, false).join(' '));
    });
    const parts: [key: string, data: string][] = [];
    index.export((key, data) => {
      if (typeof data === 'string') parts.push([key, data]);
    });
    const json = JSON.stringify({ entries: some.map(({ text, id, weight }) => [text, id, weight]), parts });
    files.push({ name: `titles-${files.length}.json`, json });
  }
  const manifest = { version: TITLES_VERSION, entries: kept.length, shards: files.map(({ name }) => name) };
  return [{ name: 'titles.json', json: JSON.stringify(manifest) }, ...files];
}
