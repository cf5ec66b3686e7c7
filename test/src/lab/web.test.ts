import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { settleWeb, type WebOptions, webDefaults } from '../../../src/lab/options.ts';
import { SyntheticSite } from '../../../src/lab/synthetic.ts';

const Web = suite('lab/web');

const make = (options: Partial<WebOptions>) => new SyntheticSite(settleWeb(options), () => 8080);
/** Where an address of the site leads, by its own account. */
const hostOf = (site: SyntheticSite, url: string): [number, string] => {
  const { hostname, pathname } = new URL(url);
  for (let host = 0; host < site.hosts; host++) if (site.hostName(host) === hostname) return [host, pathname];
  throw new Error(`no host of the web: ${url}`);
};
const digest = (site: SyntheticSite, page: number): string => {
  const [host, path] = hostOf(site, site.address(page));
  const { status, location, etag, body } = site.answer(host, path, 0);
  return createHash('sha1').update(`${status} ${location} ${etag}\n`).update(body()).digest('hex');
};
const hrefs = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);

Web('the same seed gives the same web, in whatever order it is asked', () => {
  const [one, other] = [make({ pages: 400, hosts: 7, seed: 42 }), make({ pages: 400, hosts: 7, seed: 42 })];
  const forwards = Array.from({ length: 400 }, (_, page) => digest(one, page));
  const backwards = Array.from({ length: 400 }, (_, i) => digest(other, 399 - i)).reverse();
  assert.equal(backwards, forwards);
  for (let host = 0; host < 7; host++)
    for (const path of ['/robots.txt', '/sitemap.xml'])
      assert.equal(one.answer(host, path, 0).body(), other.answer(host, path, 0).body());
});

Web('another seed gives another web', () => {
  const [one, other] = [make({ pages: 100, hosts: 2, seed: 1 }), make({ pages: 100, hosts: 2, seed: 2 })];
  let same = 0;
  for (let page = 0; page < 100; page++) if (digest(one, page) === digest(other, page)) same++;
  assert.ok(same < 5, `${same} pages of 100 are the same`);
});

for (const options of [
  { pages: 1, hosts: 1 },
  { pages: 9, hosts: 9 },
  { pages: 1500, hosts: 1, links: 0 },
  { pages: 1500, hosts: 40, links: 0, hostSkew: 1 },
  {
    pages: 1200,
    hosts: 3,
    links: 12,
    redirects: 0.3,
    missing: 0.2,
    denied: 0.15,
    duplicates: 0.1,
    nearDuplicates: 0.1,
  },
] as const)
  Web(`links alone reach every address from the seed: ${JSON.stringify(options)}`, () => {
    const site = make({ ...options, seed: 7 });
    const waiting = site.seeds();
    const seen = new Set(waiting);
    const reached = new Set<number>();
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const [host, path] = hostOf(site, url);
      const answer = site.answer(host, path, 0);
      assert.ok(answer.page >= 0, `${url} is a page of the web`);
      reached.add(answer.page);
      const next = answer.location ? [answer.location] : hrefs(answer.body().toString());
      for (const href of next) {
        const to = new URL(href, url).href;
        if (!seen.has(to)) seen.add(to) && waiting.push(to);
      }
    }
    assert.is(reached.size, site.pages);
  });

Web('the shares of the odd pages are what was asked for', () => {
  const options = settleWeb({ pages: 50_000, hosts: 10, seed: 3, redirects: 0.1, duplicates: 0.05, missing: 0.02 });
  const census = new SyntheticSite(options, () => 80).web.census();
  for (const [kind, share] of [
    ['redirect', 0.1],
    ['duplicate', 0.05],
    ['missing', 0.02],
  ] as const) {
    const sigma = Math.sqrt(50_000 * share * (1 - share));
    assert.ok(Math.abs(census[kind] - 50_000 * share) < 5 * sigma, `${kind}: ${census[kind]}`);
  }
  assert.is(
    Object.values(census).reduce((a, b) => a + b),
    50_000,
  );
});

Web('hosts follow the skew and make up all pages', () => {
  const { web } = make({ pages: 10_000, hosts: 100, hostSkew: 1 });
  const sizes = Array.from({ length: 100 }, (_, host) => web.pagesOf(host));
  assert.is(
    sizes.reduce((a, b) => a + b),
    10_000,
  );
  assert.ok(sizes[0]! > 8 * sizes[9]! && sizes[0]! < 12 * sizes[9]!, `${sizes[0]} and ${sizes[9]}`);
  assert.ok(Math.min(...sizes) >= 1);
});

