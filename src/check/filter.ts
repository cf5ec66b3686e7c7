import { defaults, filterKinds } from '../options.ts';
import { createAdmit } from '../url/admit.ts';
import { isFilterKind, makeFilter } from '../url/filter-sets.ts';

/**
 * One address against rules: `{url, rules?, filter?}` -> `{accepted, rule, line?}`. `rules` are lines, or one text of
 * lines; `filter` is `regex` unless one of automaton, prefix, suffix, domain, domaindenylist, validator, fast. Without
 * rules the defaults of a crawl decide.
 */
export function check(line: Record<string, unknown>): unknown {
  const { url, rules, filter = 'regex' } = line;
  if (typeof url !== 'string') return { error: 'url is missing: an address as a string' };
  if (!isFilterKind(filter)) return { error: `filter is none of ${filterKinds.join(', ')}` };
  if (rules === undefined && filter === 'regex') {
    const admitted = createAdmit({ ...defaults.scope, mode: 'any' }, [])(url);
    return admitted.url === null
      ? { accepted: false, rule: admitted.rule ?? admitted.reason }
      : { accepted: true, rule: '' };
  }
  const lines = typeof rules === 'string' ? rules.split(/\r?\n/) : (rules ?? []);
  if (!Array.isArray(lines) || !lines.every((text) => typeof text === 'string'))
    return { error: 'rules are no lines of text' };
  return makeFilter({ filter, rules: lines }, 'rules')(url);
}
