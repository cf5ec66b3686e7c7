import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Address,
  createResolver,
  isPublicAddress,
  type Lookup,
  type SystemLookup,
} from '../../../src/net/resolve.ts';

const Resolve = suite('resolve');
const ask = (lookup: Lookup, host: string): Promise<string> =>
  new Promise((resolve) =>
    lookup(host, { all: true }, (error, found) =>
      resolve(error ? String(error.code) : (found as Address[]).map((one) => one.address).join(' ')),
    ),
  );
const fixed =
  (table: Readonly<Record<string, readonly string[]>>): SystemLookup =>
  (host, _, callback) => {
    const found = table[host];
    if (found)
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    else callback(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []);
  };

Resolve('special addresses are refused in every spelling, plain ones are not', () => {
  const { refuse } = createResolver({ allow: [] });
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
  ]) {
    assert.ok(refuse(address, address), address);
    assert.not.ok(isPublicAddress(address), address);
  }
  for (const address of [
    '93.184.216.34',
    '172.32.0.1',
    '192.167.1.1',
    '2606:2800:220:1::1',
    '::ffff:93.184.216.34',
    '[2606:2800:220:1::1]',
    '2002:5db8:d822::',
  ]) {
    assert.is(refuse(address, address), null, address);
    assert.ok(isPublicAddress(address), address);
  }
  for (const name of ['example.org', 'localhost', '']) assert.not.ok(isPublicAddress(name), name);
});

Resolve('what the configuration names is allowed: a host, an address, a range', () => {
  const { refuse } = createResolver({ allow: ['wiki.example', '10.1.0.0/16', '::1', '192.168.7.7'] });
  assert.is(refuse('wiki.example', '10.9.9.9'), null);
  assert.is(refuse('WIKI.example', '127.0.0.1'), null);
  assert.is(refuse('x.example', '10.1.200.3'), null);
  assert.is(refuse('[::1]', '::1'), null);
  assert.is(refuse('192.168.7.7', '192.168.7.7'), null);
  assert.ok(refuse('x.example', '10.2.0.1'));
  assert.ok(refuse('192.168.7.8', '192.168.7.8'));
});

Resolve('a name with one plain and one private address is connected to at the plain one only', async () => {
  const lookup = fixed({ 'mixed.example': ['192.168.0.1', '93.184.216.34'], 'inside.example': ['10.0.0.1'] });
  const resolver = createResolver({ allow: [], lookup });
  assert.is(await ask(resolver.lookup, 'mixed.example'), '93.184.216.34');
  assert.is(await ask(resolver.lookup, 'inside.example'), 'ADDRESS_REFUSED');
  assert.is(await ask(resolver.lookup, 'nowhere.example'), 'ENOTFOUND');
});

Resolve('RU-retry-03: a failure is forgotten within seconds, an answer is kept for minutes', async () => {
  let now = 0;
  let asked = 0;
  const lookup: SystemLookup = (_, __, callback) => {
    if (asked++ === 0) callback(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }), []);
    else callback(null, [{ address: '93.184.216.34', family: 4 }]);
  };
  const resolver = createResolver({ allow: [], lookup, clock: () => now });
  assert.is(await ask(resolver.lookup, 'a.example'), 'EAI_AGAIN');
  assert.is(await ask(resolver.lookup, 'a.example'), 'EAI_AGAIN');
  assert.is(asked, 1);
  now += 6000;
  assert.is(await ask(resolver.lookup, 'a.example'), '93.184.216.34');
  now += 60_000;
  assert.is(await ask(resolver.lookup, 'a.example'), '93.184.216.34');
  assert.is(asked, 2);
});

Resolve(
  'RU-retry-04: two thousand hosts at once are asked for three at a time, each once, and all are found',
  async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const lookup: SystemLookup = (_, __, callback) => {
      asked++;
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        callback(null, [{ address: '93.184.216.34', family: 4 }]);
      });
    };
    const resolver = createResolver({ allow: [], lookup });
    const hosts = Array.from({ length: 2000 }, (_, i) => `h${i}.example`);
    const found = await Promise.all([...hosts, ...hosts].map((host) => ask(resolver.lookup, host)));
    assert.ok(found.every((one) => one === '93.184.216.34'));
    assert.is(asked, 2000);
    assert.is(most, 3);
  },
);

Resolve.run();
