import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkRobots, parseRobots, pathOf, productTokens } from '../../../src/net/robots.ts';
import { shared } from '../../kit/shared.ts';

const Robots = suite('robots');
const allows = (robots: string | Uint8Array, agent: string, url: string): boolean =>
  checkRobots(parseRobots(robots, agent), url).allowed;

interface Vector {
  readonly group: string;
  readonly robots?: string;
  readonly file?: string;
  readonly robotsLatin1?: boolean;
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly exactAgent?: boolean;
}
const folder = shared('vectors/robots');
if (folder === null) console.log('skipped: the robots vectors, and 400 real files');
const vectors = (name: string): Vector[] => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
const textOf = (vector: Vector): Uint8Array =>
  vector.file !== undefined
    ? readFileSync(`${folder}/files/${vector.file.replace(/^.*\//, '')}`)
    : Buffer.from(vector.robots ?? '', vector.robotsLatin1 ? 'latin1' : 'utf8');

if (folder !== null) {
  Robots('every verdict of google/robotstxt is ours', () => {
    const all = vectors('google-robotstxt');
    assert.is(all.length, 142);
    const wrong = all.filter((v) => allows(textOf(v), v.agent, v.url) !== v.allowed);
    assert.equal(wrong, []);
  });

  Robots('every verdict of crawler-commons that follows RFC 9309 is ours', () => {
    // testBigCrawlDelay forbids a whole site because its delay is long: a habit of that library, not of the RFC.
    const all = vectors('crawler-commons').filter((v) => v.exactAgent && v.group !== 'testBigCrawlDelay');
    const wrong = all.filter((v) => allows(textOf(v), v.agent, v.url) !== v.allowed);
    assert.equal(wrong, []);
  });

  Robots('crawl delays are read as crawler-commons reads them', () => {
    const all: (Vector & { crawlDelayMs: number })[] = JSON.parse(
      readFileSync(`${folder}/crawler-commons-crawldelay.json`, 'utf8'),
    );
    for (const v of all) assert.is(parseRobots(textOf(v), v.agent).crawlDelayMs, v.crawlDelayMs, JSON.stringify(v));
  });

  Robots('path, parse and sitemap facts of google/robotstxt hold', () => {
    const misc = JSON.parse(readFileSync(`${folder}/google-misc.json`, 'utf8'));
    for (const { url, path } of misc.pathParamsQuery) assert.is(pathOf(url), path, url);
    for (const { text, sitemaps } of misc.sitemap) assert.equal(parseRobots(text, 'x').sitemaps, sitemaps);
    for (const { name, bytesHex, valid } of misc.parseStats.filter((s: { bytesHex?: string }) => s.bytesHex)) {
      const robots = parseRobots(Buffer.from(bytesHex, 'hex'), 'foo');
      assert.is(robots.group === 'own', valid === 2 || name === 'bom mid file', name);
    }
  });

  Robots('every file of crawler-commons belongs to a verdict, or is read without a fault', () => {
    const named = new Set([...vectors('crawler-commons'), ...vectors('crawler-commons-crawldelay')].map((v) => v.file));
    for (const name of readdirSync(`${folder}/files`)) {
      const robots = parseRobots(readFileSync(`${folder}/files/${name}`), 'nuthatch');
      if (name.includes('sitemap') && !named.has(name)) assert.ok(robots.sitemaps.length > 0, name);
    }
  });

  Robots('four hundred real files are read without a fault, each within a tenth of a second', () => {
    const names = readdirSync(`${folder}/real-world`);
    assert.ok(names.length >= 400);
    for (const name of names) {
      const file = readFileSync(`${folder}/real-world/${name}`);
      const before = process.cpuUsage();
      const robots = parseRobots(file, 'nuthatch');
      for (const path of ['/', '/a/b?c=d', `/${'x'.repeat(2000)}`]) checkRobots(robots, `https://${name}${path}`);
      const used = process.cpuUsage(before);
      assert.ok(used.user + used.system < 100_000, `${name}: ${used.user} us`);
    }
  });
}

