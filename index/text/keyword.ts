import { type Analyzer, ATOM, hashUnits, MAX_TERM, type TokenSink } from './analyzer.ts';

/** The value as one term, unchanged; what is longer than a term is cut. */
export class KeywordChain implements Analyzer {
  readonly name = 'keyword/1';

  analyze(text: string, _lang: string, sink: TokenSink): number {
    const length = Math.min(text.length, MAX_TERM);
    if (length === 0) return 0;
    for (let i = 0; i < length; i++) sink.units[i] = text.charCodeAt(i);
    sink.token(length, hashUnits(sink.units, length), 0, 0, text.length, ATOM);
    return 1;
  }
}
