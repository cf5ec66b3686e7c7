import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageState } from '../../../src/page/state.ts';
import { readWarc } from '../../../src/store/warc-read.ts';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { calendarTrap, fault, page, startWeb, type Web } from '../../kit/web.ts';

const Http = suite('fetch job: HTTP');
Http.after(closePools);

let web: Web;
const at = (path: string): string => web.origin + path;
Http.before.each(async () => {
  web = await startWeb({}, { robots: '' });
});
Http.after.each(() => web.close());
const known = (more: Partial<PageState>): Partial<PageState> => ({
  status: 'fetched',
  fetched: 1,
  signature: new Uint8Array(16),
  ...more,
});

Http('RU-recrawl-02: a page with a validator answers 304 and is kept as it is', async () => {
  web.route({
    '/etag': { body: page('e'), etag: '"1"' },
    '/date': { body: page('d'), lastModified: 'Mon, 05 Oct 2020 06:00:00 GMT' },
    '/changed': { body: page('c'), etag: '"2"' },
  });
  const fetched = await fetchUrls({
    urls: [at('/etag'), at('/date'), at('/changed')],
    states: {
      [at('/etag')]: known({ etag: '"1"' }),
      [at('/date')]: known({ lastModified: 'Mon, 05 Oct 2020 06:00:00 GMT' }),
      [at('/changed')]: known({ etag: '"1"' }),
    },
  });
  assert.is(tell(fetched, at('/etag')), 'not-modified not-modified 304');
  assert.is(fetched.outcomes.get(at('/etag'))!.etag, '"1"');
  assert.is(tell(fetched, at('/date')), 'not-modified not-modified 304');
  assert.is(tell(fetched, at('/changed')), 'success ok 200');
  const types = [...readWarc(`${fetched.dir}/segments/${fetched.segment}/content/00000.warc.gz`)].map((r) => r.type);
  assert.equal(types.sort(), ['response', 'revisit', 'revisit', 'warcinfo']);
});

Http(
  'a 304 that forbids to index a page is asked again without a condition, once, and no more when that is known',
  async () => {
    let asked = 0;
    const hidden = (request: { headers: Record<string, unknown> }) => {
      asked++;
      const headers = { 'X-Robots-Tag': 'noindex', etag: '"1"' };
      return request.headers['if-none-match'] ? { status: 304, headers } : { body: page('now hidden'), headers };
    };
    web.route({ '/hidden': hidden as never });
    const url = at('/hidden');
    const first = await fetchUrls({ urls: [url], states: { [url]: known({ etag: '"1"' }) } });
    assert.is(tell(first, url), 'success noindex 200');
    assert.is(asked, 2);
    const again = await fetchUrls({ urls: [url], states: { [url]: known({ etag: '"1"', reason: 'noindex' }) } });
    assert.is(tell(again, url), 'not-modified not-modified 304');
    assert.is(asked, 3);
  },
);

Http('RU-recrawl-03: a date goes out as the RFC writes it, in any time zone; what is no date is left out', async () => {
  const given: Readonly<Record<string, string | undefined>> = {
    'Mon, 05 Oct 2020 06:00:00 GMT': 'Mon, 05 Oct 2020 06:00:00 GMT',
    'Monday, 05-Oct-20 06:00:00 GMT': 'Mon, 05 Oct 2020 06:00:00 GMT',
    'Mon Oct  5 06:00:00 2020': 'Mon, 05 Oct 2020 06:00:00 GMT',
    '2018-04-02T11:12:13': undefined,
    '05-Oct-20': undefined,
    nonsense: undefined,
  };
  const urls = Object.keys(given).map((_, i) => at(`/${i}`));
  web.route({ '/*': page('x') });
  const before = process.env.TZ;
  process.env.TZ = 'Asia/Kolkata';
  await fetchUrls({
    urls,
    states: Object.fromEntries(Object.keys(given).map((date, i) => [urls[i]!, known({ lastModified: date })])),
  });
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
  for (const [i, sent] of Object.values(given).entries()) {
    const asked = web.log.find((exchange) => exchange.path === `/${i}`)!;
    assert.is(asked.headers['if-modified-since'], sent, String(i));
  }
});

Http('RU-http-05: 304 without a condition is asked again past caches, then left for later', async () => {
  let asked = 0;
  web.route({ '/odd': { status: 304 }, '/once': () => (asked++ === 0 ? { status: 304 } : page('x')) });
  const fetched = await fetchUrls({ urls: [at('/odd'), at('/once')] });
  assert.is(tell(fetched, at('/odd')), 'retry http-other 304');
  assert.is(web.log.filter((exchange) => exchange.path === '/odd').at(-1)!.headers['cache-control'], 'no-cache');
  assert.is(tell(fetched, at('/once')), 'success ok 200');
});

