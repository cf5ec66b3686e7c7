import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { updatedb } from '../../../src/jobs/updatedb.ts';
import { quantum } from '../../../src/page/contribution.ts';
import { encodeHint } from '../../../src/page/hint.ts';
import { segmentPart } from '../../../src/page/segment.ts';
import { createPool } from '../../../src/run/pool.ts';
import { RecordWriter } from '../../../src/store/records.ts';
import { keyOf } from '../../../src/url/key.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { type FetchedPage, writeSegment } from '../../kit/segments.ts';

const Update = suite<{ crawl: TestCrawl }>('updatedb');
Update.before.each(async (at) => {
  at.crawl = await testCrawl();
});
Update.after.each(({ crawl }) => crawl.close());

const A = 'http://a.example/';
const B = 'http://a.example/b';
const C = 'http://c.example/';
const D = 'http://d.example/';

Update(
  'a fetched page comes to its status, and its links become pages with their share of its score',
  async ({ crawl }) => {
    await crawl.put({ [A]: { score: 1, lease: { segment: 's1', expires: NOW + 1 } } });
    writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C] }]);
    const counters = await updatedb(crawl.context, 's1');
    assert.equal([counters.pages, counters.fetched, counters.added, counters.changed, counters.links], [1, 1, 2, 1, 2]);
    const pages = await crawl.pages();
    assert.equal([...pages.keys()].sort(), [A, B, C]);
    assert.equal([pages.get(A)!.status, pages.get(A)!.lease], ['fetched', null]);
    for (const url of [B, C]) {
      const { status, score, depth, inlinks, due } = pages.get(url)!;
      assert.equal(
        { status, score, depth, inlinks, due },
        { status: 'unfetched', score: 0.5, depth: 1, inlinks: 1, due: NOW },
      );
    }
  },
);

Update('a segment that is in already changes nothing', async ({ crawl }) => {
  await crawl.put({ [A]: { score: 1 } });
  writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C] }]);
  await updatedb(crawl.context, 's1');
  const before = await crawl.pages();
  crawl.at(NOW + 1e9);
  assert.equal(await updatedb(crawl.context, 's1'), { alreadyApplied: 1 });
  assert.equal(await crawl.pages(), before);
});

Update('links that go take back what they gave, and a page that none is left to says since when', async ({ crawl }) => {
  await crawl.put({ [A]: { score: 1 } });
  writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C] }]);
  await updatedb(crawl.context, 's1');
  writeSegment(crawl.dir, 's2', NOW + 1000, [{ url: A, links: [C, D] }]);
  crawl.at(NOW + 2000);
  await updatedb(crawl.context, 's2');
  let pages = await crawl.pages();
  assert.equal(
    [B, C, D].map((url) => [pages.get(url)!.score, pages.get(url)!.inlinks]),
    [
      [0, 0],
      [0.5, 1],
      [0.5, 1],
    ],
  );
  assert.equal(
    [B, C, D].map((url) => pages.get(url)!.unlinked),
    [NOW + 2000, 0, 0],
  );
  writeSegment(crawl.dir, 's3', NOW + 3000, [{ url: A, kind: 'gone' }]);
  await updatedb(crawl.context, 's3');
  pages = await crawl.pages();
  assert.equal(
    [C, D].map((url) => [pages.get(url)!.score, pages.get(url)!.inlinks]),
    [
      [0, 0],
      [0, 0],
    ],
  );
  assert.is(pages.get(A)!.status, 'gone');
});

Update('a page found the same, or that failed for now, keeps giving', async ({ crawl }) => {
  await crawl.put({ [A]: { score: 1 } });
  writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B] }]);
  await updatedb(crawl.context, 's1');
  for (const [segment, kind] of [
    ['s2', 'not-modified'],
    ['s3', 'retry'],
    ['s4', 'skipped'],
  ] as const) {
    writeSegment(crawl.dir, segment, NOW + 1, [{ url: A, kind }]);
    await updatedb(crawl.context, segment);
    assert.is((await crawl.page(B))!.score, 1);
  }
});

