import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { command } from '../../kit/command.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Read = suite('commands that read');
const root = mkdtempSync(join(tmpdir(), 'nuthatch-read-'));
const dir = join(root, 'crawl');
let web: Web;
Read.before(async () => {
  web = await startWeb({ '/': page('Home', '/a'), '/a': page('Red squirrels') });
  const ran = await command('crawl', [`${web.origin}/`], { dir, options: { net: { delay: 0 }, work: { threads: 1 } } });
  assert.is(ran.code, 0, ran.failed);
});
Read.after(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

Read('hosts, links, segments and the best pages are tables for people, and lines of JSON for machines', async () => {
  const host = new URL(web.origin).hostname;
  for (const [name, args, flags, head, first] of [
    ['hosts', [], {}, /^host +pages +due +best +last fetch \(UTC\) +by status$/, { host }],
    ['readlinkdb', [`${web.origin}/a`], {}, /^words of the link +on the page$/, { from: `${web.origin}/` }],
    ['readseg', [], {}, /^segment +listed +fetched +read +bytes +ended \(UTC\)$/, { generated: 1 }],
    ['readdb', [], { top: 1 }, /^score +status +due \(UTC\) +address$/, { url: `${web.origin}/` }],
  ] as const) {
    const { out } = await command(name, args, { dir, flags });
    assert.match(out[0]!, head);
    assert.ok(out.length > 1);
    const line = JSON.parse((await command(name, args, { dir, flags, json: true })).out[0]!);
    for (const [key, value] of Object.entries(first)) assert.is(line[key], value, name);
  }
  const record = (await command('readseg', [`${web.origin}/a`], { dir })).out.join('\n');
  assert.match(record, /^ {2}fetched: 2\d{3}-\d\d-\d\d \d\d:\d\d UTC$/m);
  assert.match(record, /^ {2}title: Red squirrels$/m);
  assert.not.match(record, /\b\d{13}\b/);
});

Read('a page of a folder is asked for by its path, in readseg, readdb and readlinkdb as in why', async () => {
  const tree = join(root, 'tree');
  mkdirSync(tree);
  writeFileSync(join(tree, 'index.html'), page('Top', 'one.html'));
  writeFileSync(join(tree, 'one.html'), page('One'));
  const files = { dir: join(root, 'files'), options: { work: { threads: 1 } } };
  assert.is((await command('crawl', [tree], files)).code, 0);
  const one = join(tree, 'one.html');
  for (const [name, says] of [
    ['readseg', /title: One/],
    ['readdb', /status: fetched/],
    ['readlinkdb', /index\.html/],
    ['why', /a search can find it/],
  ] as const)
    assert.match((await command(name, [one], files)).out.join('\n'), says, name);
  assert.match((await command('readseg', [join(tree, 'two.html')], files)).failed, /no segment holds .*two\.html/);
  assert.match((await command('readseg', ['20200101000000'], files)).failed, /there is no segment 20200101000000/);
});

Read('a host that crawldb does not know is nothing to do, and so are figures that were never added up', async () => {
  const unknown = await command('hosts', ['nobody.example'], { dir });
  assert.is(unknown.code, 3);
  assert.match(unknown.failed, /no page of nobody\.example/);
  const figures = await command('hosts', [], { dir, flags: { stats: true } });
  assert.is(figures.code, 3);
  assert.match(figures.failed, /nuthatch updatehosts/);
});

Read('inspect reads nuthatch.json, and names what it reads when it is given something else', async () => {
  const { out } = await command('inspect', [join(dir, 'nuthatch.json')], { dir });
  assert.equal(JSON.parse(out[1]!).seeds, [`${web.origin}/`]);
  const other = await command('inspect', [import.meta.filename], { dir });
  assert.is(other.code, 2);
  assert.match(other.failed, /it reads nuthatch\.json, record files/);
});

Read('a later run tells what it keeps from the first, and config tells where each value is from', async () => {
  const own = join(root, 'keeps');
  const first = await command('inject', [`${web.origin}/`], {
    dir: own,
    options: { net: { delay: 7, login: {} }, scope: { mode: 'prefix' } },
  });
  assert.equal(first.notes, []);
  const later = await command('generate', [], { dir: own, options: { net: { delay: 8 } } });
  assert.match(later.notes[0]!, /^keeps from the first run: scope\.mode "prefix" \(.*nuthatch\.json; a flag or --set/);
  const again = await command('generate', [], { dir: own });
  assert.match(again.notes[0]!, /: net\.delay 7, scope\.mode "prefix" \(/);
  const { out } = await command('config', [], {
    dir: own,
    options: { net: { retries: 1, login: { 'https://a.example': { user: 'me', password: 'sesame' } } } },
    origins: { 'net.retries': '--set', 'net.login': 'crawl.json line 3' },
  });
  const file = join(own, 'nuthatch.json');
  for (const line of [
    `net.delay = 7  (${file})`,
    `scope.mode = "prefix"  (${file})`,
    'net.retries = 1  (--set)',
    'net.login = (set; not shown)  (crawl.json line 3)',
    'net.headers = {}  (default)',
    'net.agent = "nuthatch"  (default)',
  ])
    assert.ok(out.includes(line), `${line}\n${out.join('\n')}`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"prefix"', '"prefixes"'));
  const broken = await command('generate', [], { dir: own });
  assert.is(broken.code, 2);
  assert.match(broken.failed, /nuthatch\.json: scope\.mode must be one of/);
});

Read.run();
