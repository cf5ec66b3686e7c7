import { CrawlError } from './errors.ts';
import { nearest } from './nearest.ts';
import { defaults, type Options, optionKeys, type Settled } from './options.ts';
import { type Rule, rules } from './options-rules.ts';

/** Where a value came from, by `group.key`, or by `group` for an unknown one: `crawl.json line 7`, `--set`. */
export type Origins = ReadonlyMap<string, string>;

/**
 * Defaults with what was given laid over them, checked and frozen. Numbers may come as texts with a unit (`30s`, `4MB`).
 * @throws CrawlError 'config': names the place, the key, what is allowed, and for an unknown key the nearest known one
 */
export function settle(given: Options = {}, origins: Origins = new Map()): Settled {
  const at = (path: string): string => {
    const origin = origins.get(path) ?? origins.get(path.split('.')[0]!);
    return origin ? `${origin}: ` : '';
  };
  const settled: Record<string, Record<string, unknown>> = {};
  for (const [group, keys] of Object.entries(defaults)) settled[group] = { ...keys };
  for (const [group, keys] of Object.entries(given as Record<string, unknown>)) {
    const known = Object.hasOwn(settled, group) ? settled[group] : undefined;
    if (!known) throw new CrawlError('config', `${at(group)}${unknownKey(group)}`);
    if (keys === undefined) continue;
    if (typeof keys !== 'object' || keys === null || Array.isArray(keys))
      throw new CrawlError('config', `${at(group)}${group} must be an object of options, not ${JSON.stringify(keys)}`);
    for (const [key, value] of Object.entries(keys)) {
      if (value === undefined) continue;
      const path = `${group}.${key}`;
      if (!Object.hasOwn(known, key)) throw new CrawlError('config', `${at(path)}${unknownKey(path)}`);
      const rule = (rules as unknown as Record<string, Record<string, Rule<unknown>>>)[group]![key]!;
      const read = rule.read(value);
      if (read === undefined) {
        const bad = JSON.stringify(rule.bad?.(value) ?? value);
        throw new CrawlError('config', `${at(path)}${path} must be ${rule.allowed}, not ${bad}`);
      }
      known[key] = structuredClone(read);
    }
  }
  const whole = settled as unknown as Settled;
  if (whole.schedule.minInterval > whole.schedule.maxInterval)
    throw new CrawlError(
      'config',
      `${at('schedule.minInterval')}schedule.minInterval (${whole.schedule.minInterval} s) must not be above ` +
        `schedule.maxInterval (${whole.schedule.maxInterval} s)`,
    );
  return freeze(whole);
}

const unknownKey = (path: string): string => {
  const near = nearest(path, path.includes('.') ? optionKeys : [...Object.keys(defaults), ...optionKeys]);
  return `there is no option ${path}${near ? `; did you mean ${near}?` : ''}`;
};

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
