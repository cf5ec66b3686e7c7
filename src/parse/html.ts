import { readExact } from './exact.ts';
import { readLoose } from './loose.ts';
import type { Nesting, NestingOptions } from './nesting.ts';
import { scan, type Unclosed } from './scan.ts';

/**
 * Which reader. `auto`: scan, the fast one, and exact for a page on which it fails. `scan`: that one alone. `exact`:
 * htmlparser2's tokenizer. `loose`: node-html-parser; its limits are in loose.ts.
 */
export type ReaderName = 'auto' | 'scan' | 'exact' | 'loose';

/** What was odd about the reading, one plain fragment each. */
export type Oddities = readonly string[];

/** How often a page went to another reader than the one asked for, by reason, in this thread. A figure to watch. */
export const trips = { 'scan failed': 0, 'too deep for loose': 0, 'loose failed': 0 };

const UNCLOSED: Readonly<Record<Unclosed, string>> = {
  '': '',
  comment: 'a comment in it never ends',
  tag: 'a tag in it never ends',
  script: 'a script in it never ends',
  element: 'an element of plain text in it never ends',
};

/**
 * Reads a page (UTF-8) to the tape and says what was odd. `how`: with every element, for selectors; as XHTML. Never throws: a reader that fails has a bug, and the page goes
 * to the other one.
 *
 * The scanner is unsure of no page by design: it knows every state of the standard's tokenizer, and agrees with parse5
 * where htmlparser2's tokenizer does not (scripts with an escaped script in them, CDATA in HTML). So `auto` leaves it
 * only when it throws; `trips` counts.
 */
export function readHtml(page: Buffer, tape: Nesting, reader: ReaderName, how: NestingOptions = {}): Oddities {
  if (reader === 'loose') {
    const odd = tryLoose(page, tape, how);
    if (odd === null) return [];
    return [odd, ...readHtml(page, tape, 'exact', how)];
  }
  tape.begin(page, how);
  if (reader === 'exact') {
    readExact(page, tape);
    tape.end();
    return [];
  }
  let unclosed: Unclosed;
  try {
    unclosed = scan(page, tape);
  } catch (error) {
    if (reader === 'scan') throw error;
    trips['scan failed']++;
    return [`the fast reader failed on it (${String(error)})`, ...readHtml(page, tape, 'exact', how)];
  }
  tape.end();
  return unclosed === '' ? [] : [UNCLOSED[unclosed]];
}

/** Null when it was read, else why it was not. */
function tryLoose(page: Buffer, tape: Nesting, how: NestingOptions): string | null {
  try {
    if (readLoose(page, tape, how)) return null;
    trips['too deep for loose']++;
    return 'it is nested too deeply for the loose parser, so the exact one read it';
  } catch (error) {
    trips['loose failed']++;
    return `the loose parser failed on it (${String(error)}), so the exact one read it`;
  }
}
