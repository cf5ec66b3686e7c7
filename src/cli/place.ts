import { existsSync } from 'node:fs';
import { isFile, looksLikePath } from '../url/files.ts';

/**
 * A word that was typed where an address is wanted. One whose first part has no dot and no colon names no public host: where
 * a file or folder of that name is here, that is meant, and `docs/a.html` becomes `./docs/a.html`. All else stays as it is.
 */
export const placed = (word: string): string =>
  /^[^.:/\\\s?#]+(?:\/|$)/.test(word) && existsSync(word) ? `./${word}` : word;

/** A hint for a word that is taken for an address though there is a file or folder so called; '' where there is none. */
export const placeHint = (word: string): string =>
  placed(word) === word && !looksLikePath(word) && !isFile(word) && !word.includes('://') && existsSync(word)
    ? `${word} is taken for a host; for the file or folder of that name here, write ./${word}`
    : '';
