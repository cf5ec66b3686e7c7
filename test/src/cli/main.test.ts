import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../../src/cli/commands.ts';
import { commonFlags, helpOf, nameOf, readSetting, setOption } from '../../../src/cli/flags.ts';
import { cli } from '../../kit/cli.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Main = suite('command line');
const root = mkdtempSync(join(tmpdir(), 'cli-'));
let web: Web;
Main.before(async () => {
  web = await startWeb({
    '/': page('Home', '/a', '/cut', '/short', '/image', '/empty'),
    '/a': page('Red squirrels'),
    '/empty': { body: '' },
    '/image': { type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
    '/cut': {
      raw: (socket) => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<title>Cut</title><p>half a pa',
        );
        socket.end();
      },
    },
    '/short': page('Short'),
  });
});
Main.after(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});
const dir = join(root, 'crawl');

Main('every flag names an option or says for itself; no two of a command are the same; help fits the option', () => {
  for (const command of commands) {
    const names = [...command.flags, ...commonFlags].map(nameOf);
    assert.is(new Set(names).size, names.length, command.name);
    for (const flag of command.flags) assert.ok(helpOf(flag).length > 5, flag.flag);
    for (const example of command.examples) assert.ok(example.startsWith(command.name), example);
  }
});

Main('--set reads JSON where it is JSON, else text; a group that is none is left to be refused', () => {
  assert.equal(readSetting('net.delay=500'), { path: 'net.delay', value: 500 });
  assert.equal(readSetting('net.agent=a=b'), { path: 'net.agent', value: 'a=b' });
  assert.is(readSetting('net.delay'), null);
  const options = {};
  setOption(options, 'net.delay', 1);
  setOption(options, 'net.agent', 'x');
  setOption(options, '__proto__.polluted', 1);
  assert.equal(Object.keys(options), ['net', '__proto__']);
  assert.is(({} as { polluted?: number }).polluted, undefined);
});

Main(
  'issue 2: a crawl meets an empty page, a cut body, a picture and a page; each gets its outcome, nothing is lost',
  async () => {
    const ran = await cli([
      'crawl',
      `${web.origin}/`,
      '--dir',
      dir,
      '--delay',
      '0',
      '--json',
      '--set',
      'net.retries=0',
      '--rounds',
      '3',
    ]);
    assert.is(ran.code, 0, ran.err);
    const summary = JSON.parse(ran.out);
    assert.is(summary.urls, 6);
    assert.is(summary.outcomes['not-parsed'], 1);
    assert.is(summary.outcomes.empty, 1);
    assert.ok(summary.cpuSeconds > 0 && summary.peakRssBytes > 0);
    const found = await cli(['search', 'squirrels', '--dir', dir, '--json']);
    assert.is(JSON.parse(found.out).hits[0].url, `${web.origin}/a`);
    for (const path of ['/cut', '/image', '/empty']) {
      const why = await cli(['why', `${web.origin}${path}`, '--dir', dir, '--json']);
      assert.ok(JSON.parse(why.out).verdict.length > 10, path);
    }
  },
);

Main(
  'a search for people shows places, titles and addresses; --batch answers a line each, a bad line with an error',
  async () => {
    const people = await cli(['search', 'squirrels', '--dir', dir]);
    assert.ok(people.out.startsWith(`1. Red squirrels\n   ${web.origin}/a\n`), people.out);
    assert.match(people.err, /1 hit/);
    const lines = ['{"id":"q1","query":"squirrels"}', 'nonsense', '{"id":2}'].join('\n');
    const batch = await cli(['search', '--batch', '-', '--dir', dir], lines);
    const answers = batch.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.is(answers.length, 3);
    assert.is(answers[0].id, 'q1');
    assert.is(answers[0].hits[0].url, `${web.origin}/a`);
    assert.type(answers[1].error, 'string');
    assert.match(answers[2].error, /"query"/);
  },
);

const sentence = (err: string): string => {
  const lines = err
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('nuthatch: '));
  assert.is(lines.length, 1, err);
  return lines[0]!;
};

