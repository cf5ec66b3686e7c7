import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inject } from '../../../src/jobs/inject.ts';
import { parseSeed } from '../../../src/page/seed.ts';
import { createPool } from '../../../src/run/pool.ts';
import { type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { shared } from '../../kit/shared.ts';

const Inject = suite<{ crawl: TestCrawl }>('inject');
Inject.before.each(async (at) => {
  at.crawl = await testCrawl();
});
Inject.after.each(({ crawl }) => crawl.close());

Inject('a hundred lines with metadata become a hundred unfetched pages', async ({ crawl }) => {
  const lines = Array.from(
    { length: 100 },
    (_, i) => `http://zzz.com/${i}.html\tnutch.score=2.${i}\tnutch.fetchInterval=171717\tkey=value`,
  );
  const { counters, accepted } = await inject(crawl.context, { lines });
  assert.is(counters.injected, 100);
  assert.equal(
    accepted,
    lines.map((line) => line.split('\t')[0]),
  );
  for (const [url, page] of await crawl.pages()) {
    assert.is(page.status, 'unfetched');
    assert.is(page.interval, 171717);
    assert.is(page.score, Number(`2.${/(\d+)\.html/.exec(url)![1]}`));
    assert.equal([...page.meta], [['key', 'value']]);
  }
  const again = [
    ...lines.map((line) => line.split('\t')[0]!),
    ...Array.from({ length: 100 }, (_, i) => `http://xxx.com/${i}.html`),
  ];
  await inject(crawl.context, { lines: again, mode: 'update' });
  const pages = await crawl.pages();
  assert.is(pages.size, 200);
  assert.equal([...pages.get('http://zzz.com/7.html')!.meta], [['key', 'value']]);
  assert.is(pages.get('http://zzz.com/7.html')!.interval, 171717);
  assert.is.not(pages.get('http://zzz.com/7.html')!.score, 1);
});

Inject('a bad line is one warning with its number, and the others go on', async ({ crawl }) => {
  const lines = [
    '# a comment',
    '',
    'http://a.example/\tnutch.score=abc\tnoequals\tk=v=w',
    'ht!tp:// no address',
    `http://a.example/${'x'.repeat(100_000)}`,
    'mailto:me@a.example',
    'b.example/docs',
    'http://a.example/\tk=2',
  ];
  const { counters, accepted } = await inject(crawl.context, { lines, source: 'seeds.txt' });
  assert.equal(accepted, ['https://b.example/docs', 'http://a.example/']);
  assert.equal(
    [counters.lines, counters.injected, counters.rejected, counters.repeated, counters['rejected.url-too-long']],
    [6, 2, 3, 1, 1],
  );
  const warned = crawl.warnings();
  assert.equal(
    warned.map((text) => /seeds\.txt line (\d+)/.exec(text)![1]),
    ['3', '4', '5', '6'],
  );
  assert.match(warned[0]!, /nutch\.score=abc is no number.*"noequals" is no name=value/);
  assert.ok(warned.every((text) => text.length < 300));
});

Inject('RU-seeds-01 blanks around tabs, unknown keys and reserved keys are read', () => {
  const seed = parseSeed('http://example.com/ \t nutch.score=10 \t nutch.fetchInterval=86400 \t team=red blue')!;
  assert.equal(
    [seed.url, seed.score, seed.interval, [...seed.meta]],
    ['http://example.com/', 10, 86400, [['team', 'red blue']]],
  );
});

Inject('RU-seeds-02 a known page stays as it is, is updated, or begins anew, as asked', async ({ crawl }) => {
  const url = 'http://example.com/';
  const given = { status: 'fetched' as const, score: 1, meta: new Map([['a', '1']]), fetched: 5, due: 9e15 };
  await crawl.put({ [url]: given });
  const before = await crawl.page(url);
  await inject(crawl.context, { lines: [`${url}\tnutch.score=5\tb=2`] });
  assert.equal(await crawl.page(url), before);
  await inject(crawl.context, { lines: [`${url}\tnutch.score=5\tb=2`], mode: 'update' });
  const updated = (await crawl.page(url))!;
  assert.equal(
    [updated.status, updated.score, [...updated.meta]],
    [
      'fetched',
      5,
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
  );
  await inject(crawl.context, { lines: [`${url}\tnutch.score=5`], mode: 'overwrite' });
  const anew = (await crawl.page(url))!;
  assert.equal([anew.status, anew.score, anew.due], ['unfetched', 5, crawl.context.now]);
});

Inject('nothing changes on disk when nothing is new', async ({ crawl }) => {
  const lines = ['http://a.example/', 'http://b.example/'];
  await inject(crawl.context, { lines });
  const before = await crawl.pages();
  crawl.at(crawl.context.now + 1000);
  assert.is((await inject(crawl.context, { lines })).counters.known, 2);
  assert.equal(await crawl.pages(), before);
});

Inject('twenty-five thousand lines give the same by threads as without', async ({ crawl }) => {
  const lines = Array.from(
    { length: 25_000 },
    (_, i) => `http://h${i % 300}.example/${'p'.repeat(170)}/${i % 20_000}\tn=${i}`,
  );
  const pool = createPool(2);
  const other = await testCrawl({}, { pool });
  await inject(other.context, { lines });
  await inject(crawl.context, { lines: lines.slice(0, 20_000) });
  await inject(crawl.context, { lines: lines.slice(20_000), mode: 'overwrite' });
  assert.equal(await other.pages(), await crawl.pages());
  await other.close();
  await pool.close();
});

const vectors = shared('vectors/nutch/injector.json');
if (!vectors) console.log('skipped: seed lines of Nutch');
else {
  const { lineParsing, reducer } = JSON.parse(readFileSync(vectors, 'utf8'));
  for (const { line, expect } of lineParsing)
    Inject(`the line ${JSON.stringify(line)} is read as Nutch reads it`, () => {
      const seed = parseSeed(line);
      if (expect === 'skipped') return assert.is(seed, null);
      assert.is(seed!.url, expect.url);
      if (expect.score !== undefined) assert.is(seed!.score ?? 1, expect.score);
      if (expect.interval !== undefined) assert.is(seed!.interval, expect.interval);
      const { fixedInterval, ...meta } = expect.metadata ?? {};
      assert.is(seed!.fixedInterval, fixedInterval);
      if (expect.metadata) assert.equal(Object.fromEntries(seed!.meta), meta);
    });
  for (const [at, row] of reducer.entries()) {
    if (!row.injected) continue;
    Inject(`merge rule ${at + 1} of Nutch holds: ${row.why ?? JSON.stringify(row.expect)}`, async ({ crawl }) => {
      const url = 'http://a.example/';
      const { old, injected, flags, expect } = row;
      if (old)
        await crawl.put({
          [url]: {
            status: 'fetched',
            score: old.score ?? 0,
            interval: old.interval ?? 9,
            meta: new Map(Object.entries(old.md ?? {})),
          },
        });
      // What equals the configured default was not given.
      const pairs = [
        ...(injected.score && injected.score !== 1 ? [`nutch.score=${injected.score}`] : []),
        ...(injected.interval && injected.interval !== 2_592_000 ? [`nutch.fetchInterval=${injected.interval}`] : []),
        ...Object.entries(injected.md ?? {}).map(([name, value]) => `${name}=${value}`),
      ];
      const mode = flags.overwrite ? 'overwrite' : flags.update ? 'update' : 'keep';
      await inject(crawl.context, { lines: [[url, ...pairs].join('\t')], mode });
      const page = (await crawl.page(url))!;
      if (typeof expect === 'string') assert.is(page.status, /unfetched/.test(expect) ? 'unfetched' : 'fetched');
      else {
        assert.is(page.status, 'fetched');
        assert.equal([page.score, page.interval], [expect.score, expect.interval]);
        if (expect.md) assert.equal(Object.fromEntries(page.meta), expect.md);
      }
    });
  }
}

Inject.run();
