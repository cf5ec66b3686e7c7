/**
 * An index as of one commit, opened for reading.
 *
 * A snapshot does not change: what is committed later is seen by opening another. Its files stay while it is open, also
 * when a writer of this process has no more use for them; the last snapshot to close lets them go. A writer in another
 * process does not know of it; then the system keeps what is open, and opening starts again when the index moved on
 * under it.
 */
import type { Schema } from './document.ts';
import { corrupt, IndexError } from './errors.ts';
import { type Commit, commitFiles, listCommits, newestWhole } from './format/commit.ts';
import { crc32 } from './io/crc32.ts';
import type { Directory } from './io/directory.ts';
import { keepFiles } from './io/kept.ts';
import { openSegment, type SegmentReader } from './segment/reader.ts';

export class Snapshot {
  readonly directory: Directory;
  readonly commit: Commit;
  /** In the order of their documents. */
  readonly segments: readonly SegmentReader[];
  /** Newer commits that could not be used. Empty on a good day; a caller should tell somebody. */
  readonly passedOver: readonly IndexError[];
  #release: (() => void) | null;

  constructor(
    directory: Directory,
    commit: Commit,
    segments: readonly SegmentReader[],
    passedOver: readonly IndexError[],
    release: () => void,
  ) {
    this.directory = directory;
    this.commit = commit;
    this.segments = segments;
    this.passedOver = passedOver;
    this.#release = release;
  }
  /** Documents that are there. */
  get docs(): number {
    return this.segments.reduce((sum, segment) => sum + segment.liveDocs, 0);
  }
  get schema(): Schema | null {
    return this.segments[0]?.schema ?? null;
  }
  /** A file that was committed with the index, whole, its checksum compared; null when the commit has none of this name. */
  extra(name: string): Uint8Array | null {
    const seal = this.commit.extras.get(name);
    if (!seal) return null;
    const bytes = this.directory.read(name);
    if (bytes.length !== seal.size || crc32(bytes) !== seal.crc) throw corrupt(name, 'its checksum does not match');
    return bytes;
  }
  /** Reads every byte of every file: throws 'corrupt' for the first damage. */
  verify(): void {
    for (const segment of this.segments) segment.verify();
    for (const name of this.commit.extras.keys()) this.extra(name);
  }
  close(): void {
    if (!this.#release) return;
    for (const segment of this.segments) segment.close();
    this.#release();
    this.#release = null;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * Opens the newest commit that is whole with all its segments; null when nothing was ever committed.
 *
 * @throws IndexError 'corrupt' when no commit can be used, 'too-new', 'too-old'
 */
export function openSnapshot(directory: Directory): Snapshot | null {
  for (let tries = 0; ; tries++) {
    const newest = listCommits(directory)[0] ?? 0;
    try {
      const passedOver: IndexError[] = [];
      return newestWhole(directory, (commit) => openCommit(directory, commit, passedOver), passedOver);
    } catch (error) {
      // A writer elsewhere may have published and cleaned up in between: then there is a newer one to open.
      if (tries >= 5 || !(error instanceof IndexError) || (listCommits(directory)[0] ?? 0) === newest) throw error;
    }
  }
}

function openCommit(directory: Directory, commit: Commit, passedOver: readonly IndexError[]): Snapshot {
  const release = keepFiles(directory, commitFiles(commit));
  const segments: SegmentReader[] = [];
  try {
    for (const segment of commit.segments) {
      segments.push(openSegment(directory, segment.name, segment.deletions, segment));
    }
    return new Snapshot(directory, commit, segments, passedOver, release);
  } catch (error) {
    for (const segment of segments) segment.close();
    release();
    throw error;
  }
}
