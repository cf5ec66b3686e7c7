/**
 * The three tables that outlive a round: crawldb (key -> PageState), linkdb, hosts.
 *
 * **One step for any reader.** A change of any size is first written, sorted, to a journal (`<table>.journal`, a record
 * file, renamed into place when whole and on the disk: the moment it holds), then poured into the table in batches, then
 * the journal goes. A process killed before the rename leaves the old state, after it the new one: `openTables` pours a
 * journal that it finds before anybody reads. While one is poured, readers see the state before it, by a snapshot.
 * Pouring twice is harmless, since a journal holds whole values. A power cut is no worse: the journal is synced, then its
 * name, then the table is poured and flushed to its own files, and only then the journal goes.
 *
 *     journal := a record file: key -> 0 (taken out) | 1 value (put)
 *
 * Keys that start with a zero byte are the table's own: `\0version`, `\0applied/<what>` (a change already in it). Keys
 * that start with `\1` belong to the job that keeps them beside the pages (contributions by source).
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { decodeState } from '../page/codec.ts';
import type { PageState } from '../page/state.ts';
import { type Entry, FIRST_RECORD, type Key, Level, type Range, type Snapshot, type TextEntry } from './level.ts';
import { RecordReader, RecordWriter } from './records.ts';
import { Views } from './views.ts';
import { makeFolder, syncFolder } from './whole.ts';

const VERSION = 1;
const versionKey = Buffer.from('\0version');
const appliedPrefix = '\0applied/';
/** Changes in one batch: beyond a few thousand a batch gains nothing. */
const BATCH = 4000;

export class Table {
  readonly path: string;
  private readonly level: Level;
  private readonly journal: string;
  /** What readers see while a journal is poured; a scan that began then goes on with it when the pouring is over. */
  private before: Before | undefined;

  private constructor(path: string, level: Level) {
    this.path = path;
    this.level = level;
    this.journal = `${path}.journal`;
  }

  static async open(path: string): Promise<Table> {
    const table = new Table(path, await Level.open(path));
    try {
      const version = await table.level.get(versionKey);
      if (!version) {
        const batch = table.level.batch();
        batch.put(versionKey, Buffer.from([VERSION]));
        await batch.write(true);
        await batch.close();
      } else if (version[0]! > VERSION)
        throw new CrawlError('too-new', `${path} was written by a newer nuthatch; use that one or newer`, {
          where: path,
        });
      rmSync(`${table.journal}.tmp`, { force: true });
      if (existsSync(table.journal)) await table.pour();
    } catch (error) {
      await table.close();
      throw error;
    }
    return table;
  }

  get(key: Key): Promise<Uint8Array | undefined> {
    return this.level.get(key, this.before?.snapshot);
  }
  /** Fast when the keys ascend. */
  getMany(keys: readonly Uint8Array[]): Promise<(Buffer | undefined)[]> {
    return this.level.getMany(keys, this.before?.snapshot);
  }
  /** The records of a range in key order, some thousand at a time: the table's own keys are left out. */
  chunks(range: Range = {}): AsyncGenerator<Entry[], void, undefined> {
    return this.scan(range, (all, snapshot) => this.level.chunks(all, snapshot));
  }
  /** As `chunks`, keys as text, which is faster. */
  texts(range: Range = {}): AsyncGenerator<TextEntry[], void, undefined> {
    return this.scan(range, (all, snapshot) => this.level.texts(all, snapshot));
  }
  private async *scan<E>(
    range: Range,
    entries: (range: Range, snapshot: Snapshot | undefined) => AsyncGenerator<E, void, undefined>,
  ): AsyncGenerator<E, void, undefined> {
    const start = range.gte === undefined && range.gt === undefined ? { gte: FIRST_RECORD } : {};
    const { before } = this;
    if (before) before.scans++;
    try {
      yield* entries({ ...start, ...range }, before?.snapshot);
    } finally {
      if (before && --before.scans === 0 && before.over) await before.snapshot.close();
    }
  }
  /** One at a time, keys as text: convenient, and half as fast as `chunks`. */
  async *records(range: Range = {}): AsyncGenerator<{ key: string; value: Uint8Array }, void, undefined> {
    for await (const entries of this.texts(range)) for (const [key, value] of entries) yield { key, value };
  }

  /** True when the change of that name is already in the table. */
  async applied(what: string): Promise<boolean> {
    return (await this.level.get(appliedPrefix + what, this.before?.snapshot)) !== undefined;
  }

