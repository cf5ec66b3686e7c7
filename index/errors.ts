/**
 * What can go wrong for the caller of an index. A message says what happened, to what, and what to do about it.
 *
 * Damage is found by checksum when a file is opened (stored documents: when a block is read), before any of its numbers
 * is believed.
 */
export const indexErrorCodes = [
  /** A file fails its checksum, is cut off, is missing, or belongs to something else. */
  'corrupt',
  /** Nothing was ever committed there. */
  'missing',
  /** Written by a version whose reader is gone: build the index again. */
  'too-old',
  /** Written by a newer version: upgrade. */
  'too-new',
  /** Another writer holds the index. */
  'locked',
  /** Used after it was closed. */
  'closed',
  /** A query that cannot be run as it stands (parsing never throws: see its list of problems). */
  'bad-query',
  /** A schema that contradicts itself, or segments of different schemas brought together. */
  'bad-schema',
  /** A document that does not fit its schema; nothing of it was added. */
  'bad-document',
  /** A file that must be new is there already. */
  'exists',
  /** The system refused: the disk is full, a right is missing. `cause` holds its error. */
  'io',
] as const;
export type IndexErrorCode = (typeof indexErrorCodes)[number];

export class IndexError extends Error {
  override readonly name = 'IndexError';
  readonly code: IndexErrorCode;
  /** The file concerned, without its folder, where there is one. */
  readonly file: string | undefined;

  constructor(code: IndexErrorCode, message: string, more: { file?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.file = more.file;
  }
}

/** The file does not hold what it must. */
export function corrupt(file: string, what: string, cause?: unknown): IndexError {
  return new IndexError('corrupt', `${file} is damaged (${what}); restore it or build the index again`, {
    file,
    cause,
  });
}
