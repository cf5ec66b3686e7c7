import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allLinks, invertlinks } from '../../../src/jobs/invertlinks.ts';
import { storedAnswers } from '../../../src/jobs/stored-answers.ts';
import { updatedb } from '../../../src/jobs/updatedb.ts';
import { decodeOutcome } from '../../../src/page/codec.ts';
import { decodePageLinks, segmentFolder } from '../../../src/page/segment.ts';
import { partFiles } from '../../../src/page/segment-files.ts';
import { newState, type PageState } from '../../../src/page/state.ts';
import { statusCode } from '../../../src/page/status.ts';
import { readRecords } from '../../../src/store/records.ts';
import { contentFile, WarcWriter } from '../../../src/store/warc.ts';
import { datumOf, stateOf } from '../../../src/transfer/nutch/convert.ts';
import { DataIn, DataOut } from '../../../src/transfer/nutch/data.ts';
import { exportNutch } from '../../../src/transfer/nutch/export.ts';
import { importNutch } from '../../../src/transfer/nutch/import.ts';
import { readSequence } from '../../../src/transfer/nutch/sequence-file.ts';
import { readContent, readDatum, writeDatum } from '../../../src/transfer/nutch/writables.ts';
import { NOW, type TestCrawl, testCrawl } from '../../kit/crawl-context.ts';
import { writeSegment } from '../../kit/segments.ts';
import { shared } from '../../kit/shared.ts';

const Nutch = suite<{ crawl: TestCrawl; other: TestCrawl }>('exchange with Nutch');
Nutch.before.each(async (at) => {
  at.crawl = await testCrawl();
  at.other = await testCrawl();
});
Nutch.after.each(async ({ crawl, other }) => {
  await crawl.close();
  await other.close();
});

Nutch('a page keeps what Nutch has a place for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(statusCode) as PageState['status'][])),
      fc.record({
        due: fc.integer({ min: 1e12, max: 4e12 }),
        interval: fc.integer({ min: 0, max: 1e6 }),
        fixedInterval: fc.nat(1e6),
        retries: fc.nat(127),
        score: fc.float({ noNaN: true, noDefaultInfinity: true }),
        modified: fc.nat(1e9),
        depth: fc.nat(20),
        signature: fc.option(fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => new Uint8Array(bytes))),
        httpStatus: fc.nat(599),
        meta: fc.dictionary(fc.string({ minLength: 1 }), fc.string()).map((meta) => new Map(Object.entries(meta))),
      }),
      (status, given) => {
        const state = newState(0, 1, { ...given, status });
        const out = new DataOut();
        writeDatum(datumOf(state), out);
        const back = stateOf(readDatum(new DataIn(out.finish())))!;
        for (const field of [
          'status',
          'due',
          'interval',
          'fixedInterval',
          'retries',
          'score',
          'modified',
          'signature',
          'httpStatus',
          'meta',
        ] as const)
          assert.equal(back[field], state[field], field);
        assert.is(back.depth, state.depth);
      },
    ),
  );
});

Nutch('a crawl that is exported and imported has the same pages, links and outcomes', async ({ crawl, other }) => {
  const pages = Array.from({ length: 300 }, (_, i) => ({
    url: `http://h${i % 7}.example/${i}`,
    kind: i % 10 === 0 ? ('gone' as const) : ('success' as const),
    ...(i % 10 === 0
      ? {}
      : { links: [{ url: `http://h${(i * 3) % 9}.example/${(i * 31) % 400}`, anchor: `to ${i}` }] }),
  }));
  writeSegment(crawl.dir, '20260101000000', NOW, pages);
  await updatedb(crawl.context, '20260101000000');
  await invertlinks(crawl.context, '20260101000000');
  const to = join(crawl.dir, 'for-nutch');
  const counters = await exportNutch(crawl.context, to, { segments: ['20260101000000'] });
  const known = await crawl.pages();
  assert.is(counters.pages, known.size);
  // Sorted by address, as unsigned bytes: a MapFile is nothing otherwise.
  const keys = [...readSequence(join(to, 'crawldb/current/part-r-00000/data'))].map(({ key }) =>
    new DataIn(key).text(),
  );
  assert.equal(keys, [...known.keys()].sort());
  const imported = await importNutch(other.context, to);
  assert.equal([imported.pages, imported.segments, imported.rejected], [known.size, 1, 0]);
  const back = await other.pages();
  for (const [url, page] of known) {
    const { status, due, interval, retries, signature } = back.get(url)!;
    assert.equal(
      { status, due, interval, retries, signature },
      { status: page.status, due: page.due, interval: page.interval, retries: page.retries, signature: page.signature },
    );
    assert.is(back.get(url)!.score, Math.fround(page.score));
  }
  const dump = async (of: TestCrawl): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { from, to: target, anchor } of allLinks(of.context.tables))
      lines.push(`${from} ${anchor} ${target}`);
    return lines;
  };
  assert.equal(await dump(other), await dump(crawl));
  const outcomes = (of: TestCrawl): string[] =>
    partFiles(of.dir, '20260101000000', 'crawl_fetch')
      .flatMap((file) => [...readRecords(file)].map(({ key, value }) => `${key} ${decodeOutcome(value).kind}`))
      .sort();
  assert.equal(outcomes(other), outcomes(crawl));
});

