/**
 * Hadoop's primitives: big-endian numbers, `vint` and `Text`. The only coder of them, as index/io/bytes.ts is of ours.
 *
 *     vint := b:i8                     b >= -112: the value itself
 *           | b:i8 magnitude           -113..-120: 1 to 8 bytes follow; -121..-128 the same, and the value is ~magnitude
 *     Text := length:vint UTF-8        name := length:u16 UTF-8 (Java's writeUTF, for names without odd characters)
 */
export class DataOut {
  private buffer = Buffer.allocUnsafe(512);
  length = 0;

  private room(bytes: number): number {
    const at = this.length;
    if (at + bytes > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, at + bytes));
      this.buffer.copy(grown, 0, 0, at);
      this.buffer = grown;
    }
    this.length = at + bytes;
    return at;
  }
  reset(): void {
    this.length = 0;
  }
  /** A copy. */
  finish(): Buffer {
    return Buffer.from(this.buffer.subarray(0, this.length));
  }
  i8(value: number): void {
    const at = this.room(1);
    this.buffer[at] = value;
  }
  i16(value: number): void {
    const at = this.room(2);
    this.buffer.writeInt16BE(value, at);
  }
  i32(value: number): void {
    const at = this.room(4);
    this.buffer.writeInt32BE(value, at);
  }
  i64(value: number): void {
    const at = this.room(8);
    this.buffer.writeBigInt64BE(BigInt(Math.trunc(value)), at);
  }
  f32(value: number): void {
    const at = this.room(4);
    this.buffer.writeFloatBE(value, at);
  }
  raw(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    this.buffer.set(bytes, at);
  }
  vint(value: number): void {
    if (value >= -112 && value <= 127) {
      this.i8(value);
      return;
    }
    let magnitude = BigInt(value);
    let first = -112;
    if (magnitude < 0n) {
      magnitude = ~magnitude;
      first = -120;
    }
    const bytes: number[] = [];
    for (; magnitude > 0n; magnitude >>= 8n) bytes.unshift(Number(magnitude & 255n));
    this.i8(first - bytes.length);
    for (const byte of bytes) this.i8(byte);
  }
  text(value: string): void {
    const bytes = Buffer.from(value);
    this.vint(bytes.length);
    this.raw(bytes);
  }
  name(value: string): void {
    const bytes = Buffer.from(value);
    this.i16(bytes.length);
    this.raw(bytes);
  }
}

/** Reading past the end throws a RangeError, which the reader of a file turns into an error of its own. */
export class DataIn {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  private take(count: number): number {
    const at = this.at;
    if (count < 0 || at + count > this.bytes.length)
      throw new RangeError(`${count} bytes wanted, ${this.left} are left`);
    this.at = at + count;
    return at;
  }
  i8(): number {
    return this.bytes.readInt8(this.take(1));
  }
  i16(): number {
    return this.bytes.readInt16BE(this.take(2));
  }
  i32(): number {
    return this.bytes.readInt32BE(this.take(4));
  }
  i64(): number {
    return Number(this.bytes.readBigInt64BE(this.take(8)));
  }
  f32(): number {
    return this.bytes.readFloatBE(this.take(4));
  }
  raw(count: number): Buffer {
    const at = this.take(count);
    return this.bytes.subarray(at, at + count);
  }
  vint(): number {
    const first = this.i8();
    if (first >= -112) return first;
    const count = first >= -120 ? -112 - first : -120 - first;
    let magnitude = 0n;
    for (let i = 0; i < count; i++) magnitude = (magnitude << 8n) | BigInt(this.i8() & 255);
    return Number(first >= -120 ? magnitude : ~magnitude);
  }
  text(): string {
    return this.raw(this.vint()).toString();
  }
  name(): string {
    return this.raw(this.i16() & 0xffff).toString();
  }
}

/** Java's hash of a Text, by which Hadoop divides keys among partitions. */
export function textHash(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return hash;
}
