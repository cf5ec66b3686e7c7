/**
 * classic-level, wrapped once: the only file that imports it. Keys and values are bytes; keys order as bytes.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { CrawlError } from '../errors.ts';
import { makeFolder } from './whole.ts';

export type Key = string | Uint8Array;
export interface Range {
  readonly gte?: Key;
  readonly gt?: Key;
  readonly lt?: Key;
  readonly reverse?: boolean;
  readonly limit?: number;
}
export type Entry = [key: Buffer, value: Buffer];
export type TextEntry = [key: string, value: Buffer];
/** A chained batch of classic-level 3, as it is beneath its checks. */
interface NativeBatch {
  _put(key: Uint8Array, value: Uint8Array): void;
  _del(key: Uint8Array): void;
  _write(options: { readonly sync: boolean }): Promise<void>;
  _clear(): void;
  close(): Promise<void>;
}

export interface Batch {
  put(key: Uint8Array, value: Uint8Array): void;
  remove(key: Uint8Array): void;
  readonly length: number;
  /** `sync`: on the disk before it returns. @throws CrawlError 'disk-full' */
  write(sync: boolean): Promise<void>;
  close(): Promise<void>;
}

const bytesOf = (key: Key): Buffer =>
  typeof key === 'string' ? Buffer.from(key) : Buffer.from(key.buffer, key.byteOffset, key.byteLength);
const entriesAtOnce = 2000;
/** Keys below it belong to the table itself, or to the job that keeps them beside the records. */
export const FIRST_RECORD = Buffer.from([2]);

export class Level {
  readonly path: string;
  private readonly db: ClassicLevel<Buffer, Buffer>;

  private constructor(path: string, db: ClassicLevel<Buffer, Buffer>) {
    this.path = path;
    this.db = db;
  }

  /** Made when it is not there. @throws CrawlError 'locked' | 'damaged' | 'disk-full' */
  static async open(path: string): Promise<Level> {
    makeFolder(path);
    // Without CURRENT classic-level would begin anew, and nobody would hear of what was there.
    if (!existsSync(join(path, 'CURRENT')) && readdirSync(path).some((name) => holdsRecords(join(path, name))))
      throw damaged(path, 'its file CURRENT is gone');
    const db = new ClassicLevel<Buffer, Buffer>(path, {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      // Larger than LevelDB's own 4 and 2 MB: half the work of merging files (bench/update.bench.ts).
      writeBufferSize: 8 << 20,
      maxFileSize: 8 << 20,
      cacheSize: 4 << 20,
      // Open files are mapped into memory whole: without a bound a large table would count as ours. Ten are not tables.
      maxOpenFiles: 24,
    });
    try {
      await db.open();
    } catch (error) {
      throw explained(path, (error as Error).cause ?? error);
    }
    return new Level(path, db);
  }

  /** Makes what can still be read of a broken one readable; what it leaves may be less than it was, and older. */
  static async repair(path: string): Promise<void> {
    try {
      await ClassicLevel.repair(path);
    } catch (error) {
      throw explained(path, error);
    }
  }

  /** What is in it now, for reads that must not see what is written meanwhile; to be closed by the caller. */
  snapshot(): Snapshot {
    return this.db.snapshot();
  }

  async get(key: Key, snapshot?: Snapshot): Promise<Buffer | undefined> {
    try {
      return await this.db.get(bytesOf(key), at(snapshot));
    } catch (error) {
      throw explained(this.path, error);
    }
  }

  /** In the order asked for; fast when the keys ascend: 0.9 M keys a CPU second against 0.03 M one by one. */
  async getMany(keys: readonly Uint8Array[], snapshot?: Snapshot): Promise<(Buffer | undefined)[]> {
    try {
      return await this.db.getMany(keys as Buffer[], at(snapshot));
    } catch (error) {
      throw explained(this.path, error);
    }
  }

  /** A range in key order, some thousand entries at a time. */
  chunks(range: Range = {}, snapshot?: Snapshot): AsyncGenerator<Entry[], void, undefined> {
    return this.scan<Buffer>(range, snapshot, {});
  }

