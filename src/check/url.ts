import { defaults } from '../options.ts';
import { createAdmit } from '../url/admit.ts';

/**
 * One address through the gate: `{url, base?, scope?}` -> `{url}` in its only form, or `{url: null, reason, rule?}`.
 * `scope` is a mode (`host`, `domain`, `prefix`, `any`) relative to `base`, or an object of scope options with `seeds`.
 */
export function check(line: Record<string, unknown>): unknown {
  const { url, base, scope } = line;
  if (typeof url !== 'string') return { error: 'url is missing: an address as a string' };
  if (base !== undefined && typeof base !== 'string') return { error: 'base is no string' };
  const given = typeof scope === 'string' ? { mode: scope, seeds: base ? [base] : [] } : (scope ?? { mode: 'any' });
  if (typeof given !== 'object' || given === null) return { error: 'scope is neither a mode nor an object' };
  const { seeds = base ? [base] : [], ...options } = given as { seeds?: readonly string[] };
  const admitted = createAdmit({ ...defaults.scope, ...options }, seeds)(url, base);
  if (admitted.url !== null) return { url: admitted.url };
  return { url: null, reason: admitted.reason, ...(admitted.rule ? { rule: admitted.rule } : {}) };
}
