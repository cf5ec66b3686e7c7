/**
 * The only coder of integers and strings: little-endian, varints of seven bits a byte, lowest first.
 *
 * A string is its UTF-8 with the length in bytes before it as a varint; so are `bytes`. Whole numbers go up to 2^53 - 1.
 * Everything that is read is bounds-checked.
 */
import { corrupt } from '../errors.ts';

/** Bytes that grow. */
export class ByteWriter {
  data: Uint8Array;
  /** Bytes written. */
  length = 0;
  /** The same memory, with the text methods. */
  #text: Buffer;

  constructor(capacity = 256) {
    this.data = new Uint8Array(capacity);
    this.#text = Buffer.from(this.data.buffer);
  }

  /** Makes room for `more` bytes, so that a hot loop may write to `data` and move `length` itself. */
  reserve(more: number): void {
    if (this.length + more <= this.data.length) return;
    const grown = new Uint8Array(Math.max(this.data.length * 2, this.length + more));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
    this.#text = Buffer.from(grown.buffer);
  }
  u8(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }
  u16(value: number): void {
    this.reserve(2);
    this.data[this.length++] = value;
    this.data[this.length++] = value >>> 8;
  }
  u32(value: number): void {
    this.reserve(4);
    const data = this.data;
    data[this.length++] = value;
    data[this.length++] = value >>> 8;
    data[this.length++] = value >>> 16;
    data[this.length++] = value >>> 24;
  }
  /** A whole number up to 2^53. */
  u64(value: number): void {
    this.u32(value % 0x1_0000_0000);
    this.u32(Math.floor(value / 0x1_0000_0000));
  }
  f32(value: number): void {
    this.reserve(4);
    this.#text.writeFloatLE(value, this.length);
    this.length += 4;
  }
  f64(value: number): void {
    this.reserve(8);
    this.#text.writeDoubleLE(value, this.length);
    this.length += 8;
  }
  /** A whole number up to 2^53; one byte below 128. */
  varint(value: number): void {
    this.reserve(8);
    const data = this.data;
    while (value > 0x7fffffff) {
      data[this.length++] = (value % 128) | 128;
      value = Math.floor(value / 128);
    }
    while (value > 127) {
      data[this.length++] = (value & 127) | 128;
      value >>>= 7;
    }
    data[this.length++] = value;
  }
  /** Length in bytes as a varint, then UTF-8. Lone surrogates become U+FFFD. */
  string(value: string): void {
    const max = value.length * 3;
    this.reserve(max + 8);
    if (value.length < 43) {
      // At most 127 bytes: the length takes one, so the text goes straight to its place.
      const wrote = this.#text.write(value, this.length + 1, max, 'utf8');
      this.data[this.length] = wrote;
      this.length += wrote + 1;
      return;
    }
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#text.write(value, this.length, size, 'utf8');
    this.length += size;
  }
  /** UTF-8 without a length. */
  utf8(value: string): void {
    this.reserve(value.length * 3);
    this.length += this.#text.write(value, this.length, 'utf8');
  }
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.raw(value);
  }
  /** As they are, without a length. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.data.set(bytes, this.length);
    this.length += bytes.length;
  }
  /** As `raw`, a part of a larger block: no view is made, and short ones are copied byte by byte. */
  slice(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    if (to - from > 64) this.data.set(bytes.subarray(from, to), this.length);
    else {
      const { data } = this;
      let at = this.length;
      for (let i = from; i < to; i++) data[at++] = bytes[i]!;
    }
    this.length += to - from;
  }
  /** Zeros up to a multiple of `size`, so that a typed array can lie over what follows. */
  align(size: number): void {
    while (this.length % size !== 0) this.u8(0);
  }
  /** What was written, without a copy: good until the next write or `reset`. */
  view(): Uint8Array {
    return this.data.subarray(0, this.length);
  }
  /** What was written, as a copy. */
  finish(): Uint8Array {
    return this.data.slice(0, this.length);
  }
  /** Forgets what was written; the memory is used again. */
  reset(): void {
    this.length = 0;
  }
}

/**
 * Reads what ByteWriter wrote. Where the bytes end early or make no sense: with the name of a file, IndexError 'corrupt';
 * without one, a RangeError, which the caller turns into an error of its own.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #text: Buffer;
  readonly file: string;
  at: number;

  constructor(bytes: Uint8Array, file = '', at = 0) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.file = file;
    this.at = at;
  }
  get left(): number {
    return this.#bytes.length - this.at;
  }
  /** Where the next `count` bytes start; moves past them. */
  #take(count: number): number {
    if (!(count <= this.#bytes.length - this.at))
      throw this.#wrong(`${count} bytes wanted at ${this.at}, ${this.left} are left`);
    const from = this.at;
    this.at += count;
    return from;
  }
  #wrong(what: string): Error {
    return this.file === '' ? new RangeError(what) : corrupt(this.file, what);
  }
  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }
  u16(): number {
    return this.#text.readUInt16LE(this.#take(2));
  }
  u32(): number {
    return this.#text.readUInt32LE(this.#take(4));
  }
  u64(): number {
    const low = this.u32();
    const high = this.u32();
    if (high > 0x1fffff) throw this.#wrong('a number above 2^53');
    return high * 0x1_0000_0000 + low;
  }
  f32(): number {
    return this.#text.readFloatLE(this.#take(4));
  }
  f64(): number {
    return this.#text.readDoubleLE(this.#take(8));
  }
  varint(): number {
    let byte = this.u8();
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      if (scale > 2 ** 49) throw this.#wrong('a varint of more than eight bytes');
      byte = this.u8();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    if (value > Number.MAX_SAFE_INTEGER) throw this.#wrong('a number above 2^53');
    return value;
  }
  string(): string {
    const size = this.varint();
    const at = this.#take(size);
    return this.#text.toString('utf8', at, at + size);
  }
  /** Without a copy: shares the memory of what is read. */
  bytes(): Uint8Array {
    return this.raw(this.varint());
  }
  /** A view of the next `count` bytes, not a copy. */
  raw(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }
  align(size: number): void {
    this.#take((size - (this.at % size)) % size);
  }
}
