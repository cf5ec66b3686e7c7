import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FsDirectory, IndexWriter, openSuggest, SegmentBuilder } from '../../../index/index.ts';
import { pageSchema } from '../../../src/fields/schema.ts';
import { suggestOf, suggestOnThread } from '../../../src/jobs/suggest-file.ts';
import { defaults } from '../../../src/options.ts';
import { createPool } from '../../../src/run/pool.ts';

const Suggest = suite('the type-ahead of a crawl');
const root = mkdtempSync(join(tmpdir(), 'suggest-file-'));
const pool = createPool(1);
Suggest.after(async () => {
  await pool.close();
  rmSync(root, { recursive: true, force: true });
});

Suggest(
  'that of many documents is made in a thread, and is the same: titles and hosts of those that can be found',
  async () => {
    const directory = new FsDirectory(root);
    const writer = IndexWriter.open(directory);
    const builder = new SegmentBuilder(pageSchema(defaults.index));
    for (let n = 0; n < 2100; n++) builder.add({ id: `d${n}`, title: `Squirrel number ${n}`, site: 'oak.example' });
    writer.attach(builder.write(directory, writer.newName()));
    writer.deleteByKey(['d7']);
    const bytes = await suggestOnThread({ pool, signal: new AbortController().signal }, root, writer.readers());
    assert.ok(Buffer.from(bytes).equals(suggestOf(writer.readers())));
    writer.close();
    const suggest = openSuggest(bytes);
    const titles = (typed: string): string[] => suggest.ask(typed).map(({ text }) => text);
    assert.equal(titles('squirrel number 1999'), ['Squirrel number 1999']);
    assert.equal(titles('squirrel number 7').includes('Squirrel number 7'), false);
    assert.equal(titles('oak'), ['oak.example']);
  },
);

Suggest.run();
