/**
 * FlexSearch's Encoder as a chain for fields of kind `bag`: phonetic and fuzzy-minded folding (`latin-balance`,
 * `latin-advanced`, `latin-soundex`), or its plain normalisation.
 *
 * It gives no offsets, drops a word that repeats its neighbour and cuts numbers into threes, so it serves neither phrases
 * nor highlights: every token carries the offsets of the whole text. About 10 MB a CPU second, a tenth of `words`.
 */
import { Charset, Encoder } from 'flexsearch';
import { type Analyzer, ATOM, hashUnits, MAX_TERM, type TokenSink } from './analyzer.ts';

export type FlexChainName = 'flex-normalize' | 'flex-latin-balance' | 'flex-latin-advanced' | 'flex-latin-soundex';
const charsets: Readonly<Record<FlexChainName, unknown>> = {
  'flex-normalize': Charset.Normalize,
  'flex-latin-balance': Charset.LatinBalance,
  'flex-latin-advanced': Charset.LatinAdvanced,
  'flex-latin-soundex': Charset.LatinSoundex,
};

export const flexChainNames = Object.keys(charsets) as readonly FlexChainName[];

export class FlexChain implements Analyzer {
  readonly name: string;
  readonly #encoder: Encoder;

  constructor(charset: FlexChainName) {
    this.name = `${charset}/1`;
    this.#encoder = new Encoder(charsets[charset] as ConstructorParameters<typeof Encoder>[0]);
  }

  analyze(text: string, _lang: string, sink: TokenSink): number {
    const terms = this.#encoder.encode(text);
    let position = 0;
    for (const term of terms) {
      const length = Math.min(term.length, MAX_TERM);
      if (length === 0) continue;
      for (let i = 0; i < length; i++) sink.units[i] = term.charCodeAt(i);
      sink.token(length, hashUnits(sink.units, length), position++, 0, text.length, ATOM);
    }
    return position;
  }
}
