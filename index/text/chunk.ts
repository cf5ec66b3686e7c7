/**
 * A run of characters that signs, capitals or odd folds join, looked at as one word: what it is as a whole, and what its parts
 * are. words.ts reads it; here it becomes tokens.
 */
import { ACCENTED, ATOM, BARE, FNV_START, GROUP, MAX_TERM, type TokenKind, type TokenSink, WHOLE } from './analyzer.ts';
import { APOSTROPHE, COMMA, DASH, DOT, HASH, LINE, PLUS } from './signs.ts';
import { ACCENT, DIGIT, LOWER, SIGN, UPPER } from './table.ts';

/** Longest run that is looked at as one word, in units; what is longer is cut there. */
const CHUNK = 1024;
/** Units that one character more may bring. */
const SPARE = 8;
/** A word of more segments than this (a dump, a path of dots) is kept by its parts alone. */
const MAX_SEGMENTS = 8;

export class Chunk {
  count = 0;
  /** Of the next token. */
  position = 0;
  #text = '';
  #sink!: TokenSink;
  /** Folded units, where each comes from in the text, and its table flags. */
  readonly #units = new Uint16Array(CHUNK + SPARE);
  readonly #from = new Int32Array(CHUNK + SPARE);
  readonly #to = new Int32Array(CHUNK + SPARE);
  readonly #flags = new Uint32Array(CHUNK + SPARE);
  /** Flags that some unit of it has, and whether an apostrophe is among them: most words have no such parts to look for. */
  #seen = 0;
  #hasApostrophe = false;
  /** Segments of it, while it is emitted. */
  readonly #starts = new Int32Array(CHUNK + SPARE);
  readonly #ends = new Int32Array(CHUNK + SPARE);

  begin(text: string, sink: TokenSink): void {
    this.#text = text;
    this.#sink = sink;
    this.clear();
  }

  clear(): void {
    this.count = 0;
    this.#seen = 0;
    this.#hasApostrophe = false;
  }

