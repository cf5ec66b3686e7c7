/** Who in this process reads which files of an index, so that a writer does not take them away. */
import type { Directory } from './directory.ts';

interface Place {
  /** How many readers keep a file. */
  readonly readers: Map<string, number>;
  /** Files that are to go when their last reader leaves. */
  readonly doomed: Set<string>;
}

const places = new Map<string, Place>();

function placeOf(directory: Directory): Place {
  let place = places.get(directory.where);
  if (!place) places.set(directory.where, (place = { readers: new Map(), doomed: new Set() }));
  return place;
}

/** Keeps files until the answer is called. */
export function keepFiles(directory: Directory, files: Iterable<string>): () => void {
  const { readers, doomed } = placeOf(directory);
  const kept = [...files];
  for (const file of kept) readers.set(file, (readers.get(file) ?? 0) + 1);
  return () => {
    for (const file of kept) {
      const left = readers.get(file)! - 1;
      if (left > 0) readers.set(file, left);
      else {
        readers.delete(file);
        if (doomed.delete(file)) directory.remove(file);
      }
    }
    if (readers.size === 0 && doomed.size === 0) places.delete(directory.where);
  };
}

/** Removes files, each now or when its last reader leaves. */
export function dropFiles(directory: Directory, files: Iterable<string>): void {
  const { readers, doomed } = placeOf(directory);
  for (const file of files) {
    if (readers.has(file)) doomed.add(file);
    else directory.remove(file);
  }
}
