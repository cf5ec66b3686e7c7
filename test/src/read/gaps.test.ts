import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Gaps = suite('gaps');
const root = mkdtempSync(join(tmpdir(), 'gaps-'));
let web: Web;
let crawl: Crawl;
let segment: string;
Gaps.before(async () => {
  web = await startWeb({ '/': page('Home', '/a', '/b', '/missing'), '/a': page('A'), '/b': page('B') });
  crawl = await Crawl.open(join(root, 'crawl'), { net: { delay: 0 }, work: { threads: 1 } });
  await crawl.run([`${web.origin}/`]);
  segment = crawl.segments().at(-1)!;
});
Gaps.after(async () => {
  await crawl.close();
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

Gaps('a crawl that went well has none, a page that was not there included', async () => {
  assert.equal(await crawl.verify(), { ok: true, problems: [] });
});

for (const part of ['crawl_fetch', 'parse_data', 'parse_text', 'crawl_parse'])
  Gaps(`a part ${part} that is gone, or cut to a file that still reads well, is found and named`, async () => {
    const folder = join(crawl.dir, 'segments', segment, part);
    const name = readdirSync(folder).find((file) => file.endsWith('.rec'))!;
    const file = join(folder, name);
    const whole = readFileSync(file);
    const expectGap = async (): Promise<void> => {
      const { ok, problems } = await crawl.verify();
      assert.not.ok(ok);
      assert.ok(
        problems.some((problem) => problem.includes(segment) && problem.includes(`missing in ${part}`)),
        problems.join('\n'),
      );
    };
    renameSync(file, `${file}.away`);
    await expectGap();
    renameSync(`${file}.away`, file);
    writeFileSync(file, whole.subarray(0, whole.length - 1));
    await expectGap();
    writeFileSync(file, whole);
    assert.ok((await crawl.verify()).ok);
  });

Gaps.run();
