import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HostBlocks, mergeBlocks } from '../../../src/jobs/host-blocks.ts';
import { keyOf } from '../../../src/page/key.ts';
import { encodePageText } from '../../../src/page/segment.ts';
import { BlockCounts } from '../../../src/parse/repeats.ts';
import { RecordWriter } from '../../../src/store/records.ts';

const Blocks = suite('host blocks');

Blocks('each host has counts of its own, and a host of few pages none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nuthatch-'));
  try {
    const pages: { key: string; text: string }[] = [];
    for (const [host, count] of [
      ['a.example', 8],
      ['b.example', 3],
      ['c.example', 7],
    ] as const)
      for (let i = 0; i < count; i++)
        pages.push({
          key: keyOf(`http://${host}/${i}`),
          text: `Menu of ${host[0]}\nMenu of all\nPage ${'abcdefgh'[i]} of ${host}`,
        });
    pages.sort((a, b) => (a.key < b.key ? -1 : 1));
    const path = join(folder, 'pages.rec');
    const writer = new RecordWriter(path);
    for (const { key, text } of pages) writer.append(key, encodePageText({ text, boilerplate: '' }));
    writer.close();
    const blocks = new HostBlocks(path, (value) => value.raw(value.left));
    for (const { key, text } of pages) {
      const lines = text.split('\n');
      const split = blocks.of(key).split({ text, boilerplate: '' });
      if (key.includes('b ') || key.includes(',b ')) assert.is(split.text, text);
      else assert.equal(split, { text: lines[2]!, boilerplate: `${lines[0]}\n${lines[1]}` });
    }
    blocks.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
Blocks(
  'what a host repeats is remembered for a round that brings few of its pages, and the same round leaves the same',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'nuthatch-'));
    const file = join(folder, 'blocks-1');
    let kept: Uint8Array | null = null;
    /** One `index` of these pages; answers what is left of their texts. */
    const index = (pages: readonly (readonly [url: string, text: string])[]): string[] => {
      const path = join(folder, 'pages.rec');
      const writer = new RecordWriter(path);
      const records = pages.map(([url, text]) => ({ key: keyOf(url), text })).sort((a, b) => (a.key < b.key ? -1 : 1));
      for (const { key, text } of records) writer.append(key, encodePageText({ text, boilerplate: '' }));
      writer.close();
      const seen = `${path}.blocks`;
      const blocks = new HostBlocks(path, (value) => value.raw(value.left), kept === null ? null : file, seen);
      const left = records.map(({ key, text }) => blocks.of(key).split({ text, boilerplate: '' }).text);
      blocks.close();
      kept = mergeBlocks(kept === null ? null : file, [seen], `${path}.new`);
      if (kept !== null) writeFileSync(file, kept);
      return left;
    };
    const some = (host: string, count: number, menu: string): [string, string][] =>
      Array.from({ length: count }, (_, i) => [`http://${host}/${i}`, `${menu}\nPage ${'abcdefgh'[i]} of ${host}`]);
    try {
      const few = some('a.example', 2, 'Menu');
      assert.equal(index(few), ['Menu\nPage a of a.example', 'Menu\nPage b of a.example'], 'nothing is known yet');
      const round = [...some('a.example', 8, 'Menu'), ...some('b.example', 6, 'Other menu')];
      index(round);
      const before = kept;
      index(round);
      assert.equal(kept, before);
      // A host between the two and one behind them are not known.
      assert.equal(
        index([
          ...few,
          ...some('aa.example', 1, 'Menu'),
          ...some('b.example', 1, 'Menu'),
          ...some('z.example', 1, 'Menu'),
        ]),
        [
          'Page a of a.example',
          'Page b of a.example',
          'Menu\nPage a of aa.example',
          'Menu\nPage a of b.example',
          'Menu\nPage a of z.example',
        ],
      );
      assert.equal(kept, before, 'few pages change nothing of it');
      // Pages enough to tell count alone, and take the place of what was known.
      index(some('a.example', 5, 'New menu'));
      assert.equal(index(some('a.example', 1, 'Menu')), ['Menu\nPage a of a.example']);
      assert.equal(index(some('a.example', 1, 'New menu')), ['Page a of a.example']);
      assert.equal(index(some('b.example', 1, 'Other menu')), ['Page a of b.example']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
Blocks('of a host that repeats very much, the 64 most frequent blocks are remembered', () => {
  const counts = new BlockCounts();
  for (let page = 0; page < 10; page++)
    counts.add(Array.from({ length: 100 }, (_, i) => (i < 90 || page > 0 ? `line ${'x'.repeat(i)}` : '')).join('\n'));
  assert.is(counts.repeated().length, 128);
  const later = new BlockCounts();
  later.remember(counts.repeated());
  const { text } = later.split({
    text: Array.from({ length: 100 }, (_, i) => `line ${'x'.repeat(i)}`).join('\n'),
    boilerplate: '',
  });
  assert.is(text.split('\n').length, 36);
});
Blocks.run();
