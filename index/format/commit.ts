/**
 * Commit: which segments make up the index.
 *
 * File `commit-<generation>`; the highest whole one is the index. It is published in one step after all it names is safe.
 *
 *     commit   := frame("com", 1) { generation:varint  names:varint  segments:varint segment[segments]
 *                                   extras:varint extra[extras]  user:varint { key:string value:string }[user] }
 *     segment  := name:string  size:varint crc:u32  docs:varint  deletions:varint  { deleted:varint size:varint crc:u32 }?
 *     extra    := name:string  size:varint  crc:u32
 *
 * `names` is the number of the next segment name never given out. size and crc of a segment are those of its .seg file.
 * `deletions` is the generation of its .liv file, 0 for none; the rest is there when it is not 0. Extras are other files
 * that belong to this commit, whatever they hold; their crc is over the whole file. Order of segments is order of documents.
 *
 * Versions: 1 (first).
 */
import { corrupt, IndexError } from '../errors.ts';
import { ByteReader, ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, frame, unframe } from '../io/frame.ts';
import { commitFile, liveFile, parseCommit, SEGMENT_FILES, segmentFile } from '../io/names.ts';

const VERSION = 1;

export interface CommitSegment {
  readonly name: string;
  readonly seal: FileSeal;
  /** Documents, deleted ones included. */
  readonly docs: number;
  readonly deleted: number;
  /** Generation of the .liv file, 0 for none. */
  readonly deletions: number;
  readonly liveSeal: FileSeal | null;
}

export interface Commit {
  readonly generation: number;
  readonly names: number;
  readonly segments: readonly CommitSegment[];
  readonly extras: ReadonlyMap<string, FileSeal>;
  /** Whatever the writer wants to keep with it, short. */
  readonly user: Readonly<Record<string, string>>;
}

export const EMPTY: Commit = { generation: 0, names: 1, segments: [], extras: new Map(), user: {} };

export function publishCommit(directory: Directory, commit: Commit): void {
  const out = new ByteWriter(1024);
  out.varint(commit.generation);
  out.varint(commit.names);
  out.varint(commit.segments.length);
  for (const segment of commit.segments) {
    out.string(segment.name);
    writeSeal(out, segment.seal);
    out.varint(segment.docs);
    out.varint(segment.deletions);
    if (segment.deletions === 0) continue;
    out.varint(segment.deleted);
    writeSeal(out, segment.liveSeal!);
  }
  out.varint(commit.extras.size);
  for (const [name, seal] of commit.extras) {
    out.string(name);
    writeSeal(out, seal);
  }
  const user = Object.entries(commit.user);
  out.varint(user.length);
  for (const [key, value] of user) {
    out.string(key);
    out.string(value);
  }
  directory.publish(commitFile(commit.generation), frame('com', VERSION, out.view()));
}

export function readCommit(bytes: Uint8Array, file: string): Commit {
  const input = new ByteReader(unframe(bytes, file, 'com', VERSION), file);
  const generation = input.varint();
  if (commitFile(generation) !== file) throw corrupt(file, `it is commit ${generation} under another name`);
  const names = input.varint();
  const segments: CommitSegment[] = [];
  for (let left = input.varint(); left > 0; left--) {
    const name = input.string();
    const seal = readSeal(input);
    const docs = input.varint();
    const deletions = input.varint();
    const deleted = deletions === 0 ? 0 : input.varint();
    segments.push({ name, seal, docs, deletions, deleted, liveSeal: deletions === 0 ? null : readSeal(input) });
  }
  const extras = new Map<string, FileSeal>();
  for (let left = input.varint(); left > 0; left--) extras.set(input.string(), readSeal(input));
  const user: Record<string, string> = {};
  for (let left = input.varint(); left > 0; left--) user[input.string()] = input.string();
  if (input.left !== 0) throw corrupt(file, 'something follows its end');
  return { generation, names, segments, extras, user };
}

/** Generations that have a commit file, newest first. */
export function listCommits(directory: Directory): number[] {
  return directory
    .list()
    .map(parseCommit)
    .filter((generation) => generation !== null)
    .sort((a, b) => b - a);
}

/**
 * Tries `use` on the commits from the newest on, and passes over those that are damaged, or whose files are. Null when
 * there is no commit.
 *
 * @param passedOver what was wrong with each that was passed over is added to it
 * @throws IndexError what the newest one threw, when none can be used; at once, when it is not damage
 */
export function newestWhole<T>(
  directory: Directory,
  use: (commit: Commit) => T,
  passedOver: IndexError[] = [],
): T | null {
  for (const generation of listCommits(directory)) {
    const file = commitFile(generation);
    try {
      return use(readCommit(directory.read(file), file));
    } catch (error) {
      if (!(error instanceof IndexError) || error.code !== 'corrupt') throw error;
      passedOver.push(error);
    }
  }
  if (passedOver[0]) throw passedOver[0];
  return null;
}

/** Every file that a commit needs, its own included. */
export function commitFiles(commit: Commit): string[] {
  const files = [commitFile(commit.generation), ...commit.extras.keys()];
  for (const { name, deletions } of commit.segments) {
    for (const kind of SEGMENT_FILES) files.push(segmentFile(name, kind));
    if (deletions > 0) files.push(liveFile(name, deletions));
  }
  return files;
}

function writeSeal(out: ByteWriter, seal: FileSeal): void {
  out.varint(seal.size);
  out.u32(seal.crc);
}

function readSeal(input: ByteReader): FileSeal {
  return { size: input.varint(), crc: input.u32() };
}
