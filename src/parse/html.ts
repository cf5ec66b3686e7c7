import { readExact } from './exact.ts';
import type { Tape } from './tape.ts';

/** Which reader: `exact`, or `loose` (node-html-parser; its limits are in its doc). */
export type ReaderName = 'exact' | 'loose';

/** A reader takes the page as UTF-8 and writes it to a tape. It never throws on what a page holds. */
export type Reader = (page: Buffer, tape: Tape) => void;

export function readHtml(page: Buffer, tape: Tape, _reader: ReaderName): void {
  tape.begin(page);
  readExact(page, tape);
  tape.end();
}
