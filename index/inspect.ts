/** What is in a file of an index, for a person: whole or not, which format, and what it holds in a few words. */
import { IndexError } from './errors.ts';
import { readColumns } from './format/columns.ts';
import { readCommit } from './format/commit.ts';
import { countLive, readLive } from './format/live.ts';
import { readNorms } from './format/norms.ts';
import { readPositions } from './format/positions.ts';
import { readPostings } from './format/postings.ts';
import { readReverse } from './format/reverse.ts';
import { readSegment } from './format/segment.ts';
import { readSkips } from './format/skips.ts';
import { StoredReader } from './format/stored.ts';
import { readTerms } from './format/terms.ts';
import { ByteReader } from './io/bytes.ts';
import type { Directory } from './io/directory.ts';
import { FOOT, HEAD } from './io/frame.ts';

export interface FileReport {
  readonly file: string;
  /** The extension of its format; `com` for a commit; '' when it is no file of an index. */
  readonly format: string;
  readonly version: number;
  readonly bytes: number;
  /** What is wrong with it, null when it is whole. */
  readonly problem: string | null;
  readonly holds: Readonly<Record<string, unknown>>;
}

/** Reads the file whole. Damage is reported, not thrown; only what the system refuses is ('io', or 'corrupt' when missing). */
export function inspectFile(directory: Directory, file: string): FileReport {
  const bytes = directory.read(file);
  const report = { file, format: '', version: 0, bytes: bytes.length, problem: null, holds: {} };
  if (bytes.length < HEAD + FOOT) return { ...report, problem: 'it is too short for a file of an index' };
  const head = new ByteReader(bytes, file);
  const magic = String.fromCharCode(...head.raw(4));
  if (magic !== 'NHIX') return { ...report, problem: 'it is no file of an index' };
  const known = { ...report, format: String.fromCharCode(...head.raw(4)).trimEnd(), version: head.u32() };
  try {
    return { ...known, holds: contents(directory, file, known.format, bytes) };
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    return { ...known, problem: error.message };
  }
}

function contents(directory: Directory, file: string, format: string, bytes: Uint8Array): Record<string, unknown> {
  const byField = <T>(fields: ReadonlyMap<number, T>, tell: (field: T) => unknown): Record<string, unknown> => ({
    fields: Object.fromEntries([...fields].map(([id, field]) => [id, tell(field)])),
  });
  switch (format) {
    case 'com': {
      const { generation, segments, extras, user } = readCommit(bytes, file);
      const list = segments.map(({ name, docs, deleted }) => ({ name, docs, deleted }));
      return { generation, segments: list, extras: [...extras.keys()], user };
    }
    case 'seg': {
      const { docs, schema, fields, files } = readSegment(bytes, file);
      const told = [...fields].map(([id, field]) => ({ name: schema.fields[id]?.name, ...field }));
      return {
        docs,
        key: schema.key,
        fields: told,
        files: Object.fromEntries([...files].map(([kind, { size }]) => [kind, size])),
      };
    }
    case 'trm':
      return byField(readTerms(bytes, file), ({ size, blocks }) => ({ terms: size, blocks: blocks.length - 1 }));
    case 'rev':
      return byField(readReverse(bytes, file), ({ size }) => ({ terms: size }));
    case 'nrm':
      return byField(readNorms(bytes, file), (norms) => ({ documents: norms.length }));
    case 'col':
      return byField(readColumns(bytes, file), (column) =>
        column.kind === 'string' ? { kind: column.kind, distinct: column.dictionary.size } : { kind: column.kind },
      );
    case 'liv': {
      const docs = new ByteReader(bytes, file, HEAD).u32();
      return { docs, live: countLive(readLive(bytes, file, docs)) };
    }
    case 'sto': {
      const access = directory.open(file);
      try {
        const stored = new StoredReader(access, file);
        stored.verify();
        const raw = stored.blocks.reduce((sum, block) => sum + block.rawBytes, 0);
        return { docs: stored.docs, blocks: stored.blocks.length, unpackedBytes: raw };
      } finally {
        access.close();
      }
    }
    default:
      return words(bytes, file, format);
  }
}

function words(bytes: Uint8Array, file: string, format: string): Record<string, unknown> {
  const open = { pst: readPostings, skp: readSkips, pos: readPositions }[format];
  if (open) return { words: open(bytes, file).length };
  throw new IndexError(
    'too-new',
    `${file} is of a kind, ${format}, that this program does not know; upgrade nuthatch`,
    { file },
  );
}
