import { cutAt } from './attributes.ts';
import { referenceEnd, writeReference } from './references.ts';

/**
 * What a byte is to text. Two bits of the commonest: a byte that is copied as it stands is at most WORD, and its lowest bit
 * says whether it is of a word. The lead of four bytes is one of a word, and told apart for `astral` alone.
 */
const SIGN = 0;
const WORD = 1;
const BLANK = 2;
const CONTINUATION = 3;
const AMPERSAND = 4;
const NUL = 5;
/** 0xC2, which may begin a no-break space. */
const C2 = 6;
/** The lead of a character of Chinese or Japanese. */
const CJK = 7;
const ASTRAL = 8;
const CLASS = new Uint8Array(256).fill(SIGN);
for (let c = 0; c < 256; c++) {
  if ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c >= 0xc3) CLASS[c] = WORD;
  else if (c === 32 || (c >= 9 && c <= 13)) CLASS[c] = BLANK;
  else if (c >= 0x80 && c <= 0xbf) CLASS[c] = CONTINUATION;
}
CLASS[38] = AMPERSAND;
CLASS[0] = NUL;
CLASS[0xc2] = C2;
for (let c = 0xe3; c <= 0xe9; c++) CLASS[c] = CJK;
for (let c = 0xf0; c < 256; c++) CLASS[c] = ASTRAL;

/** Room for more blocks than this is given back with the next page. */
const KEEP_BLOCKS = 1 << 16;

/**
 * The visible text of a page as it is read: UTF-8 in one buffer, blanks collapsed, a newline between blocks; and of each
 * block where it stands, its words, and how many of them are in links.
 *
 * Serves page after page: `begin` forgets the last one. Memory: 1.25 times the page, 21 bytes a block.
 * Cost: one nanosecond and a half a byte.
 */
export class TextBlocks {
  /** `end` bytes of it are filled. */
  out: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  end = 0;

  count = 0;
  from = new Uint32Array(1024);
  to = new Uint32Array(1024);
  words = new Uint32Array(1024);
  linkWords = new Uint32Array(1024);
  /** Entry of the tape at which its text begins. */
  entry = new Uint32Array(1024);
  /** 1: heading. */
  kind = new Uint8Array(1024);

  /** Characters of all text so far. */
  chars = 0;
  /** Whether one of them may lie beyond U+FFFF. */
  astral = false;
  /** Of the open block: words in links, kind. */
  wordsInLinks = 0;
  kindNow = 0;

  /** See `trimmed`. */
  lastTrimmed = 0;

  private start = 0;
  private firstEntry = -1;
  private plainWords = 0;
  private cjk = 0;
  /** 1: the last byte was of a word. A number, since it is counted with. */
  private inWord = 0;
  private pendingSpace = false;

  /** For a page of so many bytes. */
  begin(bytes: number): void {
    const room = Math.ceil(bytes * 1.25) + 64;
    if (this.out.length < room || this.out.length > 8 * room + (1 << 20)) this.out = Buffer.allocUnsafeSlow(room);
    if (this.from.length > KEEP_BLOCKS) this.size(1024, 0);
    this.end = this.start = this.count = this.chars = 0;
    this.astral = false;
    this.forget();
  }

  /** Words of the open block. Two characters of Chinese or Japanese count as one. */
  wordsNow(): number {
    return this.plainWords + (this.cjk >> 1);
  }

