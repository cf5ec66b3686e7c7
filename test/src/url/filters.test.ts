import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  all,
  denyListFilter,
  domainFilter,
  fastFilter,
  prefixFilter,
  suffixFilter,
  validatorFilter,
} from '../../../src/url/filters.ts';
import { compileRules, type UrlFilter } from '../../../src/url/rules.ts';
import { shared } from '../../kit/shared.ts';

const Filters = suite('filters');

Filters('of several filters every one must accept, and the one that does not is named', () => {
  const filter = all([prefixFilter(['http://']), denyListFilter(['# no', 'bad.example'])]);
  assert.ok(filter('http://good.example/').accepted);
  assert.equal(filter('http://bad.example/'), { accepted: false, rule: 'bad.example', line: 2 });
  assert.is(filter('ftp://good.example/').rule, 'no prefix fits');
});
Filters('a list of domains that is empty accepts all', () => {
  assert.ok(domainFilter([])('http://a.example/').accepted);
});

const vectors = (name: string) => {
  const path = shared(`vectors/nutch/${name}.json`);
  if (!path) console.log(`skipped: ${name} of Nutch`);
  return path ? JSON.parse(readFileSync(path, 'utf8')) : null;
};
type Case = { url: string; accept: boolean };
const hold = (name: string, filter: UrlFilter, cases: readonly Case[]): void => {
  for (const { url, accept } of cases)
    Filters(`${name}: ${url} is ${accept ? 'accepted' : 'refused'}`, () => {
      assert.is(filter(url ?? '').accepted, accept);
    });
};

for (const [file, whole] of [
  ['filter-regex', false],
  ['filter-automaton', true],
] as const)
  for (const [name, set] of Object.entries<{ rules: string[]; cases: Case[] }>(vectors(file)?.sets ?? {}))
    hold(`${file} ${name}`, compileRules(set.rules, name, whole), set.cases);

const fast = vectors('filter-fast');
if (fast) hold('fast', fastFilter(fast.rules), fast.cases);

const others = vectors('filter-others');
if (others) {
  hold('prefix', prefixFilter(others.prefix.rules), others.prefix.cases);
  hold('domain', domainFilter(others.domain.rules), others.domain.cases);
  hold('deny list', denyListFilter(others.domaindenylist.rules), others.domaindenylist.cases);
  hold('validator', validatorFilter, others.validator.cases);
  for (const { name, conf, accepted } of others.suffix.cases) {
    const head = `${conf.modeAccept ? '+' : '-'}${conf.filterFromPath ? 'P' : ''}${conf.ignoreCase ? 'I' : ''}`;
    const filter = suffixFilter([head, ...others.suffix.suffixes]);
    hold(
      `suffix ${name}`,
      filter,
      others.suffix.urls.map((url: string) => ({ url, accept: accepted.includes(url) })),
    );
  }
  Filters('fast: addresses, paths and queries may be held to a length', () => {
    assert.not.ok(fastFilter([], { path: 50 })(`http://nutch.apache.org/${'1'.repeat(90)}`).accepted);
    assert.not.ok(fastFilter([], { query: 50 })(`http://nutch.apache.org/path?${'1'.repeat(90)}`).accepted);
    assert.not.ok(fastFilter([], { url: 100 })(`http://nutch.apache.org/${'1'.repeat(1390)}`).accepted);
    assert.ok(fastFilter([], { url: 100, path: 50, query: 50 })('http://nutch.apache.org/a?b').accepted);
  });
}

Filters.run();
