/** From the tables that a builder filled to the dictionary and the postings: field by field, its terms in order. */
import type { NumberedField } from '../document.ts';
import { sortTerms } from '../format/sort-terms.ts';
import { encodeUnits, UNIT_BYTES } from '../format/units.ts';
import type { TermFiles } from './files.ts';
import type { TermTable } from './term-table.ts';

interface TermsOfField {
  readonly field: NumberedField;
  /** Length byte of each document; null where the field has none. */
  readonly norms: Uint8Array | null;
}

/** @param keys the terms of the field `keyField`; `terms` are those of all others */
export function writeTerms(
  files: TermFiles,
  fields: readonly TermsOfField[],
  terms: TermTable,
  keys: TermTable,
  keyField: number,
): void {
  const byField = fields.map((): number[] => []);
  for (const table of [terms, keys])
    for (let term = 0; term < table.size; term++) byField[table.fieldOf(term)]!.push(term);
  for (const { field, norms } of fields) {
    if (field.index === 'none') continue;
    const own = byField[field.id]!;
    const table = field.id === keyField ? keys : terms;
    const withPositions = field.index === 'text';
    const { texts, starts } = encode(table, own);
    const order = sortTerms(texts, starts, own.length, false);
    const { postings } = files;
    postings.field(norms, withPositions);
    files.terms.field(field.id, withPositions, norms !== null);
    for (const n of order) {
      table.read(own[n]!, postings);
      postings.finish();
      files.terms.term(texts, starts[n]!, starts[n + 1]!, postings.entry);
    }
    files.terms.endField();
  }
}

/** The texts of `terms` as bytes, one behind the other. */
function encode(table: TermTable, terms: readonly number[]): { texts: Uint8Array; starts: Uint32Array } {
  let units = 0;
  for (const term of terms) units += table.textLength(term);
  const texts = new Uint8Array(units * UNIT_BYTES);
  const starts = new Uint32Array(terms.length + 1);
  let at = 0;
  for (let n = 0; n < terms.length; n++) {
    const term = terms[n]!;
    at = encodeUnits(table.units, table.textAt(term), table.textLength(term), texts, at);
    starts[n + 1] = at;
  }
  return { texts, starts };
}
