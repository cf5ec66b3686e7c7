/** Which signs belong to a word: the dots of 1.2.3, the pluses of C++, the underscores of __init__, the comma of 1,000. */
import { CJK, charTable, DIGIT, SLOW, UNSPACED, WORD } from './table.ts';

export const DOT = 46;
export const DASH = 45;
export const LINE = 95;
export const APOSTROPHE = 39;
const AT = 64;
export const PLUS = 43;
export const HASH = 35;
const DOLLAR = 36;
export const COMMA = 44;

/** Units looked at on either side of a sign: no name is longer, and a megabyte of underscores must not be read for each of them. */
const REACH = 100;

/** Does the sign at `at`, right behind a word character, go on with the word? */
export function joins(text: string, at: number): boolean {
  const entries = charTable();
  const unit = entries[text.charCodeAt(at)]! & 0xffff;
  const next = at + 1 < text.length ? entries[text.charCodeAt(at + 1)]! : 0;
  switch (unit) {
    case PLUS:
      // C++, A+, not a+b
      return !(next & (WORD | SLOW)) || (next & 0xffff) === PLUS;
    case HASH:
      return !(next & (WORD | SLOW)) && (next & 0xffff) !== HASH;
    case COMMA:
      return isThousands(text, at);
    case DOLLAR:
      return false;
    case LINE: {
      const last = Math.min(text.length, at + REACH);
      let end = at + 1;
      while (end < last && text.charCodeAt(end) === LINE) end++;
      const behind = end < text.length ? entries[text.charCodeAt(end)]! : 0;
      return (behind & (WORD | SLOW)) !== 0 || isDunder(text, at);
    }
    default:
      return (next & WORD) !== 0 || ((next & SLOW) !== 0 && (next & (CJK | UNSPACED)) === 0);
  }
}

/** `__init__`: underscores behind a word that also stand before it are part of its name. */
function isDunder(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) !== LINE && text.charCodeAt(at - 1) !== LINE) return false;
  const entries = charTable();
  const first = Math.max(0, at - REACH);
  let start = at;
  while (start > first && entries[text.charCodeAt(start - 1)]! & WORD) start--;
  while (start > first && (text.charCodeAt(start - 1) === LINE || entries[text.charCodeAt(start - 1)]! & WORD)) start--;
  return text.charCodeAt(start) === LINE && text.charCodeAt(start + 1) === LINE;
}

/** `1,000`: a digit before the comma, exactly three after it. */
function isThousands(text: string, at: number): boolean {
  const entries = charTable();
  const isDigit = (i: number): boolean => i >= 0 && i < text.length && (entries[text.charCodeAt(i)]! & DIGIT) !== 0;
  return isDigit(at - 1) && isDigit(at + 1) && isDigit(at + 2) && isDigit(at + 3) && !isDigit(at + 4);
}

/** How many of the signs before `end` belong to the word there: .NET #include @Page $x -q --force __init__ */
export function leading(text: string, from: number, end: number): number {
  const entries = charTable();
  const unitAt = (i: number): number => (i < from ? -1 : entries[text.charCodeAt(i)]! & 0xffff);
  const last = unitAt(end - 1);
  let same = 1;
  while (unitAt(end - 1 - same) === last) same++;
  if (last === DASH) return same <= 2 ? same : 0;
  if (last === LINE) return Math.min(same, 4);
  if (last === DOT || last === HASH || last === AT || last === DOLLAR) return same === 1 ? 1 : 0;
  return 0;
}
