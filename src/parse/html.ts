import { readExact } from './exact.ts';
import { scan, type Unclosed } from './scan.ts';
import type { Tape } from './tape.ts';

/**
 * Which reader: `scan`, the fast one; `exact`, htmlparser2; `loose`, node-html-parser (its limits are in its doc);
 * `auto`: scan, and exact for a page on which it fails.
 */
export type ReaderName = 'auto' | 'scan' | 'exact' | 'loose';

export function readHtml(page: Buffer, tape: Tape, reader: ReaderName): Unclosed {
  tape.begin(page);
  let unclosed: Unclosed = '';
  if (reader === 'exact') readExact(page, tape);
  else unclosed = scan(page, tape);
  tape.end();
  return unclosed;
}
