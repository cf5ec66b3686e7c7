import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { page, startWeb, type Web } from '../../kit/web.ts';

const Redirect = suite('fetch job: redirects');
Redirect.after(closePools);

let web: Web;
const at = (path: string): string => web.origin + path;
Redirect.before.each(async () => {
  web = await startWeb({}, { robots: '' });
});
Redirect.after.each(() => web.close());

Redirect('a chain is followed at once, each hop with a record under its own address', async () => {
  web.route({ '/a': { to: '/b', status: 301 }, '/b': { to: '/c' }, '/c': page('End') });
  const fetched = await fetchUrls({ urls: [at('/a')] });
  assert.is(tell(fetched, at('/a')), 'redirect-permanent redirected-permanent 301');
  assert.is(fetched.outcomes.get(at('/a'))!.target, at('/b'));
  assert.is(tell(fetched, at('/b')), 'redirect-temporary redirected-temporary 302');
  assert.is(tell(fetched, at('/c')), 'success ok 200');
});

Redirect(
  'RU-redirect-03: a chain too long is said of its last hop, whose target is left to a later round',
  async () => {
    web.route({ '/1': { to: '/2' }, '/2': { to: '/3' }, '/3': { to: '/4' }, '/4': page('good') });
    const fetched = await fetchUrls({ urls: [at('/1')], options: { net: { redirects: 2 } } });
    assert.is(tell(fetched, at('/3')), 'redirect-temporary too-many-redirects 302');
    assert.is(fetched.outcomes.get(at('/3'))!.target, at('/4'));
    assert.is(tell(fetched, at('/4')), 'no record');
  },
);

Redirect('redirects, links and hits may each have rewrites of their own', async () => {
  web.route({ '/a': { to: '/end?b=1&a=2' }, '/end*': '<title>End</title><a href="/x#!state">x</a>' });
  const normalizers = { fetcher: ['query'], outlink: ['ajax'] };
  const fetched = await fetchUrls({ urls: [at('/a')], options: { scope: { normalizers } } });
  assert.is(fetched.outcomes.get(at('/a'))!.target, at('/end?a=2&b=1'));
  assert.equal(
    fetched.links.get(at('/end?a=2&b=1'))?.links.map(({ url }) => url),
    [at('/x?_escaped_fragment_=state')],
  );
});

Redirect('with no redirects to follow the target is told and left', async () => {
  web.route({ '/1': { to: '/2' }, '/2': page('x') });
  const fetched = await fetchUrls({ urls: [at('/1')], options: { net: { redirects: 0 } } });
  assert.is(tell(fetched, at('/1')), 'redirect-temporary redirected-temporary 302');
  assert.is(web.hits('/2'), 0);
});

Redirect('RU-redirect-01: a page that redirects to itself to set a cookie is read under its own address', async () => {
  web.route({
    '/gate': (request) =>
      request.headers.cookie?.includes('ok=1') ? page('hello') : { to: '/gate', headers: { 'Set-Cookie': 'ok=1' } },
    '/bounce': (request) => (request.headers.cookie?.includes('b=2') ? page('inside') : { to: '/set' }),
    '/set': { to: '/bounce', headers: { 'Set-Cookie': 'b=2; Path=/' } },
  });
  const fetched = await fetchUrls({ urls: [at('/gate'), at('/bounce')] });
  assert.is(tell(fetched, at('/gate')), 'success ok 200');
  assert.is(web.hits('/gate'), 2);
  assert.is(tell(fetched, at('/bounce')), 'success ok 200');
  assert.equal(fetched.doubles, []);
});

Redirect('RU-redirect-01: one that sets a new cookie for ever is given up at the limit', async () => {
  let n = 0;
  web.route({ '/ever': () => ({ to: '/ever', headers: { 'Set-Cookie': `n=${n++}` } }), '/self': { to: '/self' } });
  const fetched = await fetchUrls({ urls: [at('/ever'), at('/self')] });
  assert.match(tell(fetched, at('/ever')), /^redirect-temporary (too-many-redirects|redirect-loop)/);
  assert.ok(web.hits('/ever') <= 6);
  assert.is(tell(fetched, at('/self')), 'redirect-temporary redirect-loop 302');
  assert.is(web.hits('/self'), 1);
});

