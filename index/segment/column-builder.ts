/** The values of one column while documents are added; missing ones cost nothing but their zero. */
import type { FieldSpec, FieldValue } from '../document.ts';
import { setBit } from '../format/bits.ts';
import { type ColumnValues, StringTable } from '../format/columns.ts';

/** What is wrong with a value for a column of this kind, or null. */
export function misfit(kind: NonNullable<FieldSpec['column']>, value: FieldValue): string | null {
  switch (kind) {
    case 'string':
      return typeof value === 'string' || Array.isArray(value) ? null : 'is no string';
    case 'u32':
      return typeof value === 'number' && value >>> 0 === value ? null : 'is no whole number from 0 to 4294967295';
    case 'f64':
      return typeof value === 'number' ? null : 'is no number';
    case 'hash128':
      return value instanceof Uint8Array && value.length === 16 ? null : 'is not 16 bytes';
    case 'hash512':
      return value instanceof Uint8Array && value.length === 64 ? null : 'is not 64 bytes';
  }
}

/** Bytes of a document's value, where these are memory of their own. */
const WIDTH = { string: 4, u32: 4, f64: 8, hash128: 16, hash512: 64 } as const;

export class ColumnBuilder {
  readonly kind: NonNullable<FieldSpec['column']>;
  #ordinals = new Uint32Array(0);
  #u32 = new Uint32Array(0);
  #f64 = new Float64Array(0);
  #hash = new Uint8Array(0);
  #present = new Int32Array(0);
  readonly #numbers = new Map<string, number>();
  readonly #values: string[] = [''];
  #room = 0;
  /** Memory held by distinct strings, about. */
  #stringBytes = 0;

  constructor(kind: NonNullable<FieldSpec['column']>) {
    this.kind = kind;
  }
  get bytes(): number {
    return this.#stringBytes + this.#room * WIDTH[this.kind];
  }
  /** `value` fits (see misfit). Of several strings the first is the value. */
  set(doc: number, value: FieldValue): void {
    if (doc >= this.#room) this.#grow(doc + 1);
    switch (this.kind) {
      case 'string': {
        const text = typeof value === 'string' ? value : (value as readonly string[])[0];
        if (text === undefined) return;
        let number = this.#numbers.get(text);
        if (number === undefined) {
          // Lone surrogates cannot be written as UTF-8; they become what a reader would see for them.
          const whole = text.toWellFormed();
          number = this.#values.push(whole) - 1;
          this.#numbers.set(text, number);
          this.#stringBytes += 2 * text.length + 80;
        }
        this.#ordinals[doc] = number;
        return;
      }
      case 'u32':
        this.#u32[doc] = value as number;
        break;
      case 'f64':
        this.#f64[doc] = value as number;
        break;
      case 'hash128':
      case 'hash512':
        this.#hash.set(value as Uint8Array, doc * WIDTH[this.kind]);
        break;
    }
    setBit(this.#present, doc);
  }
  take(docs: number): ColumnValues {
    if (docs > this.#room) this.#grow(docs);
    switch (this.kind) {
      case 'string':
        return this.#takeStrings(docs);
      case 'u32':
        return { kind: 'u32', values: this.#u32, present: this.#present };
      case 'f64':
        return { kind: 'f64', values: this.#f64 };
      case 'hash128':
      case 'hash512':
        return { kind: this.kind, bytes: this.#hash, present: this.#present };
    }
  }
  #takeStrings(docs: number): ColumnValues {
    // A value that a replaced document had is kept: the segment has that document, deleted or not.
    const sorted = this.#values.slice(1).sort();
    const table = new StringTable();
    const final = new Map<string, number>();
    for (const value of sorted) if (!final.has(value)) final.set(value, table.add(value));
    const renumbered = Uint32Array.from(this.#values, (value, i) => (i === 0 ? 0 : final.get(value)!));
    const ordinals = new Uint32Array(docs);
    for (let doc = 0; doc < docs; doc++) ordinals[doc] = renumbered[this.#ordinals[doc]!]!;
    return { kind: 'string', table, ordinals };
  }
  #grow(least: number): void {
    const room = Math.max(1024, this.#room * 2, least);
    if (this.kind === 'string') this.#ordinals = copied(this.#ordinals, new Uint32Array(room));
    if (this.kind === 'u32') this.#u32 = copied(this.#u32, new Uint32Array(room));
    if (this.kind === 'f64') this.#f64 = copied(this.#f64, new Float64Array(room).fill(Number.NaN));
    if (this.kind === 'hash128' || this.kind === 'hash512')
      this.#hash = copied(this.#hash, new Uint8Array(room * WIDTH[this.kind]));
    if (this.kind !== 'string') this.#present = copied(this.#present, new Int32Array((room + 31) >>> 5));
    this.#room = room;
  }
}

function copied<T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
