import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Decoded, decodeBody } from '../../../src/net/decode.ts';
import { shared } from '../../kit/shared.ts';

const Decode = suite('decode');
const MAX = 1 << 20;
const decode = async (body: Buffer, header: string, max = MAX, text = true): Promise<Decoded> =>
  decodeBody(body, header, max, text);
const PAGE = Buffer.from('<!doctype html><title>ok</title>');

Decode('every coding in every spelling comes undone', async () => {
  for (const [header, coded] of [
    ['gzip', gzipSync(PAGE)],
    ['GZIP', gzipSync(PAGE)],
    ['x-gzip', gzipSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['gzip, br', brotliCompressSync(gzipSync(PAGE))],
    ['gzip', deflateSync(PAGE)],
    ['deflate', gzipSync(PAGE)],
    ['utf-8', PAGE],
    ['identity', PAGE],
    ['', PAGE],
    ['', gzipSync(PAGE)],
  ] as const)
    assert.is((await decode(coded, header)).body.toString(), PAGE.toString(), header);
});

Decode('RU-compress-01: a header that lies is not believed, and it is said', async () => {
  for (const header of ['gzip', 'br', 'deflate']) {
    const { body, problem, ok } = await decode(PAGE, header);
    assert.is(body.toString(), PAGE.toString());
    assert.ok(ok);
    assert.match(problem, header);
  }
});

Decode('RU-compress-04: what cannot be undone is never taken for text', async () => {
  assert.not((await decode(Buffer.from([0, 1, 2, 3]), 'gzip')).ok);
  assert.not((await decode(PAGE, 'compress')).ok);
});

Decode('RU-compress-02: a bomb costs the limit, whatever it holds inside', async () => {
  const zeros = gzipSync(Buffer.alloc(200 << 20));
  const before = process.memoryUsage().rss;
  for (const [bomb, header] of [
    [zeros, 'gzip'],
    [gzipSync(zeros), 'gzip, gzip'],
  ] as const) {
    const { body, truncated } = await decode(bomb, header);
    assert.is(body.length, MAX);
    assert.ok(truncated);
  }
  assert.ok(process.memoryUsage().rss - before < 100 << 20);
});

Decode('a body cut off gives what came', async () => {
  const random = Buffer.from(Array.from({ length: 5000 }, (_, i) => 32 + ((i * i * 31) % 90)));
  const coded = gzipSync(random);
  for (const length of [coded.length - 1, coded.length - 9, coded.length >> 1]) {
    const { body, problem } = await decode(coded.subarray(0, length), 'gzip');
    assert.ok(body.length > 0 && random.subarray(0, body.length).equals(body), String(length));
    assert.match(problem, 'damaged');
  }
});

Decode('exactly the limit is whole, one byte more is truncated', async () => {
  for (const extra of [0, 1]) {
    const { body, truncated } = await decode(gzipSync(Buffer.alloc(MAX + extra, 97)), 'gzip');
    assert.is(body.length, MAX);
    assert.is(truncated, extra === 1);
  }
});

const folder = shared('vectors/compression/scrapy');
if (folder === null) console.log('skipped: content codings as captured by others, and their bombs');
else
  Decode('captured bodies of every coding agree, and bombs stay within the limit', async () => {
    const file = (name: string): Buffer => readFileSync(`${folder}/${name}`);
    const plain = (await decode(file('html-gzip.bin'), 'gzip')).body;
    assert.ok(plain.length > 10_000);
    for (const [name, header] of [
      ['html-br.bin', 'br'],
      ['html-rawdeflate.bin', 'deflate'],
      ['html-zlibdeflate.bin', 'deflate'],
      ['html-gzip-deflate.bin', 'gzip, deflate'],
      ['html-gzip-deflate-gzip.bin', 'gzip, deflate, gzip'],
    ] as const)
      assert.ok((await decode(file(name), header)).body.length >= plain.length - 100, name);
    for (const coding of ['br', 'deflate', 'gzip']) {
      const { body } = await decode(file(`bomb-${coding}.bin`), coding);
      assert.ok(body.length <= MAX, coding);
    }
  });

if (folder !== null) {
  const file = (name: string): Buffer => readFileSync(`${folder}/${name}`);

  Decode('bodies that break off, or whose checksum is cut, give what came', async () => {
    const { body, problem } = await decode(file('unexpected-eof.gz'), 'gzip');
    assert.match(problem, /damaged/);
    // The answer that comes with it was read as Latin-1 and written as UTF-8.
    assert.ok(Buffer.from(body.toString('latin1')).equals(file('unexpected-eof-output.txt')));
    for (const name of ['truncated-crc-error.gz', 'truncated-crc-error-short.gz'])
      assert.ok((await decode(file(name), 'gzip')).body.length > 1000, name);
  });

  Decode('zstd is undone where this Node can, within the limit; where it cannot, the bytes are no page', async () => {
    const plain = (await decode(file('html-gzip.bin'), 'gzip')).body;
    for (const name of ['static-content-size', 'static-no-content-size', 'streaming-no-content-size']) {
      const { body, ok } = await decode(file(`html-zstd-${name}.bin`), 'zstd');
      if ('zstdDecompressSync' in zlib) assert.ok(body.equals(plain), name);
      else assert.not.ok(ok, name);
    }
    const { body } = await decode(file('bomb-zstd.bin'), 'zstd');
    assert.ok(body.length <= MAX);
  });

  Decode('a packed file without a content coding is left as it is, and gzip is known by its bytes', async () => {
    const plain = file('feed-sample1.xml');
    assert.ok((await decode(file('feed-sample1.xml.gz'), '')).body.equals(plain));
    for (const name of ['feed-sample1.xml.bz2', 'feed-sample1.zip', 'feed-sample1.tar'])
      assert.ok((await decode(file(name), '')).body.equals(file(name)), name);
  });
}

Decode.run();
