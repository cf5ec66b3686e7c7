import type { FilterKind, FilterSet } from '../options.ts';
import {
  all,
  denyListFilter,
  domainFilter,
  fastFilter,
  prefixFilter,
  suffixFilter,
  validatorFilter,
} from './filters.ts';
import { compileRules, type UrlFilter } from './rules.ts';

const kinds: Readonly<Record<FilterKind, (rules: readonly string[], source: string) => UrlFilter>> = {
  regex: (rules, source) => compileRules(rules, source),
  automaton: (rules, source) => compileRules(rules, source, true),
  prefix: (rules) => prefixFilter(rules),
  suffix: (rules) => suffixFilter(rules),
  domain: (rules) => domainFilter(rules),
  domaindenylist: (rules) => denyListFilter(rules),
  validator: () => validatorFilter,
  fast: (rules, source) => fastFilter(rules, {}, source),
};

export const isFilterKind = (name: unknown): name is FilterKind =>
  typeof name === 'string' && Object.hasOwn(kinds, name);

/** @throws CrawlError 'config' for a line that cannot be read, named by `source` */
export const makeFilter = ({ filter, rules = [] }: FilterSet, source: string): UrlFilter =>
  kinds[filter](rules, source);

/**
 * Several filters in their order: every one must accept, the first that does not decides and is named with its kind.
 * @throws CrawlError 'config'
 */
export const makeFilters = (sets: readonly FilterSet[]): UrlFilter =>
  all(
    sets.map((set, at) => {
      const one = makeFilter(set, `scope.filterSets[${at}] (${set.filter})`);
      return (url) => {
        const verdict = one(url);
        return verdict.accepted ? verdict : { ...verdict, rule: `${set.filter}: ${verdict.rule || 'no rule fits'}` };
      };
    }),
  );
