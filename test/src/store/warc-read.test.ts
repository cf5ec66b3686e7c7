import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Captured, WarcWriter } from '../../../src/store/warc.ts';
import { parseResponse, readWarc, readWarcRecord } from '../../../src/store/warc-read.ts';

const Warc = suite('warc reading');
const dir = mkdtempSync(join(tmpdir(), 'warc-'));
Warc.after(() => rmSync(dir, { recursive: true, force: true }));

const page = (n: number, body: Uint8Array): Captured => ({
  url: `http://x.test/${n}`,
  date: Date.UTC(2026, 0, 1),
  ip: '127.0.0.1',
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'text/html']],
  body,
  truncated: '',
});
function written(bodies: readonly Uint8Array[]): string {
  const path = join(dir, `${bodies.length}-${bodies.reduce((sum, body) => sum + body.length, 0)}.warc.gz`);
  const writer = new WarcWriter(path, 'test');
  for (const [n, body] of bodies.entries()) writer.response(page(n, body));
  writer.close();
  return path;
}
const bodies = [0, 1, 100, 300_000].map((size) =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7919 + size) % 251)),
);

Warc('what our writer writes is read back, record by record, and by offset', () => {
  const path = written(bodies);
  const responses = [...readWarc(path)].filter(({ type }) => type === 'response');
  assert.equal(
    responses.map(({ block }) => Buffer.from(parseResponse(block)!.body)),
    bodies,
  );
  for (const { offset, fields } of responses)
    assert.is(readWarcRecord(path, offset).fields.get('warc-target-uri'), fields.get('warc-target-uri'));
});

Warc('a file cut anywhere gives its whole records and no error', () => {
  const path = written([Buffer.from('first'), Buffer.from('second'), Buffer.from('third')]);
  const bytes = readFileSync(path);
  const whole = [...readWarc(path)];
  const cut = join(dir, 'cut.warc.gz');
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(cut, bytes.subarray(0, length));
    const got = [...readWarc(cut)];
    const expected = whole.filter(
      ({ offset }, i) => (whole[i + 1]?.offset ?? bytes.length) <= length && offset < length,
    );
    assert.is(got.length, expected.length, `cut at ${length}`);
  }
});

Warc('a flipped byte is damage that names the file, or changes nothing that is read as a record', () => {
  const path = written([Buffer.from('first'), Buffer.from('second')]);
  const bytes = readFileSync(path);
  const flipped = join(dir, 'flipped.warc.gz');
  for (let i = 0; i < bytes.length; i += 3) {
    const copy = Buffer.from(bytes);
    copy[i]! ^= 0x40;
    writeFileSync(flipped, copy);
    try {
      for (const { block } of readWarc(flipped)) parseResponse(block);
    } catch (error) {
      assert.is((error as { code: string }).code, 'damaged', (error as Error).message);
      assert.ok((error as Error).message.includes(flipped));
    }
  }
});

Warc('plain files, files gzipped whole, folded headers and chunks of other writers are read', () => {
  const http = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n  c\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  const record = (type: string, block: string): string =>
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: http://x.test/\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
  const plain = join(dir, 'plain.warc');
  writeFileSync(plain, record('warcinfo', 'a: b\r\n') + record('response', http));
  const members = join(dir, 'members.warc.gz');
  writeFileSync(members, Buffer.concat([gzipSync(record('warcinfo', '')), gzipSync(record('response', http))]));
  for (const path of [plain, members]) {
    const [, response] = [...readWarc(path)];
    const answer = parseResponse(response!.block)!;
    assert.is(answer.body.toString(), 'abcde');
    assert.equal(answer.headers[1], ['X-A', 'b c']);
  }
  writeFileSync(plain, 'this is no warc file, whatever its name says\r\n\r\n');
  assert.throws(() => [...readWarc(plain)], /this is no WARC record/);
});

Warc.run();
