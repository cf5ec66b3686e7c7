import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/**
 * The predefined CMaps of PDF: which character a code means in a font that names its encoding (90ms-RKSJ-H, GBK-EUC-H,
 * UniJIS-UTF16-H ...) or its collection (Adobe-Japan1) and embeds no map. Made by bench/make-cmaps.ts out of Adobe's
 * maps, whose licence is in cmaps.txt.
 *
 *     cmaps.bin := brotli((nameLength:u8 name:ascii[nameLength] length:u32 map:u8[length])[])
 *
 * A map is in pdf.js's binary form. 168 maps are 370 KB, and 1.1 MB unpacked.
 */
export function packCMaps(maps: readonly (readonly [name: string, map: Uint8Array])[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [name, map] of maps) {
    const head = Buffer.alloc(5 + name.length);
    head[0] = name.length;
    head.write(name, 1, 'latin1');
    head.writeUInt32LE(map.length, 1 + name.length);
    parts.push(head, map);
  }
  return brotliCompressSync(Buffer.concat(parts));
}

function unpackCMaps(packed: Uint8Array): Map<string, Uint8Array> {
  const bytes = brotliDecompressSync(packed);
  const maps = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes[at]!;
    const name = bytes.toString('latin1', at + 1, nameEnd);
    const end = nameEnd + 4 + bytes.readUInt32LE(nameEnd);
    maps.set(name, bytes.subarray(nameEnd + 4, end));
    at = end;
  }
  return maps;
}

let maps: Map<string, Uint8Array> | null = null;

/** Gives pdf.js the maps it asks for (its option `BinaryDataFactory`); they are unpacked for the first one. */
export class CMaps {
  /** `filename`: the map's name and '.bcmap'. @throws Error for what is no such map, which pdf.js passes over */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error(`${filename} is needed to draw, not to read`);
    maps ??= unpackCMaps(readFileSync(new URL('cmaps.bin', import.meta.url)));
    const map = maps.get(filename.replace(/\.bcmap$/, ''));
    if (map === undefined) throw new Error(`there is no predefined map ${filename}`);
    // pdf.js may take the bytes over.
    return new Uint8Array(map);
  }
}
