import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { segmentFolder } from '../../../src/page/segment.ts';
import { contentFile } from '../../../src/store/warc.ts';
import { readWarc } from '../../../src/store/warc-read.ts';
import { closePools, fetchUrls } from '../../kit/fetched.ts';
import { page, startWeb } from '../../kit/web.ts';

/** Content of a crawl, with requests, as others read it. */
const Tools = suite('warc: requests, and a public tool');
Tools.after(closePools);

const SECRET = 'sesame-4711';

async function crawled(): Promise<{ readonly file: string; readonly urls: readonly string[] }> {
  const web = await startWeb({
    '/': page('Home', '/a'),
    '/a': { body: page('Squirrels'), coding: 'gzip', etag: '"one"' },
    '/twin': page('Home', '/a'),
    '/same': { body: page('known'), etag: '"two"' },
    '/chunks': { body: page('chunks'), chunked: true },
    '/latin': { body: Buffer.from('<title>caf\xe9</title>', 'latin1'), headers: { 'X-Odd': 'gr\xfcn' } },
    '/locked': { body: page('locked'), login: `me:${SECRET}` },
    '/cookie': { body: page('cookie'), headers: { 'Set-Cookie': `s=${SECRET}` } },
    '/after': page('after'),
  });
  const urls = ['/', '/a', '/twin', '/same', '/chunks', '/latin', '/locked', '/cookie', '/after'].map(
    (path) => web.origin + path,
  );
  const { dir, segment } = await fetchUrls({
    urls,
    states: { [urls[3]!]: { status: 'fetched', fetched: 1, etag: '"two"' } },
    options: {
      net: {
        keepRequests: true,
        headers: { [web.origin]: { 'x-api-key': SECRET } },
        login: { [web.origin]: { user: 'me', password: SECRET } },
      },
    },
  });
  assert.ok(web.log.some(({ headers }) => headers['x-api-key'] === SECRET && headers.cookie?.includes(SECRET)));
  await web.close();
  const file = contentFile(segmentFolder(dir, segment), 0);
  assert.equal(readdirSync(dirname(file)), ['00000.warc.gz']);
  return { file, urls };
}

Tools('each answer has the request it answers beside it, and no credential is in any', async () => {
  const { file, urls } = await crawled();
  const records = [...readWarc(file)];
  const answers = new Map(
    records
      .filter(({ type }) => type === 'response' || type === 'revisit')
      .map(({ fields }) => [fields.get('warc-record-id'), fields.get('warc-target-uri')]),
  );
  const requests = records.filter(({ type }) => type === 'request');
  assert.is(requests.length, urls.length);
  for (const { fields, block } of requests) {
    const url = fields.get('warc-target-uri')!;
    assert.is(answers.get(fields.get('warc-concurrent-to')), url);
    const [line, ...headers] = Buffer.from(block).toString('latin1').trimEnd().split('\r\n');
    assert.is(line, `GET ${new URL(url).pathname} HTTP/1.1`);
    const names = headers.map((header) => header.split(':', 1)[0]);
    const conditions = url.endsWith('/same') ? ['if-none-match'] : url.endsWith('/locked') ? ['cache-control'] : [];
    assert.equal(names, ['host', 'user-agent', 'accept', 'accept-encoding', ...conditions], url);
  }
  const text = gunzipSync(readFileSync(file)).toString('latin1');
  const answersOf = text.split('WARC-Type: ').filter((record) => record.startsWith('request'));
  assert.ok(answersOf.every((record) => !record.includes(SECRET)));
});

Tools('warcio reads every record and finds every digest right', async () => {
  const python = process.env.NUTHATCH_PYTHON ?? 'python3';
  if (spawnSync(python, ['-c', 'import warcio']).status !== 0) {
    console.log('skipped: warcio is not there (pip install warcio; NUTHATCH_PYTHON names the python that has it)');
    return;
  }
  const { file } = await crawled();
  const script = [
    'import sys',
    'from warcio.archiveiterator import ArchiveIterator',
    'for record in ArchiveIterator(open(sys.argv[1], "rb"), check_digests="raise"):',
    '    body = record.content_stream().read()',
    '    print(record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), len(body))',
  ].join('\n');
  const read = spawnSync(python, ['-c', script, file], { encoding: 'utf8' });
  assert.is(read.status, 0, read.stderr);
  const lines = read.stdout.trim().split('\n');
  assert.equal(
    lines.map((line) => line.split(' ')[0]),
    [...readWarc(file)].map(({ type }) => type),
  );
  assert.ok(lines.some((line) => line.startsWith('response') && line.includes('/a ') && !line.endsWith(' 0')));
  const checked = spawnSync(python, ['-m', 'warcio.cli', 'check', '-v', file], { encoding: 'utf8' });
  assert.is(checked.status, 0, checked.stdout + checked.stderr);
  assert.not.match(checked.stdout, /digest failed/);
});

Tools.run();
