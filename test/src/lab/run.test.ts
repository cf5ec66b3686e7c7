import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LabFigures } from '../../../src/lab/figures.ts';

const Run = suite('lab/run');
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-lab-'));
Run.after(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
/** Calls the command line; `stopAt` ends it by SIGINT once its output matches. */
const nuthatch = (args: readonly string[], stopAt?: (out: string) => Promise<void> | undefined): Promise<Said> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args]);
    let out = '';
    let err = '';
    let stopping = false;
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const ready = stopping ? undefined : stopAt?.(out);
      if (!ready) return;
      stopping = true;
      void ready.finally(() => child.kill('SIGINT'));
    });
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('close', (code) => resolve({ code, out, err }));
  });

Run('a crawl of the lab is polite and complete, and its figures add up', async () => {
  const out = join(folder, 'one');
  const web = ['--pages', '90', '--hosts', '5', '--web', 'shaky=0', '--web', 'sizeKB=2', '--seed', '3'];
  const {
    code,
    err,
    out: text,
  } = await nuthatch(['lab', 'run', ...web, '--threads', '2', '--out', out, '--json', '--quiet']);
  assert.is(code, 0, err);
  const figures: LabFigures = JSON.parse(text);
  assert.equal(JSON.parse(readFileSync(join(out, 'figures.json'), 'utf8')), figures);
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /Polite and complete/);
  const { lab, steps, pages } = figures;
  assert.is(lab.politeness.violations, 0);
  assert.is(lab.pages.missed, 0, lab.pages.missing.join(' '));
  assert.is(lab.pages.unserved, 0);
  assert.ok(lab.pages.expected > 80 && pages >= lab.pages.served, `${pages} pages`);
  assert.ok(figures.indexed > 0 && figures.indexed <= pages);
  for (const step of ['inject', 'generate', 'fetch', 'updatedb', 'index', 'publish'])
    assert.ok(
      steps.some((one) => one.step === step),
      step,
    );
  const sum = steps.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  assert.ok(sum > 0 && sum <= figures.cpuSeconds, `${sum} of ${figures.cpuSeconds} CPU seconds`);
  assert.ok(figures.bytes > 100_000 && figures.bytes <= lab.bytes);
  assert.ok(figures.samples.length > 0 && figures.peakRssBytes >= Math.max(...figures.samples.map((s) => s.rssBytes)));

  const compared = await nuthatch([
    'lab',
    'run',
    '--compare',
    join(out, 'figures.json'),
    '--compare',
    join(out, 'figures.json'),
  ]);
  assert.match(compared.out, /^pages +\d+ +\d+ +x 1\.00$/m);
});

Run('a delay is kept to, seen from the other side', async () => {
  const { code, err, out } = await nuthatch([
    'lab',
    'run',
    '--pages',
    '24',
    '--hosts',
    '4',
    '--web',
    'sizeKB=1',
    '--delay',
    '20',
    '--json',
    '--quiet',
    '--threads',
    '2',
  ]);
  const { lab }: LabFigures = JSON.parse(out);
  assert.is(lab.politeness.violations, 0, JSON.stringify(lab.politeness));
  assert.is(code, 0, err);
  assert.ok(lab.politeness.minGapMs >= 19, `${lab.politeness.minGapMs} ms`);
  for (const host of lab.hosts) assert.ok(host.atOnce <= 1);
});

Run('a folder is served until it is told to stop, and then says what was seen', async () => {
  const site = join(folder, 'site');
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), '<title>home</title><a href="b.html">b</a>');
  writeFileSync(join(site, 'b.html'), '<title>b</title>');
  const { code, out } = await nuthatch(['lab', 'serve', site, '--json'], (text) => {
    if (!text.includes('\n')) return undefined;
    const [seed] = JSON.parse(text.split('\n')[0]!).seeds;
    return fetch(seed).then((response) => void response.text());
  });
  assert.is(code, 0);
  const [first, second] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.is(first.pages, 2);
  assert.is(second.requests, 1);
  assert.is(second.pages.missed, 1);
});

Run('each of several crawls has a folder of its own, and none goes into one that holds a crawl', async () => {
  const dir = join(folder, 'kept');
  const web = ['--hosts', '2', '--web', 'shaky=0', '--web', 'sizeKB=1', '--quiet', '--dir', dir];
  const { code, err } = await nuthatch(['lab', 'run', '--sizes', '20,30', ...web]);
  assert.is(code, 0, err);
  for (const run of ['run-1', 'run-2']) assert.ok(existsSync(join(dir, run, 'crawldb')), run);
  const again = await nuthatch(['lab', 'run', '--sizes', '20,30', ...web]);
  assert.is(again.code, 2, again.err);
  assert.match(again.err, /holds a crawl/);
});

Run('what makes no sense is refused with a sentence and exit code 2', async () => {
  for (const [args, says] of [
    [['lab', 'walk'], /lab serve or lab run/],
    [['lab', 'run', '--pages', '5', '--hosts', '9'], /at least as many pages/],
    [['lab', 'run', '--shards', '1,x'], /whole numbers with commas/],
    [['lab', 'serve', join(folder, 'nowhere')], /there is no folder/],
    [['lab', 'run', '--compare', 'package.json'], /no figures of lab run/],
  ] as const) {
    const { code, err } = await nuthatch(args);
    assert.is(code, 2, args.join(' '));
    assert.match(err, says);
  }
  assert.not.ok(existsSync('crawl'), 'nothing was left behind');
});

Run.run();
