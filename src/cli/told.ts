import type { Summary } from '../crawl-summary.ts';
import { listings } from '../page/reason.ts';
import { count, counters, moment, size } from './figures.ts';

/**
 * What a finished step says to a person, in one line: the few figures that answer "did it work, and how much". All
 * counters are in the event and in `--json`; a step without an entry here shows them all.
 */
type Counters = Readonly<Record<string, number>>;
const tellers: Readonly<Record<string, (did: Counters) => readonly (string | false)[]>> = {
  inject: (did) => [
    some(did.injected, 'new seed'),
    some(did.rejected, 'refused', false),
    some(did.known, 'known already', false),
  ],
  generate: (did) => [
    some(did.generated, 'address', 'addresses'),
    !did.generated && 'nothing is due',
    did.nextDue !== undefined && !did.generated && `next ${moment(did.nextDue)}`,
  ],
  fetch: (did) => [
    some(pagesIn(did), 'page'),
    ...listings.map((reason) => some(did[`reason.${reason}`], reason)),
    some(did['outcome.not-modified'], 'unchanged', false),
    some(sum(did, 'outcome.redirect-'), 'redirect'),
    some((did['outcome.gone'] ?? 0) - (did['reason.robots-denied'] ?? 0), 'gone', false),
    some(did['reason.robots-denied'], 'refused by robots.txt', false),
    some((did.failed ?? 0) - (did['outcome.gone'] ?? 0), 'failed', false),
    some(did['outcome.skipped'], 'left for later', false),
    Boolean(did.bytes) && size(did.bytes!),
  ],
  updatedb: (did) => [some(did.added, 'new address', 'new addresses') || 'no new address', some(did.links, 'link')],
  invertlinks: (did) => [some(did.links, 'link') || 'no link'],
  index: (did) => [some(did.indexed, 'page') || 'no page', some(did.removed, 'taken out', false)],
  dedup: (did) => [some(did.documents, 'page') || 'no page', some(did.duplicates, 'duplicate')],
  merge: (did) => [did.merged! > 1 ? `${count(did.merged!)} index segments become one` : 'nothing to merge'],
  publish: (did) => [did.published ? `${some(did.published, 'page')} can be searched` : 'nothing can be searched yet'],
};

export function told(step: string, did: Counters): string {
  const parts = tellers[step]?.(did).filter(Boolean);
  if (!parts) return counters(did);
  return parts.length > 0 ? parts.join(', ') : 'nothing to do';
}

/**
 * What is called a page wherever pages fetched are counted for people: an answer with content of its own. What has not
 * changed, what redirects and what is read for its addresses alone (a folder, a sitemap) is counted apart.
 */
const pagesIn = (did: Counters): number =>
  listings.reduce(
    (left, reason) => left - (did[`reason.${reason}`] ?? 0),
    (did.fetched ?? 0) - (did['outcome.not-modified'] ?? 0) - sum(did, 'outcome.redirect-'),
  );

/** The same for a whole run: `121 pages, 1 sitemap`. */
export function toldFetched({ fetched, outcomes }: Pick<Summary, 'fetched' | 'outcomes'>): string {
  const listed = listings.map((reason) => [reason, outcomes[reason] ?? 0] as const);
  const pages = listed.reduce((left, [, n]) => left - n, fetched);
  const apart = listed.map(([reason, n]) => some(n, reason)).filter(Boolean);
  return [`${count(pages)} page${pages === 1 ? '' : 's'}`, ...apart].join(', ');
}

/** `3 pages`, `1 page`, nothing for none. Without a plural (`false`) the word stays as it is. */
function some(n: number | undefined, word: string, plural: string | false = `${word}s`): string | false {
  if (!n) return false;
  return `${count(n)} ${n === 1 || plural === false ? word : plural}`;
}

const sum = (did: Counters, prefix: string): number =>
  Object.entries(did).reduce((total, [name, n]) => (name.startsWith(prefix) ? total + n : total), 0);
