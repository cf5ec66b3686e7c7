import { Index } from 'flexsearch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportTitles } from '../../../index/export/titles.ts';

const Titles = suite('exported titles');
const entries = Array.from({ length: 23 }, (_, i) => ({ text: `Page ${i} of the café guide`, id: `p${i}`, weight: i }));

/** What a page would do with the files: FlexSearch as it comes. */
function ask(files: readonly { name: string; json: string }[], typed: string): string[] {
  const byName = new Map(files.map(({ name, json }) => [name, JSON.parse(json)]));
  return byName.get('titles.json').shards.flatMap((name: string) => {
    const { entries, parts } = byName.get(name) as { entries: [string, string, number][]; parts: [string, string][] };
    const index = new Index({ tokenize: 'forward' });
    for (const [key, data] of parts) index.import(key, data);
    return (index.search(typed, { limit: 100 }) as number[]).map((i) => entries[i]![1]);
  });
}

Titles('FlexSearch reads the shards and finds every entry by beginnings of its words', () => {
  const files = exportTitles(entries, 10);
  assert.equal(
    files.map(({ name }) => name),
    ['titles.json', 'titles-0.json', 'titles-1.json', 'titles-2.json'],
  );
  assert.is(JSON.parse(files[0]!.json).entries, 23);
  assert.is(ask(files, 'gui').length, 23);
  assert.is(ask(files, 'cafe pag').length, 23);
  assert.equal(ask(files, 'page 17'), ['p17']);
  assert.equal(ask(files, 'absent'), []);
});

Titles('the heaviest come first, and order of arrival decides nothing', () => {
  const files = exportTitles(entries, 10);
  assert.equal(JSON.parse(files[1]!.json).entries[0], ['Page 22 of the café guide', 'p22', 22]);
  assert.equal(exportTitles(entries.toReversed(), 10), files);
});

Titles('nothing gives a manifest of nothing', () => {
  assert.equal(JSON.parse(exportTitles([])[0]!.json), { version: 1, entries: 0, shards: [] });
});

Titles.run();
