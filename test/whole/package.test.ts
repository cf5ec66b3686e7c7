import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Packed, packProject } from '../kit/packed.ts';

/** The package as npm would ship it, used from a project of its own (RU-embed-02). Its dependencies are those installed here. */
const Package = suite('the package');
const { version, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  exports: Record<string, { types: string; default: string } | string>;
};
const doors = Object.keys(exports)
  .filter((door) => door !== './package.json')
  .map((door) => `nuthatch${door.slice(1)}`);

let project: Packed;
const root = resolve('.');
Package.before(() => {
  project = packProject();
});
Package.after(() => project.remove());

Package('ships what is needed to run, and no sources, tests or data', () => {
  assert.equal(
    project.shipped.filter(
      (path) => !/^(dist\/.*\.(js|d\.ts|html|css)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
    ),
    [],
  );
  for (const file of ['page.html', 'style.css', 'script.js'])
    assert.ok(project.shipped.includes(`dist/src/serve/ui/${file}`));
  for (const door of Object.values(exports))
    if (typeof door !== 'string')
      for (const file of Object.values(door))
        assert.ok(project.shipped.includes(file.slice(2)), `${file} is not shipped`);
});

Package('every door opens by import and by require, with the same names', async () => {
  const { code, out } = await project.node(
    'doors.cjs',
    `process.removeAllListeners('warning');
     (async () => {
       for (const door of ${JSON.stringify(doors)}) {
         const names = Object.keys(await import(door)).sort();
         const same = Object.keys(require(door)).filter((name) => name !== '__esModule').sort();
         if (names.length === 0 || String(names) !== String(same)) throw new Error(door + ': ' + names + ' / ' + same);
       }
     })().then(() => console.log('open'));`,
  );
  assert.is(code, 0, out);
  assert.match(out, /^open$/m);
});

Package('importing it prints nothing, keeps no process alive, and leaves globals alone', async () => {
  const { code, out } = await project.node(
    'quiet.mjs',
    `const before = Object.getOwnPropertyNames(globalThis).concat(globalThis.Request, globalThis.fetch);
     for (const door of ${JSON.stringify(doors)}) await import(door);
     const after = Object.getOwnPropertyNames(globalThis).concat(globalThis.Request, globalThis.fetch);
     if (before.length !== after.length || before.some((one, i) => one !== after[i])) throw new Error('a global has changed');`,
  );
  assert.is(code, 0, out);
  assert.is(out, '');
});

Package('the handler finds its page in the package', async () => {
  const { code, out } = await project.node(
    'handler.mjs',
    `import { createServer } from 'node:http';
     import { searchHandler } from 'nuthatch/http';
     const source = { search: async () => ({ total: 0, hits: [] }), suggest: async () => [] };
     const server = createServer(searchHandler(source)).listen(0, '127.0.0.1', async () => {
       const at = 'http://127.0.0.1:' + server.address().port;
       for (const path of ['/', '/?q=a', '/style.css', '/script.js', '/api/search?q=a'])
         if ((await fetch(at + path)).status !== 200) throw new Error(path);
       server.closeAllConnections();
       server.close();
     });`,
  );
  assert.is(code, 0, out);
});

for (const [module, resolution, type] of [
  ['nodenext', 'nodenext', 'module'],
  ['nodenext', 'nodenext', 'commonjs'],
  ['esnext', 'bundler', 'module'],
])
  Package(`its types hold in a strict project: ${resolution}, ${type}`, () => {
    writeFileSync(join(project.dir, 'package.json'), JSON.stringify({ name: 'project', type }));
    const uses = doors.map((door, i) => `import * as door${i} from '${door}';\nexport const use${i} = door${i};`);
    writeFileSync(join(project.dir, 'use.ts'), `${uses.join('\n')}\n`);
    const flags = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      'false',
      '--target',
      'es2022',
    ];
    const lib = [
      '--lib',
      'es2023,esnext.disposable',
      '--types',
      'node',
      '--module',
      module!,
      '--moduleResolution',
      resolution!,
    ];
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...lib, 'use.ts'],
      { cwd: project.dir, encoding: 'utf8' },
    );
    assert.is(status, 0, stdout);
  });

Package('the command is there and can be run', () => {
  const { main } = project;
  assert.ok(existsSync(main));
  assert.match(readFileSync(main, 'utf8'), /^#!\/usr\/bin\/env node/);
  assert.is(execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' }).trim(), version);
});

Package.run();