for (const [args, code, says] of [
  [['crawl', '--topn', '3'], 2, /unknown option '--topn'; did you mean --top-n\?/],
  [['serch', 'x'], 2, /unknown command 'serch'; did you mean search\?/],
  [['search', 'x', '-n', 'ten'], 2, /whole number/],
  [['search', '--force'], 2, /unknown option '--force'; to look for it, put -- before the words/],
  [
    ['crawl', 'http://127.0.0.1:9/', '--scope', 'site'],
    2,
    /--scope: scope\.mode must be one of host, domain, prefix, any/,
  ],
  [
    ['crawl', 'http://127.0.0.1:9/', '--set', 'net.dealy=1'],
    2,
    /--set: there is no option net\.dealy; did you mean net\.delay\?/,
  ],
  [['crawl', 'http://127.0.0.1:9/', '--set', 'delay'], 2, /--set delay: it must be group\.key=value/],
  [['crawl'], 2, /name an address/],
  [['crawl', '--seeds', join(root, 'none.txt')], 2, /the seed file .*none\.txt cannot be read/],
  [['search', 'x'], 1, /there is no crawl in .*nothing/],
  [['check', 'robotz'], 2, /there is no stage robotz; did you mean robots\?/],
  [['inspect', join(root, 'none')], 2, /is no file/],
  [['export', 'pdf'], 2, /jsonl.* not pdf/],
] as const)
  Main(`RU-cli-06: ${args.join(' ').replace(root, '')} ends with ${code} and one sentence`, async () => {
    const ran = await cli([...args, '--dir', join(root, 'nothing')]);
    assert.is(ran.code, code, ran.err);
    assert.match(sentence(ran.err), says);
  });

Main('a config file is read, and its mistakes are told with file, line and key', async () => {
  const config = join(root, 'crawl.json');
  writeFileSync(
    config,
    '{\n  // gently\n  "net": { "delay": 0, "agent": "tester" },\n  "scope": { "mode": "hosts" }\n}\n',
  );
  const ran = await cli(['config', '--config', config]);
  assert.is(ran.code, 2);
  assert.match(sentence(ran.err), /crawl\.json line 4: scope\.mode must be one of/);
  writeFileSync(config, '{ "net": { "delay": 5 } }');
  const shown = await cli(['config', '--config', config, '--set', 'net.agent=me']);
  assert.match(shown.out, /^net\.delay = 5 {2}\(crawl\.json line 1\)$/m);
  assert.match(shown.out, /^net\.agent = "me" {2}\(--set\)$/m);
  assert.match(shown.out, /^net\.retries = 3 {2}\(default\)$/m);
});

Main(
  'issue 2: an unreachable host is an outcome, told of, and a crawl after which nothing can be found ends with 1',
  async () => {
    const ran = await cli([
      'crawl',
      'http://127.0.0.1:9/',
      '--dir',
      join(root, 'unreachable'),
      '--json',
      '--rounds',
      '1',
    ]);
    assert.is(ran.code, 1, ran.err);
    assert.match(ran.err, /127\.0\.0\.1:9\/: no connection/);
    const { outcomes, published } = JSON.parse(ran.out);
    assert.equal(Object.keys(outcomes).length, 1);
    assert.is(published, 0);
  },
);

