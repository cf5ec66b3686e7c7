import type { Outcome } from '../page/outcome.ts';

/**
 * Whether an outcome settles what the index says of its page: as a document, or as one to be taken out. Of any other the
 * index keeps what it has.
 */
export const decides = ({ kind }: Pick<Outcome, 'kind'>): boolean =>
  kind === 'success' || kind === 'gone' || kind === 'redirect-permanent' || kind === 'redirect-temporary';

/** When an outcome came about, and the place of its segment in the list, oldest first. */
export interface Told {
  readonly fetched: number;
  readonly ordinal: number;
}

/** Of what several segments say of a page the newest fetch stands; of one time, the later segment's. */
export const isNewer = (a: Told, b: Told): boolean =>
  a.fetched > b.fetched || (a.fetched === b.fetched && a.ordinal > b.ordinal);
