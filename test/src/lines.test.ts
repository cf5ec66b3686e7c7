import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../src/errors.ts';
import { linesOf } from '../../src/lines.ts';

const Lines = suite('lines of a file');
const root = mkdtempSync(join(tmpdir(), 'lines-'));
Lines.after(() => rmSync(root, { recursive: true, force: true }));

const read = async (path: string, what?: string): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(path, what)) lines.push(line);
  return lines;
};

Lines('a byte order mark goes from the first line alone, ends of lines go from all, blank lines stay', async () => {
  const path = join(root, 'seeds.txt');
  writeFileSync(path, '\ufeffone\r\n\r\ntwo\n\ufeffthree');
  assert.equal(await read(path), ['one', '', 'two', '\ufeffthree']);
});

Lines('a file that cannot be read is wrong usage, and the complaint names it as it was called', async () => {
  const path = join(root, 'none.txt');
  try {
    await read(path, 'the list');
  } catch (error) {
    assert.instance(error, CrawlError);
    assert.is((error as CrawlError).code, 'usage');
    assert.is((error as CrawlError).where, path);
    assert.match((error as CrawlError).message, /^the list cannot be read: /);
    return;
  }
  assert.unreachable();
});

Lines.run();
