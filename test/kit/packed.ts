import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A project of its own in which the package is installed as npm would ship it; its dependencies are those of the checkout. */
export interface Packed {
  readonly dir: string;
  /** Files of the package. */
  readonly shipped: readonly string[];
  /** The command's program. */
  readonly main: string;
  /** Writes a file and runs it with Node. */
  node(file: string, text: string): { code: number | null; out: string };
  remove(): void;
}

/** Builds and packs the checkout; about two seconds. */
export function packProject(): Packed {
  const root = resolve('.');
  const dir = mkdtempSync(join(tmpdir(), 'nuthatch-project-'));
  // Built into a folder of its own, for another test may be reading ./dist.
  const built = join(dir, 'built');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(built, 'dist')]);
  cpSync('src/serve/ui', join(built, 'dist/src/serve/ui'), { recursive: true });
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(file, join(built, file));
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
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'project', type: 'module' }));
  return {
    dir,
    shipped: pack.files.map(({ path }) => path),
    main: join(
      modules,
      'nuthatch',
      (JSON.parse(readFileSync('package.json', 'utf8')) as { bin: { nuthatch: string } }).bin.nuthatch,
    ),
    node(file, text) {
      writeFileSync(join(dir, file), text);
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
        cwd: dir,
        encoding: 'utf8',
        timeout: 120_000,
      });
      return { code: status, out: stdout + stderr };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
