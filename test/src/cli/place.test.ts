import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir, cwd } from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placed, placeHint } from '../../../src/cli/place.ts';

const Place = suite('place');
const before = cwd();
const here = mkdtempSync(join(tmpdir(), 'nuthatch-place-'));
Place.before(() => {
  mkdirSync(join(here, 'docs'));
  writeFileSync(join(here, 'docs/one.html'), 'one');
  writeFileSync(join(here, 'example.org'), 'a name like a host');
  chdir(here);
});
Place.after(() => {
  chdir(before);
  rmSync(here, { recursive: true });
});

Place('a name that is here and could be no public host is the file or folder', () => {
  assert.is(placed('docs'), './docs');
  assert.is(placed('docs/'), './docs/');
  assert.is(placed('docs/one.html'), './docs/one.html');
});

Place('what is not here, and what is written as an address or a path, stays as it is', () => {
  for (const word of ['books', 'docs/two.html', 'example.org', 'localhost:80', 'https://docs/', './docs', '/docs', ''])
    assert.is(placed(word), word);
});

Place('a name like that of a host is taken for one, with a word about the file', () => {
  assert.match(placeHint('example.org'), /write \.\/example\.org$/);
  for (const word of ['docs', './docs', 'https://example.org/', 'example.net']) assert.is(placeHint(word), '');
});

Place.run();
