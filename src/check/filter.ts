import { defaults } from '../options.ts';
import { createAdmit } from '../url/admit.ts';
import {
  denyListFilter,
  domainFilter,
  fastFilter,
  prefixFilter,
  suffixFilter,
  validatorFilter,
} from '../url/filters.ts';
import { compileRules, type UrlFilter } from '../url/rules.ts';

const kinds: Readonly<Record<string, (rules: readonly string[]) => UrlFilter>> = {
  regex: (rules) => compileRules(rules, 'rules'),
  automaton: (rules) => compileRules(rules, 'rules', true),
  prefix: prefixFilter,
  suffix: suffixFilter,
  domain: domainFilter,
  domaindenylist: denyListFilter,
  validator: () => validatorFilter,
  fast: (rules) => fastFilter(rules),
};

/**
 * One address against rules: `{url, rules?, filter?}` -> `{accepted, rule, line?}`. `rules` are lines, or one text of
 * lines; `filter` is `regex` unless one of automaton, prefix, suffix, domain, domaindenylist, validator, fast. Without
 * rules the defaults of a crawl decide.
 */
export function check(line: Record<string, unknown>): unknown {
  const { url, rules, filter = 'regex' } = line;
  if (typeof url !== 'string') return { error: 'url is missing: an address as a string' };
  const make = typeof filter === 'string' && Object.hasOwn(kinds, filter) ? kinds[filter] : undefined;
  if (!make) return { error: `filter is none of ${Object.keys(kinds).join(', ')}` };
  if (rules === undefined && filter === 'regex') {
    const admitted = createAdmit({ ...defaults.scope, mode: 'any' }, [])(url);
    return admitted.url === null
      ? { accepted: false, rule: admitted.rule ?? admitted.reason }
      : { accepted: true, rule: '' };
  }
  const lines = typeof rules === 'string' ? rules.split(/\r?\n/) : (rules ?? []);
  if (!Array.isArray(lines) || !lines.every((text) => typeof text === 'string'))
    return { error: 'rules are no lines of text' };
  return make(lines)(url);
}