  /**
   * Collects a change: `put` and `remove` in any order of keys that the caller likes (ascending is fastest), then
   * `commit(what?)` makes it hold as one step, and remembers `what` as applied; `abandon` forgets it.
   */
  change(): TableChange {
    return new TableChange(`${this.journal}.tmp`, async (what) => {
      renameSync(`${this.journal}.tmp`, this.journal);
      // Before anything is poured: else a power cut could bring back an older journal over a newer table.
      syncFolder(dirname(this.journal));
      await this.pour();
      return what;
    });
  }

  private async pour(): Promise<void> {
    const before: Before = { snapshot: this.level.snapshot(), scans: 0, over: false };
    this.before = before;
    const reader = new RecordReader(this.journal);
    const batch = this.level.batch();
    const keys = new Views();
    const values = new Views();
    try {
      while (reader.next()) {
        const { block, keyStart, keyEnd, valueStart, valueEnd } = reader;
        // A batch copies what it is given, so that views may be used again.
        const key = keys.of(block, keyStart, keyEnd);
        if (block[valueStart] === PUT) batch.put(key, values.of(block, valueStart + 1, valueEnd));
        else batch.remove(key);
        if (batch.length >= BATCH) await batch.write(false);
      }
      if (reader.cut) throw new CrawlError('damaged', `${this.journal} is cut off; remove it and run the step again`);
      await batch.write(true);
      await this.level.flush();
    } finally {
      reader.close();
      await batch.close();
      this.before = undefined;
      before.over = true;
      if (before.scans === 0) await before.snapshot.close();
    }
    rmSync(this.journal);
  }

  async close(): Promise<void> {
    await this.level.close();
  }
}

interface Before {
  readonly snapshot: Snapshot;
  scans: number;
  over: boolean;
}

export class TableChange {
  private readonly writer: RecordWriter;
  private readonly commitAs: (what: string | undefined) => Promise<unknown>;

  constructor(path: string, commitAs: (what: string | undefined) => Promise<unknown>) {
    this.writer = new RecordWriter(path);
    this.commitAs = commitAs;
  }
  get size(): number {
    return this.writer.records;
  }
  put(key: Key, value: Uint8Array): void {
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    this.putSlice(bytes, 0, bytes.length, value, 0, value.length);
  }
  /** As `put`, of slices of larger buffers, without making views. */
  putSlice(key: Uint8Array, keyStart: number, keyEnd: number, value: Uint8Array, start: number, end: number): void {
    this.writer.appendTagged(PUT, key, keyStart, keyEnd, value, start, end);
  }
  remove(key: Key): void {
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    this.writer.appendTagged(REMOVED, bytes, 0, bytes.length, NOTHING, 0, 0);
  }
  async commit(what?: string): Promise<void> {
    if (what !== undefined) this.put(appliedPrefix + what, NOTHING);
    if (this.size === 0) return this.abandon();
    this.writer.sync();
    this.writer.close();
    await this.commitAs(what);
  }
  abandon(): void {
    this.writer.close();
    rmSync(this.writer.path, { force: true });
  }
}
const NOTHING = new Uint8Array(0);
/** First byte of a value in a journal. */
const REMOVED = 0;
const PUT = 1;

export const tableNames = ['crawldb', 'linkdb', 'hosts'] as const;

export interface Tables {
  readonly crawldb: Table;
  readonly linkdb: Table;
  readonly hosts: Table;
  /** The state of one page, by its key; null when crawldb does not know it. */
  page(key: Key): Promise<PageState | null>;
  close(): Promise<void>;
}

/** Opens (or makes) the tables of a crawl folder, for this process alone. @throws CrawlError 'locked' | 'too-new' | 'damaged' */
export async function openTables(dir: string): Promise<Tables> {
  makeFolder(dir);
  const opened: Table[] = [];
  try {
    for (const name of tableNames) opened.push(await Table.open(join(dir, name)));
  } catch (error) {
    for (const table of opened) await table.close();
    throw error;
  }
  const [crawldb, linkdb, hosts] = opened as [Table, Table, Table];
  return {
    crawldb,
    linkdb,
    hosts,
    async page(key) {
      const bytes = await crawldb.get(key);
      return bytes ? decodeState(bytes) : null;
    },
    async close() {
      for (const table of opened) await table.close();
    },
  };
}
