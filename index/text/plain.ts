/**
 * Runs of Unicode letters and digits, lower-cased, and nothing else: the tokens of Lucene's simplest chain, so that scores
 * can be compared one by one. Surrogates separate.
 */
import { type Analyzer, ATOM, FNV_START, MAX_TERM, type TokenSink } from './analyzer.ts';
import { LaidOut } from './laid-out.ts';

let table: Uint16Array | undefined;

/** Lower-cased unit, or 0 for what separates. */
function lowered(): Uint16Array {
  if (table) return table;
  table = new Uint16Array(65_536);
  const word = /[\p{L}\p{Nd}]/u;
  for (let unit = 0; unit < 65_536; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const char = String.fromCharCode(unit);
    if (word.test(char)) table[unit] = char.toLowerCase().charCodeAt(0);
  }
  return table;
}

export class PlainChain implements Analyzer {
  readonly name = 'plain/1';
  readonly #laidOut = new LaidOut();

  analyze(text: string, _lang: string, sink: TokenSink): number {
    const units = sink.units;
    const low = lowered();
    const given = this.#laidOut.of(text);
    const n = text.length;
    let at = 0;
    let position = 0;
    while (at < n) {
      let unit = low[given[at]!]!;
      if (unit === 0) {
        at++;
        continue;
      }
      const start = at;
      let length = 0;
      let hash = FNV_START;
      do {
        if (length < MAX_TERM) {
          units[length++] = unit;
          hash = Math.imul(hash ^ unit, 0x01000193);
        }
        unit = ++at < n ? low[given[at]!]! : 0;
      } while (unit !== 0);
      sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position++, start, at, ATOM);
    }
    return position;
  }
}
