/**
 * Pages that name another address as their canonical one, and which of them give way to it: those whose chain of canonical
 * links and redirects ends at a document. One that ends at a page that is gone, refused or unknown stays under its own
 * address; of pages that name each other, the one with the shortest address (then the first) stays.
 *
 * Every such page is kept with the commit, `canonical-<generation>`, whether it gave way or not: its target may go or come
 * while the page itself answers that it has not changed.
 *
 *     claims := pairs of pairs-file.ts: address of the page -> named stands
 */
import { decodeState } from '../page/codec.ts';
import { keyOf } from '../page/key.ts';
import type { Table } from '../store/tables.ts';
import { encodePairs, readPairs } from './pairs-file.ts';

export interface Claim {
  /** The address that the page names. */
  readonly named: string;
  /** The page that stands for it; '' when it stays itself. */
  readonly stands: string;
}
export type Claims = ReadonlyMap<string, Claim>;

export const isCanonicalFile = (name: string): boolean => /^canonical-\d+$/.test(name);
export const canonicalFile = (generation: number): string => `canonical-${generation}`;

/** The file's bytes; `scratch` is a path to write them to. */
export const encodeClaims = (claims: Claims, scratch: string): Uint8Array =>
  encodePairs(
    [...claims].map(([page, { named, stands }]) => [page, [named, stands]] as const),
    scratch,
  );

export const readClaims = (path: string): Claims =>
  new Map([...readPairs(path)].map(([page, [named, stands]]) => [page, { named, stands }]));

/** What crawldb says of an address: whether it knows it and has not given it up, and where it redirects to ('': nowhere). */
export interface Known {
  readonly there: boolean;
  readonly target: string;
}

export interface Settlement {
  readonly claims: Claims;
  /** Pages that stood, and give way now. */
  readonly gaveWay: readonly string[];
  /** Pages that gave way, and stand again. */
  readonly returned: readonly string[];
}

/**
 * Decides all claims.
 * @param now page -> the address it names, both normalised, only where they differ
 * @param before what was decided of those of them that are not looked at anew
 * @param holds whether an address is a document, or lost to one with its text
 */
export async function settleClaims(
  now: ReadonlyMap<string, string>,
  before: Claims,
  holds: (url: string) => boolean,
  crawldb: Table,
): Promise<Settlement> {
  const known = await lookUp([...now.keys(), ...now.values()], crawldb);
  const knownOf = async (url: string): Promise<Known> => {
    let found = known.get(url);
    if (!found) known.set(url, (found = (await lookUp([url], crawldb)).get(url)!));
    return found;
  };
  const named = new Map([...now].filter(([page]) => known.get(page)!.there));
  const stands = await representatives(named, holds, knownOf);
  const claims = new Map<string, Claim>();
  const [gaveWay, returned]: [string[], string[]] = [[], []];
  for (const [page, target] of named) {
    const stood = before.get(page)?.stands;
    const stand = stands.get(page) ?? '';
    claims.set(page, { named: target, stands: stand });
    if (stood === '' && stand !== '') gaveWay.push(page);
    if (stood && stand === '') returned.push(page);
  }
  return { claims, gaveWay, returned };
}

/** Records looked up at once. */
const AT_ONCE = 1000;

async function lookUp(urls: Iterable<string>, crawldb: Table): Promise<Map<string, Known>> {
  const sorted = [...new Set(urls)].map((url) => ({ url, key: Buffer.from(keyOf(url)) }));
  sorted.sort((a, b) => a.key.compare(b.key));
  const known = new Map<string, Known>();
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    const batch = sorted.slice(from, from + AT_ONCE);
    const records = await crawldb.getMany(batch.map(({ key }) => key));
    for (const [at, { url }] of batch.entries()) {
      const state = records[at] ? decodeState(records[at]) : null;
      known.set(url, { there: state !== null && state.status !== 'gone', target: state?.target ?? '' });
    }
  }
  return known;
}

/** Redirects and canonical links followed in a row before a page is left where it is. */
const MOST_STEPS = 10;

/**
 * Page -> the page that stands for it.
 * @param canonical as `now` of settleClaims
 */
export async function representatives(
  canonical: ReadonlyMap<string, string>,
  holds: (url: string) => boolean,
  knownOf: (url: string) => Promise<Known>,
): Promise<Map<string, string>> {
  const stands = new Map<string, string>();
  for (const page of canonical.keys()) {
    const path = [page];
    for (;;) {
      const here = path.at(-1)!;
      const next = canonical.get(here) ?? (await knownOf(here)).target;
      if (next === '') {
        if (here !== page && holds(here) && (await knownOf(here)).there) stands.set(page, here);
        break;
      }
      const loop = path.indexOf(next);
      if (loop >= 0) {
        // Only what was fetched and names another can stay; an address that redirects cannot.
        const ring = path.slice(loop).filter((url) => canonical.has(url));
        const winner = ring.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
        if (winner !== undefined && winner !== page) stands.set(page, winner);
        break;
      }
      path.push(next);
      if (path.length > MOST_STEPS) break;
    }
  }
  return stands;
}
