import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Index } from 'flexsearch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import type { Options } from '../../../src/options.ts';
import { pagesSite } from '../../kit/pages.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Transfer = suite('export and import');
const root = mkdtempSync(join(tmpdir(), 'transfer-'));
const quick: Options = { net: { delay: 0 }, work: { threads: 1 } };
let web: Web;
let crawl: Crawl;
Transfer.before(async () => {
  web = await startWeb({
    ...pagesSite(12),
    '/p/3': { status: 301, to: '/p/4' },
    '/p/5': { body: page('Packed squirrels'), coding: 'gzip' },
    '/p/6': { type: 'image/png', body: Buffer.from([0x89, 0x50]) },
    '/p/7': page('Twin "of", commas'),
    '/p/8': page('Twin "of", commas'),
  });
  crawl = await Crawl.open(join(root, 'crawl'), quick);
  await crawl.run([`${web.origin}/`]);
});
Transfer.after(async () => {
  await crawl.close();
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

const documents = async (of: Crawl): Promise<Record<string, unknown>[]> => {
  const lines: string[] = [];
  await of.export('jsonl', (line) => void lines.push(line));
  return lines.map((line) => JSON.parse(line)).sort((a, b) => (a.id < b.id ? -1 : 1));
};
const told = (all: Record<string, unknown>[]): unknown[] =>
  all.map(({ id, title, text, lang, type }) => ({ id, title, text, lang, type }));

Transfer('a WARC that was exported, imported elsewhere, gives the same documents', async () => {
  const path = join(root, 'all.warc.gz');
  await crawl.export('warc', path);
  await using other = await Crawl.open(join(root, 'other'), quick);
  await other.importArchive(path);
  await other.index();
  // Which of two twins stays rests on links to them, and what a host repeats on how many pages are looked at at once.
  const titles = async (of: Crawl): Promise<unknown[]> => (await documents(of)).map(({ title }) => title).sort();
  assert.equal(await titles(other), await titles(crawl));
});

Transfer('stored content parsed again gives the same documents', async () => {
  const before = await documents(crawl);
  for (const segment of crawl.segments()) {
    const did = await crawl.parse(segment);
    assert.ok(did.parsed! > 0, segment);
  }
  await crawl.index();
  assert.equal(told(await documents(crawl)), told(before));
});

Transfer('CSV has a head line and a record a document, in CR LF', async () => {
  const path = join(root, 'pages.csv');
  const { documents } = await crawl.export('csv', path);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.startsWith('id,url,title,site,'));
  assert.is(text.split('\r\n').length, documents! + 2);
  assert.match(text, /"Twin ""of"", commas"/);
});

Transfer(
  'a type-ahead for a browser: FlexSearch as it comes finds the titles, and shards of before are gone',
  async () => {
    const to = join(root, 'browser');
    mkdirSync(to);
    writeFileSync(join(to, 'titles-7.json'), '{}');
    writeFileSync(join(to, 'notes.json'), '{}');
    const did = await crawl.export('browser', to);
    assert.equal(readdirSync(to).sort(), ['notes.json', 'titles-0.json', 'titles.json']);
    assert.is(did.files, 2);
    const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(to, name), 'utf8'));
    assert.equal(read('titles.json').shards, ['titles-0.json']);
    const { entries, parts } = read('titles-0.json') as { entries: string[][]; parts: [string, string][] };
    const index = new Index({ tokenize: 'forward' });
    for (const [key, data] of parts) index.import(key, data);
    const found = (index.search('packed squ') as number[]).map((i) => entries[i]![1]!.slice(web.origin.length));
    assert.equal(found, ['/p/5']);
  },
);

Transfer.run();
