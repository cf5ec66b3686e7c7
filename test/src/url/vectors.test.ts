import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { domainOf } from '../../../src/url/host.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { chain, queryRewrite } from '../../../src/url/normalizers.ts';
import { createResolve } from '../../../src/url/resolve.ts';
import { shared } from '../../kit/shared.ts';

/** Addresses with known answers: RFC 3986, the web platform tests, crawler-commons, the public suffix list. */
const Vectors = suite('url vectors');
const folder = shared('vectors/urls');
if (folder === null) console.log('skipped: addresses with known answers');
const read = (name: string): string => readFileSync(join(folder!, name), 'utf8');
const lines = (name: string): string[] =>
  read(name)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
/** Fields of a line: quoted ones may hold commas, and quotes twice. */
const fields = (line: string): string[] =>
  [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!.trim())
    .slice(0, 3);
/** Where we hold otherwise: without a host it is no address, and a parameter without name or value is what was asked for. */
const differs = (url: string): boolean => /^http:\/+$|[?&]=|[?&](?:&|$)|=(?:&|$)/.test(url);
const isWeb = (url: string): boolean => /^https?:/i.test(url);

if (folder !== null) {
  Vectors('what RFC 3986 calls equivalent has one key', () => {
    for (const { a, b } of JSON.parse(read('rfc3986/equivalent.json')) as { a: string; b: string }[])
      if (isWeb(a)) assert.is(normalizeUrl(a), normalizeUrl(b), `${a} and ${b}`);
  });

  Vectors('every example of RFC 3986 resolves as it says, but that a bare host has its slash', () => {
    for (const { base, ref, resolved } of JSON.parse(read('rfc3986/resolution.json')))
      assert.is(createResolve(base)(ref), resolved === 'http://g' ? 'http://g/' : resolved, ref);
  });

  Vectors('the web platform tests with a web address for a base resolve as they say', () => {
    type Case = { input: string; base: string | null; href?: string; failure?: boolean };
    const all = (JSON.parse(read('crawler-commons/url-utils/wpt-urltestdata.json')) as (Case | string)[]).filter(
      (one): one is Case => typeof one !== 'string' && isWeb(one.base ?? ''),
    );
    assert.ok(all.length > 100);
    const wrong = all.flatMap(({ input, base, href, failure }) => {
      const got = createResolve(base!)(input);
      return (failure ? got === '' : got === href) ? [] : [{ input, base, href, got }];
    });
    assert.equal(wrong, []);
  });

  Vectors('the references of crawler-commons resolve as it says', () => {
    const wrong = lines('crawler-commons/url-utils/url-resolve.csv').flatMap((line) => {
      const [ref, base, expected] = fields(line);
      if (!isWeb(base ?? '')) return [];
      const got = createResolve(base!)(ref!);
      return got === expected ? [] : [{ ref, base, expected, got }];
    });
    assert.equal(wrong, []);
  });

  Vectors('the odd addresses of crawler-commons have the key it gives them, its order of parameters on request', () => {
    const rewrite = chain([queryRewrite]);
    const wrong = lines('crawler-commons/normalizer/weirdToNormalizedUrls.csv').flatMap((line) => {
      const [odd, expected] = fields(line);
      if (!isWeb(odd!) || differs(odd!)) return [];
      const got = normalizeUrl(odd!);
      if (got === expected || (got !== null && rewrite(got) === expected)) return [];
      return [{ odd, expected, got, rewritten: got && rewrite(got) }];
    });
    assert.equal(wrong, []);
  });

  Vectors('what crawler-commons calls no address is none', () => {
    for (const line of lines('crawler-commons/normalizer/invalidUrls.csv'))
      assert.is(normalizeUrl(fields(line)[0]!), null, line);
  });

  Vectors('the domains of the public suffix list are ours; a suffix alone is its own domain', () => {
    for (const [file, cases] of [
      ['test_psl.txt', read('publicsuffix/test_psl.txt').matchAll(/^checkPublicSuffix\('(.*?)', '?(.*?)'?\);/gm)],
      ['tests.txt', read('publicsuffix/tests.txt').matchAll(/^(?!null |\/\/)(\S+) (\S+)$/gm)],
    ] as const) {
      let count = 0;
      for (const [, host, domain] of cases) {
        // A host that starts with a dot is no host.
        if (host!.startsWith('.')) continue;
        const lower = host!.toLowerCase();
        assert.is(domainOf(lower), domain === 'null' ? lower : domain, `${file}: ${host}`);
        count++;
      }
      assert.ok(count > 50, file);
    }
  });
}

Vectors.run();
