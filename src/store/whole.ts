import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlError } from '../errors.ts';

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

/**
 * Makes a folder, and those above it. One by one: where a file system makes no folders (/proc), Node's `recursive` asks
 * for ever. @throws CrawlError 'failed'
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return;
    const { message } = cause as Error;
    throw new CrawlError('failed', `the folder ${path} cannot be made: ${message}; name another`, {
      where: path,
      cause,
    });
  }
}
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

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
