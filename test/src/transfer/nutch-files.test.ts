import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DataIn, DataOut, textHash } from '../../../src/transfer/nutch/data.ts';
import { MapFileWriter, readSequence, SequenceWriter } from '../../../src/transfer/nutch/sequence-file.ts';
import {
  readDatum,
  readInlinks,
  readParseData,
  writeDatum,
  writeInlinks,
  writeParseData,
} from '../../../src/transfer/nutch/writables.ts';
import { shared } from '../../kit/shared.ts';

interface Golden {
  readonly bytesHex?: string;
  readonly crcFileHex?: string;
  readonly header: {
    readonly valueClass: string;
    readonly blockCompressed: boolean;
    readonly sync: string;
    readonly headerLength: number;
  };
  readonly records: readonly { readonly key: string; readonly value: { readonly title: string } & number }[];
}

const Files = suite('files of Nutch');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-nutch-'));
Files.after(() => rmSync(folder, { recursive: true }));

Files('any whole number comes back as vint', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const out = new DataOut();
      out.vint(value);
      assert.is(new DataIn(out.finish()).vint(), value);
    }),
  );
});

Files('records come back from files of any compression, with sync markers between them', () => {
  const records = Array.from({ length: 700 }, (_, i) => ({
    key: `http://a.example/${i}`,
    value: Buffer.alloc(i % 90, i),
  }));
  for (const compression of ['none', 'record'] as const) {
    const path = join(folder, `records-${compression}`);
    const writer = new SequenceWriter(path, {
      valueClass: 'x.Y',
      compression,
      sync: Buffer.alloc(16, 7),
      interval: 2000,
    });
    for (const { key, value } of records) writer.append(key, value);
    writer.close();
    const read = [...readSequence(path)].map(({ key, value }) => ({
      key: new DataIn(key).text(),
      value: Buffer.from(value),
    }));
    // Views are gone by now: only the keys were copied as text.
    assert.equal(
      read.map(({ key }) => key),
      records.map(({ key }) => key),
    );
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, -1));
    assert.throws(
      () => [...readSequence(path)],
      (error: { code: string }) => error.code === 'damaged',
    );
  }
});

Files('the index of a MapFile leads to every 128th record', () => {
  const writer = new MapFileWriter(join(folder, 'map'), {
    valueClass: 'x.Y',
    sync: Buffer.alloc(16, 7),
    interval: 2000,
  });
  for (let i = 0; i < 300; i++) writer.append(`key ${String(i).padStart(4, '0')}`, Buffer.alloc(40));
  writer.close();
  const data = readFileSync(join(folder, 'map', 'data'));
  const index = [...readSequence(join(folder, 'map', 'index'))].map(
    ({ key, value }) => [new DataIn(key).text(), new DataIn(value).i64()] as const,
  );
  assert.equal(
    index.map(([key]) => key),
    ['key 0000', 'key 0128', 'key 0256'],
  );
  for (const [key, at] of index) {
    const start = data.readInt32BE(at) === -1 ? at + 20 : at;
    assert.is(new DataIn(data.subarray(start + 8)).text(), key);
  }
});

Files('inlinks of both layouts are told apart, and come back in theirs', () => {
  for (const metadata of [false, true]) {
    const out = new DataOut();
    const links = [
      { url: 'http://a.example/', anchor: 'x', metadata: null },
      { url: 'http://b.example/', anchor: '', metadata: null },
    ];
    writeInlinks(links, metadata, out);
    assert.equal(readInlinks(out.finish()), { links, metadata });
  }
});

