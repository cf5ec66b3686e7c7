import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeySet } from '../../../src/jobs/key-set.ts';

const Keys = suite('key set');

Keys('holds what was added, wherever it lies in its buffer, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 3000 }), fc.array(fc.string()), (added, others) => {
      const set = new KeySet();
      for (const key of added) {
        const bytes = Buffer.from(`<${key}>`);
        set.add(bytes, 1, bytes.length - 1);
      }
      const plain = new Set(added.map((key) => Buffer.from(key).toString()));
      for (const key of [...added, ...others]) {
        const bytes = Buffer.from(key);
        assert.is(set.has(bytes), plain.has(bytes.toString()), JSON.stringify(key));
      }
    }),
  );
});

Keys.run();
