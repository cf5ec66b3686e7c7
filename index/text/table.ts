/**
 * What a code unit is to a tokenizer, and what it folds to, in one load of a table of 65,536.
 *
 *     entry := folded unit (bits 0-15) | flags (bits 16-23)       0 is a separator
 *
 * Folding: NFKC, lower case, accents of Latin and Greek letters taken off, letters that only look accented (ł, ø, đ),
 * alef forms and other Arabic variants unified, decimal digits of any script to 0-9. A character that folds to several
 * (ß, ﬁ, ½), lies outside the BMP or needs its neighbours (Han, Thai, marks, emoji) is SLOW, and `foldSlow` tells more.
 * Built on first use: about 15 ms (bench/words.bench.ts), 256 KB.
 */

/** A letter or digit that folds to the one unit in bits 0-15. */
export const WORD = 1 << 16;
export const UPPER = 1 << 17;
/** A cased letter that is not upper case. */
export const LOWER = 1 << 18;
export const DIGIT = 1 << 19;
/** A Latin letter that lost an accent: the word is also kept as written. */
export const ACCENT = 1 << 20;
/** An ASCII sign (or one unified with it) that may hold a word together: . - _ ' @ & + # $ , */
export const SIGN = 1 << 21;
/** Not for the fast loop. */
export const SLOW = 1 << 22;
/** Takes no part in the term and does not end it: combining marks, soft hyphen, joiners. Always with SLOW. */
export const IGNORED = 1 << 23;
/** Han, Kana, Hangul: indexed as bigrams. Always with SLOW. */
export const CJK = 1 << 24;
/** Thai, Lao, Khmer, Burmese: no spaces between words. Always with SLOW. */
export const UNSPACED = 1 << 25;

let table: Uint32Array | undefined;
let lower: Uint16Array | undefined;

export function charTable(): Uint32Array {
  if (!table) build();
  return table!;
}

/** NFKC and lower case only, unit for unit: what `ACCENTED` tokens are made of. */
export function lowerTable(): Uint16Array {
  if (!lower) build();
  return lower!;
}

/** Letters that carry a stroke or lost a dot: no decomposition takes it off. */
const LOOKS_ACCENTED: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ƀ: 'b',
  ɨ: 'i',
  ʉ: 'u',
  ŀ: 'l',
  ŋ: 'n',
};
const SEVERAL: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ŉ: 'n' };
/** Variants that readers of Arabic script do not keep apart when they type. */
const UNIFIED: Record<string, string> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
  ک: 'ك',
  ی: 'ي',
  ς: 'σ',
  ё: 'е',
};
const SIGNS = ".-_'@&+#$,";
const APOSTROPHES = '\u2019\u02bc\u2018\u201b\u02b9\uff07\u05f3\u00b4\u0060';
const DASHES = '\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d\u05be';

function build(): void {
  const out = new Uint32Array(65_536);
  const low = new Uint16Array(65_536);
  const letter = /[\p{L}\p{M}\p{Nd}\p{Nl}\p{No}]/u;
  const latinOrGreek = /[\p{Script=Latin}\p{Script=Greek}]/u;
  const pictographic = /\p{Extended_Pictographic}/u;
  for (let unit = 0; unit < 65_536; unit++) low[unit] = unit;
  for (let unit = 0; unit < 65_536; unit++) {
    if (isCjk(unit)) out[unit] = SLOW | CJK | unit;
    else if (isUnspaced(unit)) out[unit] = SLOW | UNSPACED | unit;
    else if (unit >= 0xd800 && unit <= 0xdfff) out[unit] = SLOW | unit;
    else if (isIgnored(unit)) out[unit] = SLOW | IGNORED;
    else {
      const char = String.fromCharCode(unit);
      if (SIGNS.includes(char)) out[unit] = SIGN | unit;
      else if (APOSTROPHES.includes(char)) out[unit] = SIGN | 39;
      else if (DASHES.includes(char)) out[unit] = SIGN | 45;
      else if (unit === 0x2122 || unit === 0xa9 || unit === 0xae) out[unit] = 0;
      else if (unit > 127 && pictographic.test(char)) out[unit] = SLOW | unit;
      else if (letter.test(char) || (unit > 0xff && letter.test(char.normalize('NFKC')))) {
        const compatible = char.normalize('NFKC');
        const lowered = compatible.toLowerCase();
        const folded = foldString(lowered);
        if (folded.length === 1) {
          const isDigit = folded >= '0' && folded <= '9';
          const cased = compatible.toUpperCase() !== lowered;
          let flags = WORD;
          if (isDigit) flags |= DIGIT;
          else if (cased) flags |= compatible !== lowered && compatible === compatible.toUpperCase() ? UPPER : LOWER;
          if (
            folded !== lowered &&
            latinOrGreek.test(lowered) &&
            lowered.length === 1 &&
            /\p{Script=Latin}/u.test(lowered)
          )
            flags |= ACCENT;
          out[unit] = flags | folded.charCodeAt(0);
          if (lowered.length === 1) low[unit] = lowered.charCodeAt(0);
        } else if (folded.length > 1) out[unit] = SLOW | unit;
      }
    }
  }
  table = out;
  lower = low;
}

