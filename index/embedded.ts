/**
 * An index for a program of one's own: documents in, hits out, on disk or in memory. What the application needs beyond
 * that (threads that build, commits that carry more files) it puts together from the writer and the searcher itself.
 *
 *     const notes = createIndex({ key: 'id', fields: [
 *       { name: 'id', index: 'keyword', stored: true },
 *       { name: 'title', index: 'text', weight: 3, stored: true },
 *       { name: 'text', index: 'text', stored: true },
 *     ] }, './notes');
 *     notes.add([{ id: '1', title: 'Shopping', text: 'hazel nuts' }]);
 *     notes.commit();
 *     notes.search('hazel').hits[0].fields.title;      // 'Shopping'
 */
import type { Document, Schema } from './document.ts';
import { IndexError } from './errors.ts';
import type { Directory } from './io/directory.ts';
import { FsDirectory } from './io/fs-directory.ts';
import { MemoryDirectory } from './io/memory-directory.ts';
import type { SearcherOptions, SearchOptions, SearchResult } from './search/request.ts';
import { Searcher } from './searcher.ts';
import { SegmentBuilder } from './segment/builder.ts';
import { chooseMerges } from './segment/policy.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { IndexWriter } from './writer.ts';

/** A folder, or a directory of any other kind; in memory when absent. */
export type Place = string | Directory;
const directoryOf = (place: Place | undefined): Directory =>
  place === undefined ? new MemoryDirectory() : typeof place === 'string' ? new FsDirectory(place) : place;

/**
 * The index in `place`, made when there is none.
 * @throws IndexError 'bad-schema' when the one that is there has another schema; and as `openSnapshot`
 */
export function createIndex(schema: Schema, place?: Place, options: SearcherOptions = {}): Index {
  const directory = directoryOf(place);
  const snapshot = openSnapshot(directory);
  const found = snapshot?.schema;
  if (found && JSON.stringify(found) !== JSON.stringify(schema)) {
    snapshot.close();
    throw new IndexError(
      'bad-schema',
      `the index in ${whereOf(place)} has another schema; use a new place, or that schema`,
    );
  }
  return new Index(directory, schema, snapshot, options);
}

/**
 * The index in `place`, which must be there with a document at least.
 * @throws IndexError 'missing' when there is none; and as `openSnapshot`
 */
export function openIndex(place: Place, options: SearcherOptions = {}): Index {
  const directory = directoryOf(place);
  const snapshot = openSnapshot(directory);
  const schema = snapshot?.schema;
  if (schema) return new Index(directory, schema, snapshot, options);
  snapshot?.close();
  throw new IndexError('missing', `there is no index in ${whereOf(place)}; make one with createIndex`);
}

const whereOf = (place: Place | undefined): string => (typeof place === 'string' ? place : 'this directory');

/**
 * Searching sees the last commit and takes no lock. The first change takes the lock of the one writer, the commit gives
 * it back: so several processes may search and take turns at writing.
 */
export class Index implements Disposable {
  readonly directory: Directory;
  readonly schema: Schema;
  readonly #options: SearcherOptions;
  #snapshot: Snapshot | null;
  #searcher: Searcher;
  #writer: IndexWriter | null = null;
  #builder: SegmentBuilder | null = null;
  #closed = false;

  /** Takes over `snapshot`. */
  constructor(directory: Directory, schema: Schema, snapshot: Snapshot | null, options: SearcherOptions) {
    this.directory = directory;
    this.schema = schema;
    this.#options = options;
    this.#snapshot = snapshot;
    this.#searcher = new Searcher(snapshot ?? { segments: [] }, options);
  }

  /** Documents that a search can find. */
  get docs(): number {
    return this.#searcher.docs;
  }

  /**
   * Adds documents, to be found after the next commit. One replaces the document with the same key, be it older or added
   * before it.
   * @throws IndexError 'locked' when another process writes; 'bad-document', and then those before it stay added
   */
  add(documents: Iterable<Document>): void {
    if (typeof documents === 'string' || typeof documents?.[Symbol.iterator] !== 'function')
      throw new IndexError(
        'bad-document',
        'add takes a list of documents, or anything that can be gone through; put a single one into [ ]',
      );
    this.#write();
    for (const document of documents) {
      this.#builder ??= new SegmentBuilder(this.schema);
      this.#builder.add(document);
      if (this.#builder.full) this.#flush();
    }
  }

  /** Deletes by key, from the next commit on; how many there were. A key that no document has is no error. */
  delete(keys: Iterable<string>): number {
    const writer = this.#write();
    this.#flush();
    return writer.deleteByKey(keys);
  }

  /** Makes all changes visible and safe in one step; a failure leaves the last commit in place. Merges what is worth it. */
  commit(): void {
    const writer = this.#write();
    this.#flush();
    for (const names of chooseMerges(writer.segments)) writer.merge(names);
    writer.commit();
    writer.close();
    this.#writer = null;
    this.refresh();
  }

  /** Forgets all changes since the last commit. */
  rollback(): void {
    this.#builder = null;
    this.#writer?.close();
    this.#writer = null;
  }

  /**
   * Searches the last commit that this index has seen; see Searcher. Never throws for what a person types.
   * @throws IndexError 'bad-query' for what a program gives: a query that is no text, a `limit` that is no number
   */
  search(query: string, options: SearchOptions = {}): SearchResult {
    this.#alive();
    if (typeof query !== 'string')
      throw new IndexError('bad-query', `the query of search must be a text, not ${JSON.stringify(query)}`);
    for (const name of ['limit', 'from'] as const) {
      const value: unknown = options[name];
      if (value !== undefined && (!Number.isInteger(value) || (value as number) < 0))
        throw new IndexError(
          'bad-query',
          `${name} of a search must be a whole number from 0, not ${JSON.stringify(value)}`,
        );
    }
    return this.#searcher.search(query, options);
  }

  /** Looks for a newer commit, of another process perhaps; true when there was one. Its own commits it sees by itself. */
  refresh(): boolean {
    this.#alive();
    const newest = openSnapshot(this.directory);
    if (newest?.commit.generation === this.#snapshot?.commit.generation) {
      newest?.close();
      return false;
    }
    this.#snapshot?.close();
    this.#snapshot = newest;
    this.#searcher = new Searcher(newest ?? { segments: [] }, this.#options);
    return true;
  }

  /** Forgets what was not committed. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.rollback();
    this.#closed = true;
    this.#snapshot?.close();
    this.#snapshot = null;
  }
  [Symbol.dispose](): void {
    this.close();
  }

  #alive(): void {
    if (this.#closed) throw new IndexError('closed', 'this index is closed; open it again');
  }
  #write(): IndexWriter {
    this.#alive();
    this.#writer ??= IndexWriter.open(this.directory);
    return this.#writer;
  }
  /** Documents that were added become a segment of the next commit. */
  #flush(): void {
    const builder = this.#builder;
    this.#builder = null;
    if (!builder || builder.docs === 0) return;
    const writer = this.#write();
    writer.attach(builder.write(this.directory, writer.newName()), { replace: true });
  }
}
