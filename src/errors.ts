/**
 * What can go wrong for the caller of a crawl.
 *
 * An outcome (404, refused by robots, broken HTML) is data with a reason and never an error; see page/outcome.ts.
 * A message says what happened, to what, and what to do about it, in one sentence.
 */
export const crawlErrorCodes = [
  /** A command, option or argument that does not exist or does not fit. */
  'usage',
  /** A config file or key that does not fit; the message names file, line and key. */
  'config',
  /** Nothing was selected, injected or due; the state is as it was. */
  'nothing-to-do',
  /** Another process holds the crawl folder. */
  'locked',
  /** The folder or a file in it was written by a newer nuthatch. */
  'too-new',
  /** A file fails its checksum, is cut off, or is missing. */
  'damaged',
  /** A verb was run before the verb that makes its input. */
  'missing-input',
  /** Stopped by the caller; the state is kept and the same call goes on. */
  'interrupted',
  /** A publish would lose more documents than allowed. */
  'publish-refused',
  /** The disk has no room left. */
  'disk-full',
  /** A task failed twice, or a bug. */
  'failed',
] as const;
export type CrawlErrorCode = (typeof crawlErrorCodes)[number];

export class CrawlError extends Error {
  override readonly name = 'CrawlError';
  readonly code: CrawlErrorCode;
  /** The file, folder or URL concerned, where there is one. */
  readonly where: string | undefined;

  constructor(code: CrawlErrorCode, message: string, more: { where?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.where = more.where;
  }
}

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'this process has no right to it',
  EPERM: 'this process has no right to it',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk has no room left',
  EMFILE: 'too many files are open',
};

/** Why the system refused, for people: a fragment that follows the name of the file. What has no words here keeps its own. */
export function whyNot(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return SYSTEM[code] ?? message;
}
