/**
 * Columns: here is a document, what is its value?
 *
 * File `<segment>.col`, read whole when the segment is opened. For sorting, facets, filters and joins.
 *
 *     columns  := frame("col", 1) { fields:varint  column[fields] }
 *     column   := id:varint kind:u8 docs:varint  values
 *     string   := count:varint text_bytes:varint  pad4 ends:u32[count] text:u8[text_bytes]  width:u8  pad4 ordinals:u8|u16|u32[docs]
 *     u32      := present  pad4 u32[docs]
 *     f64      := pad8 f64[docs]                                    NaN: no value
 *     hash128  := present  u8[16 * docs]
 *     hash512  := present  pad4 u8[64 * docs]
 *     present  := all:u8  { pad4 u32[ceil(docs / 32)] }?            the bits are there when all is 0
 *
 * Kinds: 1 string, 2 u32, 3 f64, 4 hash128, 5 hash512. Distinct strings stand once, UTF-8, in the order of `<`; ordinal 0 is "no
 * value", ordinal k the k-th string; the width (1, 2, 4 bytes) is the least that holds all ordinals. A document without
 * a value has zeros. Only strings that some document has are in it.
 *
 * Cost: the file in memory. Versions: 1 (first), 2 (has a hash512; a file without one is still of version 1).
 */
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter, unframe } from '../io/frame.ts';
import { isSet } from './bits.ts';

const VERSION = 2;
const OLDEST = 1;
const STRING = 1;
const U32 = 2;
const F64 = 3;
const HASH128 = 4;
const HASH512 = 5;

/** Distinct strings of a column, numbered 1..size in the order of `<`; 0 stands for no value. */
export class StringDictionary {
  readonly size: number;
  readonly #ends: Uint32Array;
  readonly #text: Buffer;

