import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecordReader, RecordWriter, readRecords } from '../../../src/store/records.ts';

const Records = suite('records');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-records-'));
const path = join(folder, 'a.rec');
Records.after(() => rmSync(folder, { recursive: true }));

const many = Array.from({ length: 5000 }, (_, i) => ({
  key: i % 7 === 0 ? `ключ ${i} ${'k'.repeat(i % 300)}` : `key ${i}`,
  value: new Uint8Array(i % 500).fill(i),
}));
const write = (records = many): void => {
  const writer = new RecordWriter(path);
  for (const { key, value } of records) writer.append(key, value);
  writer.close();
};

Records('what was appended comes back in its order', () => {
  write();
  assert.equal([...readRecords(path)], many);
});

Records('slices of larger buffers come back as they went, and mix with whole ones', () => {
  const writer = new RecordWriter(path);
  const bytes = Buffer.from('--com.example https /a==');
  writer.appendBytes(bytes, 2, 22, bytes, 22, 24);
  writer.append('b', new Uint8Array(200_000).fill(7));
  writer.appendBytes(Buffer.alloc(100, 'k'), 0, 100, new Uint8Array(0), 0, 0);
  writer.close();
  const [first, second, third] = [...readRecords(path)];
  assert.is(first!.key, 'com.example https /a');
  assert.is(Buffer.from(first!.value).toString(), '==');
  assert.is(second!.value.length, 200_000);
  assert.is(third!.key, 'k'.repeat(100));
  assert.is(third!.value.length, 0);
});

Records('a file cut at any byte gives the records of its whole blocks', () => {
  const writer = new RecordWriter(path);
  for (let i = 0; i < 30; i++) {
    writer.append(`key ${i}`, new Uint8Array([i]));
    if (i % 10 === 9) writer.flush();
  }
  writer.close();
  const whole = readFileSync(path);
  const ends: number[] = [];
  for (let at = 8; at < whole.length; ends.push(at)) at += 8 + whole.readUInt32LE(at);
  assert.is(ends.length, 3);
  for (let size = 0; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const read = [...readRecords(path)].length;
    assert.is(read, ends.filter((end) => end <= size).length * 10, `cut at ${size}`);
  }
});

Records('a flipped byte in the last block drops that block, one before it is damage', () => {
  write();
  const whole = readFileSync(path);
  const flipped = Buffer.from(whole);
  flipped[whole.length - 3]! ^= 1;
  writeFileSync(path, flipped);
  const left = [...readRecords(path)].length;
  assert.ok(left > 0 && left < many.length);
  flipped[100]! ^= 1;
  writeFileSync(path, flipped);
  assert.throws(() => [...readRecords(path)], /checksum/);
});

Records('a file of something else, of a newer format, or none at all is told apart', () => {
  writeFileSync(path, 'hello, world');
  assert.throws(
    () => new RecordReader(path),
    (error: { code: string }) => error.code === 'damaged',
  );
  write();
  const newer = readFileSync(path);
  newer.writeUInt16LE(2, 4);
  writeFileSync(path, newer);
  assert.throws(
    () => new RecordReader(path),
    (error: { code: string }) => error.code === 'too-new',
  );
  assert.throws(
    () => new RecordReader(join(folder, 'none')),
    (error: { code: string }) => error.code === 'missing-input',
  );
});

Records('what was flushed is there although the file was never closed', () => {
  const writer = new RecordWriter(path);
  writer.append('a', new Uint8Array(3));
  writer.flush();
  writer.append('b', new Uint8Array(3));
  assert.equal(
    [...readRecords(path)].map(({ key }) => key),
    ['a'],
  );
  writer.close();
  truncateSync(path, statSync(path).size - 1);
  assert.equal(
    [...readRecords(path)].map(({ key }) => key),
    ['a'],
  );
});

Records.run();
