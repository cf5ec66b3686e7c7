import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MemoryDirectory, openSegment, SegmentBuilder } from '../../../index/index.ts';
import { findSuspects, hashOf, isSuspect } from '../../../src/jobs/suspects.ts';

const Suspected = suite('documents that may have a twin');
const DOCUMENTS = 4000;

Suspected('every one that has a twin is suspected, by id or by digest, and of the others few', () => {
  const directory = new MemoryDirectory();
  const digestOf = (n: number): Uint8Array => new Uint8Array(Uint32Array.of(n, n * 7, 3, 1).buffer);
  const readers = ['s0', 's1'].map((name, half) => {
    const builder = new SegmentBuilder({
      key: 'id',
      fields: [
        { name: 'id', index: 'keyword' },
        { name: 'digest', index: 'none', column: 'hash128' },
      ],
    });
    // The second segment has one id in ten of the first, and one digest in ten, of other documents.
    for (let n = 0; n < DOCUMENTS; n++) {
      const id = half === 1 && n % 10 === 0 ? n : half * DOCUMENTS + n;
      const digest = half === 1 && n % 10 === 5 ? n : half * DOCUMENTS + n;
      builder.add({ id: `http://h.test/${id}`, digest: digestOf(digest) });
    }
    builder.write(directory, name);
    return openSegment(directory, name);
  });
  const suspects = findSuspects(readers);
  const byId = (n: number): boolean => {
    const key = readers[0]!.terms('id');
    key.key(key.find(`http://h.test/${n}`));
    return isSuspect(suspects.ids, hashOf(key.keyBytes, key.keyFrom, key.keyEnd));
  };
  const byDigest = (n: number): boolean => isSuspect(suspects.digests, hashOf(digestOf(n), 0, 16));
  let without = 0;
  for (let n = 0; n < DOCUMENTS; n++) {
    if (n % 10 === 0) assert.ok(byId(n), `id ${n}`);
    else if (byId(n)) without++;
    if (n % 10 === 5) assert.ok(byDigest(n), `digest ${n}`);
    else if (byDigest(n)) without++;
  }
  assert.ok(without < DOCUMENTS * 0.4, `${without} without a twin`);
});
Suspected.run();