const primitives = shared('vectors/nutch/ondisk-primitives.json');
if (!primitives) console.log('skipped: primitives of Hadoop');
else {
  const { vint, text, textHashCode } = JSON.parse(readFileSync(primitives, 'utf8'));
  Files('numbers, texts and hashes are those of Hadoop', () => {
    for (const { n, hex } of vint) {
      const out = new DataOut();
      out.vint(n);
      assert.is(out.finish().toString('hex'), hex);
      assert.is(new DataIn(Buffer.from(hex, 'hex')).vint(), n);
    }
    for (const { s, hex } of text) {
      const out = new DataOut();
      out.text(s);
      assert.ok(out.finish().toString('hex').startsWith(hex.slice(0, 200)));
      assert.is(new DataIn(out.finish()).text(), s);
    }
    for (const { s, hash, partition3 } of textHashCode) {
      const got = textHash(Buffer.from(s));
      assert.equal([got, (got & 0x7fffffff) % 3], [hash, partition3]);
    }
  });
}

const golden = shared('vectors/nutch/ondisk-golden.json');
if (!golden) console.log('skipped: golden files of Nutch, byte for byte');
else {
  const { files } = JSON.parse(readFileSync(golden, 'utf8'));
  for (const [name, file] of Object.entries<Golden>(files)) {
    const { bytesHex } = file;
    if (!bytesHex) continue;
    const bytes = Buffer.from(bytesHex, 'hex');
    const path = join(folder, 'golden');
    Files(`${name} is read to the last byte`, () => {
      writeFileSync(path, bytes);
      const keys = [...readSequence(path)].map(({ key }) => new DataIn(key).text());
      assert.equal(
        keys,
        file.records.map(({ key }) => key),
      );
    });
    const again = (make: (value: Buffer) => Buffer): void => {
      writeFileSync(path, bytes);
      const { header } = [...readSequence(path)][0]!;
      const made = join(folder, 'made', basename(dirname(name)), basename(name));
      const compression = header.compression === 'record' ? ('record' as const) : ('none' as const);
      const writer = new SequenceWriter(made, {
        valueClass: header.valueClass,
        compression,
        sync: header.sync,
        interval: 2000,
      });
      for (const { key, value } of readSequence(path)) writer.append(new DataIn(key).text(), make(value));
      writer.close();
      assert.is(readFileSync(made, 'hex'), bytesHex);
      if (file.crcFileHex)
        assert.is(readFileSync(join(dirname(made), `.${basename(made)}.crc`), 'hex'), file.crcFileHex);
    };
    if (file.header.valueClass.endsWith('CrawlDatum'))
      Files(`${name}: each datum, and the file and its checksums, are written again byte for byte`, () => {
        again((value) => {
          const from = new DataIn(value);
          const datum = readDatum(from);
          assert.is(from.left, 0);
          const out = new DataOut();
          writeDatum(datum, out);
          return out.finish();
        });
      });
    if (file.header.valueClass.endsWith('ParseData'))
      Files(`${name}: what was parsed is written again byte for byte`, () => {
        again((value) => {
          const from = new DataIn(value);
          const data = readParseData(from);
          assert.is(from.left, 0);
          assert.is(data.title, file.records[0]!.value.title);
          const out = new DataOut();
          writeParseData(data, out);
          return out.finish();
        });
      });
    if (file.header.blockCompressed)
      Files(`${name}: the index is made again, the same once unpacked`, () => {
        const dir = join(folder, 'index-again');
        const sync = Buffer.from(file.header.sync, 'hex');
        const writer = new MapFileWriter(dir, { valueClass: 'x.Y', sync });
        const { key, value } = file.records[0]!;
        const places = (writer as unknown as { places: { key: string; at: number }[] }).places;
        places.push({ key, at: value });
        writer.close();
        const read = [...readSequence(join(dir, 'index'))].map((record) => [
          new DataIn(record.key).text(),
          new DataIn(record.value).i64(),
        ]);
        assert.equal(read, [[key, value]]);
        const head = 2 * (file.header.headerLength + 21);
        assert.is(readFileSync(join(dir, 'index'), 'hex').slice(0, head), bytesHex.slice(0, head));
      });
  }
}

Files.run();
