import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** Where a figure comes from: without this beside it, a figure means nothing a month later. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly platform: string;
  readonly node: string;
  /** Short hash, with `+` when the tree held changes not yet committed; '' outside a checkout. */
  readonly commit: string;
  /** Runnable tasks of the whole machine over the last minute: well above 0 before a run, wall times mean little. */
  readonly load: number;
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '');
  } catch {
    return ''; // no git, or no checkout: the figure stands without a commit
  }
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  node: process.version,
  commit: commit(),
  load: Number(loadavg()[0]!.toFixed(2)),
});
