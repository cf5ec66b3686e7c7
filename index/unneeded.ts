/** Which files of an index nobody needs any more. */
import { IndexError } from './errors.ts';
import { type Commit, commitFiles, listCommits, readCommit } from './format/commit.ts';
import type { Directory } from './io/directory.ts';
import { dropFiles } from './io/kept.ts';
import { commitFile, parseCommit, segmentOf } from './io/names.ts';

/**
 * Removes files that neither a commit to be kept, nor a reader, nor `others` need.
 * @param keep commits kept, `newest` included
 * @param others files of the commit that is in the making
 */
export function removeUnneeded(directory: Directory, newest: Commit, keep: number, others: Iterable<string>): void {
  const needed = new Set<string>([...commitFiles(newest), ...others]);
  const older: string[] = [];
  let left = keep - 1;
  for (const generation of listCommits(directory)) {
    if (generation === newest.generation) continue;
    const file = commitFile(generation);
    older.push(file);
    if (generation > newest.generation) continue;
    try {
      const commit = readCommit(directory.read(file), file);
      if (left-- > 0) for (const name of commitFiles(commit)) needed.add(name);
      else older.push(...commit.extras.keys());
    } catch (error) {
      // A damaged older commit keeps nothing; what it kept goes with it.
      if (!(error instanceof IndexError)) throw error;
    }
  }
  const stray = directory.list().filter((name) => segmentOf(name) !== null || parseCommit(name) !== null);
  dropFiles(
    directory,
    [...new Set([...older, ...stray])].filter((name) => !needed.has(name)),
  );
}
