import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves when stderr or stdout has said it; rejects when the process ends before. */
  said(text: string): Promise<void>;
}

/** Starts the command line as a person would; `input` goes to its stdin. */
export function startCli(args: readonly string[], input = ''): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let [out, err] = ['', ''];
  const waiting = new Set<() => void>();
  const heard = (): void => {
    for (const look of waiting) look();
  };
  child.stdout.on('data', (chunk) => {
    out += chunk;
    heard();
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
    heard();
  });
  // A command that does not read its input ends before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ran>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out, err })));
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!out.includes(text) && !err.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`it ended without saying ${JSON.stringify(text)}: ${out}${err}`)));
      look();
    });
  return { child, ended, said };
}

export const cli = (args: readonly string[], input = ''): Promise<Ran> => startCli(args, input).ended;
