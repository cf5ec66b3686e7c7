import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../../src/errors.ts';
import { synonymsOf } from '../../../src/search/synonyms.ts';

const Synonyms = suite('synonyms of a crawl');
const dir = mkdtempSync(join(tmpdir(), 'nuthatch-synonyms-'));
writeFileSync(join(dir, 'words.txt'), '# ours\nowl, strix\nmouse => vole\n');
writeFileSync(join(dir, 'bad.txt'), 'owl, strix\nc++, one\n');

Synonyms('lines and files of lines are one list', () => {
  const words = synonymsOf(['car, auto', 'words.txt', 'owl => bird'], dir)!;
  assert.equal(words.get('car'), ['auto']);
  assert.equal(words.get('auto'), ['car']);
  assert.equal(words.get('owl'), ['strix', 'bird']);
  assert.equal(words.get('mouse'), ['vole']);
  assert.is(words.get('vole'), undefined);
  assert.is(synonymsOf([], dir), undefined);
});

Synonyms('a line or a file that cannot be used is named', () => {
  const fails = (entry: string, what: RegExp): void =>
    assert.throws(
      () => synonymsOf([entry], dir),
      (error: unknown) => error instanceof CrawlError && error.code === 'config' && what.test(error.message),
    );
  fails('bad.txt', /bad\.txt line 2: .*not made of letters/);
  fails('nowhere.txt', /nowhere\.txt cannot be read/);
  fails('a =>', /"a =>": a line reads/);
});

Synonyms.after(() => {
  rmSync(dir, { recursive: true });
});
Synonyms.run();
