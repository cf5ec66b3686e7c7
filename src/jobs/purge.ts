/**
 * purge: one pass over all of crawldb that takes out what does not belong there any more, marks pages that no other links
 * to, and brings the rest to its present normal form. Run when the scope, a filter or the normalizers changed, or now and
 * then.
 */
import { CrawlError } from '../errors.ts';
import { decodeState, encodeState, stateAt } from '../page/codec.ts';
import { contributionKey } from '../page/contribution.ts';
import { keyOf, urlOf } from '../page/key.ts';
import type { PageState } from '../page/state.ts';
import { statusCode } from '../page/status.ts';
import { repaired } from '../page/transition.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { createAdmit } from '../url/admit.ts';
import { transitionRules } from './rules.ts';

export interface PurgeInput {
  /** Pages that are gone go. */
  readonly gone?: boolean;
  /** Pages that are orphans go. */
  readonly orphans?: boolean;
  /** Pages that the gate would not admit any more go, and those whose normal form is another take it. */
  readonly filter?: boolean;
  /** Days without a link after which a page counts as gone, and as an orphan; default 30 and 40, as in Nutch. -1: never. */
  readonly goneAfter?: number;
  readonly orphanAfter?: number;
}

const DAY = 86_400_000;

/**
 * `scanned`, `purged.gone`, `purged.orphan`, `purged.<reason>`, `renamed`, `orphaned`, `markedGone`, `repaired` due times.
 * A page that takes an address which is known already leaves it to the one fetched later.
 */
export async function purge(context: JobContext, input: PurgeInput = {}): Promise<Counters> {
  const { crawldb } = context.tables;
  const { gone = false, orphans = false, filter = false, goneAfter = 30, orphanAfter = 40 } = input;
  const admit = filter ? createAdmit(context.options.scope, context.seeds, 'crawldb') : null;
  const rules = transitionRules(context);
  const counters: Record<string, number> = { scanned: 0 };
  const count = (name: string): void => void (counters[name] = (counters[name] ?? 0) + 1);
  const change = crawldb.change();
  const remove = (key: Buffer, why: string): void => {
    change.remove(key);
    change.remove(contributionKey(key));
    count(`purged.${why}`);
  };
  /** Records that take another address: what stands there by now, from the table or from this pass. */
  const renamed = new Map<string, PageState>();
  try {
    for await (const entries of crawldb.chunks()) {
      if (context.signal.aborted) throw new CrawlError('interrupted', 'purge was stopped; nothing has changed');
      for (const [key, value] of entries) {
        counters.scanned!++;
        const status = value[stateAt.status];
        if (gone && status === statusCode.gone) {
          remove(key, 'gone');
          continue;
        }
        if (orphans && status === statusCode.orphan) {
          remove(key, 'orphan');
          continue;
        }
        if (admit) {
          const url = urlOf(key.toString());
          const admitted = admit(url);
          if (admitted.url === null) {
            remove(key, admitted.reason);
            continue;
          }
          if (admitted.url !== url) {
            const to = keyOf(admitted.url);
            const state = decodeState(value);
            const other = renamed.get(to) ?? (await context.tables.page(to));
            renamed.set(to, other && !later(state, other) ? other : state);
            change.remove(key);
            change.remove(contributionKey(key));
            count('renamed');
            continue;
          }
        }
        const unlinked = value.readDoubleLE(stateAt.unlinked);
        const due = value.readDoubleLE(stateAt.due);
        if (unlinked === 0 && due - context.now <= rules.schedule.maxInterval * 1000) continue;
        const before = decodeState(value);
        let state = repaired(before, rules);
        if (state !== before) count('repaired');
        const days = unlinked > 0 ? (context.now - unlinked) / DAY : -1;
        if (orphanAfter >= 0 && days > orphanAfter && state.status !== 'orphan') {
          state = { ...state, status: 'orphan', reason: 'unlinked' };
          count('orphaned');
        } else if (goneAfter >= 0 && days > goneAfter && state.status !== 'gone' && state.status !== 'orphan') {
          state = { ...state, status: 'gone', reason: 'unlinked' };
          count('markedGone');
        }
        if (state !== before) change.put(key, encodeState(state));
      }
    }
    for (const [key, state] of renamed) change.put(key, encodeState(state));
    await change.commit();
    return counters;
  } catch (error) {
    change.abandon();
    throw error;
  }
}

/** Whether a record is worth more than another of the same page: fetched later, then due later, then scored higher. */
export const later = (a: PageState, b: PageState): boolean =>
  a.fetched !== b.fetched ? a.fetched > b.fetched : a.due !== b.due ? a.due > b.due : a.score > b.score;
