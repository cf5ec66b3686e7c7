import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../../index/document.ts';
import { allLive, kill } from '../../../index/format/live.ts';
import { MemoryDirectory } from '../../../index/io/memory-directory.ts';
import { SEGMENT_FILES, segmentFile } from '../../../index/io/names.ts';
import { SegmentBuilder } from '../../../index/segment/builder.ts';
import { mergeSegments } from '../../../index/segment/merge.ts';
import { openSegment, openShared, type SegmentReader } from '../../../index/segment/reader.ts';
import { documents, random, schema, spaceChain } from '../../kit/index-documents.ts';

const Merge = suite('merge');

/** Kind of file -> SHA-256. */
type Print = Record<string, string>;

function print(directory: MemoryDirectory, name: string): Print {
  return Object.fromEntries(
    SEGMENT_FILES.map((kind) => [
      kind,
      createHash('sha256')
        .update(directory.read(segmentFile(name, kind)))
        .digest('hex')
        .slice(0, 16),
    ]),
  );
}

function build(
  directory: MemoryDirectory,
  name: string,
  docs: readonly Document[],
  dead: ReadonlySet<number> = new Set(),
): SegmentReader {
  const builder = new SegmentBuilder(schema, { chain: spaceChain });
  for (const document of docs) builder.add(document);
  builder.write(directory, name);
  // Half of them are read from disk as the merge goes: it must not matter.
  const reader = openSegment(directory, name, 0, undefined, { lean: docs.length % 2 === 0 });
  if (dead.size === 0) return reader;
  const live = allLive(docs.length);
  for (const doc of dead) kill(live, doc);
  return openShared(directory, { ...reader.share(), live });
}

const COUNT = 1200;
const all = documents(COUNT, 7);

function cuts(seed: number): number[] {
  const next = random(seed);
  const ends = new Set(Array.from({ length: 1 + Math.floor(next() * 9) }, () => Math.floor(next() * (COUNT + 1))));
  return [...ends, COUNT].sort((a, b) => a - b);
}

for (const seed of [1, 2, 3, 4]) {
  Merge(`any cut of the same documents into segments gives the same bytes as no cut (seed ${seed})`, () => {
    const directory = new MemoryDirectory();
    build(directory, 'whole', all);
    let start = 0;
    const readers = cuts(seed).map((end) => {
      const reader = build(directory, `cut${end}`, all.slice(start, end));
      start = end;
      return reader;
    });
    mergeSegments(readers, directory, 'merged');
    assert.equal(print(directory, 'merged'), print(directory, 'whole'));
  });

  Merge(`a merge without the deleted equals an index of the survivors (seed ${seed})`, () => {
    const next = random(seed * 1000);
    const directory = new MemoryDirectory();
    const rate = seed / 5;
    const dead = new Set([...all.keys()].filter(() => next() < rate));
    build(
      directory,
      'survivors',
      all.filter((_, i) => !dead.has(i)),
    );
    let start = 0;
    const readers = cuts(seed + 50).map((end) => {
      const here = new Set([...dead].filter((doc) => doc >= start && doc < end).map((doc) => doc - start));
      const reader = build(directory, `cut${end}`, all.slice(start, end), here);
      start = end;
      return reader;
    });
    mergeSegments(readers, directory, 'merged');
    assert.equal(print(directory, 'merged'), print(directory, 'survivors'));
  });
}

Merge('merges of neighbours in any order end in the same bytes', () => {
  const directory = new MemoryDirectory();
  build(directory, 'whole', all);
  for (const seed of [11, 12, 13]) {
    const next = random(seed);
    let names = 0;
    let readers = [0, 1, 2, 3, 4, 5].map((i) => build(directory, `p${seed}-${i}`, all.slice(i * 200, i * 200 + 200)));
    while (readers.length > 1) {
      const at = Math.floor(next() * (readers.length - 1));
      const name = `m${seed}-${names++}`;
      mergeSegments(readers.slice(at, at + 2), directory, name);
      readers = [...readers.slice(0, at), openSegment(directory, name), ...readers.slice(at + 2)];
    }
    assert.equal(print(directory, readers[0]!.name), print(directory, 'whole'), `seed ${seed}`);
  }
});

Merge('a merge of nothing but deleted documents is an empty segment', () => {
  const directory = new MemoryDirectory();
  build(directory, 'empty', []);
  const dead = build(directory, 'dead', all.slice(0, 5), new Set([0, 1, 2, 3, 4]));
  mergeSegments([dead], directory, 'merged');
  assert.equal(print(directory, 'merged'), print(directory, 'empty'));
});

Merge('a merge that is called off leaves no file', () => {
  const directory = new MemoryDirectory();
  const readers = [build(directory, 'a', all), build(directory, 'b', all)];
  const before = directory.list();
  const control = new AbortController();
  const seen: number[] = [];
  assert.throws(
    () =>
      mergeSegments(readers, directory, 'merged', {
        signal: control.signal,
        onProgress: (done) => {
          seen.push(done);
          control.abort(new Error('enough'));
        },
      }),
    /enough/,
  );
  assert.equal(directory.list(), before);
  assert.ok(seen.length > 0);
});

Merge('segments of different schemas do not merge', () => {
  const directory = new MemoryDirectory();
  const other = new SegmentBuilder({ key: 'id', fields: [{ name: 'id', index: 'keyword' }] });
  other.add({ id: 'x' });
  other.write(directory, 'other');
  const readers = [build(directory, 'a', all.slice(0, 3)), openSegment(directory, 'other')];
  assert.throws(
    () => mergeSegments(readers, directory, 'merged'),
    (error: { code?: string }) => error.code === 'bad-schema',
  );
});

for (const column of ['boost', 'time']) {
  Merge(
    `documents in the order of ${column} are the same bytes however they were cut, and equal a build in that order`,
    () => {
      const directory = new MemoryDirectory();
      const value = (document: Document): number =>
        (document[column] as number | undefined) ?? Number.NEGATIVE_INFINITY;
      const dead = new Set([...all.keys()].filter((doc) => doc % 7 === 3));
      const sorted = all
        .filter((_, doc) => !dead.has(doc))
        .sort((a, b) => (value(a) === value(b) ? 0 : value(b) - value(a)));
      build(directory, 'sorted', sorted);
      for (const seed of [21, 22]) {
        let start = 0;
        const readers = cuts(seed).map((end) => {
          const here = new Set([...dead].filter((doc) => doc >= start && doc < end).map((doc) => doc - start));
          const reader = build(directory, `o${seed}-${end}`, all.slice(start, end), here);
          start = end;
          return reader;
        });
        mergeSegments(readers, directory, `merged${seed}`, { orderBy: column });
        assert.equal(print(directory, `merged${seed}`), print(directory, 'sorted'));
      }
    },
  );
}

Merge('documents cannot be ordered by what is no number, and then no file is left', () => {
  const directory = new MemoryDirectory();
  const reader = build(directory, 'a', all.slice(0, 3));
  const before = directory.list();
  for (const orderBy of ['host', 'title', 'nothing']) {
    assert.throws(
      () => mergeSegments([reader], directory, 'merged', { orderBy }),
      (error: { code?: string }) => error.code === 'bad-schema',
    );
  }
  assert.equal(directory.list(), before);
});

Merge.run();
