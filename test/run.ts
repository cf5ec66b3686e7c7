/**
 * Runs every test file in a process of its own, two at a time, and adds up uvu's summaries: `N passed, N failed`.
 *
 *     npm test                  all
 *     npm test -- index fetch   only the files whose path contains one of the words
 *
 * A file that dies, hangs past LIMIT_MS or prints no summary counts as one failure, with its output shown.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const LIMIT_MS = 600_000;
const words = process.argv.slice(2);
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
  readonly milliseconds: number;
}

const sum = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^\\s*${name}:\\s+(\\d+)`, 'gm'))].reduce((total, [, n]) => total + Number(n), 0);

function run(file: string): Promise<Verdict> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      output += `\n${file} did not end within ${LIMIT_MS / 1000} s and was stopped\n`;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      const total = sum(output, 'Total');
      const passed = sum(output, 'Passed');
      const skipped = sum(output, 'Skipped');
      const failed = Math.max(total - passed - skipped, code === 0 && total > 0 ? 0 : 1);
      resolve({ passed, failed, skipped, output, milliseconds: performance.now() - started });
    });
  });
}

let passed = 0;
let failed = 0;
let skipped = 0;
const waiting = [...files];
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const verdict = await run(file);
      passed += verdict.passed;
      failed += verdict.failed;
      skipped += verdict.skipped;
      const seconds = (verdict.milliseconds / 1000).toFixed(1);
      console.log(`${verdict.failed ? 'FAILED' : 'ok'}  ${file}  ${verdict.passed} passed, ${seconds} s`);
      const notes = verdict.output.split('\n').filter((line) => line.startsWith('skipped: '));
      if (verdict.failed) console.log(verdict.output);
      else if (notes.length) console.log(notes.join('\n'));
    }
  }),
);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed || passed === 0 ? 1 : 0;