const nutch = shared('vectors/nutch/robots.json');
if (nutch === null) console.log('skipped: the robots facts of Nutch');
else
  Robots('groups, delays and lines that end with CR only are read as Nutch reads them', () => {
    const { robotsTxt, paths, cases } = JSON.parse(readFileSync(nutch, 'utf8'));
    for (const { agents, allowed, crawlDelayMs } of cases) {
      const robots = parseRobots(robotsTxt, agents.join(', '));
      if (allowed)
        assert.equal(
          paths.map((path: string) => checkRobots(robots, path).allowed),
          allowed,
          agents.join(),
        );
      if (crawlDelayMs !== undefined) assert.is(robots.crawlDelayMs ?? null, crawlDelayMs, agents.join());
    }
  });

Robots('RU-robots-01: a group of ours makes the * group irrelevant, in both orders', () => {
  const ours = 'User-agent: mybot\nDisallow: /secret\n';
  const star = 'User-agent: *\nDisallow: /public\n';
  for (const file of [`${ours}\n${star}`, `${star}\n${ours}`]) {
    assert.ok(allows(file, 'mybot', 'http://x/public'));
    assert.not(allows(file, 'mybot', 'http://x/secret'));
  }
});

Robots('RU-robots-03: star and dollar are signs', () => {
  const file = 'User-agent: *\nDisallow: /*.json$\nDisallow: /*?';
  assert.equal(
    ['/data.json', '/data.jsonx', '/a?b=1', '/a'].map((path) => allows(file, 'x', `http://x${path}`)),
    [false, true, false, true],
  );
});

Robots('RU-robots-04: the longest rule decides, of equals the Allow', () => {
  const rules = ['Disallow: /wp-admin/', 'Allow: /wp-admin/admin-ajax.php', 'Allow: /p', 'Disallow: /p'];
  for (const order of [rules, [...rules].reverse()]) {
    const file = `User-agent: *\n${order.join('\n')}`;
    assert.ok(allows(file, 'x', 'http://x/wp-admin/admin-ajax.php'));
    assert.not(allows(file, 'x', 'http://x/wp-admin/x'));
    assert.ok(allows(file, 'x', 'http://x/p'));
  }
});

Robots('RU-robots-09: the last of 20,000 rules counts, and rules beyond the limit are counted as lost', () => {
  let file = 'User-agent: *\n';
  for (let i = 0; i < 20_000; i++) file += `Disallow: /pad${i}/\n`;
  assert.not(allows(`${file}Disallow: /secret/\n`, 'x', 'http://x/secret/x'));
  const long = parseRobots(`${file.repeat(4)}Disallow: /late/\n`, 'x');
  assert.ok(long.linesLost > 1000);
});

Robots('a pattern made to be slow is matched in linear time', () => {
  const robots = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(5000)}$`, 'x');
  const before = process.cpuUsage();
  checkRobots(robots, `http://x/${'a'.repeat(4999)}b`);
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});

Robots('a User-Agent answers to its product token', () => {
  assert.equal(productTokens('acme-bot/2.1 (+https://acme.example/bot)'), ['acme-bot']);
  assert.equal(productTokens('Mozilla/5.0 (compatible; acme-bot/1.0; +https://acme.example)'), ['acme-bot']);
  assert.equal(productTokens('Mozilla/5.0'), ['mozilla']);
});

Robots('a matcher of ten lines agrees on random rules and paths', () => {
  const seed = 20261130;
  let state = seed;
  const next = (n: number): number => (state = (state * 1103515245 + 12345) & 0x7fffffff) % n;
  const word = (signs: string): string => Array.from({ length: next(6) }, () => signs[next(signs.length)]).join('');
  for (let round = 0; round < 3000; round++) {
    const rules = Array.from({ length: 1 + next(5) }, () => ({ allow: next(2) === 0, path: `/${word('ab/*$')}` }));
    const path = `/${word('ab/$')}`;
    const literal = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
    const expression = (rule: string): RegExp => {
      const end = rule.endsWith('$');
      return new RegExp(`^${(end ? rule.slice(0, -1) : rule).split('*').map(literal).join('.*')}${end ? '$' : ''}`);
    };
    const hits = rules.filter((rule) => expression(rule.path).test(path));
    const best = Math.max(0, ...hits.map((rule) => rule.path.length));
    const expected = hits.length === 0 || hits.some((rule) => rule.path.length === best && rule.allow);
    const file = `User-agent: *\n${rules.map((r) => `${r.allow ? 'Allow' : 'Disallow'}: ${r.path}`).join('\n')}`;
    assert.is(allows(file, 'x', `http://x${path}`), expected, `seed ${seed}, round ${round}: ${path} in ${file}`);
  }
});

Robots.run();
