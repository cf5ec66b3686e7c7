import { CrawlError } from '../errors.ts';
import { nearest } from '../nearest.ts';

export type Check = (line: Record<string, unknown>) => unknown;

/** Every stage that can be run alone: one JSON line in, one out. Loaded when asked for, because some are large. */
const stages: Readonly<Record<string, () => Promise<{ readonly check: Check }>>> = {
  analyze: () => import('./analyze.ts'),
  query: () => import('./query.ts'),
  charset: () => import('./charset.ts'),
  filter: () => import('./filter.ts'),
  parse: () => import('./parse.ts'),
  robots: () => import('./robots.ts'),
  redirect: () => import('./redirect.ts'),
  schedule: () => import('./schedule.ts'),
  sitemap: () => import('./sitemap.ts'),
  url: () => import('./url.ts'),
};

export const stageNames = Object.keys(stages);

/** @throws CrawlError 'usage' for a stage that is none, with the nearest name */
export async function stage(name: string): Promise<Check> {
  const load = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (load) return (await load()).check;
  const near = nearest(name, stageNames);
  throw new CrawlError(
    'usage',
    `there is no stage ${name}${near ? `; did you mean ${near}?` : ''} (${stageNames.join(', ')})`,
  );
}

/** The answer to one line; a line that cannot be read, or that the stage cannot take, answers `{error}`. */
export async function answer(check: Check, line: string): Promise<string> {
  try {
    const given: unknown = JSON.parse(line);
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new Error('a line must be a JSON object');
    return JSON.stringify((await check(given as Record<string, unknown>)) ?? null);
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message });
  }
}
