import { FINE } from './crawl-notes.ts';
import type { GenerateInput } from './jobs/generate.ts';
import { decodeState, stateAt } from './page/codec.ts';
import { keyOf } from './page/key.ts';

/** How keys of files begin. */
const FILE = ' file ';

/**
 * Pages that a run takes though their time has not come: files of this machine, since to look whether one has changed costs
 * nothing; seeds that failed, since who names them again thinks that they are there now; and with `all` every page.
 *
 * Each once: what was read in this run is kept out by its time of fetch, which what failed does not have. So that is taken
 * by the `first` list of a run alone.
 */
export function takenAgain(
  seeds: readonly string[],
  all: boolean,
  first: () => boolean,
): NonNullable<GenerateInput['again']> {
  const named = new Set(seeds.map(keyOf));
  return (key, value) => {
    if (all || key.startsWith(FILE)) return first() || value[stateAt.retries] === 0;
    return first() && named.has(key) && !FINE.has(decodeState(value).reason);
  };
}
