/**
 * Terms as bytes. Every UTF-16 code unit by itself becomes one, two or three bytes, the way UTF-8 codes a character below
 * U+10000 (so that everything but surrogate pairs looks like UTF-8). Then the order of the bytes is the order of
 * JavaScript's `<` on strings, and any string comes back as it went, lone surrogates too.
 */

/** Most bytes of a code unit. */
export const UNIT_BYTES = 3;

/** Writes `length` units from `at` on; the byte behind the last. Needs room for three bytes a unit. */
export function encodeUnits(units: Uint16Array, at: number, length: number, out: Uint8Array, to: number): number {
  for (let i = at; i < at + length; i++) {
    const unit = units[i]!;
    if (unit < 0x80) out[to++] = unit;
    else if (unit < 0x800) {
      out[to++] = 0xc0 | (unit >>> 6);
      out[to++] = 0x80 | (unit & 63);
    } else {
      out[to++] = 0xe0 | (unit >>> 12);
      out[to++] = 0x80 | ((unit >>> 6) & 63);
      out[to++] = 0x80 | (unit & 63);
    }
  }
  return to;
}

/** The same for a string. */
export function encodeString(text: string, out: Uint8Array, to: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) out[to++] = unit;
    else if (unit < 0x800) {
      out[to++] = 0xc0 | (unit >>> 6);
      out[to++] = 0x80 | (unit & 63);
    } else {
      out[to++] = 0xe0 | (unit >>> 12);
      out[to++] = 0x80 | ((unit >>> 6) & 63);
      out[to++] = 0x80 | (unit & 63);
    }
  }
  return to;
}

/** Units of bytes[at..end) into `out`; how many. Needs room for end - at units. */
export function decodeUnits(bytes: Uint8Array, at: number, end: number, out: Uint16Array): number {
  let count = 0;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte < 0x80) out[count++] = byte;
    else if (byte < 0xe0) out[count++] = ((byte & 31) << 6) | (bytes[at++]! & 63);
    else {
      out[count++] = ((byte & 15) << 12) | ((bytes[at]! & 63) << 6) | (bytes[at + 1]! & 63);
      at += 2;
    }
  }
  return count;
}

let units = new Uint16Array(512);

export function decodeString(bytes: Uint8Array, at: number, end: number): string {
  if (end - at > units.length) units = new Uint16Array(2 * (end - at));
  const count = decodeUnits(bytes, at, end, units);
  if (count <= 4096) return String.fromCharCode.apply(null, units.subarray(0, count) as unknown as number[]);
  // More arguments than a call may have: in pieces.
  let text = '';
  for (let i = 0; i < count; i += 4096) {
    text += String.fromCharCode.apply(null, units.subarray(i, Math.min(count, i + 4096)) as unknown as number[]);
  }
  return text;
}
