import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { calendarTrap, fault, page, type Routes, startWeb } from '../../kit/web.ts';

const Hostile = suite('fetch job: a hostile site');
Hostile.after(closePools);

const zeros = gzipSync(Buffer.alloc(100 << 20));
/** Path -> what it does, and how it must end. */
const acts: Readonly<Record<string, readonly [Routes[string], RegExp]>> = {
  '/slow-headers': [fault.slowHeaders(40), /^retry timeout 0/],
  '/slow-body': [fault.slowBody(40), /^retry timeout 0/],
  '/silence': [fault.silence, /^retry timeout 0/],
  '/endless': [fault.endless(), /^success ok 200/],
  '/length': [fault.wrongLength(1000, page('cut')), /^success ok 200/],
  '/chunks': [fault.brokenChunks('x'), /^retry protocol 0/],
  '/reset0': [fault.resetAfter('', 0), /^retry reset 0/],
  '/reset20': [fault.resetAfter('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n', 20), /^retry (reset|protocol) 0/],
  '/flood': [fault.headerFlood(5000), /^retry protocol 0/],
  '/bytes': [fault.headerLine('X-Note: \xff\xfe', page('odd')), /^success ok 200/],
  '/control': [fault.headerLine('X-Note: a\x01b', page('odd')), /^success ok 200/],
  '/interim': [fault.interim(200, page('late')), /^success ok 200/],
  '/bare': [fault.statusLine('HTTP/1.1 200', page('bare')), /^success ok 200/],
  '/loop': [{ to: '/loop' }, /^redirect-temporary redirect-loop/],
  '/circle': [{ to: '/circle2' }, /^redirect-temporary redirected-temporary/],
  '/wall': [{ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="x"' } }, /^retry http-401 401/],
  '/bomb': [{ body: zeros, headers: { 'Content-Encoding': 'gzip' } }, /^success/],
  '/bombs': [{ body: gzipSync(zeros), headers: { 'Content-Encoding': 'gzip, gzip' } }, /^success/],
  '/garbage': [
    { body: Buffer.from('\x1f\x8b\x08garbage', 'latin1'), headers: { 'Content-Encoding': 'gzip' } },
    /^success bad-encoding/,
  ],
  '/lie': [{ body: page('plain'), headers: { 'Content-Encoding': 'br' } }, /^success ok 200/],
  '/calendar': [calendarTrap, /^success ok 200/],
  '/long-location': [{ to: `/${'x'.repeat(30_000)}` }, /^redirect-temporary redirect-rejected/],
  '/bad-location': [{ to: 'http://[nowhere' }, /^redirect-temporary redirect-invalid/],
  '/deep': [`<!doctype html>${'<div>'.repeat(50_000)}x`, /^success ok 200/],
  '/unclosed': [`<p><span>x`.repeat(60_000), /^success ok 200/],
};

Hostile('every act ends with its outcome, healthy pages beside it are read, and memory stays bounded', async () => {
  const routes: Record<string, Routes[string]> = { '/circle2': { to: '/circle' } };
  for (const [path, [route]] of Object.entries(acts)) routes[path] = route;
  // Each act on a host of its own, so that one does not use up the patience with another; a page before and after it.
  const webs = await Promise.all(
    Object.keys(acts).map((path, i) =>
      startWeb(
        {
          '/before': page('before'),
          [path]: routes[path]!,
          '/circle2': routes['/circle2']!,
          '/behind': page('behind'),
        },
        { address: `127.0.0.${i + 2}`, robots: '' },
      ),
    ),
  );
  const urls = Object.keys(acts).flatMap((path, i) => ['/before', path, '/behind'].map((one) => webs[i]!.origin + one));
  const before = process.memoryUsage().rss;
  const fetched = await fetchUrls({
    urls,
    threads: 2,
    options: { net: { timeout: 6000, firstByteTimeout: 4000, maxBody: 1 << 20 } },
  });
  const grown = process.memoryUsage().rss - before;
  await Promise.all(webs.map((web) => web.close()));
  for (const [i, [path, [, expected]]] of Object.entries(acts).entries()) {
    const { origin } = webs[i]!;
    assert.match(`${tell(fetched, origin + path)}`, expected, path);
    assert.is(tell(fetched, `${origin}/before`), 'success ok 200', path);
    assert.is(tell(fetched, `${origin}/behind`), 'success ok 200', path);
  }
  assert.equal(fetched.doubles, []);
  assert.ok(grown < 400 << 20, `${grown >> 20} MB`);
});

Hostile('2,000 redirects to one page fetch it once', async () => {
  const web = await startWeb({ '/r*': { to: '/page' }, '/page': page('one') }, { robots: '' });
  const urls = Array.from({ length: 2000 }, (_, i) => `${web.origin}/r${i}`);
  const fetched = await fetchUrls({ urls, options: { net: { connections: 8 } } });
  await web.close();
  assert.is(web.hits('/page'), 1);
  assert.is(fetched.outcomes.size, 2001);
  assert.is(fetched.counters['reason.redirected-temporary'], 2000);
});

Hostile.run();
