/**
 * What every file of an index wears, so that damage, strangers and other versions are known before a number is believed.
 *
 *     frame   := head body foot
 *     head    := magic:u32 = "NHIX"  format:u8[4]  version:u32  zero:u32        16 bytes, so that a body is aligned
 *     body    := u8[length]
 *     foot    := length:u64  crc:u32  end:u32 = "XIHN"                          crc: CRC-32 of head, body and length
 *
 * The format is the file's extension in ASCII with a space behind. The length stands behind the body, so that a file
 * is written from beginning to end in one go.
 */
import { corrupt, IndexError } from '../errors.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { crc32 } from './crc32.ts';
import type { Directory, Output, RandomAccess } from './directory.ts';

export const HEAD = 16;
export const FOOT = 16;
const MAGIC = 0x5849484e;
const END = 0x4e484958;

/** Three letters, as in the file's extension. */
export type FormatName = string;

/** A framed file on its way to a directory. */
export class FrameWriter {
  readonly #output: Output;
  #crc: number;
  /** Bytes of body so far. */
  length = 0;

  constructor(directory: Pick<Directory, 'create'>, file: string, format: FormatName, version: number) {
    this.#output = directory.create(file);
    const head = headOf(format, version);
    this.#crc = crc32(head);
    this.#output.write(head);
  }
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#crc = crc32(bytes, this.#crc);
    this.#output.write(bytes);
    this.length += bytes.length;
  }
  /** Ends the file; its checksum and whole size, by which the segment knows it again. */
  close(): FileSeal {
    const { foot, crc } = footOf(this.length, this.#crc);
    this.#output.write(foot);
    this.#output.close();
    return { crc, size: HEAD + this.length + FOOT };
  }
  /** Ends a file that will not be used, so that no handle stays open. */
  abandon(): void {
    this.#output.close();
  }
}

export interface FileSeal {
  readonly crc: number;
  readonly size: number;
}

/** A framed file as bytes. */
export function frame(format: FormatName, version: number, body: Uint8Array): Uint8Array {
  const head = headOf(format, version);
  const { foot } = footOf(body.length, crc32(body, crc32(head)));
  const bytes = new Uint8Array(HEAD + body.length + FOOT);
  bytes.set(head);
  bytes.set(body, HEAD);
  bytes.set(foot, HEAD + body.length);
  return bytes;
}

/**
 * The body of a framed file, not copied, after its checksum was compared.
 *
 * @param oldest the oldest version that can still be read; `newest` the one that is written
 * @throws IndexError 'corrupt' | 'too-old' | 'too-new'
 */
export function unframe(
  bytes: Uint8Array,
  file: string,
  format: FormatName,
  newest: number,
  oldest = newest,
): Uint8Array {
  if (bytes.length < HEAD + FOOT) throw corrupt(file, 'it is cut off');
  const { crc, size } = sealOf(bytes, file);
  if (size !== bytes.length) throw corrupt(file, 'its length is not what it says');
  if (crc32(bytes.subarray(0, bytes.length - 8)) !== crc) throw corrupt(file, 'its checksum does not match');
  checkHead(bytes, file, format, newest, oldest);
  return bytes.subarray(HEAD, bytes.length - FOOT);
}

/** Bytes read at once by checkFrame. */
const PIECE = 1 << 20;

/**
 * Compares the checksum of a file that is not read whole, piece by piece; its seal. `checked`: was done before, look at its
 * ends only. Throws as `unframe` does.
 */
export function checkFrame(
  access: RandomAccess,
  file: string,
  format: FormatName,
  newest: number,
  checked = false,
): FileSeal {
  if (access.size < HEAD + FOOT) throw corrupt(file, 'it is cut off');
  const seal = sealOf(access.read(access.size - FOOT, FOOT), file);
  if (seal.size !== access.size) throw corrupt(file, 'its length is not what it says');
  let crc = checked ? seal.crc : 0;
  const end = checked ? 0 : access.size - 8;
  for (let at = 0; at < end; at += PIECE) crc = crc32(access.read(at, Math.min(PIECE, end - at)), crc);
  if (crc !== seal.crc) throw corrupt(file, 'its checksum does not match');
  checkHead(access.read(0, HEAD), file, format, newest);
  return seal;
}

/** What the foot at the end of `tail` says of its file. */
export function sealOf(tail: Uint8Array, file: string): FileSeal {
  const foot = new ByteReader(tail, file, tail.length - FOOT);
  const size = HEAD + foot.u64() + FOOT;
  const crc = foot.u32();
  if (foot.u32() !== END) throw corrupt(file, 'it is cut off');
  return { crc, size };
}

/** Whose file, and which version? For files whose body is not read at once. */
export function checkHead(bytes: Uint8Array, file: string, format: FormatName, newest: number, oldest = newest): void {
  const head = new ByteReader(bytes, file);
  if (head.u32() !== MAGIC) throw corrupt(file, 'it is no file of an index');
  const found = String.fromCharCode(...head.raw(4)).trimEnd();
  if (found !== format) throw corrupt(file, `it holds ${JSON.stringify(found)}, not ${format}`);
  const version = head.u32();
  if (version > newest) {
    const message = `${file} has version ${version} of its format and this program reads up to ${newest}; upgrade nuthatch`;
    throw new IndexError('too-new', message, { file });
  }
  if (version < oldest) {
    const message = `${file} has version ${version} of its format, too old for this program; build the index again`;
    throw new IndexError('too-old', message, { file });
  }
  if (head.u32() !== 0) throw corrupt(file, 'its head is not whole');
}

function headOf(format: FormatName, version: number): Uint8Array {
  const head = new ByteWriter(HEAD);
  head.u32(MAGIC);
  for (let i = 0; i < 4; i++) head.u8(i < format.length ? format.charCodeAt(i) : 0x20);
  head.u32(version);
  head.u32(0);
  return head.view();
}

function footOf(length: number, before: number): { foot: Uint8Array; crc: number } {
  const foot = new ByteWriter(FOOT);
  foot.u64(length);
  const crc = crc32(foot.view(), before);
  foot.u32(crc);
  foot.u32(END);
  return { foot: foot.view(), crc };
}