  /** Writes text, blanks collapsed, references decoded; `entry`: where on the tape it stands. */
  append(bytes: Buffer, from: number, to: number, references: boolean, entry: number): void {
    // Half of the texts of a page are the line breaks between its tags.
    if (to - from === 1 && CLASS[bytes[from]!] === BLANK) {
      this.inWord = 0;
      this.pendingSpace = true;
      return;
    }
    const out = this.out;
    let o = this.end;
    let { plainWords: words, cjk, inWord, pendingSpace, chars } = this;
    const started = this.start;
    const first = o;
    let i = from;
    while (i < to) {
      let c = bytes[i]!;
      let k = CLASS[c]!;
      if (k <= WORD) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        // Nearly all text is a run of these, with single blanks between: nothing is asked of a byte but its class.
        chars -= i;
        for (;;) {
          out[o++] = c;
          words += k & ~inWord;
          inWord = k;
          if (++i === to) break;
          c = bytes[i]!;
          k = CLASS[c]!;
          if (k <= WORD) continue;
          if (c !== 32 || i + 1 === to) break;
          const next = bytes[i + 1]!;
          k = CLASS[next]!;
          if (k > WORD) break;
          out[o++] = 32;
          inWord = 0;
          c = next;
          i++;
          chars--;
        }
        chars += i;
        continue;
      }
      i++;
      if (k === BLANK) {
        pendingSpace = true;
        inWord = 0;
      } else if (k === CONTINUATION) {
        out[o++] = c;
      } else if (k === CJK) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        inWord = 0;
        // U+3000, the wide blank.
        if (c === 0xe3 && bytes[i] === 0x80 && bytes[i + 1] === 0x80) {
          pendingSpace = true;
          i += 2;
        } else {
          cjk++;
          chars++;
          out[o++] = c;
        }
      } else if (k === C2) {
        if (bytes[i] === 0xa0) {
          pendingSpace = true;
          inWord = 0;
          i++;
        } else {
          if (pendingSpace) {
            pendingSpace = false;
            if (o > started) out[o++] = 32;
          }
          out[o++] = c;
          chars++;
        }
      } else if (k === AMPERSAND && references) {
        const space = pendingSpace && o > started ? 1 : 0;
        if (space === 1) out[o] = 32;
        const at = o + space;
        const p = writeReference(bytes, i - 1, to, out, at);
        i = referenceEnd;
        const code = CLASS[out[at]!]!;
        if (p === at + 1 ? code === BLANK : p === at + 2 && out[at] === 0xc2 && out[at + 1] === 0xa0) {
          pendingSpace = true;
          inWord = 0;
        } else {
          pendingSpace = false;
          if (code === WORD || code === ASTRAL) {
            if (inWord === 0) words++;
            inWord = 1;
          } else inWord = 0;
          if (p - at >= 4) this.astral = true;
          o = p;
          chars++;
        }
      } else if (k !== NUL) {
        // An ampersand that is text, or a character of four bytes.
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        if (k === ASTRAL) {
          this.astral = true;
          if (inWord === 0) words++;
          inWord = 1;
        } else inWord = 0;
        out[o++] = c;
        chars++;
      }
    }
    if (o > first && this.firstEntry < 0) this.firstEntry = entry;
    this.end = o;
    this.plainWords = words;
    this.cjk = cjk;
    this.inWord = inWord;
    this.pendingSpace = pendingSpace;
    this.chars = chars;
  }

  /** Ends the open block. */
  close(): void {
    if (this.end > this.start) {
      const b = this.count;
      if (b === this.from.length) this.size(2 * b, b);
      this.from[b] = this.start;
      this.to[b] = this.end;
      this.words[b] = this.wordsNow();
      this.linkWords[b] = this.wordsInLinks;
      this.entry[b] = this.firstEntry;
      this.kind[b] = this.kindNow;
      this.count = b + 1;
      this.out[this.end++] = 10;
      this.start = this.end;
    }
    this.forget();
  }

  /** A copy of the text written since `start`, on one line, at most so many characters. */
  slice(start: number, chars: number): string {
    return this.line(this.trimmed(start), this.lastTrimmed, chars);
  }

  /** Where the text written since `start` begins without blanks before it; where it ends is left in `lastTrimmed`. */
  trimmed(start: number): number {
    const out = this.out;
    let from = start;
    let to = this.end;
    while (from < to && (out[from] === 32 || out[from] === 10)) from++;
    while (to > from && out[to - 1] === 10) to--;
    this.lastTrimmed = to;
    return from;
  }

  /** A copy of the text from `from` to `to`, on one line, at most so many characters. */
  line(from: number, to: number, chars: number): string {
    if (from === to) return '';
    // 4 bytes a character at most; whole characters are cut below.
    const cut = to - from > chars * 4;
    let text = this.out.toString('utf8', from, cut ? from + chars * 4 : to);
    if (text.includes('\n')) text = text.replaceAll('\n', ' ');
    return text.length > chars ? cutAt(text, chars) : cut ? text.replace(/\ufffd+$/, '') : text;
  }

  /** All of it, a block a line; not a copy. */
  all(): Buffer {
    return this.out.subarray(0, Math.max(0, this.end - 1));
  }

  /** Text that is not part of the page's (its title), written as text is; the open block goes on as it was. */
  apart(bytes: Buffer, from: number, to: number, references: boolean, chars: number): string {
    const { end, start, chars: before, firstEntry, plainWords, cjk, inWord, pendingSpace } = this;
    this.start = end;
    this.pendingSpace = false;
    this.append(bytes, from, Math.min(to, from + chars * 8), references, 0);
    const text = this.out.toString('utf8', end, this.end);
    this.end = end;
    this.start = start;
    this.chars = before;
    this.firstEntry = firstEntry;
    this.plainWords = plainWords;
    this.cjk = cjk;
    this.inWord = inWord;
    this.pendingSpace = pendingSpace;
    return text.length > chars ? cutAt(text, chars) : text;
  }

  private forget(): void {
    this.plainWords = this.cjk = this.wordsInLinks = this.kindNow = 0;
    this.inWord = 0;
    this.pendingSpace = false;
    this.firstEntry = -1;
  }

  private size(room: number, keep: number): void {
    const sized = <X extends Uint8Array | Uint32Array>(old: X, fresh: X): X => {
      fresh.set(old.subarray(0, keep));
      return fresh;
    };
    this.from = sized(this.from, new Uint32Array(room));
    this.to = sized(this.to, new Uint32Array(room));
    this.words = sized(this.words, new Uint32Array(room));
    this.linkWords = sized(this.linkWords, new Uint32Array(room));
    this.entry = sized(this.entry, new Uint32Array(room));
    this.kind = sized(this.kind, new Uint8Array(room));
  }
}
