/** What a program asks of a search, checked before anything is done with it: types are gone at run time. */
import { CrawlError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { Ask } from './answer.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const text = { allowed: 'a text', fits: isText };
const count = { allowed: 'a whole number from 0', fits: isCount };

const members: { readonly [K in keyof Ask]-?: { readonly allowed: string; fits(value: unknown): boolean } } = {
  limit: count,
  from: count,
  sort: text,
  filter: text,
  narrow: {
    allowed: 'a list of { field, value }, both texts',
    fits: (value) => Array.isArray(value) && value.every((one) => isText(one?.field) && isText(one?.value)),
  },
  facets: { allowed: 'a list of texts', fits: (value) => Array.isArray(value) && value.every(isText) },
  group: text,
  near: text,
  lang: text,
  timeLimit: { allowed: 'a number of ms from 0', fits: (value) => typeof value === 'number' && value >= 0 },
  explain: { allowed: 'true or false', fits: (value) => typeof value === 'boolean' },
};
const names = Object.keys(members);

const shown = (value: unknown): string =>
  typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));

/** @throws CrawlError 'usage' naming the argument */
export function checkedText(value: unknown, argument: string): string {
  if (typeof value === 'string') return value;
  throw new CrawlError('usage', `${argument} must be a text, not ${shown(value)}`);
}

/** @throws CrawlError 'usage' naming the argument */
export function checkedCount(value: unknown, argument: string): number {
  if (isCount(value)) return value as number;
  throw new CrawlError('usage', `${argument} must be ${count.allowed}, not ${shown(value)}`);
}

/** The members that were given, `undefined` being as good as absent. @throws CrawlError 'usage' naming the member */
export function checkedAsk(ask: Partial<Ask>): Partial<Ask> {
  if (typeof ask !== 'object' || ask === null || Array.isArray(ask))
    throw new CrawlError(
      'usage',
      `what is asked of a search must be an object such as { limit: 10 }, not ${shown(ask)}`,
    );
  const given = Object.entries(ask).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(members, name)) {
      const near = nearest(name, names);
      throw new CrawlError(
        'usage',
        `a search cannot be asked for ${name}${near ? `; did you mean ${near}?` : `: there are ${names.join(', ')}`}`,
      );
    }
    const { allowed, fits } = members[name as keyof Ask];
    if (!fits(value)) throw new CrawlError('usage', `${name} of a search must be ${allowed}, not ${shown(value)}`);
  }
  return Object.fromEntries(given);
}
