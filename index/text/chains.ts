/** Every analysis chain by the name that a field's `analyzer` gives. A field without one is read by `words`. */
import { AddressChain } from './address.ts';
import type { Analyzer } from './analyzer.ts';
import { FlexChain, flexChainNames } from './flex-encoder.ts';
import { KeywordChain } from './keyword.ts';
import { PlainChain } from './plain.ts';
import { WordChain } from './words.ts';

const DEFAULT_CHAIN = 'words';

const makers: Record<string, () => Analyzer> = {
  words: () => new WordChain(),
  plain: () => new PlainChain(),
  keyword: () => new KeywordChain(),
  address: () => new AddressChain(),
};
for (const name of flexChainNames) makers[name] = () => new FlexChain(name);

export const chainNames: readonly string[] = Object.keys(makers);

/** A new chain; one is not to be used within its own sink, nor by two threads. Undefined for a name that is none. */
export function createChain(name: string = DEFAULT_CHAIN): Analyzer | undefined {
  return Object.hasOwn(makers, name) ? makers[name]!() : undefined;
}
