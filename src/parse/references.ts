import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/**
 * Character references (`&amp;`, `&#8364;`), decoded straight from bytes to bytes. The handful that make up nearly all
 * of real pages are known here; the other two thousand are looked up as strings.
 */
const AMP = 38;
const HASH = 35;
const SEMI = 59;
/** Longest name with its semicolon, `&CounterClockwiseContourIntegral;`. */
const LONGEST = 34;

/** Where the last reference read by `writeReference` ended in the source. */
export let referenceEnd = 0;

/** What 0x80 to 0x9F mean in `&#128;`: windows-1252, as the standard has it; 0 stands for the number itself. */
const C1 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/**
 * Reads the reference at `at` (an ampersand) and writes what it stands for at `out[o]`; answers where it ends there and
 * leaves its end in the source in `referenceEnd`. What is no reference is written as it stands. No-break space comes out
 * as itself. `out` must have room for the length of the source range and a fifth more.
 */
export function writeReference(source: Buffer, at: number, to: number, out: Uint8Array, o: number): number {
  const next = at + 1 < to ? source[at + 1]! : 0;
  if (next === HASH) return writeNumeric(source, at, to, out, o);
  if (!isAlnum(next)) return writeAsIs(out, o, at + 1);
  const last = Math.min(to, at + LONGEST);
  let end = at + 2;
  while (end < last && isAlnum(source[end]!)) end++;
  if (end < to && source[end] === SEMI) {
    const common = commonReference(source, at + 1, end);
    if (common !== 0) {
      referenceEnd = end + 1;
      return writeCodePoint(common, out, o);
    }
    end++;
  }
  const written = source.toString('latin1', at, end);
  const decoded = decodeHTML(written);
  if (decoded === written) return writeAsIs(out, o, at + 1);
  // What follows the reference (`&notit;` is `¬it;`) is ASCII and stays as it stands.
  referenceEnd = end;
  let p = o;
  for (const character of decoded) p = writeCodePoint(character.codePointAt(0)!, out, p);
  return p;
}

function writeAsIs(out: Uint8Array, o: number, end: number): number {
  referenceEnd = end;
  out[o] = AMP;
  return o + 1;
}

function commonReference(source: Uint8Array, from: number, to: number): number {
  const a = source[from]!;
  const b = source[from + 1]!;
  switch (to - from) {
    case 2:
      return b === 116 ? (a === 108 ? 60 : a === 103 ? 62 : 0) : 0; // lt gt
    case 3:
      return a === 97 && b === 109 && source[from + 2] === 112 ? AMP : 0; // amp
    case 4:
      if (a === 110 && b === 98 && source[from + 2] === 115 && source[from + 3] === 112) return 0xa0; // nbsp
      if (a === 113 && b === 117 && source[from + 2] === 111 && source[from + 3] === 116) return 34; // quot
      return 0;
    default:
      return 0;
  }
}

function writeNumeric(source: Uint8Array, at: number, to: number, out: Uint8Array, o: number): number {
  let i = at + 2;
  let code = 0;
  let digits = 0;
  if (i < to && (source[i]! | 32) === 120) {
    for (i++; i < to; i++, digits++) {
      const c = source[i]! | 32;
      const digit = c >= 48 && c <= 57 ? c - 48 : c >= 97 && c <= 102 ? c - 87 : -1;
      if (digit < 0) break;
      if (code < 0x110000) code = code * 16 + digit;
    }
  } else {
    for (; i < to && source[i]! >= 48 && source[i]! <= 57; i++, digits++) {
      if (code < 0x110000) code = code * 10 + source[i]! - 48;
    }
  }
  if (digits === 0) return writeAsIs(out, o, at + 1);
  if (i < to && source[i] === SEMI) i++;
  referenceEnd = i;
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) code = 0xfffd;
  else if (code >= 0x80 && code <= 0x9f) code = C1[code - 0x80]! || code;
  return writeCodePoint(code, out, o);
}

function writeCodePoint(code: number, out: Uint8Array, at: number): number {
  let o = at;
  if (code < 0x80) out[o++] = code;
  else if (code < 0x800) {
    out[o++] = 0xc0 | (code >> 6);
    out[o++] = 0x80 | (code & 63);
  } else if (code < 0x10000) {
    out[o++] = 0xe0 | (code >> 12);
    out[o++] = 0x80 | ((code >> 6) & 63);
    out[o++] = 0x80 | (code & 63);
  } else {
    out[o++] = 0xf0 | (code >> 18);
    out[o++] = 0x80 | ((code >> 12) & 63);
    out[o++] = 0x80 | ((code >> 6) & 63);
    out[o++] = 0x80 | (code & 63);
  }
  return o;
}

const isAlnum = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57);

/** An attribute's value: a copy, its references decoded by the rule for attributes. */
export function attributeValue(source: Buffer, from: number, to: number): string {
  const value = source.toString('utf8', from, to);
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}
