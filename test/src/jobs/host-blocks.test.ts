import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HostBlocks } from '../../../src/jobs/host-blocks.ts';
import { keyOf } from '../../../src/page/key.ts';
import { encodePageText } from '../../../src/page/segment.ts';
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
Blocks.run();
