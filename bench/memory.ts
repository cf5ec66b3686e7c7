import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What a value keeps alive, bytes: on the heap of V8, and outside of it (typed arrays, buffers). */
export interface Kept {
  readonly heap: number;
  readonly outside: number;
}

const now = (): Kept => {
  collect();
  collect(); // the second pass frees what finalisers of the first let go
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external };
};

/** Makes a value and says what it keeps, after garbage collection; good to some ten KB. */
export function kept<T>(make: () => T): { readonly value: T; readonly kept: Kept } {
  const before = now();
  const value = make();
  const after = now();
  return {
    value,
    kept: { heap: Math.max(0, after.heap - before.heap), outside: Math.max(0, after.outside - before.outside) },
  };
}

/** Highest resident set of this process so far, bytes. */
export const peakRss = (): number => process.resourceUsage().maxRSS * 1024;

/** User and system CPU seconds of this process so far, all threads. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
