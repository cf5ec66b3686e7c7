import { CrawlError, type CrawlErrorCode, whyNot } from '../errors.ts';

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

/** A failure as `--json` tells it: a code of a closed list, the sentence, and the file, folder or address where there is one. */
export function errorOf(error: unknown): { code: string; message: string; where?: string } {
  const { name, code, where, file } = error as { name?: string; code?: string; where?: string; file?: string };
  const ours = name === 'CrawlError' || name === 'IndexError';
  const at = where ?? file;
  return { code: ours ? code! : 'failed', message: messageOf(error), ...(at === undefined ? {} : { where: at }) };
}

/** One sentence for people. What the system refuses (a port in use, a folder without the right to write) is no fault of ours. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'IndexError' && (error as { code?: unknown }).code === 'corrupt')
    return `${error.message}: nuthatch index --all makes it anew of the segments`;
  if (error.name === 'CrawlError' || error.name === 'IndexError') return error.message;
  return 'syscall' in error ? refusal(error as Refusal) : `${error.message} (a fault of nuthatch)`;
}

type Refusal = NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string };

/** What the system refused, in our words: ports first, then files. */
function refusal(error: Refusal): string {
  const { code, syscall, address = '', port = 0, path } = error;
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is in use by another program; stop that, or choose another port with --port`;
  if (syscall === 'listen' && (code === 'EACCES' || code === 'EPERM'))
    return `port ${port} may not be opened by this user; choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine; choose another with --host`;
  if (syscall === 'getaddrinfo') return `the host name ${error.hostname ?? ''} does not resolve`;
  if (path === undefined) return error.message;
  const doing =
    syscall === 'mkdir' ? 'made' : /^(?:write|rename|unlink|rm|fsync|copyfile)/.test(syscall!) ? 'written' : 'opened';
  return `${path} cannot be ${doing}: ${whyNot(error)}`;
}