Web('a duplicate is byte for byte its original; a near duplicate differs in its own word only', () => {
  const site = make({ pages: 3000, hosts: 2, seed: 5, duplicates: 0.1, nearDuplicates: 0.1 });
  const { web, maker } = site;
  let near = 0;
  for (let page = 0; page < web.pagesOf(0); page++) {
    const kind = web.kind(0, page);
    if (kind !== 'duplicate' && kind !== 'near') continue;
    const original = web.original(0, page);
    assert.is(web.kind(0, original), 'page');
    const [body, like] = [maker.body(0, page, 0).toString(), maker.body(0, original, 0).toString()];
    if (kind === 'duplicate') assert.is(body, like);
    else {
      near++;
      const text = (html: string) => html.replace(/<ul>[\s\S]*<\/ul>/, '');
      assert.is.not(body, like);
      assert.is(text(body).replace(maker.ownWord(0, page), maker.ownWord(0, original)), text(like));
    }
  }
  assert.ok(near > 50);
});

Web('redirects end at a page', () => {
  const site = make({ pages: 4000, hosts: 1, seed: 9, redirects: 0.5 });
  let chains = 0;
  for (let page = 0; page < 4000; page++) {
    let at = page;
    let hops = 0;
    while (site.web.kind(0, at) === 'redirect' && hops < 100) {
      at = site.web.target(0, at);
      hops++;
    }
    assert.is(site.web.kind(0, at) === 'redirect', false);
    if (hops > 1) chains++;
  }
  assert.ok(chains > 100, `${chains} chains`);
});

Web('from one epoch to the next the changing share changes, and nothing else', () => {
  const site = make({ pages: 2000, hosts: 1, seed: 4, changing: 0.25 });
  let changed = 0;
  for (let page = 0; page < 2000; page++) {
    if (!site.servable(page)) continue;
    const [before, after] = [0, 1].map((epoch) => site.answer(0, site.web.path(0, page), epoch));
    const differs = !before!.body().equals(after!.body());
    assert.is(before!.etag !== after!.etag, differs, site.address(page));
    if (differs) changed++;
  }
  assert.ok(changed > 400 && changed < 600, `${changed} changed`);
});

Web('a sitemap lists the plain pages of its host, in parts where there are more than one file may hold', () => {
  const site = make({ pages: 60_000, hosts: 1, seed: 6, sitemaps: 1 });
  const read = (path: string) =>
    [
      ...site
        .answer(0, path, 0)
        .body()
        .toString()
        .matchAll(/<loc>([^<]*)<\/loc>/g),
    ].map(([, loc]) => loc!);
  const parts = read('/sitemap.xml');
  assert.is(parts.length, 2);
  const listed = parts.flatMap((part) => read(new URL(part).pathname));
  assert.is(new Set(listed).size, site.web.census().page);
  assert.is(site.answer(0, '/sitemap-2.xml', 0).status, 404);
});

Web('a path is one page or none', () => {
  const site = make({ pages: 500, hosts: 1, seed: 8 });
  for (let page = 0; page < 500; page++) assert.is(site.web.pageAt(0, site.web.path(0, page)), page);
  for (const path of ['/x', '/.html', '/a/b-501.html', '/zz/zz-3.html', '/../1.html', '/private/99999999.html'])
    assert.is(site.web.pageAt(0, path), -1, path);
});

Web('docs/measuring.md names every option', () => {
  const page = readFileSync('docs/measuring.md', 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, key]) => key!));
  assert.equal(named.sort(), Object.keys(webDefaults).sort());
});

Web('what makes no web is refused by name', () => {
  assert.throws(() => settleWeb({ hosts: 0 }), /hosts must be/);
  assert.throws(() => settleWeb({ hosts: 5, pages: 3 }), /at least as many pages/);
  assert.throws(() => settleWeb({ redirects: 2 }), /redirects must lie/);
  assert.throws(() => settleWeb({ redirects: 0.6, missing: 0.6 }), /most/);
  assert.throws(() => settleWeb({ colour: 1 } as never), /no option colour/);
  assert.throws(() => make({ languages: { xx: 1 } }), /does not speak xx/);
});

Web.run();
