/** The sentences at the end of a run: why nothing was done, or why a seed brought nothing. */
import type { Known } from './crawl-known.ts';
import type { Round } from './crawl-summary.ts';
import { CrawlError } from './errors.ts';
import { explain, type Reason } from './page/reason.ts';
import { BROKEN } from './read/broken.ts';
import type { PageRecord } from './read/pages.ts';
import type { Explanation } from './why/why.ts';

const MOST_SEED_NOTES = 20;
/** Outcomes of a seed that need no word. */
export const FINE: ReadonlySet<Reason> = new Set<Reason>([
  'none',
  'ok',
  'links-only',
  'not-modified',
  'redirected-permanent',
  'redirected-temporary',
  // It brought what is in it. A sitemap has to be looked at: it may name nothing.
  'folder',
]);

/** Why no round was run. */
export const nothingDue = ({ urls, leased, nextDue }: Known): string =>
  urls === 0
    ? 'nothing was fetched: crawldb holds no address, so every seed was refused'
    : `nothing is due: ${urls} address${urls === 1 ? '' : 'es'} known, ` +
      `${leased > 0 ? `${leased} held by a fetchlist, ` : ''}next due ${nextDue ?? 'never'}; ` +
      'crawl --again (in a program: run with again) asks for all of them now';

/** What a run that reads links alone leaves out. */
export const linksAlone =
  'pages were read for their links alone (index.linksOnly): no text is kept, and nothing was indexed';

/** An index of a crawl that reads links alone. */
export const noTexts = (dir: string): CrawlError =>
  new CrawlError(
    'nothing-to-do',
    `${dir} is a crawl that reads pages for their links alone (index.linksOnly), so there is no text to index or to search; ` +
      'crawl once more with --set index.linksOnly=false when its pages are due, or into another folder',
    { where: dir },
  );

/** How many addresses could not be had in these rounds, in one sentence; null: none. */
export function brokenNote(rounds: readonly Round[]): string | null {
  let count = 0;
  for (const { outcomes } of rounds)
    for (const [reason, pages] of Object.entries(outcomes)) if (BROKEN.has(reason as Reason)) count += pages;
  return count === 0
    ? null
    : `${count} ${count === 1 ? 'address' : 'addresses'} could not be had; nuthatch readlinkdb --broken lists the links that lead there`;
}

/** Why a seed brought nothing, the first few of them: a person who named it wants to hear of it unasked. */
export async function seedNotes(
  seeds: readonly string[],
  crawl: { page(url: string): Promise<PageRecord | null>; why(url: string): Promise<Explanation> },
): Promise<string[]> {
  const notes: string[] = [];
  for (const seed of seeds.slice(0, MOST_SEED_NOTES)) {
    const page = await crawl.page(seed);
    if (!page || FINE.has(page.reason)) continue;
    const { steps, advice } = await crawl.why(seed);
    const stop = steps.findLast((step) => !step.ok);
    // A sitemap brought its pages, unless it has none.
    if (stop?.step === 'parse' && /^it is a sitemap of [1-9]/.test(stop.reason)) continue;
    notes.push(
      `${seed}: ${stop?.reason ?? explain(page.reason)}${stop?.rule ? ` (${stop.rule})` : ''}${advice ? `. ${advice}` : ''}`,
    );
  }
  return notes;
}
