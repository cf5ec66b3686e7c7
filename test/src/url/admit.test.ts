import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaults } from '../../../src/options.ts';
import { createAdmit } from '../../../src/url/admit.ts';

const Admit = suite('admit');
type Scope = typeof defaults.scope;
const gate = (given: Partial<Scope>, seeds: readonly string[] = []) =>
  createAdmit({ ...defaults.scope, ...given } as Scope, seeds);
const why = (answer: ReturnType<ReturnType<typeof gate>>): string => (answer.url === null ? answer.reason : 'ok');

Admit('scope host holds the hosts and ports of the seeds, whatever the scheme', () => {
  const admit = gate({ mode: 'host' }, ['http://a.example/x', 'http://127.0.0.1:8001/']);
  assert.equal(
    [
      'https://a.example/y',
      'http://127.0.0.1:8001/z',
      'http://127.0.0.1:8002/',
      'http://b.a.example/',
      'http://a.example:81/',
    ].map((url) => why(admit(url))),
    ['ok', 'ok', 'out-of-scope', 'out-of-scope', 'out-of-scope'],
  );
});
Admit('scope domain holds the registered domains, scope prefix the folders of the seeds', () => {
  const domain = gate({ mode: 'domain' }, ['http://www.a.co.uk/']);
  assert.equal(
    ['http://x.a.co.uk/', 'http://b.co.uk/'].map((url) => why(domain(url))),
    ['ok', 'out-of-scope'],
  );
  const prefix = gate({ mode: 'prefix' }, ['http://a.example/docs/index.html']);
  assert.equal(
    ['https://a.example/docs/', 'http://a.example/docs/x/y?z', 'http://a.example/docsx'].map((url) => why(prefix(url))),
    ['ok', 'ok', 'out-of-scope'],
  );
});
Admit('files belong to the crawl below the folders of seeds and of scope.files alone, whatever the mode', () => {
  const closed = gate({ mode: 'any' }, ['http://a.example/']);
  assert.is(why(closed('file:///etc/passwd')), 'scheme-refused');
  const admit = gate({ mode: 'any', files: ['/srv/more'] }, ['file:///srv/docs/', 'file:///srv/one/index.html']);
  assert.equal(
    [
      'file:///srv/docs/a/b.html#x',
      'file:/srv/more/x',
      'file:///srv/one/other.html',
      'file:///srv/docs/../secret',
      'file:///srv/docsx',
      'file://server/srv/docs/a',
      'http://b.example/',
    ].map((url) => why(admit(url))),
    ['ok', 'ok', 'ok', 'outside-root', 'outside-root', 'outside-root', 'ok'],
  );
  assert.is(why(gate({ mode: 'host' }, ['file:///srv/docs/'])('http://b.example/')), 'out-of-scope');
});
Admit('each way into the crawl may have rewrites of its own, in place of those for all', () => {
  const scope = {
    ...defaults.scope,
    mode: 'any',
    rewrites: ['query'],
    normalizers: { inject: ['host old.example new.example'], fetcher: [] },
  } as Scope;
  const url = 'http://old.example/?b&a';
  const by = (from?: Parameters<typeof createAdmit>[2]) => createAdmit(scope, [], from)(url).url;
  assert.equal(
    [by(), by('inject'), by('fetcher'), by('outlink'), by('crawldb')],
    [
      'http://old.example/?a&b',
      'http://new.example/?b&a',
      'http://old.example/?b&a',
      'http://old.example/?a&b',
      'http://old.example/?a&b',
    ],
  );
});
Admit('an address is resolved, normalised, and refused with its reason', () => {
  const admit = gate({ mode: 'any', maxUrl: 40 });
  assert.equal(admit('b.html#x', 'http://a.example/c/'), { url: 'http://a.example/c/b.html' });
  assert.is(why(admit('http://')), 'url-invalid');
  assert.is(why(admit('mailto:me@a.example')), 'scheme-refused');
  assert.is(why(admit(`http://a.example/${'x'.repeat(100_000)}`)), 'url-too-long');
});
Admit('RU-url-08 a run of segments repeated three times is a trap, dates and returns are none', () => {
  const admit = gate({ mode: 'any' });
  assert.is(why(admit('http://example.com/mirror/www/mirror/www/mirror/www/x')), 'trap');
  assert.is(why(admit('http://example.com/2024/01/01/news/')), 'ok');
  assert.is(why(admit('http://example.com/01/01/01/news/')), 'ok');
  assert.is(why(admit('http://example.com/a/b/a/c/')), 'ok');
  assert.is(why(admit('http://example.com/a/a/a/')), 'trap');
  assert.is(why(admit(`http://example.com/${'x/y'.repeat(20)}`)), 'trap');
  assert.is(why(admit(`http://example.com/?${'x=1&'.repeat(20)}`)), 'trap');
});
Admit('RU-url-10 the first rule that is found decides, and is named', () => {
  const admit = gate({ mode: 'any', filters: ['+^https?://([a-z0-9-]+\\.)*example\\.com/', '-[?]'] });
  assert.is(why(admit('http://example.com/a?x=1')), 'ok');
  const refused = admit('http://other.example.org/');
  assert.is(why(refused), 'filtered');
  const only = gate({ mode: 'any', filters: ['-\\.pdf$'] });
  assert.is(why(only('http://a.example/x')), 'ok');
  assert.match((only('http://a.example/x.pdf') as { rule: string }).rule, /^-\\\.pdf\$ \(scope\.filters line 1\)/);
});
Admit('filter sets are asked in their order, every one must accept, and the first that does not is named', () => {
  const admit = gate({
    mode: 'any',
    filterSets: [
      { filter: 'domain', rules: ['example.org'] },
      { filter: 'suffix', rules: ['+I', '.zip'] },
      { filter: 'fast', rules: ['Host a.example.org', 'DenyPath ^/private'] },
      { filter: 'validator' },
    ],
  });
  const rule = (url: string): string | undefined => (admit(url) as { rule?: string }).rule;
  assert.is(why(admit('http://a.example.org/x')), 'ok');
  assert.is(rule('http://a.example.com/x.zip'), 'domain: its domain is not listed');
  assert.is(rule('http://a.example.org/x.ZIP'), 'suffix: .zip');
  assert.is(rule('http://a.example.org/private/x'), 'fast: DenyPath ^/private');
  assert.is(why(admit('http://b.example.org/private/x')), 'ok');
  assert.throws(
    () => gate({ filterSets: [{ filter: 'regex', rules: ['+('] }] }),
    /scope\.filterSets\[0\] \(regex\) line 1/,
  );
});
Admit('RU-url-11 an address with a query is accepted by default', () => {
  assert.is(why(gate({}, ['http://example.com/'])('/view?id=5', 'http://example.com/')), 'ok');
});
Admit('RU-cli-04 a rule that cannot be read is refused with its line; line ends and blanks are harmless', () => {
  assert.throws(() => gate({ filters: ['+a', '+(unclosed'] }), /line 2/);
  assert.throws(() => gate({ filters: ['example'] }), /line 1.*neither/);
  assert.is(why(gate({ mode: 'any', filters: ['-x  \r'] })('http://a.example/x')), 'filtered');
});

