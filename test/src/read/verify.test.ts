import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';

const Verify = suite('verify');
const dir = mkdtempSync(join(tmpdir(), 'nuthatch-verify-'));
Verify.after(() => rmSync(dir, { recursive: true, force: true }));

Verify(
  'a bit flipped in a record of a table is found by its block, although LevelDB hands the record out',
  async () => {
    const opened = async <T>(act: (crawl: Crawl) => Promise<T>): Promise<T> => {
      await using crawl = await Crawl.open(dir, { work: { threads: 1 } });
      return await act(crawl);
    };
    await opened((crawl) => crawl.inject(Array.from({ length: 500 }, (_, n) => `http://h.test/page-${n}`)));
    // The log becomes a table file when it is opened again.
    assert.equal((await opened((crawl) => crawl.verify())).problems, []);
    const name = readdirSync(join(dir, 'crawldb'))
      .filter((file) => file.endsWith('.ldb'))
      .sort()
      .at(-1)!;
    const path = join(dir, 'crawldb', name);
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 3)]! ^= 4;
    writeFileSync(path, bytes);
    const { ok, problems } = await opened((crawl) => crawl.verify());
    assert.is(ok, false);
    assert.match(
      problems.join('\n'),
      new RegExp(`${name.replace('.', '\\.')}: the checksum of the block at \\d+ does not match`),
    );
  },
);
Verify.run();