Update('links that say nofollow, and links of pages at the limit of depth, bring nothing', async ({ crawl }) => {
  await crawl.put({ [A]: {}, [D]: { depth: 2 } });
  crawl.context = {
    ...crawl.context,
    options: { ...crawl.context.options, scope: { ...crawl.context.options.scope, depth: 2 } },
  };
  writeSegment(crawl.dir, 's1', NOW, [
    { url: A, links: [{ url: B, anchor: '', nofollow: true }, C] },
    { url: D, depth: 2, links: ['http://e.example/'] },
  ]);
  const counters = await updatedb(crawl.context, 's1');
  assert.equal([...(await crawl.pages()).keys()].sort(), [A, C, D]);
  assert.equal([counters['rejected.nofollow'], counters['rejected.tooDeep']], [1, 1]);
  assert.is((await crawl.page(C))!.score, 1);
});

Update(
  'the target of a redirect takes over score, depth and metadata, whether it was fetched at once or not',
  async ({ crawl }) => {
    await crawl.put({ [A]: { score: 0.75, meta: new Map([['team', 'red']]) } });
    writeSegment(crawl.dir, 's1', NOW, [
      { url: A, kind: 'redirect-permanent', outcome: { target: C } },
      { url: C, links: [D] },
      { url: B, kind: 'redirect-temporary', outcome: { target: D } },
    ]);
    await updatedb(crawl.context, 's1');
    const pages = await crawl.pages();
    assert.equal([pages.get(A)!.status, pages.get(A)!.target], ['redirect-permanent', C]);
    const target = pages.get(C)!;
    assert.equal(
      [target.status, target.score, target.depth, [...target.meta]],
      ['fetched', 0.75, 0, [['team', 'red']]],
    );
  },
);

Update('of two outcomes for one page the later stands, and one that was not tried gives way', async ({ crawl }) => {
  writeSegment(crawl.dir, 's1', NOW, [
    { url: A, kind: 'gone', outcome: { fetched: NOW + 5 } },
    { url: A, kind: 'success', outcome: { fetched: NOW + 3 } },
    { url: A, kind: 'skipped', outcome: { fetched: NOW + 9 } },
  ]);
  await updatedb(crawl.context, 's1');
  assert.is((await crawl.page(A))!.status, 'gone');
});

Update('without additions only known pages change', async ({ crawl }) => {
  await crawl.put({ [A]: {}, [B]: {} });
  writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C] }]);
  await updatedb(crawl.context, 's1', { additions: false });
  assert.equal([...(await crawl.pages()).keys()].sort(), [A, B]);
  assert.is((await crawl.page(B))!.inlinks, 1);
});

Update(
  'a segment without links is used with a warning, one without outcomes is refused, one cut off gives what is whole',
  async ({ crawl }) => {
    await crawl.put({ [A]: {} });
    writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B] }]);
    rmSync(dirname(segmentPart(crawl.dir, 's1', 'crawl_parse', 0)), { recursive: true });
    await updatedb(crawl.context, 's1');
    assert.is((await crawl.page(A))!.status, 'fetched');
    assert.match(crawl.warnings()[0]!, /s1 has no crawl_parse/);
    let error: { code?: string; message?: string } = {};
    await updatedb(crawl.context, 's9').catch((caught) => (error = caught));
    assert.is(error.code, 'missing-input');
    assert.match(error.message!, /run fetch/);
    writeSegment(crawl.dir, 's2', NOW, [{ url: A, links: [C] }]);
    const file = segmentPart(crawl.dir, 's2', 'crawl_parse', 0);
    writeFileSync(file, readFileSync(file).subarray(0, -3));
    await updatedb(crawl.context, 's2');
    assert.match(crawl.warnings().at(-1)!, /middle of a block/);
  },
);