  constructor(ends: Uint32Array, text: Uint8Array) {
    this.size = ends.length;
    this.#ends = ends;
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.length);
  }
  value(ordinal: number): string | undefined {
    if (ordinal === 0) return undefined;
    return this.#text.toString('utf8', ordinal === 1 ? 0 : this.#ends[ordinal - 2]!, this.#ends[ordinal - 1]!);
  }
  /** The ordinal of a string, or 0 when no document has it. */
  find(value: string): number {
    const ordinal = this.ceil(value);
    return ordinal <= this.size && this.value(ordinal) === value ? ordinal : 0;
  }
  /** The first ordinal whose string is >= value; size + 1 when there is none. */
  ceil(value: string): number {
    let low = 1;
    let high = this.size + 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.value(middle)! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface StringColumn {
  readonly kind: 'string';
  /** By document; 0 is no value. */
  readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
  readonly dictionary: StringDictionary;
}
export interface U32Column {
  readonly kind: 'u32';
  readonly values: Uint32Array;
  /** Bit d % 32 of word d / 32: document d has a value; null when all have. */
  readonly present: Int32Array | null;
}
export interface F64Column {
  readonly kind: 'f64';
  /** NaN is no value. */
  readonly values: Float64Array;
}
export interface Hash128Column {
  readonly kind: 'hash128';
  /** 16 bytes a document. */
  readonly bytes: Uint8Array;
  readonly present: Int32Array | null;
}
export interface Hash512Column {
  readonly kind: 'hash512';
  /** 64 bytes a document, from a multiple of 4 on. */
  readonly bytes: Uint8Array;
  readonly present: Int32Array | null;
}
export type Column = StringColumn | U32Column | F64Column | Hash128Column | Hash512Column;

/** The value of a document, whatever the column's kind; for cold code. */
export function columnValue(column: Column, doc: number): string | number | Uint8Array | undefined {
  switch (column.kind) {
    case 'string':
      return column.dictionary.value(column.ordinals[doc]!);
    case 'u32':
      return isSet(column.present, doc) ? column.values[doc]! : undefined;
    case 'f64':
      return Number.isNaN(column.values[doc]!) ? undefined : column.values[doc]!;
    case 'hash128':
      return isSet(column.present, doc) ? column.bytes.subarray(doc * 16, doc * 16 + 16) : undefined;
    case 'hash512':
      return isSet(column.present, doc) ? column.bytes.subarray(doc * 64, doc * 64 + 64) : undefined;
  }
}

/** Distinct strings on their way into the file, in the order of `<`, each of which some document has. */
export class StringTable {
  readonly text = new ByteWriter(1 << 12);
  /** Where each string ends; `size` of them. */
  ends = new Uint32Array(256);
  size = 0;

  /** Takes the next string; its ordinal. */
  add(value: string): number {
    this.text.utf8(value);
    if (this.size === this.ends.length) {
      const grown = new Uint32Array(this.size * 2);
      grown.set(this.ends);
      this.ends = grown;
    }
    this.ends[this.size] = this.text.length;
    return ++this.size;
  }
}

/** The values of one field, by document, on their way into the file. */
export type ColumnValues =
  | { readonly kind: 'string'; readonly table: StringTable; readonly ordinals: Uint32Array }
  | { readonly kind: 'u32'; readonly values: Uint32Array; readonly present: Int32Array | null }
  | { readonly kind: 'f64'; readonly values: Float64Array }
  | { readonly kind: 'hash128' | 'hash512'; readonly bytes: Uint8Array; readonly present: Int32Array | null };

/** @param columns by field number; every array covers exactly `docs` documents */
export function writeColumns(
  directory: Directory,
  file: string,
  docs: number,
  columns: ReadonlyMap<number, ColumnValues>,
): FileSeal {
  const isNew = [...columns.values()].some(({ kind }) => kind === 'hash512');
  const frame = new FrameWriter(directory, file, 'col', isNew ? VERSION : OLDEST);
  const out = new ByteWriter(1 << 16);
  out.varint(columns.size);
  for (const [id, column] of columns) {
    out.varint(id);
    switch (column.kind) {
      case 'string':
        out.u8(STRING);
        out.varint(docs);
        writeStrings(out, frame, docs, column.table, column.ordinals);
        break;
      case 'u32':
        out.u8(U32);
        out.varint(docs);
        writePresent(out, docs, column.present);
        pad(out, frame, 4);
        spill(out, frame, bytesOf(column.values.subarray(0, docs)));
        break;
      case 'f64':
        out.u8(F64);
        out.varint(docs);
        pad(out, frame, 8);
        spill(out, frame, bytesOf(column.values.subarray(0, docs)));
        break;
      case 'hash128':
        out.u8(HASH128);
        out.varint(docs);
        writePresent(out, docs, column.present);
        spill(out, frame, column.bytes.subarray(0, docs * 16));
        break;
      case 'hash512':
        out.u8(HASH512);
        out.varint(docs);
        writePresent(out, docs, column.present);
        pad(out, frame, 4);
        spill(out, frame, column.bytes.subarray(0, docs * 64));
        break;
    }
  }
  frame.write(out.view());
  return frame.close();

  function writePresent(out: ByteWriter, docs: number, present: Int32Array | null): void {
    let all = true;
    if (present) for (let d = 0; d < docs && all; d++) all = isSet(present, d);
    out.u8(all ? 1 : 0);
    if (all) return;
    pad(out, frame, 4);
    for (let w = 0; w < (docs + 31) >>> 5; w++) out.u32(present![w]!);
  }
}

function writeStrings(
  out: ByteWriter,
  frame: FrameWriter,
  docs: number,
  { text, ends, size }: StringTable,
  ordinals: Uint32Array,
): void {
  out.varint(size);
  out.varint(text.length);
  pad(out, frame, 4);
  spill(out, frame, bytesOf(ends.subarray(0, size)));
  spill(out, frame, text.view());
  const width = size < 1 << 8 ? 1 : size < 1 << 16 ? 2 : 4;
  out.u8(width);
  pad(out, frame, 4);
  const narrow = width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array;
  spill(out, frame, bytesOf(narrow.from(ordinals.subarray(0, docs))));
}

const bytesOf = (array: Uint8Array | Uint16Array | Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The frame's head is 16 bytes, so what is aligned in the body is aligned in the file. */
function pad(out: ByteWriter, frame: FrameWriter, size: number): void {
  while ((frame.length + out.length) % size !== 0) out.u8(0);
}

function spill(out: ByteWriter, frame: FrameWriter, bytes: Uint8Array): void {
  frame.write(out.view());
  out.length = 0;
  frame.write(bytes);
}

/** By field number. The arrays are views of `bytes`. */
export function readColumns(bytes: Uint8Array, file: string): ReadonlyMap<number, Column> {
  const body = unframe(bytes, file, 'col', VERSION, OLDEST);
  const input = new ByteReader(body, file);
  const columns = new Map<number, Column>();
  for (let left = input.varint(); left > 0; left--) {
    const id = input.varint();
    const kind = input.u8();
    const docs = input.varint();
    columns.set(id, readColumn(input, kind, docs));
  }
  if (input.left !== 0) throw corrupt(file, 'something follows its end');
  return columns;
}

function readColumn(input: ByteReader, kind: number, docs: number): Column {
  switch (kind) {
    case STRING: {
      const count = input.varint();
      const size = input.varint();
      input.align(4);
      const ends = u32s(input, count);
      const dictionary = new StringDictionary(ends, input.raw(size));
      const width = input.u8();
      input.align(4);
      const raw = input.raw(docs * width);
      const ordinals =
        width === 1
          ? raw
          : width === 2
            ? new Uint16Array(raw.buffer, raw.byteOffset, docs)
            : new Uint32Array(raw.buffer, raw.byteOffset, docs);
      return { kind: 'string', ordinals, dictionary };
    }
    case U32: {
      const present = readPresent(input, docs);
      input.align(4);
      return { kind: 'u32', values: u32s(input, docs), present };
    }
    case F64: {
      input.align(8);
      const raw = input.raw(docs * 8);
      return { kind: 'f64', values: new Float64Array(raw.buffer, raw.byteOffset, docs) };
    }
    case HASH128: {
      const present = readPresent(input, docs);
      return { kind: 'hash128', bytes: input.raw(docs * 16), present };
    }
    case HASH512: {
      const present = readPresent(input, docs);
      input.align(4);
      return { kind: 'hash512', bytes: input.raw(docs * 64), present };
    }
    default:
      throw corrupt(input.file, `a column of unknown kind ${kind}`);
  }
}

function u32s(input: ByteReader, count: number): Uint32Array {
  const raw = input.raw(count * 4);
  return new Uint32Array(raw.buffer, raw.byteOffset, count);
}

function readPresent(input: ByteReader, docs: number): Int32Array | null {
  if (input.u8() === 1) return null;
  input.align(4);
  const raw = input.raw(((docs + 31) >>> 5) * 4);
  return new Int32Array(raw.buffer, raw.byteOffset, raw.length >>> 2);
}
