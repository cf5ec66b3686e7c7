import { cutAt } from './attributes.ts';
import { referenceEnd, writeReference } from './references.ts';

/** What a byte is to text: word 0, blank 1, other 2, ampersand 3, NUL 4, 0xC2 (may begin a no-break space) 5, lead of a CJK character 6, continuation 7. */
const CLASS = new Uint8Array(256).fill(2);
for (let c = 0; c < 256; c++) {
  if ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c >= 0xc3) CLASS[c] = 0;
  else if (c === 32 || (c >= 9 && c <= 13)) CLASS[c] = 1;
  else if (c >= 0x80 && c <= 0xbf) CLASS[c] = 7;
}
CLASS[38] = 3;
CLASS[0] = 4;
CLASS[0xc2] = 5;
for (let c = 0xe3; c <= 0xe9; c++) CLASS[c] = 6;

/** Room for more blocks than this is given back with the next page. */
const KEEP_BLOCKS = 1 << 16;

/**
 * The visible text of a page as it is read: UTF-8 in one buffer, blanks collapsed, a newline between blocks; and of each
 * block where it stands, its words, and how many of them are in links.
 *
 * Serves page after page: `begin` forgets the last one. Memory: 1.25 times the page, 21 bytes a block.
 * Cost: some two nanoseconds a byte.
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
  /** Of the open block: words in links, kind. */
  wordsInLinks = 0;
  kindNow = 0;

  /** See `trimmed`. */
  lastTrimmed = 0;

  private start = 0;
  private firstEntry = -1;
  private plainWords = 0;
  private cjk = 0;
  private inWord = false;
  private pendingSpace = false;

  /** For a page of so many bytes. */
  begin(bytes: number): void {
    const room = Math.ceil(bytes * 1.25) + 64;
    if (this.out.length < room || this.out.length > 8 * room + (1 << 20)) this.out = Buffer.allocUnsafeSlow(room);
    if (this.from.length > KEEP_BLOCKS) this.size(1024, 0);
    this.end = this.start = this.count = this.chars = 0;
    this.forget();
  }

  /** Words of the open block. Two characters of Chinese or Japanese count as one. */
  wordsNow(): number {
    return this.plainWords + (this.cjk >> 1);
  }

  /** Writes text, blanks collapsed, references decoded; `entry`: where on the tape it stands. */
  append(bytes: Buffer, from: number, to: number, references: boolean, entry: number): void {
    const out = this.out;
    let o = this.end;
    let { plainWords: words, cjk, inWord, pendingSpace, chars } = this;
    const started = this.start;
    const first = o;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      const k = CLASS[c]!;
      if (k === 0) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        if (!inWord) {
          inWord = true;
          words++;
        }
        out[o++] = c;
        chars++;
      } else if (k === 1) {
        pendingSpace = true;
        inWord = false;
      } else if (k === 7) {
        out[o++] = c;
      } else if (k === 2 || (k === 3 && !references)) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        inWord = false;
        out[o++] = c;
        chars++;
      } else if (k === 6) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        inWord = false;
        // U+3000, the wide blank.
        if (c === 0xe3 && bytes[i + 1] === 0x80 && bytes[i + 2] === 0x80) {
          pendingSpace = true;
          i += 2;
        } else {
          cjk++;
          chars++;
          out[o++] = c;
        }
      } else if (k === 5) {
        if (bytes[i + 1] === 0xa0) {
          pendingSpace = true;
          inWord = false;
          i++;
        } else {
          if (pendingSpace) {
            pendingSpace = false;
            if (o > started) out[o++] = 32;
          }
          out[o++] = c;
          chars++;
        }
      } else if (k === 3) {
        const space = pendingSpace && o > started ? 1 : 0;
        if (space === 1) out[o] = 32;
        const at = o + space;
        const p = writeReference(bytes, i, to, out, at);
        i = referenceEnd - 1;
        const code = CLASS[out[at]!]!;
        if (p === at + 1 ? code === 1 : p === at + 2 && out[at] === 0xc2 && out[at + 1] === 0xa0) {
          pendingSpace = true;
          inWord = false;
        } else {
          pendingSpace = false;
          if (code === 0) {
            if (!inWord) words++;
            inWord = true;
          } else inWord = false;
          o = p;
          chars++;
        }
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
    this.inWord = this.pendingSpace = false;
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
