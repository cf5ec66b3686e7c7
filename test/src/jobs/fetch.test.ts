import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { fault, page, startWeb } from '../../kit/web.ts';

const Fetch = suite('fetch job');
Fetch.after(closePools);

Fetch('a page becomes an outcome, content, data, text and links', async () => {
  const web = await startWeb({ '/': page('Home', '/a', '/b', 'http://elsewhere.example/') });
  const fetched = await fetchUrls({ urls: [`${web.origin}/`] });
  await web.close();
  const url = `${web.origin}/`;
  assert.is(tell(fetched, url), 'success ok 200');
  assert.is(fetched.data.get(url)?.title, 'Home');
  assert.match(fetched.text.get(url)!.text, 'This is the page about Home.');
  assert.equal(
    fetched.links.get(url)?.links.map((link) => link.url),
    [`${web.origin}/a`, `${web.origin}/b`],
  );
  assert.is(fetched.counters.fetched, 1);
  assert.is(fetched.counters['links.out-of-scope'], 1);
  assert.equal(fetched.doubles, []);
});

Fetch('every URL of a fetchlist ends with one record, whatever its server does', async () => {
  const routes = {
    '/ok': page('Fine'),
    '/gone': { status: 410 },
    '/error': { status: 500 },
    '/login': { status: 401 },
    '/forbidden': page('no'),
    '/zip': { type: 'application/zip', body: 'PK' },
    '/png': { type: 'image/png', body: 'x' },
    '/empty': '',
    '/silence': fault.silence,
    '/cut': fault.wrongLength(500, 'short'),
    '/chunks': fault.brokenChunks('x'),
    '/away': { to: 'http://elsewhere.example/' },
    '/nowhere': { status: 301 },
    '/noindex': '<meta name=robots content=noindex><p>private</p>',
    '/header': { body: page('h'), headers: { 'X-Robots-Tag': 'noindex' } },
  };
  const web = await startWeb(routes, { robots: 'User-agent: *\nDisallow: /forbidden' });
  const paths = [...Object.keys(routes), '/missing'];
  const fetched = await fetchUrls({
    urls: paths.map((path) => web.origin + path),
    options: { net: { firstByteTimeout: 4000, hostFailures: 50 } },
  });
  await web.close();
  assert.equal(Object.fromEntries(paths.map((path) => [path, tell(fetched, web.origin + path)])), {
    '/ok': 'success ok 200',
    '/gone': 'gone http-410 410',
    '/error': 'retry http-5xx 500',
    '/login': 'retry http-401 401',
    '/forbidden': 'gone robots-denied 0',
    '/zip': 'parse-failed parse-failed 200',
    '/png': 'success not-parsed 200',
    '/empty': 'success empty 200',
    '/silence': 'retry timeout 0',
    '/cut': 'success ok 200',
    '/chunks': 'retry protocol 0',
    '/away': 'redirect-temporary redirect-rejected 302',
    '/nowhere': 'redirect-permanent redirect-invalid 301',
    '/noindex': 'success noindex 200',
    '/header': 'success noindex 200',
    '/missing': 'gone http-404 404',
  });
  assert.is(fetched.outcomes.get(`${web.origin}/forbidden`)?.detail, 'Disallow: /forbidden');
  assert.is(fetched.outcomes.get(`${web.origin}/cut`)?.truncated, true);
  assert.equal(fetched.doubles, []);
});

Fetch('a document is read in a thread of its own; what is none stays unread', async () => {
  const web = await startWeb(
    {
      '/table.csv': { body: 'name,weight\nsquirrel,330\n', type: 'text/csv' },
      '/notes.md': { body: '# Notes\n\nSee [a](/a).\n', type: 'text/markdown' },
      '/broken.pdf': { body: '%PDF-1.4 nothing', type: 'application/pdf' },
    },
    { robots: '' },
  );
  const urls = ['/table.csv', '/notes.md', '/broken.pdf'].map((path) => web.origin + path);
  const fetched = await fetchUrls({ urls });
  await web.close();
  assert.is(tell(fetched, urls[0]!), 'success ok 200');
  assert.match(fetched.text.get(urls[0]!)!.text, 'squirrel');
  assert.equal(
    fetched.links.get(urls[1]!)?.links.map((link) => link.url),
    [`${web.origin}/a`],
  );
  assert.match(tell(fetched, urls[2]!), /^parse-failed parse-failed 200/);
});

Fetch.run();