Redirect('a circle of redirects ends, each address with its record', async () => {
  web.route({ '/x': { to: '/y' }, '/y': { to: '/z' }, '/z': { to: '/x' } });
  const fetched = await fetchUrls({ urls: [at('/x')] });
  assert.is(tell(fetched, at('/z')), 'redirect-temporary redirect-loop 302');
  assert.is(web.log.length, 4);
});

Redirect('RU-polite-05: 500 pages that lead to one login page fetch it once', async () => {
  web.route({ '/p/*': (request) => ({ to: `/login#from=${request.url}` }), '/login': page('Login') });
  const urls = Array.from({ length: 500 }, (_, i) => at(`/p/${i}`));
  const fetched = await fetchUrls({ urls });
  assert.is(web.hits('/login'), 1);
  assert.ok(urls.every((url) => fetched.outcomes.get(url)!.target === at('/login')));
  assert.is(fetched.outcomes.size, 501);
});

Redirect('10,000 redirects to one page fetch it once, and each has its record', async () => {
  web.route({ '/one': page('one'), '/r*': { to: '/one' } });
  const urls = Array.from({ length: 10_000 }, (_, i) => at(`/r${i}`));
  const fetched = await fetchUrls({ urls });
  assert.is(web.hits('/one'), 1);
  assert.is(fetched.outcomes.size, urls.length + 1);
  for (const url of urls) assert.is(tell(fetched, url), 'redirect-temporary redirected-temporary 302');
  assert.equal(fetched.doubles, []);
});

Redirect('RU-redirect-04: a redirect out of scope is recorded and not followed', async () => {
  const foreign = await startWeb({ '/': page('foreign', '/1', '/2') }, { address: '127.0.0.2' });
  web.route({
    '/out': { to: `${foreign.origin}/` },
    '/meta': `<meta http-equiv=refresh content="0;url=${foreign.origin}/">`,
  });
  const fetched = await fetchUrls({ urls: [at('/out'), at('/meta')] });
  await foreign.close();
  assert.is(tell(fetched, at('/out')), 'redirect-temporary redirect-rejected 302');
  assert.is(tell(fetched, at('/meta')), 'redirect-temporary redirect-rejected 200');
  assert.is(foreign.log.length, 0);
  assert.is(fetched.outcomes.get(at('/out'))!.target, '');
});

Redirect('RU-redirect-07: a refresh at once is a redirect; one beside an article is not', async () => {
  web.route({
    '/go': '<meta content="0;url=b.html" http-equiv="Refresh">',
    '/b.html': page('B'),
    '/article': `<noscript><meta http-equiv="refresh" content="1; URL=/nojs.html"></noscript><p>${'word '.repeat(500)}`,
    '/reload': '<meta http-equiv=refresh content="3"><p>news</p>',
  });
  const fetched = await fetchUrls({ urls: [at('/go'), at('/article'), at('/reload')] });
  assert.is(tell(fetched, at('/go')), 'redirect-temporary redirected-temporary 200');
  assert.is(tell(fetched, at('/b.html')), 'success ok 200');
  assert.is(tell(fetched, at('/article')), 'success ok 200');
  assert.is(tell(fetched, at('/reload')), 'success ok 200');
});

for (const threads of [1, 2, 4])
  Redirect(
    `a redirect to a host of another shard is fetched by its owner in the same round (${threads} shards)`,
    async () => {
      const others = await Promise.all(
        [2, 3, 4, 5, 6].map((n) =>
          startWeb({ '/in': page(`host ${n}`), '/on': { to: '' } }, { address: `127.0.0.${n}`, robots: '' }),
        ),
      );
      for (const [i, other] of others.entries()) {
        web.route({ [`/to${i}`]: { to: `${other.origin}/on` } });
        other.route({ '/on': { to: `${others[(i + 1) % others.length]!.origin}/in` } });
      }
      const urls = [...others.map((_, i) => at(`/to${i}`)), ...others.map((other) => `${other.origin}/robots.txt`)];
      const fetched = await fetchUrls({ urls, threads });
      await Promise.all(others.map((other) => other.close()));
      for (const other of others) assert.is(tell(fetched, `${other.origin}/in`), 'success ok 200');
      assert.is(fetched.outcomes.size, 5 + 5 + 5 + 5);
      assert.equal(fetched.doubles, []);
    },
  );

Redirect.run();
