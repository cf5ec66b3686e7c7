import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { domainOf, hostOf } from '../../../src/url/host.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { representative } from '../../../src/url/representative.ts';
import { shared } from '../../kit/shared.ts';

const Hosts = suite('hosts and representatives');

Hosts('what is no address makes the target stand', () => {
  assert.is(representative('nothing', 'http://a.example/', true), 'http://a.example/');
});

/** Nutch looks at the public part of the suffix list alone, and takes no suffix where the list knows none. */
const DEVIATIONS: Record<string, string> = {
  // uk.com is a suffix by the private part of the list: who registers below it is someone else.
  'http://www.example.co.uk.com': 'co.uk.com',
  // The list's own rule: an unknown last label is a suffix.
  'http://example.com.nn': 'com.nn',
};

const path = shared('vectors/nutch/urlutil.json');
if (!path) console.log('skipped: domains, hosts and representatives of Nutch');
else {
  const vectors = JSON.parse(readFileSync(path, 'utf8'));
  for (const { src, dst, temp, out } of vectors.chooseRepr)
    Hosts(`${src} -> ${dst} (${temp ? 'temporary' : 'permanent'}) is represented by ${out}`, () => {
      assert.is(representative(src, dst, !temp), out);
    });
  for (const { url, expect } of vectors.domainName)
    Hosts(`the domain of ${url} is ${expect || 'none'}`, () => {
      const domain = URL.canParse(url) ? domainOf(new URL(url).hostname) : '';
      if (DEVIATIONS[url]) return assert.is(domain, DEVIATIONS[url]);
      assert.is(domain, URL.canParse(`http://${expect}`) ? new URL(`http://${expect}`).hostname : expect);
    });
  for (const { in: input, out } of vectors.toAscii)
    if (input.startsWith('http') && !input.includes('straße'))
      Hosts(`the host of ${input} in ASCII is that of ${out}`, () => {
        assert.is(hostOf(normalizeUrl(input)!), hostOf(out));
      });
  for (const { base, ref, out } of vectors.resolve)
    Hosts(`${ref || 'nothing'} against ${base} is ${out}`, () => {
      const resolved = normalizeUrl(ref, base);
      assert.is(resolved, normalizeUrl(out));
    });
}

Hosts.run();
