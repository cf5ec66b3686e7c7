import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import { idsOf, placesOf, quick } from '../kit/crawls.ts';
import { pagesSite } from '../kit/pages.ts';
import { page } from '../kit/web.ts';

const Again = suite('crawl-again');
const { folder, webOf } = placesOf(Again);

const html = (title: string, text: string): string =>
  `<html><head><title>${title}</title></head><body><p>${text}</p></body></html>`;

Again('a folder of files is read anew by each run: what changed is found, what has not is left alone', async () => {
  const docs = folder();
  mkdirSync(docs, { recursive: true });
  const write = (name: string, title: string, text: string, day: number): void => {
    writeFileSync(join(docs, name), html(title, text));
    utimesSync(join(docs, name), day * 86_400, day * 86_400);
  };
  write('one.html', 'One', 'about walruses', 20_000);
  write('same.html', 'Same', 'about herons', 20_000);
  await using crawl = await Crawl.open(folder(), quick);
  const seed = `${pathToFileURL(docs)}/`;
  await crawl.run([seed]);
  write('one.html', 'One', 'about badgers', 20_001);
  write('two.html', 'Two', 'about otters', 20_001);
  const { fetched, unchanged } = await crawl.run([seed]);
  assert.is((await crawl.search('badgers')).total, 1);
  assert.is((await crawl.search('walruses')).total, 0);
  assert.is((await crawl.search('otters')).total, 1);
  assert.is((await crawl.search('herons')).total, 1);
  assert.is(unchanged, 1, 'same.html');
  assert.is(fetched, 3, 'the folder, and two files');
});

Again('a seed whose server was down is asked again by the next run, not after its pause', async () => {
  const web = await webOf({ ...pagesSite(2), '/': { status: 503, body: 'down' } });
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  assert.is((await crawl.stats()).due, 0, 'it is to be left alone for a while');
  web.route(pagesSite(2));
  assert.ok((await crawl.run()).published > 0);
  const asked = web.hits('/');
  await crawl.run();
  assert.is(web.hits('/'), asked, 'what was read is not asked again');
});

Again('with again every page is asked once more, each once, and a change is found', async () => {
  const web = await webOf({ '/': page('Home', '/a', '/b'), '/a': page('Walrus'), '/b': page('Heron') });
  await using crawl = await Crawl.open(folder(), quick);
  await crawl.run([`${web.origin}/`]);
  web.route({ '/a': page('Badger', '/c'), '/c': page('Otter') });
  const nothing = await crawl.run();
  assert.is(nothing.rounds, 0);
  assert.match(nothing.notes.join(), /--again/);
  const before = ['/', '/a', '/b'].map((path) => web.hits(path));
  await crawl.run([], { again: true });
  assert.equal(
    ['/', '/a', '/b', '/c'].map((path, i) => web.hits(path) - (before[i] ?? 0)),
    [1, 1, 1, 1],
  );
  assert.is((await crawl.search('badger')).total, 1);
  assert.equal(
    await idsOf(crawl),
    ['/', '/a', '/b', '/c'].map((path) => web.origin + path),
  );
});

Again.run();
