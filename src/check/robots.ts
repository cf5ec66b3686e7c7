import { ALLOW_ALL, checkRobots, DENY_ALL, parseRobots, robotsByStatus } from '../net/robots.ts';

/**
 * One URL against one robots.txt: `{robots, agent, url, status?}` -> `{allowed, rule, crawlDelay?, sitemaps}`, the delay
 * in seconds. `robots` may be `{base64}` where the bytes matter; `status` is that of the answer (0: none came).
 */
export function check(line: Record<string, unknown>): unknown {
  const { robots, agent, url, status = 200 } = line;
  if (typeof url !== 'string') return { error: 'url is missing: an address or a path, as a string' };
  if (typeof status !== 'number') return { error: 'status is no number' };
  const text = isBase64(robots) ? Buffer.from(robots.base64, 'base64') : robots === undefined ? '' : robots;
  if (typeof text !== 'string' && !(text instanceof Uint8Array))
    return { error: 'robots is neither a string nor {base64}' };
  const rule = robotsByStatus(status);
  const parsed =
    rule === 'parse'
      ? parseRobots(text, typeof agent === 'string' ? agent : 'nuthatch')
      : rule === 'allow'
        ? ALLOW_ALL
        : DENY_ALL;
  const verdict = checkRobots(parsed, url);
  return {
    allowed: verdict.allowed,
    rule: rule === 'deny' ? 'robots.txt could not be had' : verdict.rule,
    ...(parsed.crawlDelayMs === null ? {} : { crawlDelay: parsed.crawlDelayMs / 1000 }),
    sitemaps: parsed.sitemaps,
  };
}

const isBase64 = (value: unknown): value is { base64: string } =>
  typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string';
