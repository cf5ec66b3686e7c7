/**
 * Runs of Han, Kana and Hangul as overlapping pairs: every pair of neighbours is a term, and so is the last character
 * alone, so that every character begins exactly one term: one character is found as a prefix, two or more as a phrase
 * of pairs, wherever dictionaries would put word borders.
 */
import { ATOM, FNV_START, LAST, type TokenSink } from './analyzer.ts';
import { CJK, charTable } from './table.ts';

export function astralCjk(code: number): boolean {
  return code >= 0x20000 && code <= 0x3ffff;
}

export class CjkRun {
  // One entry a character: its one or two units (the second 0), and where it lies in the text.
  #count = 0;
  #high = new Uint16Array(256);
  #low = new Uint16Array(256);
  #from = new Int32Array(256);
  #to = new Int32Array(256);

  /** Reads the run that begins at `at`; returns where it ends. */
  read(text: string, at: number): number {
    const entries = charTable();
    this.#count = 0;
    let i = at;
    while (i < text.length) {
      const unit = text.charCodeAt(i);
      if (unit >= 0xd800 && unit <= 0xdbff && astralCjk(text.codePointAt(i)!)) {
        this.#add(unit, text.charCodeAt(i + 1), i, i + 2);
        i += 2;
      } else if (unit >= 0x1100 && unit <= 0x11ff) i = this.#jamo(text, i);
      else if (unit === 0x3099 || unit === 0x309a || unit === 0xff9e || unit === 0xff9f) this.#voice(unit, i++);
      else if (unit >= 0xfe00 && unit <= 0xfe0f) i++;
      else if (entries[unit]! & CJK) {
        const isVariant = unit >= 0xf900 || (unit >= 0x3131 && unit <= 0x318e);
        const folded = isVariant ? String.fromCharCode(unit).normalize('NFKC') : '';
        if (folded.length === 2) this.#add(folded.charCodeAt(0), folded.charCodeAt(1), i, i + 1);
        else this.#add(isVariant ? folded.charCodeAt(0) : unit, 0, i, i + 1);
        i++;
      } else break;
    }
    return i;
  }

  #add(high: number, low: number, from: number, to: number): void {
    if (this.#count === this.#high.length) {
      const grow = <T extends Uint16Array | Int32Array>(old: T, next: T): T => {
        next.set(old);
        return next;
      };
      const size = this.#count * 2;
      this.#high = grow(this.#high, new Uint16Array(size));
      this.#low = grow(this.#low, new Uint16Array(size));
      this.#from = grow(this.#from, new Int32Array(size));
      this.#to = grow(this.#to, new Int32Array(size));
    }
    const k = this.#count++;
    this.#high[k] = high;
    this.#low[k] = low;
    this.#from[k] = from;
    this.#to[k] = to;
  }

  /** A voicing mark joins the Kana before it, where the two have a common form. */
  #voice(mark: number, at: number): void {
    const last = this.#count - 1;
    if (last < 0) return;
    const combining = mark === 0xff9e ? '\u3099' : mark === 0xff9f ? '\u309a' : String.fromCharCode(mark);
    const joined = (String.fromCharCode(this.#high[last]!) + combining).normalize('NFC');
    if (joined.length === 1) this.#high[last] = joined.charCodeAt(0);
    this.#to[last] = at + 1;
  }

  /** Conjoining Jamo: composed to syllables, two or three units each; old ones that do not compose stay as they are. */
  #jamo(text: string, at: number): number {
    let end = at;
    while (end < text.length && text.charCodeAt(end) >= 0x1100 && text.charCodeAt(end) <= 0x11ff) end++;
    let i = at;
    for (const syllable of text.slice(at, end).normalize('NFC')) {
      const code = syllable.charCodeAt(0);
      const width = code >= 0xac00 && code <= 0xd7a3 ? ((code - 0xac00) % 28 === 0 ? 2 : 3) : 1;
      this.#add(code, 0, i, i + width);
      i += width;
    }
    return end;
  }

  /** Emits the pairs and the last character; returns the number of positions. */
  emit(sink: TokenSink, position: number): number {
    for (let k = 0; k < this.#count; k++) {
      let length = 0;
      let hash = FNV_START;
      const put = (unit: number): void => {
        if (unit === 0) return;
        sink.units[length++] = unit;
        hash = Math.imul(hash ^ unit, 0x01000193);
      };
      put(this.#high[k]!);
      put(this.#low[k]!);
      const isLast = k === this.#count - 1;
      if (!isLast) {
        put(this.#high[k + 1]!);
        put(this.#low[k + 1]!);
      }
      const kind = isLast && this.#count > 1 ? LAST : ATOM;
      const end = this.#to[isLast ? k : k + 1]!;
      sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position + k, this.#from[k]!, end, kind);
    }
    return this.#count;
  }
}
