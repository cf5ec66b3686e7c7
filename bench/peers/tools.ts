import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shared } from '../../test/kit/shared.ts';
import { workFolder } from '../results.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The harnesses that run the peers. They are no part of this repository: `NUTHATCH_PEERS`, else `peers` in the work
 * folder (where their npm packages can be installed), else the reference data beside the checkout. Null: none.
 */
export function harness(): string | null {
  for (const place of [process.env.NUTHATCH_PEERS, join(workFolder(), 'peers'), shared('peers')])
    if (place && existsSync(join(place, 'lib/common.mjs'))) return place;
  return null;
}

export const skipped = (name: string, why: string): void => console.log(`skipped: ${name} (${why})`);

/** Whether a program is on the path. */
export const installed = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore', env: path() }).status === 0;

/** Whether an npm package of the harness is installed. */
export const packaged = (place: string, name: string, below = ''): boolean =>
  existsSync(join(place, below, 'node_modules', name));

/** Debian keeps servers in sbin, which is not on everybody's path. */
const path = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin`,
  NUTHATCH_BENCH: workFolder(),
});

export interface Ran {
  readonly status: number;
  readonly output: string;
  /** The JSON lines among what was printed. */
  readonly json: readonly Record<string, unknown>[];
}

/** Runs to the end, at low priority: a measurement of CPU loses nothing by waiting. */
export function run(command: string, args: readonly string[], more: { cwd?: string; seconds?: number } = {}): Ran {
  const { status, stdout, stderr } = spawnSync('nice', ['-n', '10', command, ...args], {
    encoding: 'utf8',
    env: path(),
    cwd: more.cwd,
    timeout: (more.seconds ?? 1200) * 1000,
    maxBuffer: 1 << 28,
  });
  const json: Record<string, unknown>[] = [];
  for (const line of (stdout ?? '').split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      json.push(JSON.parse(line));
    } catch {
      // a line that begins like JSON and is none is output for people
    }
  }
  return { status: status ?? 1, output: `${stdout ?? ''}${stderr ?? ''}`, json };
}

/** The folder of `bench/` compiled as the package is; what the compiler says, on the console, when it complains. */
export function compileBench(): string {
  const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'bench')]);
  if (compiled.status !== 0)
    console.log(`the compiler complains, what it made is measured all the same:\n${compiled.output}`);
  return join(root, '.bench/build/bench');
}

/** Options `--name value` and `--flag` of a script; the words between them in order. */
export function words(argv: readonly string[]): { options: Map<string, string>; rest: string[] } {
  const options = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith('--')) rest.push(word);
    else if (argv[i + 1] === undefined || argv[i + 1]!.startsWith('--')) options.set(word.slice(2), '');
    else options.set(word.slice(2), argv[++i]!);
  }
  return { options, rest };
}

/** The middle one, or the lower of the two in the middle. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;

/** Of ratios: the one whose product with itself, n times, is theirs. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

export const version = (): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
