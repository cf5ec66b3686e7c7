/**
 * The one who changes an index.
 *
 * What it does becomes visible, and safe, by `commit` alone, in one step; until then it is nowhere, and `rollback` or the
 * death of the process leaves the index as it was. Segments are built and merged elsewhere, in any thread, under names
 * that the writer gives out.
 */
import { corrupt, IndexError } from './errors.ts';
import { Extras } from './extras.ts';
import { type Commit, type CommitSegment, EMPTY, listCommits, newestWhole, publishCommit } from './format/commit.ts';
import { allLive, countLive, kill, readLive, writeLive } from './format/live.ts';
import { PostingsCursor } from './format/postings.ts';
import type { Directory } from './io/directory.ts';
import { type FileSeal, sealOf } from './io/frame.ts';
import { isSegmentName, LOCK, liveFile, SEGMENT_FILES, segmentFile, segmentOf } from './io/names.ts';
import type { BuiltSegment } from './segment/builder.ts';
import { type MergeOptions, mergeSegments } from './segment/merge.ts';
import type { SegmentSize } from './segment/policy.ts';
import { type OpenOptions, openSegment, openShared, type SegmentReader } from './segment/reader.ts';
import { removeUnneeded } from './unneeded.ts';

export interface WriterOptions {
  /** How many commits are kept, the newest included. More than one lets a person go back, and costs their disk. */
  readonly keep?: number;
}

/** A writer looks keys up and merges, and must not hold the index in memory for that. */
const LEAN: OpenOptions = { lean: true };

/** A segment of the next commit. */
interface Pending {
  readonly name: string;
  readonly docs: number;
  /** As of the last commit that knew it; null for one that no commit knows yet. */
  readonly committed: CommitSegment | null;
  /** Its live documents with the deletions since; null when all are there. */
  live: Int32Array | null;
  /** Deleted since the last commit. */
  changed: boolean;
  reader: SegmentReader | null;
}

export class IndexWriter {
  readonly directory: Directory;
  readonly #keep: number;
  readonly #unlock: () => void;
  #commit: Commit;
  #pending: Pending[] = [];
  #names = 1;
  readonly #extras: Extras;
  #user: Record<string, string> = {};
  #closed = false;

