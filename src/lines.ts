import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { CrawlError, whyNot } from './errors.ts';

/**
 * A line of a file at a time, `-` being standard input, without its end (LF or CR LF) and without the byte order mark that
 * some editors put in front; blank lines are kept.
 * @param what the file, as a complaint names it
 * @throws CrawlError 'usage' when it cannot be read
 */
export async function* linesOf(path: string, what = path): AsyncGenerator<string, void, undefined> {
  try {
    const input = path === '-' ? stdin : createReadStream(path);
    let first = true;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield first ? line.replace(/^\ufeff/, '') : line;
      first = false;
    }
  } catch (cause) {
    throw new CrawlError('usage', `${what} cannot be read: ${whyNot(cause)}`, { where: path, cause });
  }
}
