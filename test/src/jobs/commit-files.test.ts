import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { placesOf, quick } from '../../kit/crawls.ts';
import { page } from '../../kit/web.ts';

const Files = suite('files of a commit');
const { folder, webOf } = placesOf(Files);

Files(
  'a commit replaces the type-ahead of the last one, and keeps its losses while they have not changed',
  async () => {
    const web = await webOf({ '/': page('Home', '/a', '/b'), '/a': page('Twin'), '/b': page('Twin') });
    await using crawl = await Crawl.open(folder(), quick);
    const names = (): string[] =>
      readdirSync(join(crawl.dir, 'index'))
        .filter((name) => /^[a-z]+-\d+$/.test(name))
        .sort();
    await crawl.run([`${web.origin}/`]);
    assert.equal(names(), ['commit-1', 'dedup-1', 'suggest-1']);
    await crawl.add([JSON.stringify({ id: 'note', title: 'Walrus' })]);
    assert.equal(names(), ['commit-2', 'dedup-1', 'suggest-2']);
    assert.equal(await crawl.suggest('wal'), ['Walrus']);
  },
);

Files.run();
