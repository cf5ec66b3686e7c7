import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { check } from '../../../src/check/robots.ts';

const Check = suite('check robots');

Check('a line in, a verdict out', () => {
  const robots = 'User-agent: *\nCrawl-delay: 2\nDisallow: /x\nSitemap: /s.xml';
  assert.equal(check({ robots, agent: 'a', url: 'http://h/x/y' }), {
    allowed: false,
    rule: 'Disallow: /x',
    crawlDelay: 2,
    sitemaps: ['/s.xml'],
  });
});

Check('RU-robots-06: 503 and no answer forbid all, 404 allows all, 429 counts with 503', () => {
  const allowed = (status: number): unknown =>
    (check({ robots: '<h1>oops</h1>', agent: 'a', url: 'http://h/a', status }) as { allowed: boolean }).allowed;
  assert.equal([503, 0, 404, 429, 302].map(allowed), [false, false, true, false, true]);
});

Check('a line without what is needed gets an error, not a throw', () => {
  assert.ok('error' in (check({}) as object));
  assert.ok('error' in (check({ url: '/a', robots: 7 }) as object));
});

Check.run();
