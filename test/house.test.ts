import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** The floors, lowest first. A file stands on the longest prefix that fits it, and leans on its own floor or a lower one. */
const FLOORS = [
  'index/errors',
  'index/io',
  'index/text',
  'index/document',
  'index/format',
  'index/segment',
  'index/query',
  'index/suggest',
  'index/search/',
  'index/',
  'index/export',
  'index/index.ts',
  'src/errors',
  'src/version',
  'src/page',
  'src/events',
  'src/options',
  'src/nearest',
  'src/settle',
  'src/config-file',
  'src/store',
  'src/lines',
  'src/crawl-folder',
  'src/url',
  'src/net',
  'src/parse',
  'src/fields',
  'src/fetch',
  'src/run',
  'src/read',
  'src/jobs',
  'src/search',
  'src/why',
  'src/transfer',
  'src/crawl',
  'src/check',
  'src/serve',
  'src/lab',
  'src/cli',
  'src/index.ts',
  'workers',
];

/** Who alone may import what. A path that ends in '/' is a folder. */
const ONLY: Record<string, readonly string[]> = {
  piscina: ['src/run/pool.ts'],
  undici: ['src/net/'],
  'classic-level': ['src/store/level.ts'],
  'node-html-parser': ['src/parse/loose.ts'],
  flexsearch: ['index/suggest/', 'index/export/', 'index/text/flex-encoder.ts'],
};

const files = ['index', 'src', 'workers']
  .filter((top) => existsSync(top))
  .flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => posix.join(top, file.replaceAll('\\', '/'))),
  );
const source = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

const floorOf = (file: string): number => {
  const fits = FLOORS.filter((floor) => file.startsWith(floor)).sort((a, b) => b.length - a.length)[0];
  assert.ok(fits, `${file} stands on no floor: give its folder one in FLOORS`);
  return FLOORS.indexOf(fits);
};
const importsOf = (file: string): string[] =>
  [...source.get(file)!.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to]) =>
    normalize(join(dirname(file), to!)).replaceAll('\\', '/'),
  );
const packagesOf = (file: string): string[] =>
  [...source.get(file)!.matchAll(/(?:from|import\()\s*'([^.'][^']*)'/g)].map(([, to]) => to!);

const House = suite('house');

House('no file leans on a floor above its own', () => {
  const leans = files.flatMap((file) =>
    importsOf(file)
      .filter((to) => floorOf(to) > floorOf(file))
      .map((to) => `${file} -> ${to}`),
  );
  assert.equal(leans, []);
});

House('no import goes in a circle', () => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.not.ok(path.includes(file), `circle: ${[...path, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const to of importsOf(file)) if (source.has(to)) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assert.is(done.size, files.length);
});

House('the search core has never heard of the web', () => {
  const heard = files.filter(
    (file) => file.startsWith('index/') && /\b(urls?|https?|crawl\w*)\b/i.test(source.get(file)!),
  );
  assert.equal(heard, []);
});

House('each package with one importer has only that one', () => {
  const trespassers = files.flatMap((file) =>
    packagesOf(file)
      .map((name) => name.split('/')[0]!)
      .filter((name) => ONLY[name] && !ONLY[name].some((place) => file.startsWith(place)))
      .map((name) => `${file} imports ${name}`),
  );
  assert.equal(trespassers, []);
});

House('every relative link in a document leads somewhere', () => {
  const pages = ['.', 'docs', 'index', 'workers', 'bench'].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => file.endsWith('.md'))
          .map((file) => posix.join(folder, file))
      : [],
  );
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, to]) => posix.join(dirname(page), to!))
      .filter((to) => !existsSync(to))
      .map((to) => `${page} -> ${to}`),
  );
  assert.equal(dead, []);
});

House('the table of file extensions in index/README.md is what index/format writes', () => {
  const rows = [...readFileSync('index/README.md', 'utf8').matchAll(/^\| `([^`]+)` \| \[([\w-]+\.ts)\]/gm)];
  const inTable = rows.map(([, extension, file]) => `${file} ${extension}`).sort();
  const inCode = [...source]
    .filter(([file]) => file.startsWith('index/format/'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/File `(?:<segment>(?:_<generation>)?(\.\w+)|(commit-)<generation>)`/g)].map(
        ([, extension, commit]) => `${posix.basename(file)} ${commit ? `${commit}N` : extension}`,
      ),
    )
    .sort();
  assert.ok(inCode.length > 0);
  assert.equal(inTable, inCode);
});

House.run();
