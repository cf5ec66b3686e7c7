import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import { CrawlError } from '../../src/errors.ts';

const Holding = suite('who holds a crawl folder');
const root = mkdtempSync(join(tmpdir(), 'nuthatch-hold-'));
Holding.after(() => rmSync(root, { recursive: true, force: true }));
const note = '{"id": "n1", "title": "Shopping", "text": "hazel nuts"}';
const code = (error: unknown): string => (error instanceof CrawlError ? error.code : String(error));

Holding(
  'a question why takes the folder for itself alone: others can have it before this crawl is closed',
  async () => {
    const dir = join(root, 'why');
    const first = await Crawl.open(dir);
    // A text is its lines.
    assert.is((await first.add(`${note}\n{"id": "n2", "text": "cones"}\n`)).added, 2);
    await first.close();

    const asking = await Crawl.open(dir);
    const other = await Crawl.open(dir);
    try {
      const both = await Promise.all([asking.why('n1'), asking.why('n2')]);
      assert.ok(both.every(({ verdict }) => /a search can find it/.test(verdict)));
      assert.is((await other.stats()).urls, 0);
      assert.is(await asking.why('n1').catch(code), 'locked');
      await other.close();
      assert.match(
        (await asking.why('n1')).verdict,
        /a search can find it/,
        'and it can ask again when the other is gone',
      );
      // What it has taken to stay, a question does not give back.
      await asking.stats();
      await asking.why('n1');
      const late = await Crawl.open(dir);
      assert.is(await late.stats().catch(code), 'locked');
      await late.close();
    } finally {
      await asking.close();
      await other.close();
    }
    assert.is(await asking.why('n1').catch(code), 'usage');
  },
);

Holding(
  'one address as a text is one seed, not a seed a letter; a folder that is no text is refused in words',
  async () => {
    const crawl = await Crawl.open(join(root, 'text'));
    try {
      assert.is((await crawl.inject('https://example.org/\nhttps://example.com/')).injected, 2);
    } finally {
      await crawl.close();
    }
    assert.is(await Crawl.open(undefined as unknown as string).catch(code), 'usage');
  },
);

Holding('times and sizes may be texts with a unit, for the compiler as well', async () => {
  const crawl = await Crawl.open(join(root, 'units'), {
    net: { delay: '250ms', maxBody: '1MB' },
    schedule: { interval: '7d' },
  });
  assert.equal([crawl.options.net.delay, crawl.options.net.maxBody], [250, 1 << 20]);
  assert.is(crawl.options.schedule.interval, 7 * 86_400);
  // @ts-expect-error no unit of anything
  await Crawl.open(join(root, 'units'), { net: { delay: '250 furlongs' } }).catch(code);
  await crawl.close();
});

Holding.run();
