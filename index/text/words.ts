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
import { ACCENTED, type Analyzer, ATOM, FNV_START, MAX_TERM, type TokenSink } from './analyzer.ts';
import { Chunk } from './chunk.ts';
import { astralCjk, CjkRun } from './cjk.ts';
import { LaidOut } from './laid-out.ts';
import { cutUnspaced } from './segmenter.ts';
import { APOSTROPHE, HASH, joins, LINE, leading, PLUS } from './signs.ts';
import {
  ACCENT,
  CJK,
  charTable,
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

const EMOJI =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)*/uy;
const ASTRAL_WORD = /[\p{L}\p{N}\p{M}]/u;

export class WordChain implements Analyzer {
  readonly name = 'words/1';
  #text = '';
  #lang = '';
  #sink!: TokenSink;
  #at = 0;
  /** Where the slow path was entered: the only place where signs may lead a word. */
  #head = 0;
  readonly #chunk = new Chunk();
  readonly #cjk = new CjkRun();
  readonly #laidOut = new LaidOut();

  analyze(text: string, lang: string, sink: TokenSink): number {
    const entries = charTable();
    const units = sink.units;
    const given = this.#laidOut.of(text);
    const n = text.length;
    let at = 0;
    let position = 0;
    this.#text = text;
    this.#lang = lang;
    this.#sink = sink;
    const chunk = this.#chunk;
    chunk.begin(text, sink);
    while (at < n) {
      let entry = entries[given[at]!]!;
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
          entry = at < n ? entries[given[at]!]! : 0;
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
        while (end < n && (entry = entries[given[end]!]!) & SIGN) end++;
        const isFree = at === 0 || entries[given[at - 1]!] === 0;
        const lead = isFree && end < n && entry & WORD ? leading(text, at, end) : 0;
        at = end - lead;
        if (lead === 0) continue;
      }
      this.#at = entry & WORD || !(entry & SLOW) ? (entries[given[start]!]! & SIGN ? at : start) : start;
      chunk.position = position;
      this.#head = this.#at;
      this.#slow();
      at = this.#at;
      position = chunk.position;
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
    const chunk = this.#chunk;
    while (this.#at < n) {
      const at = this.#at;
      const entry = entries[text.charCodeAt(at)]!;
      if (entry === 0 || chunk.isFull) break;
      if (entry & WORD) {
        chunk.push(entry & 0xffff, at, at + 1, entry);
        this.#at = at + 1;
      } else if (entry & SIGN) {
        if (!this.#sign(at, entry)) break;
      } else if (entry & IGNORED) {
        chunk.mark(at);
        this.#at = at + 1;
      } else if (entry & (CJK | UNSPACED)) {
        chunk.flush();
        this.#run(at, entry);
      } else if (!this.#odd(at)) break;
    }
    chunk.flush();
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
    const chunk = this.#chunk;
    if (chunk.onlySigns()) {
      // Signs at the head of a chunk were picked by `leading`; behind an emoji or a run of Han they mean nothing.
      if (at > 0 && chunk.count === 0 && at !== this.#head) return false;
      chunk.push(unit, at, at + 1, SIGN);
      this.#at = at + 1;
      return true;
    }
    const inside = chunk.endsInSign;
    if (unit === PLUS || unit === HASH) {
      let end = at;
      while (end < text.length && text.charCodeAt(end) === unit) end++;
      if (!joins(text, at) && !(unit === PLUS && end - at === 2)) return false;
      if (inside || end - at > (unit === HASH ? 1 : 3)) return false;
      for (let i = at; i < end; i++) chunk.push(unit, i, i + 1, SIGN);
      this.#at = end;
      return true;
    }
    if (inside && unit !== LINE) {
      // Behind `c++` a dot or a dash begins no new part unless a word follows; two signs in a row end the word.
      const before = chunk.lastUnit;
      if ((before !== PLUS && before !== HASH) || !joins(text, at)) return false;
    } else if (!joins(text, at)) return false;
    chunk.push(unit, at, at + 1, SIGN);
    this.#at = at + 1;
    return true;
  }

  /** Han, Kana, Hangul, or a script without spaces, from `at` on. */
  #run(at: number, entry: number): void {
    const chunk = this.#chunk;
    if (entry & CJK) {
      this.#at = this.#cjk.read(this.#text, at);
      chunk.position += this.#cjk.emit(this.#sink, chunk.position);
      return;
    }
    const entries = charTable();
    let end = at;
    while (end < this.#text.length && entries[this.#text.charCodeAt(end)]! & UNSPACED) end++;
    for (const [from, to] of cutUnspaced(this.#text, at, end, this.#lang)) {
      for (let i = from; i < to && chunk.count < MAX_TERM; i++) chunk.push(this.#text.charCodeAt(i), i, i + 1, LOWER);
      chunk.word(from, to);
    }
    this.#at = end;
  }

  /** A character that folds to several, or lies outside the BMP, or is an emoji. False: it ends the word. */
  #odd(at: number): boolean {
    const text = this.#text;
    const chunk = this.#chunk;
    const code = text.codePointAt(at)!;
    const width = code > 0xffff ? 2 : 1;
    EMOJI.lastIndex = at;
    const emoji = EMOJI.exec(text);
    if (emoji) {
      chunk.flush();
      this.#at = at + emoji[0].length;
      for (let i = at; i < this.#at && chunk.count < MAX_TERM; i++)
        if (text.charCodeAt(i) !== 0xfe0f) chunk.push(text.charCodeAt(i), i, i + 1, LOWER);
      chunk.word(at, this.#at);
      return true;
    }
    if (astralCjk(code)) {
      chunk.flush();
      this.#at = this.#cjk.read(text, at);
      chunk.position += this.#cjk.emit(this.#sink, chunk.position);
      return true;
    }
    this.#at = at + width;
    if (code >= 0xd800 && code <= 0xdfff) {
      chunk.flush();
      return true;
    }
    const char = String.fromCodePoint(code);
    const entries = charTable();
    for (const folded of foldSlow(char)) {
      const entry = folded.length === 1 ? entries[folded.charCodeAt(0)]! : 0;
      if (entry & WORD)
        chunk.push(
          entry & 0xffff,
          at,
          this.#at,
          (entry & ~UPPER) | LOWER | (/\p{Script=Latin}/u.test(char) && code < 0xfb00 ? ACCENT : 0),
        );
      else if (folded.length === 2 && ASTRAL_WORD.test(folded)) {
        chunk.push(folded.charCodeAt(0), at, this.#at, LOWER);
        chunk.push(folded.charCodeAt(1), at, this.#at, LOWER);
      } else if ((entry & 0xffff) !== APOSTROPHE) chunk.flush();
    }
    return true;
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
}
