import { CrawlError, type CrawlErrorCode } from '../errors.ts';

/**
 * Exit codes: 0 done; 1 failed; 2 wrong usage or config; 3 nothing to do; 4 the folder is locked, too new or damaged;
 * 130 interrupted, state kept.
 */
const exitCodes: Record<CrawlErrorCode, number> = {
  usage: 2,
  config: 2,
  'nothing-to-do': 3,
  locked: 4,
  'too-new': 4,
  damaged: 4,
  'missing-input': 1,
  interrupted: 130,
  'publish-refused': 1,
  'disk-full': 1,
  failed: 1,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof CrawlError) return exitCodes[error.code];
  const code = (error as { code?: unknown }).code;
  if (error instanceof Error && error.name === 'IndexError')
    return code === 'corrupt' || code === 'too-old' || code === 'too-new' || code === 'locked' ? 4 : 1;
  return 1;
}

/** One sentence for people. What the system refuses (a port in use, a folder without the right to write) is no fault of ours. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'IndexError' && (error as { code?: unknown }).code === 'corrupt')
    return `${error.message}: nuthatch index --all makes it anew of the segments`;
  return error.name === 'CrawlError' || error.name === 'IndexError' || 'syscall' in error
    ? error.message
    : `${error.message} (a fault of nuthatch)`;
}
