import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { domainRange, hostRange, keyOf, urlOf } from '../../../src/url/key.ts';

const Keys = suite('keys');
const examples: readonly (readonly [string, string])[] = [
  ['https://www.example.com/a?b', 'com,example,www https /a?b'],
  ['http://example.com:8080/', 'com,example http:8080 /'],
  ['http://127.0.0.1:81/a', '127.0.0.1 http:81 /a'],
  ['http://[2600:1f18::1]:81/', '[2600:1f18::1] http:81 /'],
  ['http://[::1]/', '[::1] http /'],
  ['ftp://me:pw@ftp.example.org:2121/x@y:z', 'org,example,ftp ftp:2121@me:pw /x@y:z'],
  ['file:///var/x', ' file /var/x'],
  ['mailto:a@b.example', ' mailto: a@b.example'],
  ['http://localhost/', 'localhost http /'],
  ['http://a,b.example/', 'example,a%2Cb http /'],
  ['http://example.com./', ',com,example http /'],
];
for (const [url, key] of examples)
  Keys(`${url} has the key ${key}, and back`, () => {
    assert.is(keyOf(url), key);
    assert.is(urlOf(key), url);
  });

Keys('a key leads back to its address, whatever it is', () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (given) => {
      const url = new URL(given).href;
      assert.is(urlOf(keyOf(url)), url);
    }),
  );
});

Keys('the pages of a host lie together, and those of its sub-domains outside', () => {
  const urls = [
    'http://a.example/',
    'https://a.example:81/x',
    'http://www.a.example/',
    'http://a-b.example/',
    'http://aa.example/',
    'http://a.example2/',
  ];
  const { gte, lt } = hostRange('a.example');
  const inside = urls.map(keyOf).filter((key) => key >= gte && key < lt);
  assert.equal(inside.map(urlOf), urls.slice(0, 2));
  const domain = domainRange('a.example');
  assert.equal(
    urls.filter((url) => keyOf(url) >= domain.gte && keyOf(url) < domain.lt),
    urls.slice(0, 3),
  );
});

Keys.run();
