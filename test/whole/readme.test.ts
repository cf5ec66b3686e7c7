import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/**
 * The two commands of the README's first screen, run as a user runs them: from a clean checkout, nothing installed.
 * `npm test` inside it is kept to a few files, and this one does not run itself again.
 */
const Readme = suite('the two commands of the README');

/** Limit of one command, ms. */
const LIMIT_MS = 300_000;
const reason = process.env.NUTHATCH_INSIDE
  ? 'this run is inside such a checkout'
  : !process.env.CI && !process.env.NUTHATCH_WHOLE
    ? 'they install packages; NUTHATCH_WHOLE=1 runs them'
    : !existsSync('.git')
      ? 'this folder is no checkout of git'
      : '';

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
}
/** Where the commands put what they remove at the end. */
let temporary = '';

function run(command: string, cwd: string, until?: (out: string) => boolean): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, NUTHATCH_INSIDE: '1', TMPDIR: temporary, NO_COLOR: '1', FORCE_COLOR: '0' };
    delete (env as Record<string, unknown>).NUTHATCH_WHOLE;
    // A group of its own, so that Ctrl-C reaches npm and what npm started, as in a terminal.
    const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let stopped = false;
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LIMIT_MS);
    const take = (chunk: Buffer): void => {
      out += chunk;
      if (until && !stopped && until(out)) {
        stopped = true;
        process.kill(-child.pid!, 'SIGINT');
      }
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, out });
    });
  });
}

if (reason) {
  Readme('are not run here', () => console.log(`skipped: the two commands of the README; ${reason}`));
} else {
  let checkout = '';
  Readme.before(() => {
    temporary = mkdtempSync(join(tmpdir(), 'nuthatch-temporary-'));
    checkout = mkdtempSync(join(tmpdir(), 'nuthatch-checkout-'));
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), checkout]);
  });
  Readme.after(() => {
    for (const folder of [checkout, temporary]) rmSync(folder, { recursive: true, force: true });
  });

  Readme('the README names them in its first screen', () => {
    const screen = readFileSync('README.md', 'utf8').split('\n').slice(0, 24).join('\n');
    assert.match(screen, /^npm install && npm start\b/m);
    assert.match(screen, /^npm install && npm test\b/m);
  });

  Readme('npm install && npm start -- --once shows what became of every odd thing, and hits', async () => {
    const { code, out } = await run('npm install --no-audit --no-fund && npm start -- --once', checkout);
    assert.is(code, 0, out);
    assert.match(out, /a duplicate +\/print\/glossary\.html\n.*duplicate of .*\/glossary\.html/, out);
    assert.match(out, /a redirect +\/start\n.*\n? *.*\/getting-started\.html/, out);
    assert.match(out, /forbidden by robots\.txt +\/drafts\/ideas\.html\n.*robots\.txt/, out);
    assert.match(out, /a broken link +\/changes\.html\n.*404/, out);
    assert.match(out, /a file that is no page +\/nuthatch\.png\n.*\w/, out);
    assert.is([...out.matchAll(/\((\d+) hits?\)/g)].filter(([, n]) => Number(n) > 0).length, 3, out);
    assert.equal(
      out.split('\n').filter((line) => line.length > 80 && !line.startsWith('npm ')),
      [],
      'a line is wider than a terminal of 80 columns',
    );
    assert.is(existsSync(join(checkout, 'crawl')), false, 'the demonstration leaves nothing in the checkout');
  });

  Readme('npm start serves the search page until Ctrl-C, then ends in good order', async () => {
    const { code, signal, out } = await run('npm start -- --port 0', checkout, (text) =>
      text.includes('Ctrl-C ends it.'),
    );
    assert.match(out, /The search page: http:\/\/127\.0\.0\.1:\d+\/\n/, out);
    // npm itself may end by the signal; what it started has ended in good order when its folder is gone.
    assert.ok(code === 0 || code === 130 || signal === 'SIGINT', `exit code ${code}, ${signal}\n${out}`);
    assert.equal(
      readdirSync(temporary).filter((name) => name.startsWith('nuthatch-')),
      [],
    );
  });

  Readme('npm install && npm test passes', async () => {
    const { code, out } = await run('npm install --no-audit --no-fund && npm test -- house docs settle', checkout);
    // Marked line by line, so that the summaries of the tests inside are not counted with those outside.
    const told = out.replace(/^/gm, '| ');
    assert.is(code, 0, told);
    assert.match(out, /^\d+ passed, 0 failed/m, told);
  });
}
Readme.run();
