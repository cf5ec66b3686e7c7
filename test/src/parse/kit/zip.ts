import { deflateRawSync } from 'node:zlib';

export interface Entry {
  readonly name: string;
  readonly content: Buffer | string;
  /** What the directory says, where it lies. */
  readonly size?: number;
  readonly encrypted?: boolean;
  readonly stored?: boolean;
}

/** A zip archive, as small as can be; its directory may lie. */
export function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, size, encrypted, stored } of entries) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(stored ? 0 : 8, 8);
    head.writeUInt16LE(name.length, 26);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(encrypted ? 1 : 0, 8);
    record.writeUInt16LE(stored ? 0 : 8, 10);
    record.writeUInt32LE(packed.length, 20);
    record.writeUInt32LE(size ?? bytes.length, 24);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt32LE(at, 42);
    directory.push(record, Buffer.from(name));
    parts.push(head, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
