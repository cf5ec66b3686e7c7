import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagesSite } from '../kit/pages.ts';
import { startWeb } from '../kit/web.ts';

const Memory = suite('memory');
const root = mkdtempSync(join(tmpdir(), 'memory-'));
/** Compiled, as it is shipped: a loader that compiles on the way needs memory of its own. */
const built = 'node_modules/.cache/nuthatch-test';
Memory.after(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
});

Memory(
  'issue 2: a crawl of 2,000 pages of 10 KB on loopback, without delay, stays below 230 MB with two threads (asked for: 250)',
  async () => {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', built]);
    const web = await startWeb(pagesSite(2000, 0, 1500));
    try {
      const dir = join(root, 'crawl');
      const more = ['--dir', dir, '--delay', '0', '--json', '--quiet', '--threads', '2'];
      const child = spawn(process.execPath, [join(built, 'src/cli/main.js'), 'crawl', `${web.origin}/`, ...more], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.on('data', (chunk) => void (out += chunk));
      const [code] = await once(child, 'close');
      assert.is(code, 0);
      const { published, peakRssBytes } = JSON.parse(out);
      assert.is(published, 2000);
      assert.ok(peakRssBytes < 230 * 2 ** 20, `${Math.round(peakRssBytes / 2 ** 20)} MB`);
    } finally {
      await web.close();
    }
  },
);

Memory.run();
