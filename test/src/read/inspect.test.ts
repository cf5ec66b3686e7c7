import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { inspect } from '../../../src/read/inspect.ts';
import { plain } from '../../../src/read/segment.ts';
import { page, startWeb } from '../../kit/web.ts';

const Inspect = suite('inspect');
const dir = mkdtempSync(join(tmpdir(), 'inspect-'));
Inspect.before(async () => {
  const web = await startWeb({ '/': page('Home', '/a', '/b'), '/a': page('Same'), '/b': page('Same') });
  await using crawl = await Crawl.open(dir, { net: { delay: 0 }, work: { threads: 1 } });
  await crawl.run([`${web.origin}/`]);
  await web.close();
});
Inspect.after(() => rmSync(dir, { recursive: true, force: true }));

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

Inspect('every file of the segments and of the index that a crawl leaves can be looked into', () => {
  const known = [...filesBelow(join(dir, 'segments')), ...filesBelow(join(dir, 'index'))].filter(
    (path) => !path.endsWith('fetch.done'),
  );
  assert.ok(known.length > 15);
  for (const path of known) {
    const lines = [...inspect(path, 5)].map((line) => JSON.stringify(line, plain));
    assert.ok(lines.length >= 2, path);
  }
});

Inspect('an outcome, a page and a document read as what they are', () => {
  const all = filesBelow(dir);
  const told = (part: string): string =>
    all
      .filter((path) => path.includes(part))
      .flatMap((path) => [...inspect(path, 9)])
      .map((line) => JSON.stringify(line, plain))
      .join('\n');
  assert.match(told('crawl_fetch'), /"kind":"success","reason":"ok"/);
  assert.match(told('parse_data'), /"title":"Same"/);
  assert.match(told('.warc.gz'), /"type":"response","url":"http:\/\/127/);
  assert.match(told('.seg'), /"name":"title","index":"text"|title/);
  assert.match(told('commit-'), /commit-\d/);
});

Inspect('a file that is none of ours is refused in one sentence', () => {
  assert.throws(() => [...inspect('package.json', 1)], /is no file that inspect knows/);
  assert.throws(() => [...inspect(dir, 1)], /is no file/);
});

Inspect.run();
