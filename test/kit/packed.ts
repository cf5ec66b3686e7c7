import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Ran {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Both of its outputs, as they came. */
  readonly out: string;
}

/** A project of its own in which the package is installed as npm would ship it; its dependencies are those of the checkout. */
export interface Packed {
  readonly dir: string;
  /** Files of the package. */
  readonly shipped: readonly string[];
  /** The command's program. */
  readonly main: string;
  /** Writes a file and runs it with Node; at most two minutes. */
  node(file: string, text: string): Promise<Ran>;
  /** Runs a program; `seen` may end it early by Ctrl-C, once its output fits. */
  run(program: string, args: readonly string[], seen?: (out: string) => boolean): Promise<Ran>;
  remove(): void;
}

/** Builds and packs the checkout; about two seconds. */
export function packProject(): Packed {
  const root = resolve('.');
  const { bin: bins, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    bin: { nuthatch: string };
    files: string[];
  };
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-project-'));
  // Built into a folder of its own, for another test may be reading ./dist.
  const built = join(dir, 'built');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(built, 'dist')]);
  for (const asset of ['serve/ui', 'parse/documents/cmaps.bin', 'parse/documents/cmaps.txt'])
    cpSync(join('src', asset), join(built, 'dist/src', asset), { recursive: true });
  for (const file of ['package.json', 'README.md', 'LICENSE', ...files.filter((file) => file !== 'dist')])
    cpSync(file, join(built, file), { recursive: true });
  const answer = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir], {
    cwd: built,
    encoding: 'utf8',
  });
  const [pack] = JSON.parse(answer) as [{ filename: string; files: { path: string }[] }];
  const modules = join(dir, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', join(dir, pack.filename), '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'nuthatch')]);
  rmSync(built, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(modules, 'nuthatch/node_modules'));
  mkdirSync(join(modules, '@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const main = join(modules, 'nuthatch', bins.nuthatch);
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'nuthatch'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'project', type: 'module' }));
  const run = (program: string, args: readonly string[], seen?: (out: string) => boolean): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' };
      // A group of its own, so that Ctrl-C reaches all of it, as in a terminal.
      const child = spawn(program, args, { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let stopped = false;
      const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 120_000);
      const take = (chunk: Buffer): void => {
        out += chunk;
        if (stopped || !seen?.(out)) return;
        stopped = true;
        process.kill(-child.pid!, 'SIGINT');
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, out });
      });
    });
  return {
    dir,
    shipped: pack.files.map(({ path }) => path),
    main,
    node(file, text) {
      writeFileSync(join(dir, file), text);
      return run(process.execPath, [file]);
    },
    run,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
