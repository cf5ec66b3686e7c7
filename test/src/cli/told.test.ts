import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { told, toldFetched } from '../../../src/cli/told.ts';

const Told = suite('told');

Told('a step says how much it did, in the singular and the plural', () => {
  assert.is(
    told('fetch', { fetched: 1, failed: 3, 'outcome.gone': 1, bytes: 2048 }),
    '1 page, 1 gone, 2 failed, 2.0 kB',
  );
  assert.is(told('fetch', { fetched: 1201, 'outcome.redirect-permanent': 1 }), '1,200 pages, 1 redirect');
});

Told('a page is one in the line of a step and of a run: sitemaps, folders, redirects and robots count apart', () => {
  assert.is(
    told('fetch', {
      fetched: 127,
      failed: 3,
      'outcome.gone': 2,
      'outcome.redirect-permanent': 3,
      'reason.robots-denied': 1,
      'reason.sitemap': 1,
      'reason.folder': 2,
    }),
    '121 pages, 2 folders, 1 sitemap, 3 redirects, 1 gone, 1 refused by robots.txt, 1 failed',
  );
  assert.is(
    toldFetched({ fetched: 124, outcomes: { ok: 121, sitemap: 1, folder: 2 } }),
    '121 pages, 2 folders, 1 sitemap',
  );
  assert.is(
    told('fetch', { fetched: 173, 'outcome.not-modified': 172, 'reason.sitemap': 1 }),
    '1 sitemap, 172 unchanged',
  );
  assert.is(toldFetched({ fetched: 1, outcomes: { sitemap: 1 } }), '0 pages, 1 sitemap');
});

Told('a fetchlist that stays empty says when the next page is due, as a date', () => {
  assert.is(
    told('generate', { generated: 0, nextDue: Date.UTC(2026, 11, 30, 18, 20) }),
    'nothing is due, next 2026-12-30 18:20 UTC',
  );
  assert.is(told('generate', { generated: 0 }), 'nothing is due');
  assert.is(told('generate', { generated: 3, nextDue: 5 }), '3 addresses');
});

Told('a step that did nothing says so, and an unknown one shows all it counted', () => {
  assert.is(told('inject', {}), 'nothing to do');
  assert.is(told('hosts', { hostsSeen: 3 }), '3 hosts seen');
});

Told('a publish says what can be searched, or that nothing can', () => {
  assert.is(told('publish', { published: 2 }), '2 pages can be searched');
  assert.is(told('publish', { published: 0 }), 'nothing can be searched yet');
});

Told.run();
