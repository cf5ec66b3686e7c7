import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CrawlError } from '../../../src/errors.ts';
import { holdFolder } from '../../../src/store/hold.ts';

const HoldSuite = suite('hold');
const dir = mkdtempSync(join(tmpdir(), 'hold-'));
HoldSuite.after(() => rmSync(dir, { recursive: true, force: true }));

const refused = async (): Promise<CrawlError> => {
  try {
    await holdFolder(dir, 'crawl', 0);
  } catch (error) {
    return error as CrawlError;
  }
  throw new Error('the folder was given twice');
};

HoldSuite('a folder has one holder, and the second is told who, what and since when', async () => {
  const hold = await holdFolder(dir, 'inject', Date.UTC(2026, 0, 2, 3, 4, 5));
  const error = await refused();
  assert.is(error.code, 'locked');
  assert.ok(error.message.includes(`process ${process.pid} (inject, since 2026-01-02T03:04:05.000Z)`), error.message);
  await hold.release();
  await (await holdFolder(dir, 'crawl', 0)).release();
});

HoldSuite('RU-crash-01: a holder that was killed holds nothing', async () => {
  const script = `
    const { holdFolder } = await import(${JSON.stringify(new URL('../../../src/store/hold.ts', import.meta.url).href)});
    await holdFolder(${JSON.stringify(dir)}, 'updatedb', 0);
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const error = await refused();
  assert.ok(error.message.includes(`process ${child.pid} (updatedb`), error.message);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (await holdFolder(dir, 'crawl', 0)).release();
});

HoldSuite.run();