/** The dumb way: who links where now, and what each page gives. */
class Dumb {
  readonly gives = new Map<string, { share: number; to: string[] }>();
  readonly known = new Set<string>();
  apply(pages: readonly FetchedPage[]): void {
    for (const { url, kind = 'success', links, score = 1 } of pages) {
      this.known.add(url);
      if (kind === 'retry' || kind === 'not-modified') continue;
      this.gives.delete(url);
      if (!links) continue;
      const to = links as string[];
      this.gives.set(url, { share: to.length ? quantum(score / to.length) : 0, to });
      for (const target of to) this.known.add(target);
    }
  }
  of(url: string): [score: number, inlinks: number] {
    let score = 0;
    let inlinks = 0;
    for (const { share, to } of this.gives.values())
      if (to.includes(url)) {
        score += share;
        inlinks++;
      }
    return [score, inlinks];
  }
}

Update('after any history scores and inlinks are those of the links as they are now', async () => {
  const pool = createPool(1);
  const urls = Array.from({ length: 12 }, (_, i) => `http://h${i % 4}.example/${i}`);
  const page = fc.record({
    url: fc.constantFrom(...urls),
    kind: fc.constantFrom(
      'success' as const,
      'success' as const,
      'success' as const,
      'gone' as const,
      'retry' as const,
      'not-modified' as const,
    ),
    links: fc.uniqueArray(fc.constantFrom(...urls), { maxLength: 8 }),
    score: fc.double({ min: 0, max: 3, noNaN: true }),
  });
  const rounds = fc.array(fc.uniqueArray(page, { maxLength: 8, selector: ({ url }) => url }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(rounds, fc.integer({ min: 1, max: 3 }), async (rounds, shards) => {
      const crawl = await testCrawl({}, { pool });
      const dumb = new Dumb();
      try {
        for (const [at, given] of rounds.entries()) {
          const pages = given.map(
            ({ links, ...rest }): FetchedPage => (rest.kind === 'success' ? { ...rest, links } : rest),
          );
          writeSegment(crawl.dir, `s${at}`, NOW + at, pages, shards);
          await updatedb(crawl.context, `s${at}`);
          dumb.apply(pages);
        }
        const pages = await crawl.pages();
        assert.equal([...pages.keys()].sort(), [...dumb.known].sort());
        for (const [url, { score, inlinks }] of pages) assert.equal([score, inlinks], dumb.of(url), url);
      } finally {
        await crawl.close();
      }
    }),
    { numRuns: 15 },
  );
  await pool.close();
});

const many = (pages: number): FetchedPage[] =>
  Array.from({ length: pages }, (_, i) => ({
    url: `http://h${i % 50}.example/page/${i}`,
    links: Array.from(
      { length: 30 },
      (_, j) => `http://h${(i * 7 + j * 13) % 90}.example/page/${(i * 31 + j * 7919) % (pages * 3)}`,
    ).filter((url, at, all) => all.indexOf(url) === at),
  }));

Update('the result is the same by threads as without, and however the pages lie in shards', async ({ crawl }) => {
  const pages = many(1200);
  const pool = createPool(2);
  const other = await testCrawl({}, { pool });
  writeSegment(other.dir, 's1', NOW, pages, 3);
  writeSegment(crawl.dir, 's1', NOW, pages, 1);
  await updatedb(other.context, 's1');
  await updatedb(crawl.context, 's1');
  assert.equal(await other.pages(), await crawl.pages());
  await other.close();
  await pool.close();
});

Update(
  'RU-crash-01 killed at any moment, the old state or the new one is there, and the same command ends the work',
  async ({ crawl }) => {
    const child = fileURLToPath(new URL('../../kit/update-child.ts', import.meta.url));
    const update = (dir: string, ...dieAt: string[]): ReturnType<typeof spawnSync> =>
      spawnSync(execPath, ['--import', 'tsx', child, dir, 's1', ...dieAt], { encoding: 'utf8' });
    writeSegment(crawl.dir, 's1', NOW, many(1500));
    await crawl.put({ 'http://h1.example/page/1': { score: 2 } });
    crawl.at(Date.UTC(2026, 0, 2));
    const old = await crawl.pages();
    await crawl.context.tables.close();
    const before = mkdtempSync(join(tmpdir(), 'nuthatch-before-'));
    const restore = (): void => {
      rmSync(crawl.dir, { recursive: true });
      cpSync(before, crawl.dir, { recursive: true });
    };
    cpSync(crawl.dir, before, { recursive: true });
    const whole = update(crawl.dir);
    assert.is(whole.status, 0, String(whole.stderr));
    await crawl.reopen();
    const wanted = await crawl.pages();
    await crawl.context.tables.close();
    assert.ok(wanted.size > old.size);

    const calls = JSON.parse(String(whole.stdout)) as string[];
    // From here on the new state holds.
    const renamed = calls.indexOf('renameSync crawldb.journal.tmp');
    assert.ok(renamed > 0 && calls.length > renamed + 1, calls.join(', '));
    for (const dieAt of new Set([0, renamed >> 1, renamed - 1, renamed, renamed + 1, calls.length - 1])) {
      restore();
      assert.is(update(crawl.dir, String(dieAt)).signal, 'SIGKILL', calls[dieAt]);
      const where = `killed before call ${dieAt}, ${calls[dieAt]}; the rename is call ${renamed}`;
      await crawl.reopen();
      assert.equal(await crawl.pages(), dieAt <= renamed ? old : wanted, where);
      const counters = await updatedb(crawl.context, 's1');
      assert.is(counters.alreadyApplied ?? 0, dieAt <= renamed ? 0 : 1, where);
      assert.equal(await crawl.pages(), wanted, where);
      await crawl.context.tables.close();
    }
    await crawl.reopen();
    rmSync(before, { recursive: true });
  },
);

Update('a journal is poured by whoever opens the tables next, as far as it was poured or not', async ({ crawl }) => {
  writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C] }]);
  const journal = join(crawl.dir, 'crawldb.journal');
  const change = crawl.context.tables.crawldb.change();
  change.put('k', new Uint8Array([1]));
  // What a process leaves that is killed between the rename and the pouring.
  const write = change as unknown as { writer: { sync(): void; close(): void } };
  write.writer.sync();
  write.writer.close();
  renameSync(`${journal}.tmp`, journal);
  await crawl.reopen();
  assert.equal([...((await crawl.context.tables.crawldb.get('k')) ?? [])], [1]);
});

