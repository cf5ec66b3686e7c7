/**
 * Stored documents: here is a document, give it back.
 *
 * File `<segment>.sto`. Only its index is read when the segment is opened; a block is read when a document of it is
 * asked for.
 *
 *     stored    := frame("sto", 2) { block* index index_start:u64 index_crc:u32 }
 *     block     := deflate(documents)                            raw, level 1
 *     document  := fields:varint { id:varint kind:u8 value }[fields]
 *     value     := string (1) | f64 (2) | length:varint u8[length] (3) | count:varint string[count] (4)
 *     index     := docs:varint blocks:varint { docs:varint bytes:varint raw_bytes:varint crc:u32 }[blocks]
 *
 * A block ends behind a document when it is 16 KB long, or 4 KB and the CRC-32 of that document's bytes divides by 8.
 * So where blocks end follows from the documents near by, and two runs of the same documents fall into step after a few
 * blocks however they began: a merge copies most blocks without opening them, and still writes the bytes that a fresh
 * build would. `crc` is that of the compressed block.
 *
 * Cost: some 100 bytes a block in memory, and up to CACHED bytes of blocks unpacked last; 40 µs for a document of another
 * block (bench/query.bench.ts). Versions: 1 (blocks
 * of brotli, or of another length; not read), 2.
 */
import * as zlib from 'node:zlib';
import type { FieldValue } from '../document.ts';
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import { crc32 } from '../io/crc32.ts';
import type { Directory, RandomAccess } from '../io/directory.ts';
import { checkFrame, checkHead, type FileSeal, FOOT, FrameWriter, HEAD, sealOf } from '../io/frame.ts';

const VERSION = 2;
const LONGEST = 1 << 14;
const SHORTEST = 1 << 12;
const STRING = 1;
const F64 = 2;
const BYTES = 3;
const STRINGS = 4;
const LEVEL: zlib.ZlibOptions = { level: 1 };
/** Unpacked blocks that a reader keeps, bytes: hits of one search often lie together, and so do those of its next page. */
const CACHED = 1 << 18;
/** Index start and checksum, before the frame's foot. */
const TAIL = 12;

/** One document's stored fields as bytes, appended to `out`. */
export function encodeStored(out: ByteWriter, ids: readonly number[], values: readonly FieldValue[]): void {
  out.varint(ids.length);
  for (let i = 0; i < ids.length; i++) {
    const value = values[i]!;
    out.varint(ids[i]!);
    if (typeof value === 'string') {
      out.u8(STRING);
      out.string(value);
    } else if (typeof value === 'number') {
      out.u8(F64);
      out.f64(value);
    } else if (value instanceof Uint8Array) {
      out.u8(BYTES);
      out.bytes(value);
    } else {
      out.u8(STRINGS);
      out.varint(value.length);
      for (const text of value) out.string(text);
    }
  }
}

function decodeStored(input: ByteReader, wanted?: ReadonlySet<number>): [id: number, value: FieldValue][] {
  const fields: [number, FieldValue][] = [];
  for (let left = input.varint(); left > 0; left--) {
    const id = input.varint();
    const kind = input.u8();
    if (wanted !== undefined && !wanted.has(id)) skipValue(input, kind);
    else if (kind === STRING) fields.push([id, input.string()]);
    else if (kind === F64) fields.push([id, input.f64()]);
    else if (kind === BYTES) fields.push([id, new Uint8Array(input.bytes())]);
    else if (kind === STRINGS) fields.push([id, Array.from({ length: input.varint() }, () => input.string())]);
    else throw corrupt(input.file, `a stored value of unknown kind ${kind}`);
  }
  return fields;
}

/** Passes over one document. */
function skipStored(input: ByteReader): void {
  for (let left = input.varint(); left > 0; left--) {
    input.varint();
    skipValue(input, input.u8());
  }
}

function skipValue(input: ByteReader, kind: number): void {
  if (kind === STRING || kind === BYTES) input.raw(input.varint());
  else if (kind === F64) input.raw(8);
  else if (kind === STRINGS) for (let n = input.varint(); n > 0; n--) input.raw(input.varint());
  else throw corrupt(input.file, `a stored value of unknown kind ${kind}`);
}

