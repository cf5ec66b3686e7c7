import type { FieldValue } from '../document.ts';

/** The texts of a field's value; none of a number, of bytes, of nothing. */
export const textsOf = (value: FieldValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly string[]) : [];
