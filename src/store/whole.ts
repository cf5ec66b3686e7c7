import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a small file whole or not at all, also through a power cut: beside it, synced, renamed, the folder synced. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const beside = `${path}.new`;
  const file = openSync(beside, 'w');
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncFolder(dirname(path));
}

/** Makes renames in a folder survive a power cut, where the system can. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows opens no folders; its renames are journalled.
  }
}
