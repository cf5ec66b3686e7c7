/**
 * The default chain: words of any script, technical words as typed and by their parts.
 *
 *     text                      tokens (position)
 *     fast buttonColorState     fast(0) buttoncolorstate(1, WHOLE) button(1) color(2) state(3)
 *     e-mail, C++               email(0, WHOLE) e(0) mail(1) c++(2, WHOLE) c(2)
 *     l'école                   lecole(0) lécole(0, ACCENTED) ecole(0, BARE) école(0, ACCENTED)
 *     東京都                     東京(0) 京都(1) 都(2, LAST)
 *
 * Parts of one word stand side by side, so a phrase is matched by its parts; the whole stands where its first part does.
 * Within a whole, hyphens and apostrophes are left out (email, oreilly), other signs stay (1.2.3, c++, stat_erp).
 * A slash, a colon, an equals sign end a word: what they join is found as a phrase.
 *
 * Cost: one table load, one multiplication and two stores a code unit; see bench/words.bench.ts. Words with signs, inner
 * capitals or characters that the table does not settle take the slow path, a chunk at a time.
 */
import {
  ACCENTED,
  type Analyzer,
  ATOM,
  BARE,
  FNV_START,
  GROUP,
  MAX_TERM,
  type TokenKind,
  type TokenSink,
  WHOLE,
} from './analyzer.ts';
import { astralCjk, CjkRun } from './cjk.ts';
import { cutUnspaced } from './segmenter.ts';
import { APOSTROPHE, COMMA, DASH, DOT, HASH, joins, LINE, leading, PLUS } from './signs.ts';
import {
  ACCENT,
  CJK,
  charTable,
  DIGIT,
  foldSlow,
  IGNORED,
  LOWER,
  lowerTable,
  SIGN,
  SLOW,
  UNSPACED,
  UPPER,
  WORD,
} from './table.ts';

/** Longest run of joined characters looked at as one word, in units; what is longer is cut there. */
const CHUNK = 1024;
/** A word of more segments than this (a dump, a path of dots) is kept by its parts alone. */
const MAX_SEGMENTS = 8;

const EMOJI =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)*/uy;
const ASTRAL_WORD = /[\p{L}\p{N}\p{M}]/u;

export class WordChain implements Analyzer {
  readonly name = 'words/1';
  #text = '';
  #lang = '';
  #sink!: TokenSink;
  #at = 0;
  #position = 0;
  /** Where the slow path was entered: the only place where signs may lead a word. */
  #head = 0;
  // The chunk: folded units, where each comes from in the text, and its table flags.
  #count = 0;
  readonly #units = new Uint16Array(CHUNK + 8);
  readonly #from = new Int32Array(CHUNK + 8);
  readonly #to = new Int32Array(CHUNK + 8);
  readonly #flags = new Uint32Array(CHUNK + 8);
  /** Segments of the chunk being emitted. */
  readonly #starts = new Int32Array(CHUNK + 8);
  readonly #ends = new Int32Array(CHUNK + 8);
  readonly #cjk = new CjkRun();

