import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answer, stage } from '../../../src/check/all.ts';

const Check = suite('check url, filter, redirect, schedule');
const ask = async (name: string, line: unknown): Promise<unknown> =>
  JSON.parse(await answer(await stage(name), JSON.stringify(line)));

Check('url answers the only form of an address, or why there is none', async () => {
  assert.equal(await ask('url', { url: 'HTTP://A.example:80/%7Ex/../y#z' }), { url: 'http://a.example/y' });
  assert.equal(await ask('url', { url: '../b', base: 'http://a.example/c/d' }), { url: 'http://a.example/b' });
  assert.equal(await ask('url', { url: 'mailto:x@y' }), { url: null, reason: 'scheme-refused' });
  assert.equal(await ask('url', { url: 'http://b.example/', base: 'http://a.example/', scope: 'host' }), {
    url: null,
    reason: 'out-of-scope',
    rule: 'scope.mode host',
  });
  assert.equal(
    await ask('url', { url: 'http://a.example/x', scope: { mode: 'prefix', seeds: ['http://a.example/y/'] } }),
    {
      url: null,
      reason: 'out-of-scope',
      rule: 'scope.mode prefix',
    },
  );
});
Check('filter answers whether an address passes, and which rule said so', async () => {
  const rules = ['-\\.gif$', '-[?*!@=]', '+.'];
  assert.equal(await ask('filter', { url: 'http://a.example/x?y', rules }), {
    accepted: false,
    rule: '-[?*!@=]',
    line: 2,
  });
  assert.equal(await ask('filter', { url: 'http://a.example/', rules: rules.join('\r\n') }), {
    accepted: true,
    rule: '+.',
    line: 3,
  });
  assert.equal(await ask('filter', { url: 'http://a.example/', rules: ['b.example'], filter: 'domain' }), {
    accepted: false,
    rule: 'its domain is not listed',
  });
  assert.match(
    ((await ask('filter', { url: 'http://a.example/', rules: ['+('] })) as { error: string }).error,
    /line 1/,
  );
});
Check('redirect answers where it leads and who stands for both', async () => {
  assert.equal(await ask('redirect', { from: 'http://a.example/x', to: '/y', permanent: true }), {
    follow: true,
    target: 'http://a.example/y',
    representative: 'http://a.example/y',
  });
  assert.equal(await ask('redirect', { from: 'http://a.example/', to: '/y/z', permanent: false }), {
    follow: true,
    target: 'http://a.example/y/z',
    representative: 'http://a.example/',
  });
  const refused = (await ask('redirect', {
    from: 'http://a.example/',
    to: 'http://b.example/',
    scope: 'host',
  })) as Record<string, unknown>;
  assert.equal([refused.follow, refused.reason], [false, 'redirect-rejected']);
  assert.is(
    ((await ask('redirect', { from: 'http://a.example/', to: 'http://' })) as Record<string, unknown>).reason,
    'redirect-invalid',
  );
});
Check('schedule answers the record that an outcome makes of another', async () => {
  const now = 1.7e12;
  const { record } = (await ask('schedule', {
    record: { status: 'db_fetched', interval: 100, signature: 'aa' },
    outcome: { kind: 'success', signature: 'aa' },
    now,
    schedule: { mode: 'adaptive' },
  })) as { record: Record<string, unknown> };
  assert.equal(
    [record.status, record.interval, record.due, record.signature],
    ['not-modified', 140, now + 140_000, 'aa'],
  );
  const gone = (await ask('schedule', { record: null, outcome: 'fetch_gone', now })) as {
    record: Record<string, unknown>;
  };
  assert.is(gone.record.status, 'gone');
  assert.match(((await ask('schedule', { outcome: { kind: 'what' } })) as { error: string }).error, /none of/);
});
Check('what is no line of its kind answers an error', async () => {
  for (const name of ['url', 'filter', 'redirect']) assert.ok(((await ask(name, {})) as { error: string }).error);
});
Check.run();
