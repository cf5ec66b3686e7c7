/** An address as a person types it, and as the crawl writes it. */
import { placeOf } from './net/file.ts';
import { normalizerScopes, type Settled } from './options.ts';
import { keyOf } from './page/key.ts';
import type { Tables } from './store/tables.ts';
import { type Admit, createAdmit } from './url/admit.ts';

/** As the crawl writes it; as given when the crawl would not take it. */
export function addressOf(scope: Settled['scope'], seeds: readonly string[], url: string): string {
  const named = placeOf(url);
  const admitted = createAdmit(scope, seeds)(named);
  return admitted.url ?? admitted.normalized ?? named;
}

/** The gate of the kind of address (`scope.normalizers`) as which crawldb knows it; else the one for all. */
export async function admitKnown(
  scope: Settled['scope'],
  seeds: readonly string[],
  tables: Tables,
  url: string,
): Promise<Admit> {
  const all = createAdmit(scope, seeds);
  for (const from of normalizerScopes) {
    if (scope.normalizers[from] === undefined) continue;
    const gate = createAdmit(scope, seeds, from);
    const admitted = gate(url);
    if (admitted.url !== null && admitted.url !== all(url).url && (await tables.page(keyOf(admitted.url)))) return gate;
  }
  return all;
}