Main('issue 2: a folder of a newer format ends with 4', async () => {
  const newer = join(root, 'newer');
  assert.is((await cli(['inject', 'http://127.0.0.1:9/', '--dir', newer])).code, 0);
  const file = join(newer, 'nuthatch.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), format: 99 }));
  const ran = await cli(['crawl', '--dir', newer]);
  assert.is(ran.code, 4);
  assert.match(sentence(ran.err), /in format 99/);
});

Main('what the system refuses is told as such, and what cannot be meant is wrong usage', async () => {
  const port = new URL(web.origin).port;
  for (const [args, code, says] of [
    [['serve', '--port', port], 1, /is in use by another program/],
    [['serve', '--port', '70000'], 2, /at most 65535/],
    [['readdb', '--dir', ''], 2, /--dir is empty/],
    [['--json'], 2, /unknown option '--json' \(/],
    [['readlinkdb', 'http://nobody.test/'], 3, /no link to http:\/\/nobody\.test\//],
  ] as const) {
    const ran = await cli([...args, ...(args.length > 1 && args[0] !== 'readdb' ? ['--dir', dir] : [])]);
    assert.is(ran.code, code, args.join(' '));
    // A failure that was asked for as JSON is JSON.
    assert.is(ran.out === '', !(args as readonly string[]).includes('--json'));
    assert.match(sentence(ran.err), says);
    assert.not.match(ran.err, /a fault of nuthatch/);
  }
});

Main('a title that would steer the terminal is printed without it, by every command', async () => {
  const own = join(root, 'steered');
  const site = await startWeb({ '/': page('A \x1b[2J title\x07') });
  try {
    assert.is((await cli(['crawl', `${site.origin}/`, '--dir', own, '--delay', '0', '--quiet'])).code, 0);
  } finally {
    await site.close();
  }
  for (const args of [
    ['readseg', `${site.origin}/`],
    ['search', 'title'],
    ['why', `${site.origin}/`],
  ]) {
    const { out, code } = await cli([...args, '--dir', own]);
    assert.is(code, 0);
    assert.match(out, /title/);
    assert.not.match(out, /[\x1b\x07]/, args[0]);
  }
});

Main('RU-cli-01: when nothing is due, it says so and ends with 3', async () => {
  const ran = await cli(['crawl', '--dir', dir, '--rounds', '1']);
  assert.is(ran.code, 3, ran.err);
  assert.match(ran.err, /nothing is due: 6 addresses known/);
});

Main('publish brings the same documents from the segments anew, as one step', async () => {
  const before = await cli(['export', 'jsonl', '--dir', dir]);
  const ran = await cli(['publish', '--all', '--json', '--dir', dir]);
  assert.is(ran.code, 0, ran.err);
  const after = await cli(['export', 'jsonl', '--dir', dir]);
  assert.is((JSON.parse(ran.out) as { published: number }).published, after.out.trim().split('\n').length);
  assert.equal(after.out.split('\n').sort(), before.out.split('\n').sort());
});

Main('a condition chooses the records that readdb shows, and one that cannot be read ends with 2', async () => {
  const dump = async (where: string): Promise<string[]> =>
    (await cli(['readdb', '--dump', '--where', where, '--dir', dir])).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => new URL((JSON.parse(line) as { url: string }).url).pathname);
  assert.equal(await dump('status = fetched and url ~ "/a$"'), ['/a']);
  assert.equal(await dump('depth > 90'), []);
  const wrong = await cli(['generate', '--where', 'colour = red', '--dir', dir]);
  assert.is(wrong.code, 2);
  assert.match(wrong.err, /"colour" stands where one of url/);
});

Main('RU-cli-01: when every seed is refused, it says which rule did it', async () => {
  const rules = ['crawl', `${web.origin}/`, '--dir', join(root, 'refused'), '--set', `scope.filters=["-127"]`];
  const ran = await cli(rules);
  assert.is(ran.code, 3, ran.err);
  assert.match(ran.err, /line 1: .*a URL filter refuses it \(-127 \(scope\.filters line 1\)\)/);
  assert.match(ran.err, /every seed was refused/);
});

Main('a reader that has seen enough is no failure', async () => {
  const { startCli } = await import('../../kit/cli.ts');
  const running = startCli(['readdb', '--dump', '--dir', dir]);
  running.child.stdout!.destroy();
  assert.is((await running.ended).code, 0);
});

Main('check answers a line for a line, whatever the line', async () => {
  const ran = await cli(
    ['check', 'robots'],
    '{"robots":"User-agent: *\\nDisallow: /x","agent":"a","url":"/x/y"}\n{bad\n',
  );
  const [first, second] = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.is(first.allowed, false);
  assert.type(second.error, 'string');
  assert.is(ran.code, 0);
});

Main('help is 80 columns wide at most, and names the option behind a flag', async () => {
  const ran = await cli(['help', 'crawl']);
  assert.is(ran.code, 0);
  const all = await cli(['--help']);
  for (const line of [...ran.out.split('\n'), ...all.out.split('\n')]) assert.ok(line.length <= 80, line);
  assert.match(ran.out.replaceAll(/\s+/g, ' '), /--delay <time> .*net\.delay: .*default 1000/);
});

Main('a selector that is none is refused before anything is fetched, with its key and what is wrong', async () => {
  const dir = join(root, 'selector');
  for (const [set, key, reason] of [
    ['index.include=["main","div >"]', 'index.include', '"div >"'],
    ['index.exclude=["nav::before"]', 'index.exclude', '"::before" is not understood'],
    ['index.extract={"price":".product [onclick]"}', 'index.extract.price', 'onclick is not kept'],
  ] as const) {
    const ran = await cli(['crawl', 'http://127.0.0.1:1/', '--dir', dir, '--set', set]);
    assert.is(ran.code, 2, ran.err);
    assert.ok(ran.err.includes(key) && ran.err.includes(reason), ran.err);
  }
  assert.not.ok(existsSync(dir));
});

Main.run();
