import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ajaxRewrite,
  ajaxShown,
  chain,
  hostRewrite,
  protocolRewrite,
  queryRewrite,
  type Rewrite,
  readRewrites,
  regexRewrite,
  shippedRules,
  showing,
  slashRewrite,
} from '../../../src/url/normalizers.ts';
import { shared } from '../../kit/shared.ts';

const Normalizers = suite('normalizers');

Normalizers('RU-url-06 the scheme of a host changes, an explicit port stays', () => {
  const rewrite = chain([protocolRewrite(['example.com\thttps'])]);
  assert.is(rewrite('http://example.com:8080/a'), 'http://example.com:8080/a');
  assert.is(rewrite('http://example.com:80/a'), 'https://example.com/a');
});
Normalizers('a chain runs to a fixed point, and rules that undo each other end it', () => {
  const rewrite = chain([regexRewrite([{ pattern: 'aa', substitution: 'a' }])]);
  assert.is(rewrite('http://x.example/aaaaaaaaaaaaa'), 'http://x.example/a');
  const flip = chain([(url) => (url.endsWith('/1') ? url.replace('/1', '/2') : url.replace('/2', '/1'))]);
  assert.ok(flip('http://x.example/1')!.startsWith('http://x.example/'));
  assert.is(rewrite('nothing'), null);
});

Normalizers('ajax comes before the fragment goes, and is undone for the address that is shown', () => {
  const rewrite = chain(readRewrites(['query', 'ajax']));
  const url = rewrite('#!page=2', 'http://x.example/app?b=1&a=2#top')!;
  assert.is(url, 'http://x.example/app?_escaped_fragment_=page=2&a=2&b=1');
  assert.is(showing(['ajax'])(url), 'http://x.example/app?a=2&b=1#!page=2');
  assert.is(chain(readRewrites(['query']))('http://x.example/#!x'), 'http://x.example/');
});
Normalizers('the rules that Nutch ships are a line of their own', () => {
  const rewrite = chain(readRewrites(['nutch']));
  assert.is(rewrite('http://x.example/a;jsessionid=1?b&&c&'), 'http://x.example/a?b&c');
});
type Pair = { in: string; out: string; scope?: string };
const hold = (name: string, rewrite: Rewrite, pairs: readonly Pair[]): void => {
  for (const pair of pairs)
    Normalizers(`${name}: ${pair.in} becomes ${pair.out}`, () => assert.is(rewrite(pair.in), pair.out));
};

const others = shared('vectors/nutch/normalizer-others.json');
if (!others) console.log('skipped: normalizer-others of Nutch');
else {
  const { host, protocol, querystring, slash, ajax, pass } = JSON.parse(readFileSync(others, 'utf8'));
  hold('host', hostRewrite(host.rulesFile_hosts_txt), host.cases);
  hold('protocol', protocolRewrite(protocol.rulesFile_protocols_txt_tab_separated), protocol.cases);
  hold('query string', queryRewrite, querystring.cases);
  hold('slash', slashRewrite(slash.rulesFile_slashes_txt), slash.cases);
  hold(
    'ajax',
    ajaxRewrite,
    ajax.cases.filter(({ scope }: Pair) => scope === 'default'),
  );
  hold(
    'ajax shown',
    ajaxShown,
    ajax.cases.filter(({ scope }: Pair) => scope === 'indexer'),
  );
  hold('pass', (url) => url, pass.cases);
}
const regex = shared('vectors/nutch/normalizer-regex.json');
if (!regex) console.log('skipped: normalizer-regex of Nutch');
else {
  const { scopes, shippedRules: shipped } = JSON.parse(readFileSync(regex, 'utf8'));
  for (const [name, { rules, cases }] of Object.entries<{ rules: never; cases: Pair[] }>(scopes))
    hold(`regex ${name}`, regexRewrite(rules), cases);
  Normalizers('the shipped rules do what those of Nutch do', () => {
    for (const { in: input } of scopes.default.cases)
      assert.is(regexRewrite(shippedRules)(input), regexRewrite(shipped)(input));
  });
}

Normalizers.run();
