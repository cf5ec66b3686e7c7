import { attributeValue } from './references.ts';
import { A } from './tags.ts';
import type { Tape } from './tape.ts';

/** At most `chars` UTF-16 units, no half character, and a copy: a slice would keep the whole alive. */
export function cutAt(text: string, chars: number): string {
  const code = text.charCodeAt(chars - 1);
  const cut = text.slice(0, code >= 0xd800 && code < 0xdc00 ? chars - 1 : chars);
  return Buffer.from(cut).toString();
}

/** One line, blanks collapsed. */
export function clean(text: string): string {
  const one = text.replace(/[\s\u00a0]+/g, ' ').trim();
  return one.length > 2000 ? cutAt(one, 2000) : one;
}

/** The place of an element's attribute among all; -1 when it has none of that name. */
export function indexOf(tape: Tape, entry: number, attribute: number): number {
  const first = tape.from[entry]!;
  const last = first + tape.many[entry]!;
  for (let a = first; a < last; a++) if (tape.attribute[a] === attribute) return a;
  return -1;
}
export const has = (tape: Tape, entry: number, attribute: number): boolean => indexOf(tape, entry, attribute) >= 0;
/** '' when it has none. */
export function attr(tape: Tape, entry: number, attribute: number): string {
  const a = indexOf(tape, entry, attribute);
  return a < 0 ? '' : valueAt(tape, a);
}
/** By the place of the attribute among all. */
export const valueAt = (tape: Tape, a: number): string =>
  attributeValue(tape.bytes as Buffer, tape.valueFrom[a]!, tape.valueTo[a]!);
/** The place of the attribute that says where a link leads; -1 when none does. */
export function hrefOf(tape: Tape, entry: number): number {
  const a = indexOf(tape, entry, A.href);
  return a < 0 ? indexOf(tape, entry, A['xlink:href']) : a;
}
/** Whether a value is a word of lower-case ASCII, in any case. */
export function is(bytes: Uint8Array, from: number, to: number, word: string): boolean {
  if (to - from !== word.length) return false;
  for (let i = 0; i < word.length; i++) if ((bytes[from + i]! | 32) !== word.charCodeAt(i)) return false;
  return true;
}
