import { keyOf } from '../page/key.ts';
import { listings } from '../page/reason.ts';
import type { PageState } from '../page/state.ts';

/** Redirects and canonical links followed in a row before a page is left where it is. */
const MOST_STEPS = 10;

/**
 * Which pages give way to the address they name as canonical: those whose chain of canonical links and redirects ends at
 * a page that was fetched. One that ends at a page that is gone, refused or unknown stays under its own address; of
 * pages that name each other, the one with the shortest address (then the first) stays.
 *
 * @param canonical page -> the address it names, both normalised, only where they differ
 * @param refused pages of the same batch that will not be indexed for another reason
 * @param stateOf what crawldb knows of a key
 * @returns page -> the page that stands for it
 */
export async function representatives(
  canonical: ReadonlyMap<string, string>,
  refused: ReadonlySet<string>,
  stateOf: (key: string) => Promise<PageState | null>,
): Promise<Map<string, string>> {
  const stands = new Map<string, string>();
  for (const page of canonical.keys()) {
    const path = [page];
    for (;;) {
      const here = path.at(-1)!;
      const next = canonical.get(here) ?? (here === page ? undefined : await redirectOf(here, stateOf));
      if (next === undefined) {
        if (here !== page && !refused.has(here) && (await isThere(here, stateOf))) stands.set(page, here);
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

async function redirectOf(
  url: string,
  stateOf: (key: string) => Promise<PageState | null>,
): Promise<string | undefined> {
  const state = await stateOf(keyOf(url));
  return state?.status.startsWith('redirect-') && state.target ? state.target : undefined;
}

async function isThere(url: string, stateOf: (key: string) => Promise<PageState | null>): Promise<boolean> {
  const state = await stateOf(keyOf(url));
  return (
    state !== null &&
    (state.status === 'fetched' || state.status === 'not-modified') &&
    state.reason !== 'noindex' &&
    state.reason !== 'empty' &&
    state.reason !== 'not-parsed' &&
    !listings.includes(state.reason)
  );
}
