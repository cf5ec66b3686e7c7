/**
 * Are the table files of a LevelDB folder whole? LevelDB compares the checksums of what it reads only when asked to, and
 * classic-level does not ask: a flipped bit in a block would come back as a record. This reads every block of every file.
 *
 *     table    := block* filter? metaindex index footer
 *     block    := data type:u8 crc:u32                     type: 0 as it is, 1 snappy; crc: masked CRC-32C of data and type
 *     footer   := metaindex:handle index:handle  zeros up to 40 bytes  magic:u64
 *     handle   := offset:varint size:varint                of a block without its 5 bytes behind
 *     index, metaindex := entry* restart:u32[n] n:u32      as data
 *     entry    := shared:varint own:varint value:varint key:u8[own] handle
 *
 * Blocks lie without a gap, so that every byte of a file is compared. Little-endian. Source: LevelDB, doc/table_format.md
 * and format.cc; snappy, format_description.txt. Memory: a block. Cost: 3 ns a byte.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const FOOTER = 48;
const TRAILER = 5;
const MAGIC = 0xdb4775248b80fb57n;

/** One sentence for each damaged file. */
export function tableDamages(folder: string): string[] {
  const damages: string[] = [];
  for (const name of readdirSync(folder)
    .filter((one) => /\.(?:ldb|sst)$/.test(one))
    .sort()) {
    const path = join(folder, name);
    try {
      checkTable(path);
    } catch (error) {
      // LevelDB takes files away that it has merged into others.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      damages.push(
        `${path}: ${(error as Error).message}; nuthatch repair makes the table anew of what the segments hold`,
      );
    }
  }
  return damages;
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

function checkTable(path: string): void {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size < FOOTER) throw new Error('it is cut off');
    const footer = read(file, { offset: size - FOOTER, size: FOOTER });
    if (footer.readBigUInt64LE(40) !== MAGIC) throw new Error('its end is not that of a table');
    const handles = new Reader(footer.subarray(0, 40));
    const metaindex = handles.handle();
    const index = handles.handle();
    if (handles.rest().some((byte) => byte !== 0)) throw new Error('its footer is damaged');
    const blocks = [...handlesOf(block(file, index)), ...handlesOf(block(file, metaindex)), metaindex, index];
    let end = 0;
    for (const handle of blocks) {
      if (handle.offset !== end) throw new Error(`a block begins at ${handle.offset} instead of ${end}`);
      block(file, handle);
      end += handle.size + TRAILER;
    }
    if (end !== size - FOOTER) throw new Error('something stands between its blocks and its footer');
  } finally {
    closeSync(file);
  }
}

function read(file: number, { offset, size }: Handle): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const got = readSync(file, bytes, done, size - done, offset + done);
    if (got === 0) throw new Error('it is cut off');
    done += got;
  }
  return bytes;
}

/** The data of a block, after its checksum was compared. */
function block(file: number, { offset, size }: Handle): Buffer {
  if (size > fstatSync(file).size - offset - TRAILER) throw new Error('a block reaches beyond its end');
  const bytes = read(file, { offset, size: size + TRAILER });
  if (masked(crc32c(bytes.subarray(0, size + 1))) !== bytes.readUInt32LE(size + 1))
    throw new Error(`the checksum of the block at ${offset} does not match`);
  const data = bytes.subarray(0, size);
  return bytes[size] === 0 ? data : unsnap(data);
}

/** What the entries of an index block lead to. */
function handlesOf(data: Buffer): Handle[] {
  const restarts = data.readUInt32LE(data.length - 4);
  const input = new Reader(data.subarray(0, data.length - 4 - 4 * restarts));
  const handles: Handle[] = [];
  while (input.rest().length > 0) {
    input.varint();
    const own = input.varint();
    const value = input.varint();
    input.skip(own);
    handles.push(new Reader(input.skip(value)).handle());
  }
  return handles;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 50; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error('a number in it makes no sense');
  }
  handle(): Handle {
    return { offset: this.varint(), size: this.varint() };
  }
  skip(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

/** Undoes snappy. The bytes were compared with their checksum: what makes no sense here was written so. */
function unsnap(data: Buffer): Buffer {
  const input = new Reader(data);
  const size = input.varint();
  const out = Buffer.alloc(size);
  let at = data.length - input.rest().length;
  let end = 0;
  while (at < data.length) {
    const tag = data[at++]!;
    if ((tag & 3) === 0) {
      let length = tag >>> 2;
      if (length >= 60) {
        const bytes = length - 59;
        length = data.readUIntLE(at, bytes);
        at += bytes;
      }
      out.set(data.subarray(at, at + length + 1), end);
      at += length + 1;
      end += length + 1;
      continue;
    }
    const isShort = (tag & 3) === 1;
    const length = isShort ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const bytes = isShort ? 1 : (tag & 3) === 2 ? 2 : 4;
    const back = data.readUIntLE(at, bytes) + (isShort ? (tag >>> 5) << 8 : 0);
    at += bytes;
    // A copy may reach into what it writes.
    for (let i = 0; i < length; i++, end++) out[end] = out[end - back]!;
  }
  return out;
}

/** CRC-32C (Castagnoli), four bytes a step. */
const tables = [0, 1, 2, 3].map(() => new Uint32Array(256));
for (let n = 0; n < 256; n++) {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  tables[0]![n] = crc;
}
for (let k = 1; k < 4; k++)
  for (let n = 0; n < 256; n++) {
    const before = tables[k - 1]![n]!;
    tables[k]![n] = (before >>> 8) ^ tables[0]![before & 255]!;
  }
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = tables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = -1;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc = t3[crc & 255]! ^ t2[(crc >>> 8) & 255]! ^ t1[(crc >>> 16) & 255]! ^ t0[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
