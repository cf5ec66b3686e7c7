import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import type { CrawlEvent } from '../../src/events.ts';
import { namelessTo } from '../../src/jobs/fetch.ts';
import { checkRobots, parseRobots } from '../../src/net/robots.ts';
import { isPublicName } from '../../src/url/host.ts';
import { cli } from '../kit/cli.ts';
import { closePools, fetchUrls, tell } from '../kit/fetched.ts';
import { page, startWeb } from '../kit/web.ts';

const Cases = suite('reported faults: the rest');
const root = mkdtempSync(join(tmpdir(), 'cases-'));
Cases.after(async () => {
  await closePools();
  rmSync(root, { recursive: true, force: true });
});
const node = async (args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['--import', 'tsx', ...args], { timeout: 60_000 })).stdout;

Cases(
  'RU-polite-03: the last host with its pages and its delay is told of, and what is not fetched stays due',
  async () => {
    const web = await startWeb({ '/robots.txt': { status: 404 }, '/*': page('x') });
    const stop = new AbortController();
    const seen: (CrawlEvent & { kind: 'fetch-progress' })[] = [];
    const urls = Array.from({ length: 100 }, (_, i) => `${web.origin}/${i}`);
    const fetched = await fetchUrls({
      urls,
      options: { net: { delay: 20_000, timeout: 30_000 } },
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind !== 'fetch-progress' || event.hostsWaiting === 0) return;
        seen.push(event);
        stop.abort();
      },
    });
    await web.close();
    const { remainingMs, hostsWaiting, queued } = seen[0]!;
    assert.is(hostsWaiting, 1);
    assert.ok(queued >= 98);
    assert.ok(remainingMs > (queued - 1) * 20_000 && remainingMs <= queued * 20_000, `${remainingMs} ms for ${queued}`);
    assert.ok(urls.filter((url) => tell(fetched, url) === 'skipped interrupted 0').length >= 99);
  },
);

Cases(
  'RU-embed-04: no file is named after an address, and a folder with blanks and umlauts holds a crawl',
  async () => {
    const long = `/${'long-'.repeat(390)}`;
    const web = await startWeb({ '/con/aux.html': page('Aux', long), [long]: page('Long') }, { address: '::1' });
    const dir = join(root, 'A B', 'Bücher 図書');
    await using crawl = await Crawl.open(dir, { net: { delay: 0 }, work: { threads: 1 } });
    const { published } = await crawl.run([`${web.origin}/con/aux.html`]);
    await web.close();
    assert.is(published, 2);
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
      assert.not.match(name, /[:<>"|?*]|long-|(?:^|[\\/])(?:con|aux|nul|prn)(?:[.\\/]|$)/i);
  },
);

Cases('RU-embed-05: a script ends by itself with and without close, and two crawls share nothing', async () => {
  const script = (end: string): string => `
    import { Crawl } from ${JSON.stringify(resolve('src/crawl.ts'))};
    const open = (name) => Crawl.open(${JSON.stringify(root)} + '/' + name, { net: { delay: 0, agent: name }, work: { threads: 1 } });
    const one = await open('one');
    const two = await open('two');
    await one.inject(['http://127.0.0.1:9/']);
    await two.inject(['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b']);
    console.log((await one.stats()).urls, (await two.stats()).urls, one.options.net.agent, two.options.net.agent);
    const refused = await one.fetch('none').then(() => 'no', (error) => error.code);
    console.log(refused);
    ${end}`;
  for (const [name, end] of [
    ['closed', 'await one.close(); await two.close();'],
    ['left open', ''],
  ] as const) {
    const file = join(root, `${name.replace(' ', '-')}.mts`);
    writeFileSync(file, script(end));
    assert.is(await node([file]), '1 2 one two\nusage\n', name);
  }
});

Cases(
  'RU-cli-03: a misspelt key of a config file is refused with its line and the nearest name; rewrites are shown',
  async () => {
    const config = join(root, 'rules.json');
    writeFileSync(config, '{\n  "scope": {\n    "rewrite": ["query"]\n  }\n}\n');
    const refused = await cli(['config', '--config', config]);
    assert.is(refused.code, 2);
    assert.match(refused.err, /rules\.json line 3: there is no option scope\.rewrite; did you mean scope\.rewrites\?/);
    writeFileSync(config, '{ "scope": { "rewrites": ["query"] } }');
    const shown = await cli(['config', '--config', config, '--set', 'scope.filters=["-x"]']);
    assert.match(shown.out, /^scope\.rewrites = \["query"\] {2}\(rules\.json line 1\)$/m);
    assert.match(shown.out, /^scope\.filters = \["-x"\] {2}\(--set\)$/m);
  },
);

Cases('RU-cli-07: bytes in robots.txt that are no rules cost no rule beside them; public names are told apart', () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + 13) & 255));
  const rules = '\nUser-agent: *\nDisallow: /secret\n';
  const robots = parseRobots(Buffer.concat([noise, Buffer.from(rules), noise]), 'nuthatch');
  assert.not.ok(checkRobots(robots, '/secret/x').allowed);
  assert.ok(checkRobots(robots, '/open').allowed);
  for (const host of ['example.org', 'www.example.co.uk']) assert.ok(isPublicName(host), host);
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'wiki.corp', 'intranet'])
    assert.not.ok(isPublicName(host), host);
});

Cases(
  'RU-cli-07: without a name of its own a crawl of a public host is refused in a sentence, before anything is made',
  async () => {
    const dir = join(tmpdir(), `nuthatch-nameless-${process.pid}`);
    for (const seed of ['https://www.example.org/', 'example.org/docs\tteam=docs']) {
      const refused = await cli(['crawl', seed, '--dir', dir]);
      assert.is(refused.code, 2);
      assert.match(
        refused.err,
        /example\.org is a public site: say who you are and how to reach you, as in --agent .*net\.agent/,
      );
    }
    assert.not.ok(existsSync(dir));
    assert.is(namelessTo(['localhost', '127.0.0.1', '[fd00::1]', 'wiki.corp'], 'nuthatch'), null);
    for (const host of ['93.184.216.34', '[2606:2800:220:1::1]'])
      assert.ok(namelessTo([host], 'nuthatch')?.startsWith(`${host} is a public site`), host);
    assert.is(namelessTo(['example.org'], 'acme-bot (+https://acme.example/bot)'), null);
  },
);

Cases('RU-resources-01: a fetchlist of 10,000 from 200,000 due pages is made within 80 MB of heap', async () => {
  const out = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=80', '--import', 'tsx', 'test/kit/generate-child.ts', '200000', '10000'],
    { timeout: 120_000 },
  );
  const { generated, due } = JSON.parse(out.stdout);
  assert.equal([generated, due], [10_000, 200_000]);
});

Cases.run();
