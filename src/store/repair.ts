/**
 * Tables that power loss or a failing disk broke. A broken table is never mended in place, since nobody can say what is
 * missing in it: it is set aside, a new one is filled from the segments, and what can still be read of the old one and is
 * in none of them is taken over.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { holdFolder } from './hold.ts';
import { FIRST_RECORD, Level } from './level.ts';
import { Table, tableNames } from './tables.ts';

/** Table -> the folder it now lies in, of those that cannot be opened or read to their end. @throws CrawlError 'locked' */
export async function setAside(dir: string, now: number): Promise<Map<string, string>> {
  const hold = await holdFolder(dir, 'repair', now);
  try {
    return await setAsideHeld(dir);
  } finally {
    await hold.release();
  }
}

async function setAsideHeld(dir: string): Promise<Map<string, string>> {
  const aside = new Map<string, string>();
  for (const name of tableNames) {
    const path = join(dir, name);
    if (!existsSync(path) || (await isWhole(path))) continue;
    let n = 1;
    while (existsSync(`${path}.damaged-${n}`)) n++;
    renameSync(path, `${path}.damaged-${n}`);
    // A change that was not yet poured belongs to the old table; the segments bring it again.
    if (existsSync(`${path}.journal`)) renameSync(`${path}.journal`, `${path}.journal.damaged-${n}`);
    aside.set(name, `${path}.damaged-${n}`);
  }
  return aside;
}

async function isWhole(path: string): Promise<boolean> {
  let table: Table | undefined;
  try {
    table = await Table.open(path);
    for await (const _ of table.chunks());
    return true;
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'damaged') return false;
    throw error;
  } finally {
    await table?.close();
  }
}

/** Records of a table set aside that `into` does not have, as far as they can be read; how many those were. */
export async function salvage(from: string, into: Table): Promise<number> {
  await Level.repair(from);
  const level = await Level.open(from);
  const change = into.change();
  let salvaged = 0;
  try {
    for await (const entries of level.chunks({ gte: FIRST_RECORD })) {
      const known = await into.getMany(entries.map(([key]) => key));
      for (const [i, [key, value]] of entries.entries())
        if (known[i] === undefined) {
          change.put(key, value);
          salvaged++;
        }
    }
  } catch (error) {
    // The rest of it is what is lost.
    if (!(error instanceof CrawlError) || error.code !== 'damaged') {
      change.abandon();
      throw error;
    }
  } finally {
    await level.close();
  }
  await change.commit();
  return salvaged;
}