Admit('addresses are rewritten before they are judged, in the order of the rewrites', () => {
  const admit = gate({
    mode: 'any',
    rewrites: [
      '# ours',
      'host *.a.example a.example',
      'protocol a.example https',
      'slash a.example +',
      'query',
      'regex /index\\.html$//',
    ],
  });
  assert.equal(admit('http://www.a.example/x?b&a'), { url: 'https://a.example/x/?a&b' });
  assert.equal(admit('http://b.example/index.html'), { url: 'http://b.example/' });
  assert.throws(() => gate({ rewrites: ['query', 'hosts a b'] }), /line 2/);
});

Admit('a site with www and without is one site, for a registered domain alone', () => {
  const host = gate({}, ['https://example.org/', 'http://www.example.com:8080/', 'http://docs.example.net/']);
  assert.is(why(host('https://www.example.org/a')), 'ok');
  assert.is(why(host('http://example.com:8080/a')), 'ok');
  assert.is(why(host('http://example.com/a')), 'out-of-scope');
  assert.is(why(host('http://www.docs.example.net/a')), 'out-of-scope');
  assert.is(why(host('https://wwwexample.org/a')), 'out-of-scope');
  assert.is(why(gate({}, ['http://127.0.0.1/'])('http://www.127.0.0.1.example/')), 'out-of-scope');
  const folder = gate({ mode: 'prefix' }, ['https://example.org/docs/']);
  assert.is(why(folder('https://www.example.org/docs/a')), 'ok');
  assert.is(why(folder('https://www.example.org/blog/')), 'out-of-scope');
});

Admit.run();
