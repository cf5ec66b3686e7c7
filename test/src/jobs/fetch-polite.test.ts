import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Polite = suite('fetch job: manners');
Polite.after(closePools);

/** One server on several addresses: several hosts. */
const hosts = (count: number, routes: Parameters<typeof startWeb>[0], robots?: string): Promise<Web[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      startWeb(routes, { address: `127.0.0.${i + 1}`, ...(robots === undefined ? {} : { robots }) }),
    ),
  );
/** Closed until `open` is called. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
const closeAll = (webs: readonly Web[]): Promise<unknown> => Promise.all(webs.map((web) => web.close()));

for (const threads of [1, 2, 4])
  Polite(
    `with ${threads} shards the log of every server shows gaps of at least the delay, and one list is one set`,
    async () => {
      const delay = 60;
      const webs = await hosts(6, { '/*': { body: page('x'), delayMs: 5 } }, 'User-agent: *\nDisallow: /no');
      const urls = webs.flatMap((web) => Array.from({ length: 6 }, (_, i) => `${web.origin}/${i}`));
      const fetched = await fetchUrls({ urls, threads, options: { net: { delay } } });
      await closeAll(webs);
      for (const web of webs) {
        assert.is(web.log.length, 7, 'robots.txt once, each page once');
        assert.is(web.log[0]!.path, '/robots.txt');
        const least = Math.min(...web.gaps());
        assert.ok(least >= delay - 1, `${web.origin}: a gap of ${least} ms`);
      }
      assert.equal([...fetched.outcomes.keys()].sort(), [...urls].sort());
      for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
      assert.equal(fetched.doubles, []);
    },
  );

Polite('a Crawl-delay longer than ours is kept, one too long leaves the host with a reason', async () => {
  const slow = await startWeb({ '/*': page('x') }, { robots: 'User-agent: *\nCrawl-delay: 0.2' });
  const never = await startWeb({ '/*': page('x') }, { robots: 'User-agent: *\nCrawl-delay: 99', address: '127.0.0.2' });
  const urls = [1, 2, 3].flatMap((i) => [`${slow.origin}/${i}`, `${never.origin}/${i}`]);
  const fetched = await fetchUrls({ urls });
  await closeAll([slow, never]);
  // The first page may follow robots.txt by our own delay: the file had not been read before it.
  const gaps = slow.gaps((exchange) => exchange.path !== '/robots.txt');
  assert.ok(
    gaps.every((gap) => gap >= 199),
    String(gaps),
  );
  assert.is(never.log.length, 1);
  assert.is(tell(fetched, `${never.origin}/1`), 'retry crawl-delay 0');
  assert.match(fetched.outcomes.get(`${never.origin}/1`)!.detail, 'delay of 99 s');
});

Polite('RU-retry-01: 429 with Retry-After holds the whole host, and loses nothing', async () => {
  let refusals = 0;
  const busy = await startWeb({
    '/robots.txt': { status: 404 },
    '/*': () => (refusals++ < 2 ? { status: 429, headers: { 'Retry-After': '1' } } : page('x')),
  });
  const urls = [1, 2, 3, 4].map((i) => `${busy.origin}/${i}`);
  const fetched = await fetchUrls({ urls });
  await busy.close();
  for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
  const held = busy.log.filter((exchange) => exchange.path !== '/robots.txt');
  assert.is(held.length, 6);
  assert.ok(held[1]!.start - held[0]!.end >= 999 && held[2]!.start - held[1]!.end >= 999);
});

Polite('RU-retry-01: while a host is held, other hosts of its shard go on', async () => {
  const stop = new AbortController();
  const refused = gate();
  const busy = await startWeb({
    '/robots.txt': { status: 404 },
    '/*': () => {
      refused.open();
      return { status: 429, headers: { 'Retry-After': '500' } };
    },
  });
  let served = 0;
  const fine = await startWeb(
    {
      '/robots.txt': { status: 404 },
      '/*': async () => {
        await refused.opened;
        if (++served === 4) stop.abort();
        return page('x');
      },
    },
    { address: '127.0.0.2' },
  );
  const urls = (web: Web): string[] => [1, 2, 3, 4].map((i) => `${web.origin}/${i}`);
  const fetched = await fetchUrls({ urls: [...urls(busy), ...urls(fine)], signal: stop.signal });
  await closeAll([busy, fine]);
  for (const url of urls(fine)) assert.is(tell(fetched, url), 'success ok 200');
  for (const url of urls(busy)) assert.is(tell(fetched, url), 'skipped interrupted 0');
  assert.is(busy.log.filter((exchange) => exchange.path !== '/robots.txt').length, 1);
});

Polite('a host that keeps asking for less is left for the round, and no page of it counts as failed', async () => {
  const web = await startWeb({
    '/robots.txt': { status: 404 },
    '/*': { status: 429, headers: { 'Retry-After': '0' } },
  });
  const urls = [1, 2, 3, 4, 5, 6].map((i) => `${web.origin}/${i}`);
  const fetched = await fetchUrls({ urls, options: { net: { hostFailures: 3 } } });
  await web.close();
  for (const url of urls) assert.match(tell(fetched, url), /^retry http-429/);
  assert.is(web.log.length, 4);
});

Polite(
  'RU-robots-06: 503 for robots.txt means nothing of the host is fetched and none is gone; 404 allows all',
  async () => {
    const down = await startWeb({ '/robots.txt': { status: 503, body: '<h1>sorry</h1>' }, '/*': page('x') });
    const open = await startWeb({ '/a': page('a') }, { address: '127.0.0.2' });
    const fetched = await fetchUrls({ urls: [`${down.origin}/a`, `${down.origin}/b`, `${open.origin}/a`] });
    await closeAll([down, open]);
    assert.is(tell(fetched, `${down.origin}/a`), 'retry robots-unreachable 0');
    assert.is(tell(fetched, `${down.origin}/b`), 'retry robots-unreachable 0');
    assert.is(tell(fetched, `${open.origin}/a`), 'success ok 200');
    assert.ok(down.log.every((exchange) => exchange.path === '/robots.txt'));
  },
);

Polite(
  'RU-robots-07: robots.txt behind redirects counts for the first authority; a loop of them is no rules',
  async () => {
    const last = await startWeb(
      { '/rules': { body: 'User-agent: *\nDisallow: /x', type: 'text/plain' } },
      { address: '127.0.0.3' },
    );
    const first = await startWeb({
      '/robots.txt': { to: '/other', status: 301 },
      '/other': { to: `${last.origin}/rules`, status: 301 },
      '/*': page('x'),
    });
    const loop = await startWeb({ '/robots.txt': { to: '/robots.txt' }, '/*': page('x') }, { address: '127.0.0.2' });
    const urls = [`${first.origin}/x`, `${first.origin}/y`, `${loop.origin}/x`];
    const fetched = await fetchUrls({ urls, seeds: [...urls, last.origin] });
    await closeAll([first, last, loop]);
    assert.is(tell(fetched, `${first.origin}/x`), 'gone robots-denied 0');
    assert.is(tell(fetched, `${first.origin}/y`), 'success ok 200');
    assert.is(tell(fetched, `${loop.origin}/x`), 'success ok 200');
    assert.ok(loop.log.length < 10);
  },
);

for (const threads of [1, 3])
  Polite(
    `with ${threads} shards a robots.txt that lies on another host is asked with the delay of that host`,
    async () => {
      const delay = 60;
      const rules = { body: 'User-agent: *\nDisallow: /no', type: 'text/plain' };
      const webs = await hosts(5, { '/rules': rules, '/*': { body: page('x'), delayMs: 5 } });
      // All lead to the first one; the last two to each other, for ever.
      const [main, , , left, right] = webs as [Web, Web, Web, Web, Web];
      main.route({ '/robots.txt': { to: '/rules' } });
      for (const web of webs.slice(1, 3)) web.route({ '/robots.txt': { to: `${main.origin}/rules` } });
      left.route({ '/robots.txt': { to: `${right.origin}/robots.txt` } });
      right.route({ '/robots.txt': { to: `${left.origin}/robots.txt` } });
      const urls = webs.flatMap((web) => ['/no', '/1', '/2', '/3'].map((path) => web.origin + path));
      const fetched = await fetchUrls({ urls, threads, options: { net: { delay } } });
      await closeAll(webs);
      for (const web of webs) {
        const least = Math.min(...web.gaps());
        assert.ok(least >= delay - 1, `${web.origin}: a gap of ${least} ms`);
        for (const path of ['/1', '/2', '/3']) assert.is(tell(fetched, web.origin + path), 'success ok 200');
        const looped = web === left || web === right;
        assert.is(tell(fetched, `${web.origin}/no`), looped ? 'success ok 200' : 'gone robots-denied 0');
      }
      assert.is(main.hits('/rules'), 3, 'once for each authority');
      assert.is(fetched.outcomes.size, urls.length);
      assert.equal(fetched.doubles, []);
    },
  );

Polite('RU-robots-10: rules belong to scheme, host and port', async () => {
  const shut = await startWeb({ '/*': page('x') }, { robots: 'User-agent: *\nDisallow: /' });
  const open = await startWeb({ '/*': page('x') }, { robots: '' });
  const fetched = await fetchUrls({ urls: [`${shut.origin}/a`, `${open.origin}/a`] });
  await closeAll([shut, open]);
  assert.is(tell(fetched, `${shut.origin}/a`), 'gone robots-denied 0');
  assert.is(tell(fetched, `${open.origin}/a`), 'success ok 200');
});

Polite('a host that asks for a day is left for the round, and the round ends', async () => {
  const web = await startWeb({
    '/robots.txt': { status: 404 },
    '/*': { status: 503, headers: { 'Retry-After': '86400' } },
  });
  const urls = [1, 2, 3].map((i) => `${web.origin}/${i}`);
  const fetched = await fetchUrls({ urls });
  await web.close();
  for (const url of urls) assert.match(tell(fetched, url), /^retry (http-5xx 503|host-failing 0)/);
  assert.is(web.log.length, 2);
});

Polite('a folder of broken pages does not cost a host its round', async () => {
  const web = await startWeb({ '/broken*': { status: 500 }, '/*': page('x') }, { robots: '' });
  const paths = [...Array.from({ length: 7 }, (_, i) => `/broken${i}`), '/fine'];
  const fetched = await fetchUrls({ urls: paths.map((path) => web.origin + path) });
  await web.close();
  assert.is(tell(fetched, `${web.origin}/broken6`), 'retry http-5xx 500');
  assert.is(tell(fetched, `${web.origin}/fine`), 'success ok 200');
});

Polite('the rules of a host are kept over rounds, and so is its pace', async () => {
  const web = await startWeb({ '/*': page('x') }, { robots: 'User-agent: *\nDisallow: /no' });
  const options = { net: { delay: 150 } };
  const one = await fetchUrls({ urls: [`${web.origin}/a`], options });
  const two = await fetchUrls({
    urls: [`${web.origin}/b`, `${web.origin}/no`],
    options,
    dir: one.dir,
    segment: '20261130120001',
  });
  await web.close();
  assert.equal(
    web.log.map((exchange) => exchange.path),
    ['/robots.txt', '/a', '/b'],
  );
  assert.is(tell(two, `${web.origin}/no`), 'gone robots-denied 0');
  assert.ok(Math.min(...web.gaps()) >= 149, String(web.gaps()));
});

Polite('RU-retry-03: a dead host costs a few tries, not one a page; one page tells why, none is gone', async () => {
  const gone = await startWeb({});
  await gone.close();
  const urls = Array.from({ length: 300 }, (_, i) => `${gone.origin}/${i}`);
  const fetched = await fetchUrls({ urls });
  const told = urls.map((url) => tell(fetched, url));
  assert.is(told.filter((one) => one === 'retry connect 0').length, 1);
  assert.is(told.filter((one) => one === 'retry host-failing 0').length, 299);
});

Polite('several requests at once keep the delay between their starts', async () => {
  // Nothing is answered before four are asked for: with fewer at once it would not end.
  const four = gate();
  let asked = 0;
  const answer = async (): Promise<string> => {
    if (++asked === 4) four.open();
    await four.opened;
    return page('x');
  };
  const web = await startWeb({ '/*': answer }, { robots: '' });
  const urls = Array.from({ length: 6 }, (_, i) => `${web.origin}/${i}`);
  await fetchUrls({ urls, options: { net: { connections: 4, delay: 40 } } });
  await web.close();
  assert.is(asked, 6);
  // Seen from the server a start may come late, so the first is no mark to measure from; the end of robots.txt is early.
  const since = web.log.at(-1)!.start - web.log[0]!.end;
  assert.is(web.log[0]!.path, '/robots.txt');
  assert.ok(since >= 5 * 40 - 1, `${since} ms`);
});

Polite('a host may be asked by several requests at once where the options say so, the others by one', async () => {
  const webs = await hosts(2, { '/*': { body: page('x'), delayMs: 150 } }, '');
  const [mine, other] = webs as [Web, Web];
  const urls = webs.flatMap((web) => [1, 2, 3, 4].map((i) => `${web.origin}/${i}`));
  const fetched = await fetchUrls({ urls, options: { net: { delay: 0, hosts: { '127.0.0.1': { connections: 4 } } } } });
  await closeAll(webs);
  for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
  const pages = (web: Web): number[] => web.gaps((exchange) => exchange.path !== '/robots.txt');
  assert.ok(Math.min(...pages(mine)) < -50, String(pages(mine)));
  assert.ok(Math.min(...pages(other)) >= -1, String(pages(other)));
});

Polite.run();
