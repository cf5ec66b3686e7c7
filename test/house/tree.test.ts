import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** The tests lie as the code does, and what package.json asks users to install is what the code imports. */
const Tree = suite('tree');

const filesOf = (top: string): string[] =>
  readdirSync(top, { recursive: true, encoding: 'utf8' }).map((file) => join(top, file).replaceAll(sep, '/'));

Tree('a folder of tests in test/src or test/index is a folder of code', () => {
  const folders = ['test/src', 'test/index', 'test/workers']
    .filter((top) => existsSync(top))
    .flatMap(filesOf)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => dirname(file).slice('test/'.length));
  assert.ok(folders.length > 0);
  assert.equal([...new Set(folders)].filter((folder) => !existsSync(folder)).sort(), []);
});

Tree('tests of code lie nowhere else', () => {
  const tops = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const astray = tops.map(({ name }) => `test/${name}`).filter((folder) => existsSync(folder));
  assert.equal(astray, []);
});

Tree('every dependency is imported by what is shipped, and whatever that imports is one', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const imported = new Set(
    ['index', 'src', 'workers']
      .flatMap(filesOf)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(
          /^(?!\s*\*).*?(?:\bfrom |\bimport |\bimport\(|require\(|import\.meta\.url\)\()'([^.'][^']*)'/gm,
        ),
      ])
      .map(([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name!)![0])
      .filter((name) => !isBuiltin(name) && name !== 'nuthatch'),
  );
  assert.equal([...imported].sort(), Object.keys(dependencies).sort());
});

Tree.run();