/** Folds a string that is NFKC and lower case already. */
function foldString(lowered: string): string {
  let out = '';
  for (const char of lowered) {
    const looked = LOOKS_ACCENTED[char] ?? SEVERAL[char] ?? UNIFIED[char];
    if (looked) {
      out += looked;
      continue;
    }
    if (char < '\u0080') {
      out += char;
      continue;
    }
    if (/[\p{Script=Latin}\p{Script=Greek}]/u.test(char)) {
      const base = char.normalize('NFD').replace(/\p{Mn}/gu, '');
      out += LOOKS_ACCENTED[base] ?? SEVERAL[base] ?? (base === 'ς' ? 'σ' : base);
    } else if (/\p{Nd}/u.test(char)) out += digitOf(char);
    else if (!isIgnored(char.codePointAt(0)!)) out += char;
  }
  return out;
}

/** Decimal digits stand in runs of ten in every script; the run's zero is found by walking down. */
function digitOf(char: string): string {
  const code = char.codePointAt(0)!;
  for (let back = 0; back < 10; back++)
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - back - 1))) return String(back % 10);
  // A block of several runs side by side (mathematical digits) starts at a code that NFKC has already taken to ASCII.
  return String((code & 15) % 10);
}

const slowFolds = new Map<string, string>();

/** Folded form of one character (code point) that the table does not settle; may be '' and may hold separators. */
export function foldSlow(char: string): string {
  const known = slowFolds.get(char);
  if (known !== undefined) return known;
  const folded = foldString(char.normalize('NFKC').toLowerCase());
  // Bounded: text of the whole of Unicode would otherwise stay here for ever.
  if (slowFolds.size > 4096) slowFolds.clear();
  slowFolds.set(char, folded);
  return folded;
}

const folding = new Uint16Array(256);

/** The whole of a string folded as the tokenizer folds words, without cutting it into any. */
export function fold(text: string): string {
  const entries = charTable();
  let out = '';
  let count = 0;
  const flush = (): void => {
    // Letter by letter, V8 would keep a node of 32 bytes for each.
    out += String.fromCharCode.apply(null, folding.subarray(0, count) as unknown as number[]);
    count = 0;
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const entry = entries[unit]!;
    if (count === folding.length) flush();
    if (entry & (WORD | SIGN)) folding[count++] = entry & 0xffff;
    else if (unit < 0x80) folding[count++] = unit;
    else if ((entry & IGNORED) === 0) {
      const char = String.fromCodePoint(text.codePointAt(i)!);
      flush();
      out += foldSlow(char);
      i += char.length - 1;
    }
  }
  flush();
  return out;
}

/** Does `fold(text)` begin with `begin`? Folds no further than it must. */
export function beginsFolded(text: string, begin: string): boolean {
  const entries = charTable();
  let at = 0;
  for (let i = 0; i < text.length && at < begin.length; i++) {
    const unit = text.charCodeAt(i);
    const entry = entries[unit]!;
    if (!(entry & (WORD | SIGN)) && unit > 0x7f) return fold(text.slice(i)).startsWith(begin.slice(at));
    if ((entry & (WORD | SIGN) ? entry & 0xffff : unit) !== begin.charCodeAt(at++)) return false;
  }
  return at === begin.length;
}

function isCjk(unit: number): boolean {
  return (
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0x3041 && unit <= 0x30ff && unit !== 0x30fb && unit !== 0x30a0) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0x31f0 && unit <= 0x31ff) ||
    (unit >= 0xff66 && unit <= 0xff9f) ||
    (unit >= 0x1100 && unit <= 0x11ff) ||
    (unit >= 0x3131 && unit <= 0x318e) ||
    (unit >= 0x3105 && unit <= 0x312f) ||
    unit === 0x3005 ||
    unit === 0x3007
  );
}

function isUnspaced(unit: number): boolean {
  return (
    (unit >= 0x0e01 && unit <= 0x0e4e && unit !== 0x0e3f) ||
    (unit >= 0x0e81 && unit <= 0x0ecd) ||
    (unit >= 0x1780 && unit <= 0x17d3) ||
    (unit >= 0x1000 && unit <= 0x103f) ||
    (unit >= 0x1050 && unit <= 0x109f) ||
    (unit >= 0xaa60 && unit <= 0xaa7f)
  );
}

function isIgnored(unit: number): boolean {
  return (
    (unit >= 0x0300 && unit <= 0x036f) ||
    unit === 0x00ad ||
    unit === 0x00b7 ||
    (unit >= 0x064b && unit <= 0x065f) ||
    unit === 0x0640 ||
    unit === 0x0670 ||
    (unit >= 0x06d6 && unit <= 0x06ed && unit !== 0x06dd && unit !== 0x06de && unit !== 0x06e5 && unit !== 0x06e6) ||
    (unit >= 0x0591 && unit <= 0x05c7 && unit !== 0x05be && unit !== 0x05c0 && unit !== 0x05c3 && unit !== 0x05c6) ||
    unit === 0x200c ||
    unit === 0x200d ||
    unit === 0x200e ||
    unit === 0x200f ||
    unit === 0x2060 ||
    unit === 0xfeff ||
    (unit >= 0xfe00 && unit <= 0xfe0f) ||
    (unit >= 0x1ab0 && unit <= 0x1aff) ||
    (unit >= 0x1dc0 && unit <= 0x1dff) ||
    (unit >= 0x20d0 && unit <= 0x20ff) ||
    (unit >= 0xfe20 && unit <= 0xfe2f)
  );
}
