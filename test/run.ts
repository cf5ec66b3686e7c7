/**
 * Runs every test file in a process of its own, two at a time, and adds up uvu's summaries: `N passed, N failed`.
 *
 *     npm test                  all
 *     npm test -- index fetch   only the files whose path contains one of the words
 *
 * A file that dies, hangs past LIMIT_MS or prints no summary counts as one failure, with its output shown. It is
 * stopped with all it has started, and so is what it leaves behind.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

const running = new Set<number>();

/** A process, its group, and its descendants in groups of their own; those only where there is a /proc to find them in. */
function stop(pid: number): void {
  for (const one of [...descendants(pid), -pid])
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended already.
    }
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(name));
  } catch {
    return []; // no /proc here
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found.slice(1);
}

function parentOf(pid: string): number {
  try {
    // pid (name) state parent ...; the name may hold anything.
    return Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0; // ended since it was listed
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(signal, () => {
    for (const pid of running) stop(pid);
    process.exit(code);
  });

function run(file: string): Promise<Verdict> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      detached: true, // leads a group
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const pid = child.pid!;
    running.add(pid);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      output += `\n${file} did not end within ${LIMIT_MS / 1000} s and was stopped\n`;
      stop(pid);
    }, LIMIT_MS);
    // What it left behind would hold the pipes open, and `close` would never come.
    child.on('exit', () => stop(pid));
    child.on('close', (code) => {
      running.delete(pid);
      clearTimeout(timer);
      const total = sum(output, 'Total');
      const passed = sum(output, 'Passed');
      const skipped = sum(output, 'Skipped');
      // A file of which nothing ran is a failure, unless it said that its material is not at hand.
      const ran = total > 0 || /^skipped: /m.test(output);
      const failed = Math.max(total - passed - skipped, code === 0 && ran ? 0 : 1);
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
