import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { told } from '../../../src/cli/told.ts';

const Told = suite('told');

Told('a step says how much it did, in the singular and the plural', () => {
  assert.is(
    told('fetch', { fetched: 1, failed: 3, 'outcome.gone': 1, bytes: 2048 }),
    '1 page, 1 gone, 2 failed, 2.0 kB',
  );
  assert.is(told('fetch', { fetched: 1200, 'outcome.redirect-permanent': 1 }), '1,200 pages, 1 redirect');
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