Nutch('content goes out as Nutch keeps it, its encoding undone, and comes back', async ({ crawl, other }) => {
  const segment = '20260101000000';
  const urls = ['http://h.example/packed', 'http://h.example/a', 'http://h.example/twin of a'.replaceAll(' ', '-')];
  writeSegment(
    crawl.dir,
    segment,
    NOW,
    urls.map((url) => ({ url, kind: 'success' as const })),
  );
  const page = Buffer.from('<title>Text \u00e9</title>');
  const file = contentFile(segmentFolder(crawl.dir, segment), 0);
  mkdirSync(dirname(file), { recursive: true });
  const writer = new WarcWriter(file, 'test');
  const answer = { date: NOW, ip: '127.0.0.1', status: 200, statusText: 'OK', truncated: '' as const };
  const type = ['Content-Type', 'Text/HTML; charset=utf-8'] as const;
  const [packed, first, twin] = urls as [string, string, string];
  const coded = [type, ['Content-Encoding', 'gzip'], ['X-Two', 'one'], ['x-two', 'other']] as const;
  writer.response({ ...answer, url: packed, headers: coded, body: gzipSync(page) });
  for (const url of [first, twin]) writer.response({ ...answer, url, headers: [type], body: page });
  writer.response({ ...answer, url: 'http://h.example/gone', status: 404, headers: [type], body: page });
  writer.close();

  const to = join(crawl.dir, 'for-nutch');
  await exportNutch(crawl.context, to, { segments: [segment] });
  const data = join(to, 'segments', segment, 'content/part-r-00000/data');
  const contents = [...readSequence(data)].map(({ value }) => readContent(new DataIn(value)));
  assert.equal(
    contents.map(({ url }) => url),
    [first, packed, twin],
  );
  for (const { url, base, body, contentType } of contents)
    assert.equal([base, body.toString(), contentType], [url, page.toString(), 'text/html']);
  const metadata = new Map(contents[1]!.metadata);
  assert.equal(metadata.get('X-Two'), ['one', 'other']);
  assert.equal([metadata.get('nutch.segment.name'), metadata.get('_ftk_')], [[segment], [String(NOW)]]);

  await importNutch(other.context, to);
  const back: string[] = [];
  for (const path of partFiles(other.dir, segment, 'content'))
    for await (const { url, fetched, header, body } of storedAnswers(path, 1e6))
      back.push(`${url} ${fetched === NOW} ${header('x-two')} ${body}`);
  assert.equal(back, [`${first} true  ${page}`, `${packed} true one, other ${page}`, `${twin} true  ${page}`]);
});

Nutch('a folder without anything of Nutch is refused, and so is one to write to that is not new', async ({ crawl }) => {
  const codeOf = (error: { code: string }): string => error.code;
  assert.is(await importNutch(crawl.context, crawl.dir).then(() => '', codeOf), 'usage');
  const to = join(crawl.dir, 'for-nutch');
  await exportNutch(crawl.context, to);
  assert.is(await exportNutch(crawl.context, to).then(() => '', codeOf), 'usage');
});

const golden = shared('vectors/nutch/ondisk-golden.json');
if (!golden) console.log('skipped: import of a crawldb and a segment that Nutch wrote');
else
  Nutch('a crawldb and a segment that Nutch wrote come in', async ({ crawl }) => {
    const { files } = JSON.parse(readFileSync(golden, 'utf8')) as {
      files: Record<string, { bytesHex?: string; records: { key: string; value: { status: number } }[] }>;
    };
    const from = join(crawl.dir, 'nutch');
    for (const [name, { bytesHex }] of Object.entries(files)) {
      if (!bytesHex) continue;
      const path = join(from, name.replace('deduplication-crawldb', 'crawldb').replace('test-segments', 'segments'));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.from(bytesHex, 'hex'));
    }
    const counters = await importNutch(crawl.context, from);
    const { records } = files['deduplication-crawldb/current/part-r-00000/data']!;
    assert.is(counters.pages, records.length);
    const page = (await crawl.page('https://nutch.apache.org/')) ?? (await crawl.page('http://nutch.apache.org/'));
    assert.equal([page!.status, page!.interval, page!.httpStatus], ['fetched', 604_800, 200]);
    const redirect = (await crawl.page('http://en.wikipedia.org/wiki/URL_redirection'))!;
    assert.equal(
      [redirect.status, redirect.reason, redirect.target],
      ['redirect-permanent', 'redirected-permanent', 'https://en.wikipedia.org/wiki/URL_redirection'],
    );
    const [file] = partFiles(crawl.dir, '20150309101625', 'crawl_parse');
    const [links] = [...readRecords(file!)].map(({ value }) => decodePageLinks(value));
    assert.ok(links!.links.length > 50 && links!.links.some(({ anchor }) => anchor === 'Downloads'));
    assert.ok(existsSync(join(crawl.dir, 'segments/20150309101625/fetch.done')));
    await updatedb(crawl.context, '20150309101625');
    assert.is((await crawl.page('http://nutch.apache.org/'))!.status, 'fetched');
  });

Nutch.run();