  analyze(text: string, lang: string, sink: TokenSink): number {
    const entries = charTable();
    const units = sink.units;
    const n = text.length;
    let at = 0;
    let position = 0;
    this.#text = text;
    this.#lang = lang;
    this.#sink = sink;
    while (at < n) {
      let entry = entries[text.charCodeAt(at)]!;
      if (entry === 0) {
        at++;
        continue;
      }
      const start = at;
      if (entry & WORD) {
        let length = 0;
        let hash = FNV_START;
        let seen = entry & ~UPPER;
        do {
          const unit = entry & 0xffff;
          if (length < MAX_TERM) {
            units[length++] = unit;
            hash = Math.imul(hash ^ unit, 0x01000193);
          }
          at++;
          entry = at < n ? entries[text.charCodeAt(at)]! : 0;
          seen |= entry & WORD ? entry : 0;
        } while (entry & WORD);
        const inner = (seen & UPPER) !== 0 && this.#hasSmall(start, at);
        if (!inner && (entry === 0 || (entry & SIGN && !joins(text, at)))) {
          sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position, start, at, ATOM);
          if (seen & ACCENT) this.#accented(start, at, position);
          position++;
          continue;
        }
      } else if (entry & SIGN) {
        let end = at + 1;
        while (end < n && (entry = entries[text.charCodeAt(end)]!) & SIGN) end++;
        const isFree = at === 0 || entries[text.charCodeAt(at - 1)] === 0;
        const lead = isFree && end < n && entry & WORD ? leading(text, at, end) : 0;
        at = end - lead;
        if (lead === 0) continue;
      }
      this.#at = entry & WORD || !(entry & SLOW) ? (entries[text.charCodeAt(start)]! & SIGN ? at : start) : start;
      this.#position = position;
      this.#head = this.#at;
      this.#slow();
      at = this.#at;
      position = this.#position;
    }
    return position;
  }

  /** A small letter beside the capitals: `iPhone`, not `NASA`. */
  #hasSmall(start: number, end: number): boolean {
    const entries = charTable();
    for (let i = start; i < end; i++) if (entries[this.#text.charCodeAt(i)]! & LOWER) return true;
    return false;
  }

  /** From #at over everything that the fast loop cannot take, to a place where it can go on. */
  #slow(): void {
    const text = this.#text;
    const n = text.length;
    const entries = charTable();
    this.#count = 0;
    while (this.#at < n) {
      const at = this.#at;
      const entry = entries[text.charCodeAt(at)]!;
      if (entry === 0 || this.#count >= CHUNK) break;
      if (entry & WORD) {
        this.#push(entry & 0xffff, at, at + 1, entry);
        this.#at = at + 1;
      } else if (entry & SIGN) {
        if (!this.#sign(at, entry)) break;
      } else if (entry & IGNORED) {
        this.#mark(at);
        this.#at = at + 1;
      } else if (entry & (CJK | UNSPACED)) {
        this.#flush();
        this.#run(at, entry);
      } else if (!this.#odd(at)) break;
    }
    this.#flush();
    // Whatever stopped us that starts no word is passed over here, or the fast loop would come back for it for ever.
    if (this.#at < n) {
      const entry = entries[text.charCodeAt(this.#at)]!;
      if (!(entry & (WORD | SLOW))) this.#at++;
    }
  }

  /** A sign inside, before or behind a word: true when the chunk takes it and goes on. */
  #sign(at: number, entry: number): boolean {
    const text = this.#text;
    const unit = entry & 0xffff;
    if (this.#count === 0 || this.#onlySigns()) {
      // Signs at the head of a chunk were picked by `leading`; behind an emoji or a run of Han they mean nothing.
      if (at > 0 && this.#count === 0 && at !== this.#head) return false;
      this.#push(unit, at, at + 1, SIGN);
      this.#at = at + 1;
      return true;
    }
    const inside = this.#flags[this.#count - 1]! & SIGN;
    if (unit === PLUS || unit === HASH) {
      let end = at;
      while (end < text.length && text.charCodeAt(end) === unit) end++;
      if (!joins(text, at) && !(unit === PLUS && end - at === 2)) return false;
      if (inside || end - at > (unit === HASH ? 1 : 3)) return false;
      for (let i = at; i < end; i++) this.#push(unit, i, i + 1, SIGN);
      this.#at = end;
      return true;
    }
    if (inside && unit !== LINE) {
      // Behind `c++` a dot or a dash begins no new part unless a word follows; two signs in a row end the word.
      const before = this.#units[this.#count - 1];
      if ((before !== PLUS && before !== HASH) || !joins(text, at)) return false;
    } else if (!joins(text, at)) return false;
    this.#push(unit, at, at + 1, SIGN);
    this.#at = at + 1;
    return true;
  }

  #onlySigns(): boolean {
    for (let i = 0; i < this.#count; i++) if (!(this.#flags[i]! & SIGN)) return false;
    return true;
  }

  #push(unit: number, from: number, to: number, flags: number): void {
    const k = this.#count++;
    this.#units[k] = unit;
    this.#from[k] = from;
    this.#to[k] = to;
    this.#flags[k] = flags;
  }

  /** A combining mark: belongs to the character before it, and counts only as an accent. */
  #mark(at: number): void {
    const last = this.#count - 1;
    if (last < 0 || this.#flags[last]! & SIGN) return;
    const mark = this.#text.charCodeAt(at);
    this.#to[last] = at + 1;
    // Short i is a letter of its own, not an accented i.
    if (mark === 0x0306 && this.#units[last] === 0x0438) this.#units[last] = 0x0439;
    else if (mark <= 0x036f && mark >= 0x0300 && this.#units[last]! < 0x0250) this.#flags[last]! |= ACCENT;
  }

  /** Han, Kana, Hangul, or a script without spaces, from `at` on. */
  #run(at: number, entry: number): void {
    if (entry & CJK) {
      this.#at = this.#cjk.read(this.#text, at);
      this.#position += this.#cjk.emit(this.#sink, this.#position);
      return;
    }
    const entries = charTable();
    let end = at;
    while (end < this.#text.length && entries[this.#text.charCodeAt(end)]! & UNSPACED) end++;
    for (const [from, to] of cutUnspaced(this.#text, at, end, this.#lang)) {
      this.#count = 0;
      for (let i = from; i < to && this.#count < MAX_TERM; i++) this.#push(this.#text.charCodeAt(i), i, i + 1, LOWER);
      this.#emit(0, this.#count, ATOM, this.#position++, from, to);
    }
    this.#count = 0;
    this.#at = end;
  }

  /** A character that folds to several, or lies outside the BMP, or is an emoji. False: it ends the word. */
  #odd(at: number): boolean {
    const text = this.#text;
    const code = text.codePointAt(at)!;
    const width = code > 0xffff ? 2 : 1;
    EMOJI.lastIndex = at;
    const emoji = EMOJI.exec(text);
    if (emoji) {
      this.#flush();
      this.#at = at + emoji[0].length;
      for (let i = at; i < this.#at && this.#count < MAX_TERM; i++)
        if (text.charCodeAt(i) !== 0xfe0f) this.#push(text.charCodeAt(i), i, i + 1, LOWER);
      this.#emit(0, this.#count, ATOM, this.#position++, at, this.#at);
      this.#count = 0;
      return true;
    }
    if (astralCjk(code)) {
      this.#flush();
      this.#at = this.#cjk.read(text, at);
      this.#position += this.#cjk.emit(this.#sink, this.#position);
      return true;
    }
    this.#at = at + width;
    if (code >= 0xd800 && code <= 0xdfff) {
      this.#flush();
      return true;
    }
    const char = String.fromCodePoint(code);
    const entries = charTable();
    for (const folded of foldSlow(char)) {
      const entry = folded.length === 1 ? entries[folded.charCodeAt(0)]! : 0;
      if (entry & WORD)
        this.#push(
          entry & 0xffff,
          at,
          this.#at,
          (entry & ~UPPER) | LOWER | (/\p{Script=Latin}/u.test(char) && code < 0xfb00 ? ACCENT : 0),
        );
      else if (folded.length === 2 && ASTRAL_WORD.test(folded)) {
        this.#push(folded.charCodeAt(0), at, this.#at, LOWER);
        this.#push(folded.charCodeAt(1), at, this.#at, LOWER);
      } else if ((entry & 0xffff) !== APOSTROPHE) this.#flush();
    }
    return true;
  }

  /** Emits the chunk: whole, groups, parts; leaves it empty. */
  #flush(): void {
    let end = this.#count;
    const units = this.#units;
    const flags = this.#flags;
    while (end > 0 && flags[end - 1]! & SIGN && !this.#mayEnd(end - 1)) end--;
    let lead = 0;
    while (lead < end && flags[lead]! & SIGN) lead++;
    this.#count = 0;
    if (lead === end) return;
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
      this.#emit(lead, end, ATOM, this.#position++, this.#from[lead]!, this.#to[end - 1]!, true);
      return;
    }
    const hasWhole = lead > 0 || (many > 1 && many <= MAX_SEGMENTS);
    if (hasWhole) this.#emit(0, end, WHOLE, this.#position, this.#from[0]!, this.#to[end - 1]!);
    for (let s = 0; s < many; s++) this.#segment(starts[s]!, ends[s]!, hasWhole ? GROUP : WHOLE);
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
    for (let i = a; i < last; i++)
      if (flags[i]! & SIGN && units[i] === APOSTROPHE) {
        if (apostrophe < 0) apostrophe = i;
        lastApostrophe = i;
      }
    if (apostrophe > 0) {
      const position = this.#position++;
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
    for (let i = a + 1; i < last; i++) if (this.#beginsPart(a, i, last)) parts++;
    if (parts > 1 || last < z) this.#emit(a, z, groupKind, this.#position, start, end);
    let from = a;
    for (let i = a + 1; i <= last; i++) {
      if (i < last && (parts === 1 || !this.#beginsPart(a, i, last))) continue;
      this.#emit(from, i, ATOM, this.#position, this.#from[from]!, this.#to[i - 1]!);
      this.#accentedIf(from, i, this.#position);
      this.#position++;
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
    for (let i = a; i < z; i++)
      if (this.#flags[i]! & ACCENT) {
        this.#surface(this.#from[a]!, this.#to[z - 1]!, position);
        return;
      }
  }

  /** The fast path's word once more, unit for unit in lower case only. */
  #accented(start: number, end: number, position: number): void {
    const out = this.#sink.units;
    const low = lowerTable();
    const length = Math.min(end - start, MAX_TERM);
    let hash = FNV_START;
    for (let i = 0; i < length; i++) {
      const unit = low[this.#text.charCodeAt(start + i)]!;
      out[i] = unit;
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    this.#sink.token(length, (hash ^ (hash >>> 15)) >>> 0, position, start, end, ACCENTED);
  }

  /** The same for a word that folds to another length: by way of a string. */
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
