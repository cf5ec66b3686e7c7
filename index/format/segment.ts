/**
 * Segment: what a segment says of itself.
 *
 * File `<segment>.seg`, written last: a segment without one is none. It knows every other file by size and checksum, so
 * that a file of another segment is not taken for one of this.
 *
 *     segment   := frame("seg", 1) { docs:varint  schema:string  fields:varint field[fields]  files:varint file[files] }
 *     field     := id:varint  analyzer:string  tokens:varint  docs:varint
 *     file      := kind:string  size:varint  crc:u32
 *
 * `schema` is canonical JSON (document.ts); `analyzer` the name and version of the chain that cut the field, empty for a
 * keyword field; `tokens` the sum of all frequencies, `docs` the documents that have a token. Nothing in it depends on the
 * segment's name or on how its documents came together.
 *
 * Versions: 1 (first).
 */
import { canonicalSchema, type Schema } from '../document.ts';
import { corrupt } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter, unframe } from '../io/frame.ts';
import { SEGMENT_FILES, type SegmentFile } from '../io/names.ts';

const VERSION = 1;

export interface FieldStats {
  /** The sum of the frequencies of all terms in all documents, deleted ones included. */
  readonly tokens: number;
  /** Documents with at least one token in the field, deleted ones included. */
  readonly docs: number;
}

export interface IndexedField extends FieldStats {
  readonly analyzer: string;
}

export interface SegmentInfo {
  readonly docs: number;
  readonly schema: Schema;
  /** By field number: those that are indexed. */
  readonly fields: ReadonlyMap<number, IndexedField>;
  readonly files: ReadonlyMap<SegmentFile, FileSeal>;
}

export function writeSegment(directory: Directory, file: string, info: SegmentInfo): FileSeal {
  const out = new ByteWriter(1024);
  out.varint(info.docs);
  out.string(canonicalSchema(info.schema));
  out.varint(info.fields.size);
  for (const [id, field] of info.fields) {
    out.varint(id);
    out.string(field.analyzer);
    out.varint(field.tokens);
    out.varint(field.docs);
  }
  out.varint(info.files.size);
  for (const kind of SEGMENT_FILES) {
    const seal = info.files.get(kind);
    if (!seal) continue;
    out.string(kind);
    out.varint(seal.size);
    out.u32(seal.crc);
  }
  const frame = new FrameWriter(directory, file, 'seg', VERSION);
  frame.write(out.view());
  return frame.close();
}

export function readSegment(bytes: Uint8Array, file: string): SegmentInfo {
  const input = new ByteReader(unframe(bytes, file, 'seg', VERSION), file);
  const docs = input.varint();
  let schema: Schema;
  try {
    schema = JSON.parse(input.string());
  } catch (cause) {
    throw corrupt(file, 'its schema cannot be read', cause);
  }
  const fields = new Map<number, IndexedField>();
  for (let left = input.varint(); left > 0; left--) {
    const id = input.varint();
    fields.set(id, { analyzer: input.string(), tokens: input.varint(), docs: input.varint() });
  }
  const files = new Map<SegmentFile, FileSeal>();
  for (let left = input.varint(); left > 0; left--) {
    const kind = input.string();
    if (!(SEGMENT_FILES as readonly string[]).includes(kind))
      throw corrupt(file, `it lists a file of unknown kind ${kind}`);
    files.set(kind as SegmentFile, { size: input.varint(), crc: input.u32() });
  }
  if (input.left !== 0) throw corrupt(file, 'something follows its end');
  return { docs, schema, fields, files };
}
