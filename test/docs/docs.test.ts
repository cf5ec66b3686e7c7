import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { indexErrorCodes } from '../../index/errors.ts';
import { crawlErrorCodes } from '../../src/errors.ts';
import { optionKeys } from '../../src/options.ts';
import { type Reason, reasons } from '../../src/page/reason.ts';
import { adviceFor } from '../../src/why/advice.ts';
import { commandsPage } from '../kit/commands-page.ts';
import { optionTables } from '../kit/options-page.ts';

const Docs = suite('docs');
const pages = new Map(
  readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(posix.join('docs', file), 'utf8')]),
);
const START = '<!-- made from src/options.ts: UPDATE_DOCS=1 npm test -- docs -->\n';

Docs('configuration.md says of every option what src/options.ts says', () => {
  const page = pages.get('configuration.md')!;
  const head = page.slice(0, page.indexOf(START) + START.length);
  const made = `${head}\n${optionTables()}`;
  if (process.env.UPDATE_DOCS) writeFileSync('docs/configuration.md', made);
  else assert.is(page, made, 'run: UPDATE_DOCS=1 npm test -- docs');
  const named = [...made.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, key]) => key!);
  assert.equal(named, [...optionKeys]);
});

Docs('commands.md says of every command and flag what help says', () => {
  const made = commandsPage();
  if (process.env.UPDATE_DOCS) writeFileSync('docs/commands.md', made);
  else assert.is(pages.get('commands.md'), made, 'run: UPDATE_DOCS=1 npm test -- docs');
});

Docs(
  'troubleshooting.md explains every code of an error, and every reason that somebody can do something about',
  () => {
    const page = pages.get('troubleshooting.md')!;
    const missing = [...crawlErrorCodes, ...indexErrorCodes].filter((code) => !page.includes(`\`${code}\``));
    assert.equal(missing, []);
    const unexplained = (Object.keys(reasons) as Reason[]).filter(
      (reason) =>
        adviceFor({ reason, url: 'https://example.org/', target: '' }) !== '' && !page.includes(`\`${reason}\``),
    );
    assert.equal(unexplained, []);
  },
);

Docs('every option named in the docs exists', () => {
  const groups = new Set(optionKeys.map((key) => key.split('.')[0]!));
  const unknown = [...pages].flatMap(([file, text]) =>
    [...text.matchAll(/`(\w+\.\w+)(?:`|=)/g)]
      .map(([, key]) => key!)
      .filter((key) => groups.has(key.split('.')[0]!) && !optionKeys.includes(key))
      .map((key) => `${file}: ${key}`),
  );
  assert.equal(unknown, []);
});

Docs('every reason that troubleshooting.md explains is one that is given', () => {
  const rows = pages
    .get('troubleshooting.md')!
    .split('## Codes of errors')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((line) => [...line.split('|')[1]!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!));
  assert.ok(named.length > 15);
  // `duplicate` is a status of a page and not an outcome of a fetch.
  assert.equal(
    named.filter((name) => name !== 'duplicate' && !(name in reasons)),
    [],
  );
});

Docs('every page has one title, and is reached from the README or from another page', () => {
  const linked = new Set(
    [...pages.values(), readFileSync('README.md', 'utf8')].flatMap((text) =>
      [...text.matchAll(/\]\((?:docs\/)?([\w-]+\.md)/g)].map(([, to]) => to!),
    ),
  );
  for (const [file, text] of pages) {
    const prose = text.replace(/```[\s\S]*?```/g, '');
    assert.is([...prose.matchAll(/^# /gm)].length, 1, file);
    assert.ok(linked.has(file), `${file} is not linked`);
  }
});

Docs('no example names a place that belongs to somebody', () => {
  const allowed = /^(127\.0\.0\.1|localhost|\[::1\]|([\w-]+\.)*(example\.(org|com|net)|[\w-]+\.example))$/;
  const strange = [...pages].flatMap(([file, text]) =>
    [...text.matchAll(/https?:\/\/([^\s/:"'`)<>]+)/g)]
      .map(([, host]) => host!.toLowerCase())
      .filter((host) => !allowed.test(host))
      .map((host) => `${file}: ${host}`),
  );
  assert.equal(strange, []);
});

Docs('every program of the docs compiles as strict TypeScript', () => {
  // Inside the project, where the types of node are found.
  const folder = mkdtempSync('node_modules/.docs-');
  try {
    const programs = [...pages, ['README.md', readFileSync('README.md', 'utf8')] as const].flatMap(([file, text]) =>
      [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => ({ file, code: code! })),
    );
    // A block that imports nothing is a piece of somebody else's program.
    const whole = programs.filter(({ code }) => code.includes("from 'nuthatch"));
    assert.ok(whole.length >= 5);
    for (const [i, { file, code }] of whole.entries()) writeFileSync(posix.join(folder, `${file}-${i}.mts`), code);
    const door = (file: string): string[] => [`../../${file}`];
    const paths = {
      nuthatch: door('src/index.ts'),
      'nuthatch/search': door('index/index.ts'),
      'nuthatch/http': door('src/serve/handler.ts'),
    };
    const config = {
      extends: '../../tsconfig.json',
      compilerOptions: { paths },
      include: ['*.mts', '../../src/**/*.d.ts', '../../index/**/*.d.ts'],
    };
    writeFileSync(posix.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
    assert.is(stdout, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Docs('the docs name every member of the third argument of Crawl.open, and every kind of event', () => {
  const page = pages.get('embedding.md')!;
  const type = /interface CrawlMore \{([\s\S]*?)\n\}/.exec(readFileSync('src/crawl.ts', 'utf8'))![1]!;
  const members = [...type.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => `| \`${name}\` |`);
  const kinds = [...readFileSync('src/events.ts', 'utf8').matchAll(/readonly kind: '([\w-]+)'/g)].map(
    ([, kind]) => `\`${kind}\``,
  );
  assert.ok(members.length >= 5 && kinds.length >= 8);
  assert.equal(
    [...members, ...kinds].filter((text) => !page.includes(text)),
    [],
  );
});

Docs('ARCHITECTURE.md has every folder of the house on its map, and none that is not there', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const named = new Set([...text.matchAll(/^\| `((?:index|src)\/[\w-]+)`/gm)].map(([, folder]) => folder!));
  const there = ['index', 'src'].flatMap((top) =>
    readdirSync(top, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${top}/${entry.name}`),
  );
  assert.equal(
    there.filter((folder) => !named.has(folder)),
    [],
  );
  // A floor that is still to be built is in the house test's list as well.
  assert.equal(
    [...named].filter(
      (folder) => !there.includes(folder) && !readFileSync('test/house.test.ts', 'utf8').includes(folder),
    ),
    [],
  );
});

Docs.run();
