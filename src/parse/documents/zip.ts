import { inflateRawSync } from 'node:zlib';
import { Refused } from './refused.ts';

/** What of an archive is read at most. Declared sizes are checked first and then not believed. */
export const ZIP_LIMITS = { entries: 5000, entryBytes: 32 << 20, totalBytes: 64 << 20, ratio: 200 };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/**
 * The entries of a zip archive whose names `want` accepts, unpacked. Only names of the central directory count.
 * @throws Refused when it is no archive, damaged, protected by a password, or larger unpacked than ZIP_LIMITS
 */
export function readZip(body: Uint8Array, want: (name: string) => boolean): Map<string, Buffer> {
  const zip = Buffer.from(body.buffer, body.byteOffset, body.length);
  // The record and the longest comment after it.
  const lowest = Math.max(0, zip.length - 22 - 65_535);
  let end = zip.length - 22;
  while (end >= lowest && zip.readUInt32LE(end) !== END) end--;
  if (end < lowest) throw new Refused('parse-failed', 'the archive is cut off or none at all');
  const count = zip.readUInt16LE(end + 10);
  if (count > ZIP_LIMITS.entries) throw new Refused('too-large', `the archive has ${count} entries`);
  const files = new Map<string, Buffer>();
  let total = 0;
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL)
      throw new Refused('parse-failed', 'the archive is damaged');
    const flags = zip.readUInt16LE(at + 8);
    const method = zip.readUInt16LE(at + 10);
    const packed = zip.readUInt32LE(at + 20);
    const size = zip.readUInt32LE(at + 24);
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (!want(name) || files.has(name)) continue;
    if ((flags & 1) !== 0) throw new Refused('parse-failed', 'it is protected by a password');
    if (size > ZIP_LIMITS.entryBytes || total + size > ZIP_LIMITS.totalBytes)
      throw new Refused('too-large', `${name} of the archive is too large`);
    if (size > 1 << 20 && size > packed * ZIP_LIMITS.ratio)
      throw new Refused('too-large', `${name} of the archive is packed too tightly to be honest`);
    if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL)
      throw new Refused('parse-failed', 'the archive is damaged');
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (from + packed > zip.length) throw new Refused('parse-failed', 'the archive is cut off');
    const raw = zip.subarray(from, from + packed);
    const content = method === 0 ? raw : method === 8 ? inflate(raw, name, total) : null;
    if (content === null) continue;
    total += content.length;
    files.set(name, content);
  }
  return files;
}

function inflate(raw: Buffer, name: string, total: number): Buffer {
  const room = Math.min(ZIP_LIMITS.entryBytes, ZIP_LIMITS.totalBytes - total);
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, room) });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refused('too-large', `${name} of the archive is too large`, { cause });
    throw new Refused('parse-failed', `${name} of the archive is damaged`, { cause });
  }
}