  get isFull(): boolean {
    return this.count >= CHUNK;
  }
  get lastUnit(): number {
    return this.#units[this.count - 1]!;
  }
  get endsInSign(): boolean {
    return (this.#flags[this.count - 1]! & SIGN) !== 0;
  }
  onlySigns(): boolean {
    for (let i = 0; i < this.count; i++) if (!(this.#flags[i]! & SIGN)) return false;
    return true;
  }

  push(unit: number, from: number, to: number, flags: number): void {
    const k = this.count++;
    this.#units[k] = unit;
    this.#from[k] = from;
    this.#to[k] = to;
    this.#flags[k] = flags;
    this.#seen |= flags;
    if (flags & SIGN && unit === APOSTROPHE) this.#hasApostrophe = true;
  }

  /** A combining mark at `at`: belongs to the character before it, and counts only as an accent. */
  mark(at: number): void {
    const last = this.count - 1;
    if (last < 0 || this.#flags[last]! & SIGN) return;
    const mark = this.#text.charCodeAt(at);
    this.#to[last] = at + 1;
    // Short i is a letter of its own, not an accented i.
    if (mark === 0x0306 && this.#units[last] === 0x0438) this.#units[last] = 0x0439;
    else if (mark <= 0x036f && mark >= 0x0300 && this.#units[last]! < 0x0250) {
      this.#flags[last]! |= ACCENT;
      this.#seen |= ACCENT;
    }
  }

  /** Emits it as one word of text[start..end); leaves it empty. */
  word(start: number, end: number): void {
    this.#emit(0, this.count, ATOM, this.position++, start, end);
    this.clear();
  }

  /** Emits the chunk: whole, groups, parts; leaves it empty. */
  flush(): void {
    let end = this.count;
    const units = this.#units;
    const flags = this.#flags;
    while (end > 0 && flags[end - 1]! & SIGN && !this.#mayEnd(end - 1)) end--;
    let lead = 0;
    while (lead < end && flags[lead]! & SIGN) lead++;
    this.count = 0;
    if (lead === end) {
      this.clear();
      return;
    }
    // Segments: [starts[s], ends[s]), apart by signs that are not kept inside one.
    const starts = this.#starts;
    const ends = this.#ends;
    let many = 0;
    let from = lead;
    for (let i = lead; i <= end; i++) {
      const isCut =
        i === end ||
        (flags[i]! & SIGN && units[i] !== APOSTROPHE && units[i] !== COMMA && units[i] !== PLUS && units[i] !== HASH);
      const isBehindPlus = i < end && i > from && !(flags[i]! & SIGN) && units[i - 1] === PLUS && flags[i - 1]! & SIGN;
      if (!isCut && !isBehindPlus) continue;
      if (i > from) {
        starts[many] = from;
        ends[many++] = i;
      }
      from = isBehindPlus ? i : i + 1;
    }
    if (many > 1 && this.#isAcronym(many)) {
      this.#emit(lead, end, ATOM, this.position++, this.#from[lead]!, this.#to[end - 1]!, true);
      this.clear();
      return;
    }
    const hasWhole = lead > 0 || (many > 1 && many <= MAX_SEGMENTS);
    if (hasWhole) this.#emit(0, end, WHOLE, this.position, this.#from[0]!, this.#to[end - 1]!);
    for (let s = 0; s < many; s++) this.#segment(starts[s]!, ends[s]!, hasWhole ? GROUP : WHOLE);
    this.clear();
  }

  #mayEnd(i: number): boolean {
    const unit = this.#units[i];
    return unit === PLUS || unit === HASH || (unit === LINE && this.#units[0] === LINE && this.#units[1] === LINE);
  }

  /** U.S.A.: single letters between dots. */
  #isAcronym(many: number): boolean {
    const starts = this.#starts;
    const ends = this.#ends;
    for (let s = 0; s < many; s++) {
      if (ends[s]! - starts[s]! !== 1 || this.#flags[starts[s]!]! & DIGIT) return false;
      if (s > 0 && this.#units[starts[s]! - 1] !== DOT) return false;
    }
    return true;
  }

  #segment(a: number, z: number, groupKind: TokenKind): void {
    const units = this.#units;
    const flags = this.#flags;
    const start = this.#from[a]!;
    const end = this.#to[z - 1]!;
    let last = z;
    while (last > a && flags[last - 1]! & SIGN) last--;
    let apostrophe = -1;
    let lastApostrophe = -1;
    for (let i = this.#hasApostrophe ? a : last; i < last; i++)
      if (flags[i]! & SIGN && units[i] === APOSTROPHE) {
        if (apostrophe < 0) apostrophe = i;
        lastApostrophe = i;
      }
    if (apostrophe > 0) {
      const position = this.position++;
      this.#emit(a, z, ATOM, position, start, end);
      this.#accentedIf(a, z, position);
      const isPossessive = last - lastApostrophe === 2 && units[last - 1] === 115 && lastApostrophe - a >= 2;
      if (isPossessive && lastApostrophe === apostrophe) {
        this.#emit(a, lastApostrophe, BARE, position, start, this.#to[lastApostrophe - 1]!);
        this.#accentedIf(a, lastApostrophe, position);
      } else if ((apostrophe - a <= 2 || this.#isElision(a, apostrophe)) && last - apostrophe > 3) {
        this.#emit(apostrophe + 1, last, BARE, position, this.#from[apostrophe + 1]!, end);
        this.#accentedIf(apostrophe + 1, last, position);
      }
      return;
    }
    // Inner capitals: a part begins at a capital behind a small letter or digit, and at the last capital of a run of them.
    let parts = 1;
    if (this.#seen & UPPER) for (let i = a + 1; i < last; i++) if (this.#beginsPart(a, i, last)) parts++;
    if (parts > 1 || last < z) this.#emit(a, z, groupKind, this.position, start, end);
    let from = a;
    for (let i = parts === 1 ? last : a + 1; i <= last; i++) {
      if (i < last && !this.#beginsPart(a, i, last)) continue;
      this.#emit(from, i, ATOM, this.position, this.#from[from]!, this.#to[i - 1]!);
      this.#accentedIf(from, i, this.position);
      this.position++;
      from = i;
    }
  }

  #beginsPart(a: number, i: number, last: number): boolean {
    const flags = this.#flags;
    if (!(flags[i]! & UPPER)) return false;
    if (flags[i - 1]! & (LOWER | DIGIT)) return i - 1 > a || (flags[i - 1]! & LOWER) !== 0;
    // PDFReader is pdf and reader; but PDFs stays whole.
    return i + 1 < last && (flags[i + 1]! & LOWER) !== 0 && !(i + 2 === last && this.#units[i + 1] === 115);
  }

  #isElision(a: number, apostrophe: number): boolean {
    let word = '';
    for (let i = a; i < apostrophe && word.length < 8; i++) word += String.fromCharCode(this.#units[i]!);
    return ELISIONS.has(word);
  }

  /** Emits units a..z of the chunk without hyphens, apostrophes and commas inside (`dots`: without dots as well). */
  #emit(a: number, z: number, kind: TokenKind, position: number, start: number, end: number, dots = false): void {
    const out = this.#sink.units;
    let length = 0;
    let hash = FNV_START;
    let begun = false;
    for (let i = a; i < z && length < MAX_TERM; i++) {
      const unit = this.#units[i]!;
      if (this.#flags[i]! & SIGN) {
        if (unit === APOSTROPHE || unit === COMMA || (unit === DASH && begun) || (dots && unit === DOT)) continue;
      } else begun = true;
      out[length++] = unit;
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    if (length > 0) this.#sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position, start, end, kind);
  }

  #accentedIf(a: number, z: number, position: number): void {
    if (!(this.#seen & ACCENT)) return;
    for (let i = a; i < z; i++)
      if (this.#flags[i]! & ACCENT) {
        this.#surface(this.#from[a]!, this.#to[z - 1]!, position);
        return;
      }
  }

  /** The word once more with its accents. It may fold to another length: by way of a string. */
  #surface(start: number, end: number, position: number): void {
    const word = this.#text.slice(start, end).normalize('NFKC').toLowerCase().replace(INSIDE, '');
    const out = this.#sink.units;
    const length = Math.min(word.length, MAX_TERM);
    let hash = FNV_START;
    for (let i = 0; i < length; i++) {
      const unit = word.charCodeAt(i);
      out[i] = unit;
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    if (length > 0) this.#sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position, start, end, ACCENTED);
  }
}

/** Signs and invisible characters that a surface form leaves out. */
const INSIDE = /['\u2019\u02bc\u2018\u00ad\u200b-\u200f\u2060\ufeff+#]/g;
/** Longer words that give up their last vowel before another (French, Italian, Catalan). */
const ELISIONS = new Set(
  'qu jusqu lorsqu puisqu quoiqu quelqu presqu dell nell sull dall coll all quell quest sant bell anch tutt senz mezz com'.split(
    ' ',
  ),
);