Http('RU-http-04: partial content that nobody asked for is no page', async () => {
  let asked = 0;
  const part = { status: 206, body: 'x'.repeat(100), headers: { 'Content-Range': 'bytes 0-99/5000' } };
  web.route({ '/always': part, '/once': () => (asked++ === 0 ? part : page('whole')) });
  const fetched = await fetchUrls({ urls: [at('/always'), at('/once')] });
  assert.is(tell(fetched, at('/always')), 'retry http-other 206');
  assert.not(fetched.data.has(at('/always')));
  assert.is(tell(fetched, at('/once')), 'success ok 200');
});

Http('RU-http-06: odd cookies harm nobody, paths are kept, and none crosses to another host', async () => {
  const other = await startWeb({ '/*': page('o') }, { address: '127.0.0.2', robots: '' });
  const cookies = [
    '=x',
    '',
    'Lang=de; expires=2w',
    'a=b; Expires=Fri, 04 Jan 2030 00:00:00 GMT; Path=/x',
    'sid=x; expires=Wed, 05 Dec 2035 10:00:00 -0000',
    'old=1; Max-Age=0',
    'bad=a\x01b',
  ];
  const lines = cookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join('');
  web.route({
    '/first': fault.bytes(
      `HTTP/1.1 200 OK\r\n${lines.replace('Set-Cookie: bad=a\x01b\r\n', '')}Content-Length: 2\r\n\r\nhi`,
    ),
    '/x/y': page('x'),
    '/z': page('z'),
  });
  await fetchUrls({ urls: [at('/first'), at('/x/y'), at('/z'), `${other.origin}/`] });
  await other.close();
  const sent = (path: string): string => web.log.find((exchange) => exchange.path === path)!.headers.cookie ?? '';
  assert.is(sent('/x/y'), 'a=b; Lang=de; sid=x');
  assert.is(sent('/z'), 'Lang=de; sid=x');
  assert.is(other.log.at(-1)!.headers.cookie, undefined);
});

Http('RU-polite-01, RU-idn-ipv6-03: a host is one queue whatever its port; IPv6 literals are fetched', async () => {
  const six = await startWeb({ '/a': page('six') }, { address: '::1', robots: 'User-agent: *\nDisallow: /no' });
  const fetched = await fetchUrls({ urls: [`${six.origin}/a`, `${six.origin}/no`] });
  await six.close();
  assert.is(tell(fetched, `${six.origin}/a`), 'success ok 200');
  assert.is(tell(fetched, `${six.origin}/no`), 'gone robots-denied 0');
  assert.is(six.log[0]!.host, six.host);
});

Http('robots.txt is left out for a host of ours, and each outcome says why', async () => {
  web.route({ '/robots.txt': 'User-agent: *\nDisallow: /', '/a': page('a') });
  const hosts = { '127.0.0.1': { robots: 'ignore' as const, reason: 'our own wiki' } };
  const fetched = await fetchUrls({ urls: [at('/a')], options: { net: { hosts } } });
  assert.is(tell(fetched, at('/a')), 'success ok 200');
  assert.match(fetched.outcomes.get(at('/a'))!.detail, 'our own wiki');
  assert.is(web.hits('/robots.txt'), 0);
});

Http('content that shall not be kept is not', async () => {
  web.route({ '/a': page('a') });
  const fetched = await fetchUrls({ urls: [at('/a')], options: { net: { keepContent: false } } });
  assert.is(tell(fetched, at('/a')), 'success ok 200');
  assert.equal([...readWarc(`${fetched.dir}/segments/${fetched.segment}/content/00000.warc.gz`)], []);
});

Http('RU-auth-01: a credential is in no record, no content and no event', async () => {
  web.route({ '/in': { body: page('inside'), login: 'user:sesame' }, '/away': { to: '/in' } });
  const headers = { [web.origin]: { authorization: `Basic ${Buffer.from('user:sesame').toString('base64')}` } };
  const fetched = await fetchUrls({ urls: [at('/in'), at('/away')], options: { net: { headers } } });
  assert.is(tell(fetched, at('/in')), 'success ok 200');
  const secret = Buffer.from('user:sesame').toString('base64');
  const kept = [...readWarc(`${fetched.dir}/segments/${fetched.segment}/content/00000.warc.gz`)].map((r) =>
    r.block.toString(),
  );
  assert.not.match(kept.join('\n') + JSON.stringify([...fetched.outcomes.values(), ...fetched.events]), secret);
});

Http(
  'RU-http-01: a head that breaks the rules gets a lenient second try, which tells where it does not help',
  async () => {
    web.route({
      '/control': fault.headerLine('Set-Cookie: a=b\x01c', page('odd')),
      '/chunks': fault.brokenChunks('x'),
      '/flood': fault.headerFlood(1000),
    });
    const fetched = await fetchUrls({ urls: [at('/control'), at('/chunks'), at('/flood')] });
    assert.is(tell(fetched, at('/control')), 'success ok 200');
    assert.is(web.hits('/control'), 2);
    assert.is(tell(fetched, at('/chunks')), 'retry protocol 0');
    assert.is(tell(fetched, at('/flood')), 'retry protocol 0');
  },
);

