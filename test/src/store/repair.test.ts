import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { CrawlError } from '../../../src/errors.ts';
import { pagesSite } from '../../kit/pages.ts';
import { startWeb, type Web } from '../../kit/web.ts';

const Repair = suite('repair');
const root = mkdtempSync(join(tmpdir(), 'repair-'));
const good = join(root, 'good');
const quick = { net: { delay: 0 }, work: { threads: 1 } } as const;
let web: Web;
const state = async (crawl: Crawl): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const { url, status, reason, depth } of crawl.pages()) all.push({ url, status, reason, depth });
  return all;
};
let before: unknown[];

Repair.before(async () => {
  web = await startWeb(pagesSite(30));
  await using crawl = await Crawl.open(good, quick);
  await crawl.run([`${web.origin}/`]);
  before = await state(crawl);
});
Repair.before(async () => {
  // A log becomes a table file when it is opened again.
  await using crawl = await Crawl.open(good);
  await crawl.stats();
});
Repair.after(async () => {
  await web.close();
  rmSync(root, { recursive: true });
});

const tableFiles = (dir: string): string[] => readdirSync(dir).filter((name) => /\.ldb$/.test(name));
for (const [what, harm] of [
  ['CURRENT is empty', (dir: string) => truncateSync(join(dir, 'CURRENT'), 0)],
  ['CURRENT is gone', (dir: string) => rmSync(join(dir, 'CURRENT'))],
  ['a table file is empty', (dir: string) => truncateSync(join(dir, tableFiles(dir)[0]!), 0)],
  ['a table file is gone', (dir: string) => rmSync(join(dir, tableFiles(dir)[0]!))],
  ['the manifest is gone', (dir: string) => rmSync(join(dir, readdirSync(dir).find((n) => n.startsWith('MANIFEST'))!))],
] as const)
  for (const table of ['crawldb', 'linkdb'])
    Repair(
      `RU-crash-04: ${what} in ${table}: it is refused with what to do, and repair brings all of it back`,
      async () => {
        const dir = join(root, `${what} ${table}`);
        cpSync(good, dir, { recursive: true });
        harm(join(dir, table));
        {
          await using crawl = await Crawl.open(dir, quick);
          let error: unknown;
          try {
            await state(crawl);
            for await (const _ of crawl.allLinks());
          } catch (cause) {
            error = cause;
          }
          assert.instance(error, CrawlError);
          assert.is((error as CrawlError).code, 'damaged');
          assert.match((error as CrawlError).message, new RegExp(`${table}: .*nuthatch repair`));
          assert.is((await crawl.search('squirrel')).total > 0, true, 'the search goes on');
        }
        await using crawl = await Crawl.open(dir, quick);
        const did = await crawl.repair();
        assert.is(did.setAside, 1);
        assert.equal(await state(crawl), before);
        assert.ok((await crawl.linksTo(`${web.origin}/p/7`)).length > 0);
        assert.ok((await crawl.verify()).ok);
        assert.equal(await crawl.search('squirrel').then(({ total }) => total > 0), true);
      },
    );

Repair('RU-crash-04: what no segment holds any more is taken over as far as it can be read', async () => {
  const dir = join(root, 'no segments');
  cpSync(good, dir, { recursive: true });
  rmSync(join(dir, 'segments'), { recursive: true });
  truncateSync(join(dir, 'crawldb', 'CURRENT'), 0);
  await using crawl = await Crawl.open(dir, quick);
  const { setAside, salvaged, urls } = await crawl.repair();
  assert.equal([setAside, urls], [1, 30]);
  assert.is(salvaged, 29, 'all but the seed');
});

Repair('a lock that was cut is no obstacle, and a whole folder is left alone', async () => {
  const dir = join(root, 'whole');
  cpSync(good, dir, { recursive: true });
  truncateSync(join(dir, 'LOCK', 'CURRENT'), 0);
  await using crawl = await Crawl.open(dir, quick);
  assert.equal(await crawl.repair(), { setAside: 0 });
  assert.equal(await state(crawl), before);
});

Repair.run();
