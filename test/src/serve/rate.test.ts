import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientOf, RateLimit } from '../../../src/serve/rate.ts';

const Rate = suite('rate');

Rate('a client may ask in a burst, then at the pace set', () => {
  const rate = new RateLimit({ perSecond: 2, burst: 3 });
  assert.equal(
    [0, 0, 0, 0].map((now) => rate.take('a', now) === 0),
    [true, true, true, false],
  );
  assert.is(rate.take('a', 499), 1);
  assert.is(rate.take('a', 501), 0);
  assert.is(rate.take('b', 501), 0, 'another client is not touched');
});

Rate('over any long time no client gets more than burst and pace allow', () => {
  const rate = new RateLimit({ perSecond: 5, burst: 10 });
  let passed = 0;
  for (let now = 0; now < 60_000; now += 7) if (rate.take('a', now) === 0) passed++;
  assert.ok(passed <= 10 + 5 * 60 && passed >= 5 * 60, String(passed));
});

Rate('memory is bounded, and who is forgotten starts afresh', () => {
  const rate = new RateLimit({ perSecond: 1, burst: 1, clients: 2 });
  assert.is(rate.take('a', 0), 0);
  assert.is(rate.take('b', 0), 0);
  assert.is(rate.take('c', 0), 0);
  assert.ok(rate.take('c', 0) > 0);
  assert.is(rate.take('a', 0), 0);
});

Rate('an IPv6 client is its /64, an IPv4 client its address in either notation', () => {
  assert.is(clientOf('2001:db8:1:2:aaaa::1'), clientOf('2001:db8:1:2:bbbb:0:0:9'));
  assert.is.not(clientOf('2001:db8:1:2::1'), clientOf('2001:db8:1:3::1'));
  assert.is(clientOf('::ffff:192.0.2.7'), clientOf('192.0.2.7'));
  assert.is(clientOf('fe80::1%eth0'), clientOf('fe80::2'));
});

Rate.run();
