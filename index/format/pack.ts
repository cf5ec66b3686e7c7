/**
 * Bits of up to 128 integers.
 *
 *     packed(n, width)  := u32[ceil(n * width / 32)]     number i: bits i * width and up, lowest bit first
 *
 * `patched` numbers pay the width of most, not of the largest: those that do not fit keep their low bits in place and
 * their high bits beside them.
 *
 *     patched(n)  := header:u32  more:u32[exceptions / 2]  packed(n, width)       exceptions / 2 rounded down
 *     header      := width:5  exceptions:4  first:15
 *     more        := two exceptions a word, the lower half first; a missing one is zero
 *     first, each exception  := index:7  high:8       value |= high << width
 *
 * The first exception rides in the header, and each further one costs 16 bits; a bit of width costs 128.
 */
import { UNPACK, UNPACK_SUMMED } from './unpack.ts';

/** Documents in a full block of postings, numbers in a full block of positions. */
export const BLOCK = 128;
const MOST_EXCEPTIONS = 15;

export const bitsOf = (value: number): number => 32 - Math.clz32(value);
export const packedWords = (count: number, width: number): number => (count * width + 31) >>> 5;

/** Packs `count` numbers of at most `width` bits; the next free word. */
export function pack(from: Int32Array, count: number, width: number, words: Int32Array, at: number): number {
  if (width === 0) return at;
  let word = 0;
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const value = from[i]!;
    word |= value << filled;
    filled += width;
    if (filled >= 32) {
      words[at++] = word;
      filled -= 32;
      word = filled ? value >>> (width - filled) : 0;
    }
  }
  if (filled) words[at++] = word;
  return at;
}

/** Any count, any width: the last, short block. */
function unpackSome(words: Int32Array, at: number, count: number, width: number, out: Int32Array): void {
  if (width === 0) {
    out.fill(0, 0, count);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let shift = 0;
  for (let i = 0; i < count; i++) {
    let value = words[at]! >>> shift;
    if (shift + width > 32) value |= words[at + 1]! << (32 - shift);
    out[i] = value & mask;
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      at++;
    }
  }
}

export function unpack(words: Int32Array, at: number, count: number, width: number, out: Int32Array): void {
  if (count === BLOCK) UNPACK[width]!(words, at, out);
  else unpackSome(words, at, count, width, out);
}

/** Gaps less one become numbers, the first counted from `before`. */
export function unpackSummed(
  words: Int32Array,
  at: number,
  count: number,
  width: number,
  out: Int32Array,
  before: number,
): void {
  if (count === BLOCK) {
    UNPACK_SUMMED[width]!(words, at, out, before);
    return;
  }
  unpackSome(words, at, count, width, out);
  for (let i = 0; i < count; i++) out[i] = before = (before + 1 + out[i]!) | 0;
}

const low = new Int32Array(BLOCK);
const lengths = new Int32Array(33);

/** Packs 1 to 128 numbers below 2^31 and returns the next free word. Needs room for 8 + 128 words. */
export function packPatched(from: Int32Array, count: number, words: Int32Array, at: number): number {
  lengths.fill(0);
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const bits = 32 - Math.clz32(from[i]!);
    lengths[bits]!++;
    if (bits > widest) widest = bits;
  }
  // The cheapest width, the largest where two cost the same: fewer patches to apply.
  let width = widest;
  let best = packedWords(count, widest);
  let exceptions = 0;
  for (let w = widest - 1, over = 0; w >= 0 && widest - w <= 8; w--) {
    over += lengths[w + 1]!;
    if (over > MOST_EXCEPTIONS) break;
    const cost = packedWords(count, w) + (over >>> 1);
    if (cost < best) {
      best = cost;
      width = w;
      exceptions = over;
    }
  }
  const head = at;
  words[at++] = width | (exceptions << 5);
  if (exceptions === 0) return pack(from, count, width, words, at);
  const mask = (1 << width) - 1;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const value = from[i]!;
    low[i] = value & mask;
    if (value >>> width === 0) continue;
    const exception = i | ((value >>> width) << 7);
    if (seen === 0) words[head]! |= exception << 9;
    else if (seen & 1) words[at] = exception;
    else words[at++]! |= exception << 16;
    seen++;
  }
  if ((exceptions & 1) === 0) at++;
  return pack(low, count, width, words, at);
}

/** Undoes `packPatched`; the word behind it. */
export function unpackPatched(words: Int32Array, at: number, count: number, out: Int32Array): number {
  const header = words[at++]!;
  const width = header & 31;
  const exceptions = (header >>> 5) & 15;
  const packed = at + (exceptions >>> 1);
  unpack(words, packed, count, width, out);
  if (exceptions > 0) {
    out[(header >>> 9) & 127]! |= ((header >>> 16) & 255) << width;
    for (let k = 1; k < exceptions; k++) {
      const exception = words[at + ((k - 1) >>> 1)]! >>> (k & 1 ? 0 : 16);
      out[exception & 127]! |= ((exception >>> 7) & 255) << width;
    }
  }
  return packed + packedWords(count, width);
}

/** Numbers [from, from + count) of a patched block to out[to ..], the others left packed. */
export function unpackFew(
  words: Int32Array,
  at: number,
  from: number,
  count: number,
  out: Uint32Array,
  to: number,
): void {
  const header = words[at++]!;
  const width = header & 31;
  const exceptions = (header >>> 5) & 15;
  const packed = at + (exceptions >>> 1);
  const mask = (1 << width) - 1;
  let bit = from * width;
  for (let i = 0; i < count; i++, bit += width) {
    const word = packed + (bit >>> 5);
    const shift = bit & 31;
    let value = words[word]! >>> shift;
    if (shift + width > 32) value |= words[word + 1]! << (32 - shift);
    out[to + i] = value & mask;
  }
  if (exceptions === 0) return;
  const first = ((header >>> 9) & 127) - from;
  if (first >= 0 && first < count) out[to + first]! |= ((header >>> 16) & 255) << width;
  for (let k = 1; k < exceptions; k++) {
    const exception = words[at + ((k - 1) >>> 1)]! >>> (k & 1 ? 0 : 16);
    const place = (exception & 127) - from;
    if (place >= 0 && place < count) out[to + place]! |= ((exception >>> 7) & 255) << width;
  }
}

/** The word behind a patched block, which is passed over. */
export function skipPatched(words: Int32Array, at: number, count: number): number {
  const header = words[at]!;
  return at + 1 + (((header >>> 5) & 15) >>> 1) + packedWords(count, header & 31);
}
