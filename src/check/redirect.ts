import { redirectOf } from '../net/redirect.ts';
import { defaults } from '../options.ts';
import { createAdmit } from '../url/admit.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { representative } from '../url/representative.ts';

/**
 * One redirect: `{from, to, permanent, scope?, seeds?}` -> `{follow, target, representative, reason?}`. `to` is resolved
 * against `from`; `scope` (a mode, default `any`) is that of a crawl whose seeds are `seeds`, or `from`.
 */
export function check(line: Record<string, unknown>): unknown {
  const { from, to, permanent = false, scope = 'any', seeds } = line;
  if (typeof from !== 'string' || typeof to !== 'string') return { error: 'from and to are addresses, as strings' };
  const redirect = redirectOf(permanent ? 301 : 302, Buffer.from(to).toString('latin1'), from);
  if (!redirect?.to) return { follow: false, target: null, representative: from, reason: 'redirect-invalid' };
  const start = Array.isArray(seeds) && seeds.every((seed) => typeof seed === 'string') ? seeds : [from];
  const admitted = createAdmit({ ...defaults.scope, mode: scope as 'any' }, start)(redirect.to);
  if (admitted.url === null)
    return {
      follow: false,
      target: admitted.normalized ?? redirect.to,
      representative: from,
      reason: 'redirect-rejected',
      rule: admitted.rule ?? admitted.reason,
    };
  const source = normalizeUrl(from) ?? from;
  if (source === admitted.url)
    return { follow: false, target: admitted.url, representative: admitted.url, reason: 'redirect-loop' };
  return {
    follow: true,
    target: admitted.url,
    representative: representative(source, admitted.url, permanent === true),
  };
}