Update(
  'what a sitemap says of the time of a page reaches its schedule, of new pages and of known ones',
  async ({ crawl }) => {
    const DAY = 86_400_000;
    const far = { status: 'fetched', due: NOW + 20 * DAY, fetched: NOW - 10 * DAY } as const;
    await crawl.put({ [A]: { score: 1 }, [B]: far, [C]: far });
    writeSegment(crawl.dir, 's1', NOW, [{ url: A, links: [B, C, D] }]);
    const path = segmentPart(crawl.dir, 's1', 'crawl_sitemap', 0);
    mkdirSync(dirname(path), { recursive: true });
    const hints = new RecordWriter(path);
    hints.append(keyOf(B), encodeHint({ modified: NOW - DAY, interval: 0 }));
    hints.append(keyOf(D), encodeHint({ modified: NOW - 3 * DAY, interval: 7 * 86_400 }));
    hints.append(keyOf(D), encodeHint({ modified: NOW - 2 * DAY, interval: 0 }));
    hints.append(keyOf('http://a.example/unlinked'), encodeHint({ modified: NOW, interval: 0 }));
    hints.close();
    await updatedb(crawl.context, 's1');
    const pages = await crawl.pages();
    assert.equal([...pages.keys()].sort(), [A, B, C, D]);
    assert.equal([pages.get(B)!.due, pages.get(C)!.due], [NOW, NOW + 20 * DAY]);
    const { interval, modified, due, inlinks } = pages.get(D)!;
    assert.equal(
      { interval, modified, due, inlinks },
      { interval: 604_800, modified: NOW - 2 * DAY, due: NOW, inlinks: 1 },
    );
  },
);

Update.run();
