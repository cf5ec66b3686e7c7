/**
 * Integers, floats and strings to bytes and back: the only coder of them. Little-endian. `varint` holds 7 bits a byte,
 * low bits first, the high bit set on all but the last; whole numbers up to 2^53 - 1. A string is its UTF-8 with the
 * length in bytes before it as a varint; so are `bytes`.
 */
const encoder = new TextEncoder();

export class ByteWriter {
  private buffer: Buffer;
  private at = 0;

  constructor(capacity = 256) {
    this.buffer = Buffer.allocUnsafe(capacity);
  }
  get length(): number {
    return this.at;
  }
  /** Forgets what was written; the buffer is used again. */
  reset(): void {
    this.at = 0;
  }
  /** What was written, without a copy: valid until the next write or `reset`. */
  view(): Uint8Array {
    return this.buffer.subarray(0, this.at);
  }
  /** What was written, as a copy. */
  finish(): Uint8Array {
    return new Uint8Array(this.view());
  }
  private room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(grown, 0, 0, this.at);
    this.buffer = grown;
  }
  u8(value: number): void {
    this.room(1);
    this.buffer[this.at++] = value;
  }
  u16(value: number): void {
    this.room(2);
    this.at = this.buffer.writeUInt16LE(value, this.at);
  }
  u32(value: number): void {
    this.room(4);
    this.at = this.buffer.writeUInt32LE(value, this.at);
  }
  u64(value: number): void {
    this.u32(value % 0x1_0000_0000);
    this.u32(Math.floor(value / 0x1_0000_0000));
  }
  f32(value: number): void {
    this.room(4);
    this.at = this.buffer.writeFloatLE(value, this.at);
  }
  f64(value: number): void {
    this.room(8);
    this.at = this.buffer.writeDoubleLE(value, this.at);
  }
  varint(value: number): void {
    this.room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.at++] = (rest % 0x80) | 0x80;
      rest = rest > 0x7fff_ffff ? Math.floor(rest / 0x80) : rest >>> 7;
    }
    this.buffer[this.at++] = rest;
  }
  string(value: string): void {
    const most = value.length * 3;
    if (most < 0x80) {
      this.room(most + 1);
      const length = this.buffer.write(value, this.at + 1, 'utf8');
      this.buffer[this.at] = length;
      this.at += length + 1;
      return;
    }
    this.bytes(encoder.encode(value));
  }
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.raw(value);
  }
  /** As they are, without a length. */
  raw(value: Uint8Array): void {
    this.room(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
  }
}

/** Reads what ByteWriter wrote. Reading past the end throws a RangeError: callers turn it into an error of their own. */
export class ByteReader {
  private readonly buffer: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.buffer.length - this.at;
  }
  private take(bytes: number): number {
    const at = this.at;
    if (at + bytes > this.buffer.length) throw new RangeError(`${bytes} bytes wanted at ${at}, ${this.left} are left`);
    this.at = at + bytes;
    return at;
  }
  u8(): number {
    return this.buffer[this.take(1)]!;
  }
  u16(): number {
    return this.buffer.readUInt16LE(this.take(2));
  }
  u32(): number {
    return this.buffer.readUInt32LE(this.take(4));
  }
  u64(): number {
    const low = this.u32();
    return low + this.u32() * 0x1_0000_0000;
  }
  f32(): number {
    return this.buffer.readFloatLE(this.take(4));
  }
  f64(): number {
    return this.buffer.readDoubleLE(this.take(8));
  }
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new RangeError('a varint of more than eight bytes');
  }
  string(): string {
    const length = this.varint();
    const at = this.take(length);
    return this.buffer.toString('utf8', at, at + length);
  }
  /** Without a copy: shares the memory of what is read. */
  bytes(): Uint8Array {
    return this.raw(this.varint());
  }
  raw(length: number): Uint8Array {
    const at = this.take(length);
    return this.buffer.subarray(at, at + length);
  }
}
