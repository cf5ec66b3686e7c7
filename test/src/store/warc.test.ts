import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ArchiveRecord, readArchive } from '../../../src/store/archive.ts';
import { type Captured, payloadDigest, WarcWriter } from '../../../src/store/warc.ts';
import { parseResponse, readWarc } from '../../../src/store/warc-read.ts';
import { shared } from '../../kit/shared.ts';

const Warc = suite('warc');
const dir = mkdtempSync(join(tmpdir(), 'nuthatch-warc-'));
Warc.after(() => rmSync(dir, { recursive: true, force: true }));

const captured = (url: string, body: string | Uint8Array, more: Partial<Captured> = {}): Captured => ({
  url,
  date: Date.UTC(2026, 10, 30),
  ip: '127.0.0.1',
  status: 200,
  statusText: 'OK',
  headers: [
    ['Content-Type', 'text/html'],
    ['Transfer-Encoding', 'chunked'],
    ['X-Name', 'Caf\u00e9'],
  ],
  body: typeof body === 'string' ? Buffer.from(body) : body,
  truncated: '',
  ...more,
});
const write = (name: string, pages: readonly Captured[]): string => {
  const path = join(dir, name);
  const writer = new WarcWriter(path, 'nuthatch');
  for (const page of pages) writer.response(page);
  writer.close();
  assert.is(readFileSync(path).length, writer.bytes);
  return path;
};
const all = async (path: string): Promise<ArchiveRecord[]> => {
  const records: ArchiveRecord[] = [];
  for await (const record of readArchive(path)) records.push(record);
  return records;
};

Warc('what was written is read, by our reader and as plain text', async () => {
  const body = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) & 255));
  const path = write('a.warc.gz', [captured('http://h/a', body), captured('http://h/b', '')]);
  const [info, a, b] = [...readWarc(path)];
  assert.is(info!.type, 'warcinfo');
  assert.is(a!.fields.get('warc-target-uri'), 'http://h/a');
  assert.is(a!.fields.get('warc-payload-digest'), payloadDigest(body));
  const response = parseResponse(a!.block)!;
  assert.ok(body.equals(response.body));
  assert.equal(response.headers, [
    ['Content-Type', 'text/html'],
    ['X-Name', 'Caf\u00e9'],
  ]);
  assert.is(parseResponse(b!.block)!.body.length, 0);
  assert.match(gunzipSync(readFileSync(path)).toString('latin1'), /^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/);
  assert.equal(
    (await all(path)).map((record) => record.response?.body.length ?? -1),
    [-1, 70_000, 0],
  );
});

Warc('a payload that came before is a revisit of it', () => {
  const path = write('twice.warc.gz', [captured('http://h/a', 'same'), captured('http://h/b', 'same')]);
  const records = [...readWarc(path)];
  assert.equal(
    records.map((record) => record.type),
    ['warcinfo', 'response', 'revisit'],
  );
  assert.is(records[2]!.fields.get('warc-refers-to-target-uri'), 'http://h/a');
  assert.is(records[2]!.fields.get('warc-payload-digest'), records[1]!.fields.get('warc-payload-digest'));
});

Warc('the digest is SHA-1 in base 32', () => {
  assert.is(payloadDigest(new Uint8Array()), 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ');
});

Warc('cut at any byte, the records before the cut are all there', async () => {
  const path = write(
    'cut.warc.gz',
    ['a', 'b', 'c', 'd'].map((name) => captured(`http://h/${name}`, name.repeat(500))),
  );
  const bytes = readFileSync(path);
  const whole = (await all(path)).map((record) => record.url);
  const cut = join(dir, 'shorter.warc.gz');
  for (let length = bytes.length - 1; length > 400; length -= 37) {
    writeFileSync(cut, bytes.subarray(0, length));
    const ours = [...readWarc(cut)].map((record) => record.fields.get('warc-target-uri') ?? '');
    const theirs = (await all(cut)).filter((record) => record.problem === '').map((record) => record.url);
    assert.equal(ours, whole.slice(0, ours.length), String(length));
    assert.equal(theirs, whole.slice(0, theirs.length), String(length));
    assert.ok(theirs.length >= ours.length);
  }
});

const folder = shared('vectors/warc');
if (folder === null) console.log('skipped: web archives that others wrote, broken ones included');
else {
  /** Records, and of those the answers as status and size of the body. */
  const expected: Readonly<Record<string, readonly [number, string]>> = {
    'warcio/example.warc': [6, '200 606, 200 0'],
    'warcio/example.warc.gz': [6, '200 606, 200 0'],
    'warcio/example-bad-non-chunked.warc.gz': [6, '200 606, 200 0'],
    'warcio/example-bad.warc.gz.bad': [6, '200 1270, 200 0, 302 201'],
    'warcio/example-wrong-chunks.warc.gz': [2, '200 1270'],
    'warcio/example-iana.org-chunked.warc': [3, '200 7223'],
    'warcio/example-trunc.warc': [4, '200 604'],
    'warcio/example-resource.warc.gz': [3, ''],
    'warcio/example-space-in-target-uri.warc.gz': [2, ''],
    'warcio/example-wget-bad-target-uri.warc.gz': [6, '200 1270'],
    'warcio/example-digest.warc': [4, ''],
    'warcio/post-test.warc.gz': [6, '200 545, 200 552, 200 551'],
    'warcio/example.arc': [2, '200 1270'],
    'warcio/example.arc.gz': [2, '200 1270'],
    'warcio/example-space-in-url.arc': [2, '200 1270'],
    'warcio/bad.arc': [3, ''],
    'jwarc/cc.warc.gz': [1, '200 20289'],
    'jwarc/gzip_extra_sl.warc.gz': [1, ''],
  };
  for (const [name, [count, answers]] of Object.entries(expected))
    Warc(`${name}: ${count} records${answers && `, ${answers}`}`, async () => {
      const records = await all(join(folder, name));
      assert.is(records.length, count);
      const told = records
        .filter((record) => record.response)
        .map((r) => `${r.response!.status} ${r.response!.body.length}`);
      if (name.includes('space-in-url')) assert.match(told.join(', '), /^200 12\d\d$/);
      else assert.is(told.join(', '), answers);
      assert.ok(records.every((record) => !/[<> ]/.test(record.url)));
    });
}

Warc('a file that holds no record at all, or that is not there, is wrong usage: it is none of ours', async () => {
  const path = join(dir, 'none');
  writeFileSync(path, 'hello\nworld\n');
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'fine',
      (error: { code: string }) => error.code,
    );
  assert.is(await code(all(path)), 'usage');
  assert.is(await code(all(join(dir, 'nowhere'))), 'usage');
});

Warc.run();
