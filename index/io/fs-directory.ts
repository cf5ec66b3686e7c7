import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { corrupt, IndexError } from '../errors.ts';
import type { Directory, Output, RandomAccess } from './directory.ts';

/** Largest piece of one system call, in bytes: some systems refuse 2 GB and more. */
const PIECE = 1 << 30;

/** Files in a folder of the file system, which is made when it is missing. */
export class FsDirectory implements Directory {
  readonly where: string;

  constructor(path: string) {
    this.where = resolve(path);
  }
  list(): string[] {
    return attempt('', () => {
      if (!fs.existsSync(this.where)) return [];
      return fs
        .readdirSync(this.where, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
        .map((entry) => entry.name)
        .sort();
    });
  }
  read(name: string): Uint8Array {
    return attempt(name, () => {
      const fd = fs.openSync(join(this.where, name), 'r');
      try {
        const { size } = fs.fstatSync(fd);
        const bytes = new Uint8Array(new SharedArrayBuffer(size));
        readInto(fd, bytes, 0, name);
        return bytes;
      } finally {
        fs.closeSync(fd);
      }
    });
  }
  open(name: string): RandomAccess {
    return attempt(name, () => {
      const fd = fs.openSync(join(this.where, name), 'r');
      let open = true;
      return {
        size: fs.fstatSync(fd).size,
        read: (offset: number, length: number) =>
          attempt(name, () => {
            if (!open) throw new IndexError('closed', `${name} was read after its reader was closed`, { file: name });
            const bytes = new Uint8Array(length);
            readInto(fd, bytes, offset, name);
            return bytes;
          }),
        close: () => {
          if (open) fs.closeSync(fd);
          open = false;
        },
      };
    });
  }
  create(name: string): Output {
    return attempt(name, () => {
      fs.mkdirSync(this.where, { recursive: true });
      const fd = fs.openSync(join(this.where, name), 'wx');
      let open = true;
      return {
        write: (bytes: Uint8Array) => attempt(name, () => writeAll(fd, bytes)),
        close: () => {
          if (open) attempt(name, () => fs.closeSync(fd));
          open = false;
        },
      };
    });
  }
  sync(names: readonly string[]): void {
    for (const name of names) attempt(name, () => this.#fsync(name));
    attempt('', () => this.#fsyncFolder());
  }
  publish(name: string, bytes: Uint8Array): void {
    attempt(name, () => {
      fs.mkdirSync(this.where, { recursive: true });
      const target = join(this.where, name);
      if (fs.existsSync(target)) {
        throw new IndexError('exists', `${name} exists; files are written once`, { file: name });
      }
      const temporary = `${target}.tmp`;
      const fd = fs.openSync(temporary, 'w');
      try {
        writeAll(fd, bytes);
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
      fs.renameSync(temporary, target);
      this.#fsyncFolder();
    });
  }
  remove(name: string): boolean {
    try {
      fs.rmSync(join(this.where, name), { force: true });
      return true;
    } catch {
      // Windows keeps a file that someone has open; the next commit tries again.
      return false;
    }
  }
  lock(name: string): () => void {
    return attempt(name, () => {
      fs.mkdirSync(this.where, { recursive: true });
      const path = join(this.where, name);
      const mine = `${process.pid} ${startOf(process.pid)}`;
      for (let tries = 0; ; tries++) {
        try {
          const fd = fs.openSync(path, 'wx');
          fs.writeSync(fd, mine);
          fs.closeSync(fd);
          return () => fs.rmSync(path, { force: true });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 2) throw error;
        }
        const owner = readOwner(path);
        if (owner && isAlive(owner.pid, owner.start)) {
          const message = `the index is being written by process ${owner.pid}; wait for it, or end it`;
          throw new IndexError('locked', message, { file: name });
        }
        // Moved aside first: of two that find a dead owner's lock, one moves it and the other finds nothing to move.
        const aside = `${path}.${process.pid}.tmp`;
        try {
          fs.renameSync(path, aside);
          fs.rmSync(aside, { force: true });
        } catch {
          // Another process took it over in between: the next turn finds its lock.
        }
      }
    });
  }
  #fsync(name: string): void {
    const fd = fs.openSync(join(this.where, name), 'r+');
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  }
  #fsyncFolder(): void {
    // A folder cannot be opened on Windows, where a rename is durable without.
    if (process.platform === 'win32') return;
    const fd = fs.openSync(this.where, 'r');
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  }
}

function readInto(fd: number, bytes: Uint8Array, offset: number, name: string): void {
  let at = 0;
  while (at < bytes.length) {
    const got = fs.readSync(fd, bytes, at, Math.min(bytes.length - at, PIECE), offset + at);
    if (got === 0) throw corrupt(name, 'it ends early');
    at += got;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += fs.writeSync(fd, bytes, at, Math.min(bytes.length - at, PIECE));
}

/** Runs `call`; the system's errors become ours. */
function attempt<T>(name: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    if (cause instanceof IndexError) throw cause;
    const { code, message, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw corrupt(name, 'it is missing', cause);
    if (code === 'EEXIST' && syscall === 'open')
      throw new IndexError('exists', `${name} exists; files are written once`, { file: name, cause });
    throw new IndexError('io', `${name || 'the folder'} of the index cannot be used: ${message}`, {
      file: name,
      cause,
    });
  }
}

function readOwner(path: string): { pid: number; start: string } | null {
  try {
    const [pid, start = ''] = fs.readFileSync(path, 'utf8').split(' ');
    return Number(pid) > 0 ? { pid: Number(pid), start } : null;
  } catch {
    // Gone again, or its owner died before it wrote a word: nobody's.
    return null;
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '' || start === '' || now === start;
}

/** When a process was started, in ticks since boot, so that a number used again is not mistaken for its old owner. */
function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // No /proc on this system: the number alone has to do.
    return '';
  }
}
