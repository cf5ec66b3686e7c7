import { execFileSync } from 'node:child_process';
import { machine as here, type Machine } from '../src/lab/machine.ts';

export interface MeasuredAt extends Machine {
  /** Short hash, with `+` when the tree held changes not yet committed; '' outside a checkout. */
  readonly commit: string;
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

export const machine = (): MeasuredAt => ({ ...here(), commit: commit() });