  /**
   * Takes the lock and stands on the newest whole commit. What a dead writer left unfinished is removed.
   *
   * @throws IndexError 'locked', 'corrupt' when commits are there and none can be read, 'too-new', 'too-old'
   */
  static open(directory: Directory, options: WriterOptions = {}): IndexWriter {
    const unlock = directory.lock(LOCK);
    try {
      return new IndexWriter(directory, options, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  private constructor(directory: Directory, options: WriterOptions, unlock: () => void) {
    this.directory = directory;
    this.#extras = new Extras(directory);
    this.#keep = Math.max(1, options.keep ?? 1);
    this.#unlock = unlock;
    // A commit counts only when its segments can be opened: one whose files are damaged is passed over as a reader would.
    const passedOver: IndexError[] = [];
    const use = (commit: Commit): Commit => {
      for (const segment of commit.segments)
        openSegment(directory, segment.name, segment.deletions, segment, LEAN).close();
      return commit;
    };
    this.#commit = newestWhole(directory, use, passedOver) ?? EMPTY;
    this.#reset();
    // What a damaged commit names stays for whoever wants to mend it, until a new one takes its place.
    if (passedOver.length === 0) this.#clean();
    for (const file of directory.list()) {
      const number = /^s(\d{1,15})$/.exec(segmentOf(file) ?? '')?.[1];
      if (number !== undefined) this.#names = Math.max(this.#names, Number(number) + 1);
    }
  }

  /** The commit that readers see now; generation 0 before the first. */
  get committed(): Commit {
    return this.#commit;
  }
  /** Segments of the next commit, in the order of their documents. */
  get segments(): readonly SegmentSize[] {
    return this.#pending.map(({ name, docs, live }) => ({ name, docs, deleted: live ? docs - countLive(live) : 0 }));
  }
  /** What the next commit keeps for its writer. */
  get user(): Readonly<Record<string, string>> {
    return this.#user;
  }

  /** A name for a segment to be built or merged; never given twice, and free of what a dead writer may have left. */
  newName(): string {
    this.#check();
    return `s${this.#names++}`;
  }

  /**
   * Adds a built segment behind the others. Its documents replace older ones of the same key when `replace` is set, which
   * costs one look-up a document and older segment. How many were replaced. It may be of another schema than the segments
   * there, so that an index can be made anew under the old one; only segments of one schema can be merged.
   */
  attach(built: BuiltSegment, options: { readonly replace?: boolean } = {}): number {
    this.#check();
    if (!isSegmentName(built.name) || this.#pending.some(({ name }) => name === built.name)) {
      throw new IndexError('exists', `segment ${built.name} cannot be attached: its name is taken or no name`, {
        file: segmentFile(built.name, 'seg'),
      });
    }
    const added = this.#open(built);
    let replaced = 0;
    if (options.replace) {
      for (const older of this.#pending) replaced += this.#replaceKeys(older, added);
    }
    this.#pending.push(added);
    this.#deleteDocs(added, built.replaced);
    return replaced;
  }

  /** Deletes the documents with these keys; how many there were. A key that no document has is no error. */
  deleteByKey(keys: Iterable<string>): number {
    this.#check();
    const list = [...keys];
    let deleted = 0;
    const cursor = new PostingsCursor();
    for (const segment of this.#pending) {
      const reader = this.#reader(segment);
      const terms = reader.terms(reader.schema.key);
      for (const key of list) {
        const n = terms.find(key);
        if (n < 0) continue;
        terms.postings(n, cursor);
        for (let doc = cursor.next(); doc < reader.docs; doc = cursor.next()) {
          if (this.#kill(segment, doc)) deleted++;
        }
      }
    }
    return deleted;
  }

  /** Deletes documents of a segment by number; how many of them were there until now. */
  deleteDocs(segment: string, docs: Iterable<number>): number {
    this.#check();
    const pending = this.#pending.find(({ name }) => name === segment);
    if (!pending) throw new RangeError(`the index has no segment ${segment}`);
    return this.#deleteDocs(pending, docs);
  }

  /**
   * Readers of the segments of the next commit, with all deletions so far; good until the next call that changes them. They are
   * lean (segment/reader.ts): made for merges and columns, slow for queries.
   */
  readers(): SegmentReader[] {
    this.#check();
    return this.#pending.map((segment) => this.#reader(segment));
  }

  /** Merges neighbouring segments here and now, and puts the result in their place. */
  merge(names: readonly string[], options: MergeOptions = {}): BuiltSegment {
    this.#check();
    const readers = this.#run(names).map((segment) => this.#reader(segment));
    const merged = mergeSegments(readers, this.directory, this.newName(), options);
    this.replace(names, merged);
    return merged;
  }

  /**
   * Puts the merge of neighbouring segments, made elsewhere, in their place. Deletions made in them since that merge read
   * them would come back, so a merge whose documents are not as many as are there now is refused.
   */
  replace(names: readonly string[], merged: BuiltSegment): void {
    this.#check();
    const run = this.#run(names);
    const docs = run.reduce((sum, { live, docs }) => sum + (live ? countLive(live) : docs), 0);
    if (docs !== merged.docs) {
      const message = `segments ${names.join(', ')} have ${docs} documents and their merge ${merged.docs}; merge again`;
      throw new IndexError('bad-document', message);
    }
    const added = this.#open(merged);
    this.#pending.splice(this.#pending.indexOf(run[0]!), run.length, added);
    for (const segment of run) segment.reader?.close();
  }

  /** Commits a file with the index, whatever it holds; one of the same name is replaced in the next commit under a new name only. */
  addExtra(name: string, bytes: Uint8Array): void {
    this.#check();
    this.#extras.add(name, bytes);
  }
  /** The next commit is without it. */
  removeExtra(name: string): void {
    this.#check();
    this.#extras.remove(name);
  }
  get extras(): readonly string[] {
    return this.#extras.names;
  }
  /** A few short words that the next commit keeps; `undefined` takes one away. */
  setUser(values: Readonly<Record<string, string | undefined>>): void {
    this.#check();
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) delete this.#user[key];
      else this.#user[key] = value;
    }
  }

  /**
   * Makes everything since the last commit visible and safe, in one step. A failure leaves the last commit in place, and the
   * call may be made again. Readers that are open keep what they have; files that no one needs are removed.
   */
  commit(): Commit {
    this.#check();
    const generation = Math.max(this.#commit.generation, listCommits(this.directory)[0] ?? 0) + 1;
    const fresh = new Set<string>(this.#extras.fresh);
    const segments: CommitSegment[] = [];
    const kept: Pending[] = [];
    for (const segment of this.#pending) {
      const { name, docs, committed, live, changed } = segment;
      const deleted = live ? docs - countLive(live) : 0;
      if (deleted === docs) continue;
      kept.push(segment);
      if (committed === null) for (const kind of SEGMENT_FILES) fresh.add(segmentFile(name, kind));
      const seal = committed?.seal ?? this.#sealOf(name);
      if (!changed || !live) {
        segments.push(committed ?? { name, seal, docs, deleted: 0, deletions: 0, liveSeal: null });
        continue;
      }
      const file = liveFile(name, generation);
      this.directory.remove(file);
      const liveSeal = writeLive(this.directory, file, live, docs);
      fresh.add(file);
      segments.push({ name, seal, docs, deleted, deletions: generation, liveSeal });
    }
    const commit: Commit = {
      generation,
      names: this.#names,
      segments,
      extras: this.#extras.seals(),
      user: { ...this.#user },
    };
    this.directory.sync([...fresh]);
    publishCommit(this.directory, commit);
    this.#commit = commit;
    this.#extras.commit(commit.extras);
    for (const segment of this.#pending) if (!kept.includes(segment)) segment.reader?.close();
    this.#pending = kept.map((segment, i) => ({ ...segment, committed: segments[i]!, changed: false }));
    this.#clean();
    return commit;
  }

  /** Forgets everything since the last commit. */
  rollback(): void {
    this.#check();
    this.#reset();
    this.#clean();
  }

  /** Forgets what was not committed and gives the lock back. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const segment of this.#pending) segment.reader?.close();
    this.#unlock();
  }
  [Symbol.dispose](): void {
    this.close();
  }

  #check(): void {
    if (this.#closed) throw new IndexError('closed', 'the index writer was used after it was closed');
  }

  #reset(): void {
    for (const segment of this.#pending) segment.reader?.close();
    this.#pending = this.#commit.segments.map((committed) => {
      const { name, docs } = committed;
      return { name, docs, committed, live: null, changed: false, reader: null };
    });
    for (const segment of this.#pending) {
      const { name, docs, committed } = segment;
      const file = liveFile(name, committed!.deletions);
      if (committed!.deletions > 0) segment.live = readLive(this.directory.read(file), file, docs);
    }
    this.#names = Math.max(this.#names, this.#commit.names);
    this.#extras.reset(this.#commit.extras);
    this.#user = { ...this.#commit.user };
  }

  #open(built: BuiltSegment): Pending {
    const reader = openSegment(this.directory, built.name, 0, undefined, LEAN);
    if (reader.docs !== built.docs) {
      reader.close();
      throw corrupt(segmentFile(built.name, 'seg'), `it has ${reader.docs} documents where ${built.docs} were built`);
    }
    return { name: built.name, docs: built.docs, committed: null, live: null, changed: false, reader };
  }

  #reader(segment: Pending): SegmentReader {
    if (!segment.reader) {
      const { name, committed } = segment;
      segment.reader = openSegment(this.directory, name, committed!.deletions, committed!, LEAN);
    }
    if (segment.reader.live !== segment.live) {
      const before = segment.reader;
      segment.reader = openShared(this.directory, { ...before.share(), live: segment.live });
      before.close();
    }
    return segment.reader;
  }

  #sealOf(name: string): FileSeal {
    const file = segmentFile(name, 'seg');
    return sealOf(this.directory.read(file), file);
  }

  #run(names: readonly string[]): Pending[] {
    const start = this.#pending.findIndex(({ name }) => name === names[0]);
    const run = this.#pending.slice(start, start + names.length);
    if (start < 0 || run.some(({ name }, i) => name !== names[i]) || run.length !== names.length) {
      throw new RangeError(`segments ${names.join(', ')} are not neighbours of the index in this order`);
    }
    return run;
  }

  #deleteDocs(segment: Pending, docs: Iterable<number>): number {
    let deleted = 0;
    for (const doc of docs) {
      if (!(doc >= 0 && doc < segment.docs)) throw new RangeError(`segment ${segment.name} has no document ${doc}`);
      if (this.#kill(segment, doc)) deleted++;
    }
    return deleted;
  }

  #kill(segment: Pending, doc: number): boolean {
    if (!segment.live || segment.live === segment.reader?.live) {
      // The bits that a reader sees stay as they are: deletions go to a copy.
      const live = allLive(segment.docs);
      if (segment.live) live.set(segment.live);
      segment.live = live;
    }
    segment.changed = true;
    return kill(segment.live, doc);
  }

  /** Deletes from `older` every document whose key `added` has: a look-up a key, whose blocks are met in order. */
  #replaceKeys(older: Pending, added: Pending): number {
    const old = this.#reader(older);
    const fresh = this.#reader(added);
    const oldTerms = old.terms(old.schema.key);
    const freshTerms = fresh.terms(fresh.schema.key);
    const cursor = new PostingsCursor();
    let deleted = 0;
    for (let n = 0; n < freshTerms.size; n++) {
      const found = oldTerms.find(freshTerms.term(n));
      if (found < 0) continue;
      oldTerms.postings(found, cursor);
      for (let doc = cursor.next(); doc < old.docs; doc = cursor.next()) if (this.#kill(older, doc)) deleted++;
    }
    return deleted;
  }

  /** Removes files that neither a commit to be kept, nor the next one, nor a reader needs. */
  #clean(): void {
    try {
      const segments = this.#pending.flatMap(({ name }) => SEGMENT_FILES.map((kind) => segmentFile(name, kind)));
      removeUnneeded(this.directory, this.#commit, this.#keep, [...segments, ...this.#extras.names]);
    } catch (error) {
      // The index is as it should be; what is left over now goes the next time.
      if (!(error instanceof IndexError)) throw error;
    }
  }
}