  /** As `chunks`, keys as text: a string costs a third of what a buffer costs, which is most of what a scan does. */
  texts(range: Range = {}, snapshot?: Snapshot): AsyncGenerator<TextEntry[], void, undefined> {
    return this.scan<string>(range, snapshot, { keyEncoding: 'utf8' });
  }

  private async *scan<K>(
    range: Range,
    snapshot: Snapshot | undefined,
    keys: { readonly keyEncoding?: 'utf8' },
  ): AsyncGenerator<[key: K, value: Buffer][], void, undefined> {
    const iterator = this.db.iterator<K, Buffer>({
      ...(range.gte === undefined ? {} : { gte: bytesOf(range.gte) }),
      ...(range.gt === undefined ? {} : { gt: bytesOf(range.gt) }),
      ...(range.lt === undefined ? {} : { lt: bytesOf(range.lt) }),
      ...(range.reverse ? { reverse: true } : {}),
      ...(range.limit === undefined ? {} : { limit: range.limit }),
      ...at(snapshot),
      highWaterMarkBytes: 1 << 20,
      ...keys,
    } as object);
    try {
      for (;;) {
        const entries = await iterator.nextv(entriesAtOnce).catch((error: unknown) => {
          throw explained(this.path, error);
        });
        if (entries.length === 0) return;
        yield entries;
      }
    } finally {
      await iterator.close();
    }
  }

  /**
   * Changes that hold together, at `write`, after which the batch is empty and may be used again; keys and values are
   * copied when given. To be closed by the caller.
   *
   * One batch for all writes of a change, by the methods beneath the public ones: the native memory of a batch is freed
   * with its object, of which the garbage collector sees a few bytes, so a batch a write would pile up megabytes unseen
   * (400 MB for three million records); an array of changes costs four times the CPU. See bench/update.bench.ts.
   */
  batch(): Batch {
    const native = this.db.batch() as unknown as NativeBatch;
    let length = 0;
    return {
      put: (key, value) => {
        native._put(key, value);
        length++;
      },
      remove: (key) => {
        native._del(key);
        length++;
      },
      get length() {
        return length;
      },
      write: async (sync) => {
        try {
          if (length > 0) await native._write({ sync });
        } catch (error) {
          throw explained(this.path, error);
        }
        native._clear();
        length = 0;
      },
      close: () => native.close(),
    };
  }

  /**
   * All that was written is in tables on the disk, and none of it in a log alone. A synced write is not enough for those
   * before it: LevelDB changes logs as it goes, and syncs the one it is at. (Compacting an empty range writes the memory
   * table out first, and then has nothing to do.)
   */
  async flush(): Promise<void> {
    try {
      await this.db.compactRange(Buffer.from([0, 0]), Buffer.from([0, 0, 0]));
    } catch (error) {
      throw explained(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.db.close();
  }
}

/** What was in a table at one moment; its kind is classic-level's, whose types leave this file nowhere. */
export interface Snapshot {
  close(): Promise<void>;
}
type NativeSnapshot = ReturnType<ClassicLevel<Buffer, Buffer>['snapshot']>;
const at = (snapshot: Snapshot | undefined): { snapshot?: NativeSnapshot } =>
  snapshot ? { snapshot: snapshot as NativeSnapshot } : {};

function explained(path: string, error: unknown): CrawlError {
  const { code, message } = error as { code?: string; message: string };
  const more = { where: path, cause: error };
  if (code === 'LEVEL_LOCKED')
    return new CrawlError('locked', `${path} is in use by another process; wait for it to end, or stop it`, more);
  // A file that is cut to nothing or gone is an error of reading to LevelDB.
  if (code === 'LEVEL_CORRUPTION' || /No such file|Invalid argument/.test(message))
    return damaged(path, message, error);
  if (/No space left/i.test(message)) return new CrawlError('disk-full', `no room left on the disk for ${path}`, more);
  return new CrawlError('failed', `${path} cannot be used: ${message}`, more);
}

const damaged = (path: string, what: string, cause?: unknown): CrawlError =>
  new CrawlError('damaged', `${path}: ${what}; nuthatch repair makes it anew of what the segments hold`, {
    where: path,
    cause,
  });

/** A table file, or a log that is not empty. */
const holdsRecords = (file: string): boolean =>
  /\.(?:ldb|sst)$/.test(file) || (/\.log$/.test(file) && statSync(file).size > 0);
