/**
 * Holding a crawl folder: one writer at a time, by a lock of the operating system, which goes with its process however
 * that ends. The lock is that of an empty classic-level in `LOCK/` (Node itself has none); `LOCK/holder.json` beside it
 * only tells people who it is.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { CrawlError } from '../errors.ts';
import { Level } from './level.ts';
import { writeWhole } from './whole.ts';

export interface Hold {
  /** Lets the folder go; it can be taken again as soon as this resolves. */
  release(): Promise<void>;
}

/** @throws CrawlError 'locked', naming the process, what it does and since when */
export async function holdFolder(dir: string, doing: string, now: number): Promise<Hold> {
  const lock = join(dir, 'LOCK');
  const holder = join(lock, 'holder.json');
  let level: Level;
  try {
    level = await Level.open(lock);
  } catch (error) {
    // It holds nothing that could be lost, and nobody has it: a lock in use is told of as such.
    if (error instanceof CrawlError && error.code === 'damaged') {
      rmSync(lock, { recursive: true });
      return holdFolder(dir, doing, now);
    }
    if (!(error instanceof CrawlError) || error.code !== 'locked') throw error;
    throw new CrawlError('locked', `${dir} is in use by ${holderOf(holder)}; wait for it to end, or stop it`, {
      where: dir,
      cause: error.cause,
    });
  }
  writeWhole(holder, JSON.stringify({ pid, doing, since: new Date(now).toISOString() }));
  return { release: () => level.close() };
}

function holderOf(path: string): string {
  try {
    const { pid: process, doing, since } = JSON.parse(readFileSync(path, 'utf8'));
    return `process ${process} (${doing}, since ${since})`;
  } catch {
    // The holder has just taken the lock and not yet said who it is.
    return 'another process';
  }
}
