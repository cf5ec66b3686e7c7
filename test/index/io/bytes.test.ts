import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ByteReader, ByteWriter } from '../../../index/io/bytes.ts';

const Bytes = suite('bytes');

Bytes('whole numbers of every size come back as varint and u64', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const out = new ByteWriter(1);
      out.varint(value);
      out.u64(value);
      const input = new ByteReader(out.finish());
      assert.is(input.varint(), value);
      assert.is(input.u64(), value);
      assert.is(input.left, 0);
    }),
  );
});
Bytes('strings and bytes come back, short and long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.uint8Array(), (text, bytes) => {
      const out = new ByteWriter(1);
      out.string(text);
      out.bytes(bytes);
      const input = new ByteReader(out.view());
      assert.is(input.string(), text);
      assert.ok(Buffer.from(input.bytes()).equals(bytes));
    }),
  );
});
Bytes('reading past the end throws', () => {
  assert.throws(() => new ByteReader(new Uint8Array(3)).u32(), RangeError);
  assert.throws(() => new ByteReader(new Uint8Array([9, 1])).bytes(), RangeError);
});
Bytes.run();
