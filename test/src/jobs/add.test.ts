import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addChunk } from '../../../src/jobs/add.ts';
import { settle } from '../../../src/settle.ts';

const Add = suite('add');

const added = (...lines: readonly string[]) => {
  const directory = mkdtempSync(join(tmpdir(), 'nuthatch-add-'));
  try {
    return addChunk({ text: lines.join('\n'), from: 1, directory, name: '1', options: settle().index });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

Add('a date that no calendar holds leaves its line out, whichever field it is in', () => {
  for (const name of ['modified', 'published', 'fetched'])
    for (const date of ['1e300', '8.7e15', '-8.7e15']) {
      const { warnings, rejected } = added(`{"id":"x","${name}":${date}}`);
      assert.is(rejected, 1);
      assert.match(warnings[0]!, new RegExp(`^line 1 is left out: ${name} is no date`));
    }
  assert.is(added('{"id":"x","modified":8.64e15,"published":-8.64e15}').rejected, 0);
});

Add('an empty id is none, and the address stands for it', () => {
  assert.is(added('{"id":"","url":"https://example.org/a","text":"a"}').rejected, 0);
  assert.match(added('{"id":"","url":"","text":"a"}').warnings[0]!, /neither id nor url/);
});

Add('an id with half a character, which would be another one in bytes, is refused', () => {
  assert.match(added('{"id":"a\\ud800"}').warnings[0]!, /half a character/);
  assert.is(added('{"id":"a\\ud83d\\ude00"}').rejected, 0);
});

Add.run();
