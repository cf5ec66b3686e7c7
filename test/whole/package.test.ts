import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Packed, packProject, type Ran } from '../kit/packed.ts';

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
// Where packing failed there is none, and that failure is the one to tell.
Package.after(() => (project as Packed | undefined)?.remove());

Package('ships what is needed to run, and no sources, tests or data', () => {
  assert.equal(
    project.shipped.filter(
      (path) =>
        !/^(dist\/.*\.(js|d\.ts|html|css)|dist\/src\/parse\/documents\/cmaps\.(bin|txt)|package\.json|docs\/[\w-]+\.md|(?:bench\/|index\/)?README\.md|ARCHITECTURE\.md|CHANGELOG\.md|DECISIONS\.md|LICENSE)$/.test(
          path,
        ),
    ),
    [],
  );
  for (const file of ['page.html', 'style.css', 'script.js'])
    assert.ok(project.shipped.includes(`dist/src/serve/ui/${file}`));
  for (const file of ['cmaps.bin', 'cmaps.txt'])
    assert.ok(project.shipped.includes(`dist/src/parse/documents/${file}`));
  for (const door of Object.values(exports))
    if (typeof door !== 'string')
      for (const file of Object.values(door))
        assert.ok(project.shipped.includes(file.slice(2)), `${file} is not shipped`);
});

Package('ships what its README and its docs link to', () => {
  const pages = project.shipped.filter((path) => path === 'README.md' || path.startsWith('docs/'));
  assert.ok(pages.length > 10);
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(project.dir, 'node_modules/nuthatch', page), 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)]
      .map(([, to]) => posix.join(posix.dirname(page), to!))
      .filter((to) => !project.shipped.includes(to))
      .map((to) => `${page}: ${to}`),
  );
  assert.equal(missing, []);
});

Package('no declaration leads to the types of LevelDB', () => {
  const leaking = project.shipped
    .filter((path) => path.endsWith('.d.ts'))
    .filter((path) =>
      /from '(?:classic|abstract)-level'/.test(readFileSync(join(project.dir, 'node_modules/nuthatch', path), 'utf8')),
    );
  assert.equal(leaking, []);
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

Package('a document is read in a process of its own', async () => {
  const { code, out } = await project.node(
    'document.mjs',
    `import { createDocumentReader } from './node_modules/nuthatch/dist/src/run/documents.js';
     const task = { url: 'http://h/a', contentType: 'text/csv', headers: {}, body: Buffer.from('a,1'), settings: {} };
     console.log((await createDocumentReader().read(task)).text);`,
  );
  assert.is(code, 0, out);
  assert.match(out, /^a 1$/m);
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

/** esbuild comes with tsx. */
const { buildSync } = createRequire(createRequire(import.meta.url).resolve('tsx'))('esbuild') as {
  buildSync(options: object): unknown;
};
const bundled = (name: string, text: string, format: string, external: readonly string[]): Promise<Ran> => {
  const file = `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`;
  writeFileSync(join(project.dir, `${name}-source.mjs`), text);
  buildSync({
    entryPoints: [join(project.dir, `${name}-source.mjs`)],
    outfile: join(project.dir, file),
    absWorkingDir: project.dir,
    ...{ bundle: true, platform: 'node', format, external, logLevel: 'silent' },
  });
  return project.run(process.execPath, [file]);
};
const CRAWLS = `import { Crawl } from 'nuthatch';
  (async () => {
    const crawl = await Crawl.open('crawl-' + process.argv[1].replace(/\\W/g, ''), { net: { delay: 0 } });
    try {
      console.log('crawled', JSON.stringify((await crawl.run(['http://127.0.0.1:9/'])).outcomes));
    } catch (error) {
      console.log(error.code, error.message);
    } finally {
      await crawl.close();
    }
  })();`;
for (const format of ['esm', 'cjs']) {
  Package(`RU-embed-01: an app bundled as ${format} crawls with one option, and searches without any`, async () => {
    const left = await bundled(`left-${format}`, CRAWLS, format, ['nuthatch', 'nuthatch/*']);
    assert.match(left.out, /^crawled {"connect":1}$/m);
    const search = `import { createIndex } from 'nuthatch/search';
      const index = createIndex({ key: 'id', fields: [{ name: 'id', index: 'keyword' }, { name: 'text', index: 'text' }] });
      index.add([{ id: '1', text: 'hazel nuts' }]);
      index.commit();
      console.log('found', index.search('nut').total);`;
    const inside = await bundled(`inside-${format}`, search, format, []);
    assert.match(inside.out, /^found 1$/m);
  });
  Package(`RU-embed-01: bundled as ${format} into the app, the failure names the option`, async () => {
    // What cannot be bundled at all stays outside, as such an app would have it.
    const natives = ['classic-level', 'piscina', 'undici'];
    for (const name of natives) {
      const to = join(project.dir, 'node_modules', name);
      if (!existsSync(to)) symlinkSync(join(root, 'node_modules', name), to);
    }
    const { out } = await bundled(`taken-${format}`, CRAWLS, format, natives);
    assert.match(out, /leave nuthatch outside of the bundle \(external in esbuild/);
  });
}

Package('the command is there and can be run', () => {
  const { main } = project;
  assert.ok(existsSync(main));
  assert.match(readFileSync(main, 'utf8'), /^#!\/usr\/bin\/env node/);
  assert.is(execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' }).trim(), version);
});

Package.run();