Http(
  'RU-sitemap-01, -07: sitemaps that robots.txt names, a seed that is one, packed once or twice: their pages are found',
  async () => {
    const map = (...paths: string[]): string =>
      `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`;
    web.route({
      '/robots.txt': {
        body: `Sitemap: ${at('/index.xml')}\nSitemap: http://elsewhere.example/s.xml`,
        type: 'text/plain',
      },
      '/index.xml': {
        body: `<sitemapindex><sitemap><loc>${at('/s1.xml.gz')}</loc></sitemap><sitemap><loc>${at('/s2.txt')}</loc></sitemap></sitemapindex>`,
        type: 'application/xml',
      },
      '/s1.xml.gz': { body: gzipSync(map('/a', '/b')), type: 'application/gzip', coding: 'gzip' },
      '/s2.txt': { body: `${at('/c')}\n${at('/d')}\n`, type: 'text/plain' },
      '/seed.xml': {
        body: map('/e').replace(
          '</loc>',
          '</loc><lastmod>2020-02-03T04:05:06Z</lastmod><changefreq>weekly</changefreq>',
        ),
        type: 'text/xml',
        coding: 'gzip',
      },
    });
    const fetched = await fetchUrls({ urls: [at('/seed.xml')] });
    const found = (path: string): string[] =>
      fetched.links.get(at(path))!.links.map((link) => link.url.slice(web.origin.length));
    assert.equal(found('/index.xml'), ['/s1.xml.gz', '/s2.txt']);
    assert.equal(found('/s1.xml.gz'), ['/a', '/b']);
    assert.equal(found('/s2.txt'), ['/c', '/d']);
    assert.equal(found('/seed.xml'), ['/e']);
    assert.is(tell(fetched, at('/seed.xml')), 'success sitemap 200');
    assert.is(fetched.counters['sitemaps.out-of-scope'], 1);
    assert.equal([...fetched.hints], [[at('/e'), { modified: Date.UTC(2020, 1, 3, 4, 5, 6), interval: 7 * 86_400 }]]);
    assert.is(fetched.data.size, 0);
  },
);

Http('a page behind Basic or a form is read with the login of its origin, and a lost session is renewed', async () => {
  let session = 0;
  web.route({
    '/basic': { body: page('basic'), login: 'me:sesame' },
    '/login': (request) =>
      request.method === 'POST' ? { to: '/home', headers: { 'Set-Cookie': `s=${++session}; Path=/` } } : page('Login'),
    '/in*': (request) => {
      const fine = request.headers.cookie === `s=${session}`;
      if (request.url === '/in2' && session === 1) session++; // the session ends in between
      return fine ? page('inside') : { to: '/login' };
    },
  });
  const login = {
    [web.origin]: { user: 'me', password: 'sesame', form: '/login', fields: { name: 'me', word: 'sesame' } },
  };
  const urls = [at('/basic'), at('/in1'), at('/in2'), at('/in3')];
  const fetched = await fetchUrls({ urls, options: { net: { login } } });
  for (const url of urls) assert.is(tell(fetched, url), 'success ok 200', url);
  assert.is(web.log.filter((exchange) => exchange.method === 'POST').length, 2);
  assert.not.match(JSON.stringify([...fetched.outcomes.values(), ...fetched.events]), 'sesame');
});

Http('RU-auth-03: many pages that lead to one login page are told of, and it is read once', async () => {
  web.route({ '/p*': { to: '/login' }, '/login': page('Login') });
  const fetched = await fetchUrls({ urls: Array.from({ length: 40 }, (_, i) => at(`/p${i}`)) });
  assert.is(web.hits('/login'), 1);
  assert.ok(fetched.events.some((event) => event.kind === 'warning' && /login missing/.test(event.message)));
});

Http('a pattern that keeps giving one text under new addresses is told of, and no longer followed', async () => {
  web.route({ '/item*': '<p>no such item</p><a href="/item?id=9999">more</a><a href="/fine">fine</a>' });
  const urls = Array.from({ length: 80 }, (_, i) => at(`/item?id=${i}`));
  const fetched = await fetchUrls({ urls });
  for (const url of urls) assert.is(tell(fetched, url), 'success ok 200');
  assert.ok(fetched.events.some((event) => event.kind === 'warning' && event.message.includes('/item?id')));
  assert.is(fetched.counters['links.trap'], 30);
  assert.is(fetched.links.get(urls[79]!)!.links.length, 1);
});

Http('a calendar without end costs one page of a fetchlist each', async () => {
  web.route({ '/cal*': calendarTrap });
  const fetched = await fetchUrls({ urls: [at('/cal?month=0')] });
  assert.is(web.hits('/cal?month=0'), 1);
  assert.is(fetched.links.get(at('/cal?month=0'))!.links.length, 2);
});

Http.run();
