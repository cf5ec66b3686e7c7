import { IndexError } from './errors.ts';

/**
 * What goes into an index and comes out of it: documents of named fields, and the schema that says what each field is
 * kept for. The index knows no other nouns of the application.
 */
export interface FieldSpec {
  readonly name: string;
  /**
   * How it is searched. `text`: analysed, with positions (phrases, highlights); `bag`: analysed, without positions;
   * `keyword`: the value as one term; `none`: not at all.
   */
  readonly index: 'text' | 'bag' | 'keyword' | 'none';
  /** Name of the analysis chain of a `text` or `bag` field; the default chain when absent. */
  readonly analyzer?: string;
  /** Weight in BM25F; 1 when absent. Only a default: a query may bring its own. */
  readonly weight?: number;
  /** The value comes back with a hit. */
  readonly stored?: boolean;
  /**
   * A typed value per document, for sorting, facets, filters and dedup: `string` (dictionary coded), `u32`, `f64`,
   * `hash128` (16 bytes), `hash512` (64 bytes).
   */
  readonly column?: 'string' | 'u32' | 'f64' | 'hash128' | 'hash512';
}

export interface Schema {
  /** The `keyword` field that identifies a document: adding one with the same value replaces it. */
  readonly key: string;
  /** Field that names the language of a document (BCP 47), for stemming; absent: none is known. */
  readonly lang?: string;
  readonly fields: readonly FieldSpec[];
}

/** Several values of one field (anchors, headings) keep a position gap between them, so that no phrase crosses. */
export type FieldValue = string | number | Uint8Array | readonly string[];
export type Document = { readonly [field: string]: FieldValue | undefined };

/** A field of a schema with its number: the place in `fields`, by which files speak of it. */
export interface NumberedField extends FieldSpec {
  readonly id: number;
}

/** The fields by name. Throws IndexError 'bad-schema' when the schema contradicts itself. */
export function fieldsOf(schema: Schema): ReadonlyMap<string, NumberedField> {
  const fields = new Map<string, NumberedField>();
  const wrong = (what: string): IndexError => new IndexError('bad-schema', `the schema cannot be used: ${what}`);
  for (const [id, field] of schema.fields.entries()) {
    if (field.name === '') throw wrong('a field has no name');
    if (fields.has(field.name)) throw wrong(`two fields are named ${field.name}`);
    fields.set(field.name, { ...field, id });
  }
  if (fields.get(schema.key)?.index !== 'keyword') throw wrong(`its key ${schema.key} is no field of index keyword`);
  if (schema.lang !== undefined && !fields.has(schema.lang)) throw wrong(`its lang ${schema.lang} is no field`);
  return fields;
}

/** One text for equal schemas, whatever the order of their properties: by it segments are known to belong together. */
export function canonicalSchema(schema: Schema): string {
  const fields = schema.fields.map(({ name, index, analyzer, weight, stored, column }) => ({
    name,
    index,
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(weight === undefined ? {} : { weight }),
    ...(stored ? { stored } : {}),
    ...(column === undefined ? {} : { column }),
  }));
  return JSON.stringify({ key: schema.key, ...(schema.lang === undefined ? {} : { lang: schema.lang }), fields });
}