/** A block as it lies in a file. */
export interface StoredBlock {
  readonly firstDoc: number;
  readonly docs: number;
  readonly offset: number;
  readonly bytes: number;
  readonly rawBytes: number;
  readonly crc: number;
}

export class StoredWriter {
  readonly #frame: FrameWriter;
  readonly #index = new ByteWriter();
  readonly #block = new ByteWriter(LONGEST * 2);
  #blockDocs = 0;
  #docs = 0;
  #blocks = 0;

  constructor(directory: Pick<Directory, 'create'>, file: string) {
    this.#frame = new FrameWriter(directory, file, 'sto', VERSION);
  }
  /** The next document, as `encodeStored` made it. */
  document(bytes: Uint8Array): void {
    this.#block.raw(bytes);
    this.#end(this.#block.length - bytes.length);
  }
  /** The next document, from its values. */
  add(ids: readonly number[], values: readonly FieldValue[]): void {
    const start = this.#block.length;
    encodeStored(this.#block, ids, values);
    this.#end(start);
  }
  /** True between two blocks: then a block that ended by itself may be copied whole. */
  get betweenBlocks(): boolean {
    return this.#blockDocs === 0;
  }
  copyBlock(block: StoredBlock, compressed: Uint8Array): void {
    this.#docs += block.docs;
    this.#write(compressed, block.docs, block.rawBytes, block.crc);
  }
  close(): FileSeal {
    if (this.#blockDocs > 0) this.#endBlock();
    const start = this.#frame.length;
    const index = new ByteWriter(this.#index.length + 32);
    index.varint(this.#docs);
    index.varint(this.#blocks);
    index.raw(this.#index.view());
    this.#frame.write(index.view());
    const tail = new ByteWriter(TAIL);
    tail.u64(start);
    tail.u32(crc32(index.view()));
    this.#frame.write(tail.view());
    return this.#frame.close();
  }
  abandon(): void {
    this.#frame.abandon();
  }
  /** Ends the document that starts at `start` in the block, and the block behind it if so be. */
  #end(start: number): void {
    const block = this.#block;
    this.#blockDocs++;
    this.#docs++;
    if (block.length < SHORTEST) return;
    const long = block.length >= LONGEST;
    if (long || crc32(block.data.subarray(start, block.length)) % 8 === 0) this.#endBlock();
  }
  #endBlock(): void {
    const raw = this.#block.view();
    const compressed = zlib.deflateRawSync(raw, LEVEL);
    this.#write(compressed, this.#blockDocs, raw.length, crc32(compressed));
    this.#block.length = 0;
    this.#blockDocs = 0;
  }
  #write(compressed: Uint8Array, docs: number, rawBytes: number, crc: number): void {
    this.#frame.write(compressed);
    this.#blocks++;
    this.#index.varint(docs);
    this.#index.varint(compressed.length);
    this.#index.varint(rawBytes);
    this.#index.u32(crc);
  }
}

interface UnpackedBlock {
  readonly raw: Uint8Array;
  /** Where each document starts, as far as that was asked. */
  readonly starts: number[];
}

export class StoredReader {
  readonly docs: number;
  readonly blocks: readonly StoredBlock[];
  readonly seal: FileSeal;
  readonly #file: string;
  readonly #access: RandomAccess;
  /** By number, least lately used first. */
  readonly #unpacked = new Map<number, UnpackedBlock>();
  #unpackedBytes = 0;

  /** Reads by `access` as long as it lives; does not close it. Throws 'corrupt' when the file's ends do not fit each other. */
  constructor(access: RandomAccess, file: string) {
    this.#access = access;
    this.#file = file;
    if (access.size < HEAD + TAIL + FOOT) throw corrupt(file, 'it is cut off');
    checkHead(access.read(0, HEAD), file, 'sto', VERSION);
    const tail = access.read(access.size - FOOT - TAIL, FOOT + TAIL);
    this.seal = sealOf(tail, file);
    if (this.seal.size !== access.size) throw corrupt(file, 'its length is not what it says');
    const input = new ByteReader(tail, file);
    const start = HEAD + input.u64();
    const end = access.size - FOOT - TAIL;
    if (start > end) throw corrupt(file, 'its index is not where it says');
    const bytes = access.read(start, end - start);
    if (crc32(bytes) !== input.u32()) throw corrupt(file, 'the checksum of its index does not match');
    const index = new ByteReader(bytes, file);
    this.docs = index.varint();
    const blocks: StoredBlock[] = [];
    let offset = HEAD;
    let firstDoc = 0;
    for (let left = index.varint(); left > 0; left--) {
      const docs = index.varint();
      const size = index.varint();
      blocks.push({ firstDoc, docs, offset, bytes: size, rawBytes: index.varint(), crc: index.u32() });
      firstDoc += docs;
      offset += size;
    }
    if (firstDoc !== this.docs || offset !== start) throw corrupt(file, 'its index does not fit its blocks');
    this.blocks = blocks;
  }

  /** Stored fields of a document, by field number; of those `wanted`, where given. */
  document(doc: number, wanted?: ReadonlySet<number>): [id: number, value: FieldValue][] {
    const { raw, at } = this.#find(doc);
    return decodeStored(new ByteReader(raw, this.#file, at), wanted);
  }

  /** The same, still as bytes. */
  documentBytes(doc: number): Uint8Array {
    const { raw, at } = this.#find(doc);
    const input = new ByteReader(raw, this.#file, at);
    skipStored(input);
    return raw.subarray(at, input.at);
  }

  /** A block as it lies in the file, its checksum compared. */
  compressed(block: StoredBlock): Uint8Array {
    const bytes = this.#access.read(block.offset, block.bytes);
    if (crc32(bytes) !== block.crc)
      throw corrupt(this.#file, `the checksum of its block at ${block.offset} does not match`);
    return bytes;
  }

  /** Compares the checksum of every byte of the file. */
  verify(): void {
    checkFrame(this.#access, this.#file, 'sto', VERSION);
  }

  #find(doc: number): { raw: Uint8Array; at: number } {
    let low = 0;
    let high = this.blocks.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.blocks[middle]!.firstDoc <= doc) low = middle;
      else high = middle;
    }
    const block = this.blocks[low];
    if (!block || doc < 0 || doc >= this.docs) throw new RangeError(`document ${doc} of ${this.docs}`);
    const { raw, starts } = this.#unpackedBlock(low, block);
    const nth = doc - block.firstDoc;
    while (starts.length <= nth) {
      const input = new ByteReader(raw, this.#file, starts[starts.length - 1]!);
      skipStored(input);
      starts.push(input.at);
    }
    return { raw, at: starts[nth]! };
  }

  #unpackedBlock(number: number, block: StoredBlock): UnpackedBlock {
    const cache = this.#unpacked;
    const known = cache.get(number);
    if (known) {
      cache.delete(number);
      cache.set(number, known);
      return known;
    }
    const found: UnpackedBlock = { raw: this.#unpack(block), starts: [0] };
    this.#unpackedBytes += block.rawBytes;
    for (const [oldest, { raw }] of cache) {
      if (this.#unpackedBytes <= CACHED) break;
      cache.delete(oldest);
      this.#unpackedBytes -= raw.length;
    }
    cache.set(number, found);
    return found;
  }

  #unpack(block: StoredBlock): Uint8Array {
    const compressed = this.compressed(block);
    try {
      // Room for all of it at once, and a byte more, with which inflate sees the end in the same call.
      const raw = zlib.inflateRawSync(compressed, { maxOutputLength: block.rawBytes, chunkSize: block.rawBytes + 64 });
      if (raw.length === block.rawBytes) return new Uint8Array(raw.buffer, raw.byteOffset, raw.length);
    } catch (cause) {
      throw corrupt(this.#file, `its block at ${block.offset} cannot be unpacked`, cause);
    }
    throw corrupt(this.#file, `its block at ${block.offset} is shorter than it says`);
  }
}
