import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { CrawlError, whyNot } from './errors.ts';

/** The lines of a seed file, `-` being standard input; CR LF and a byte order mark are taken off, blank lines kept. */
export async function readSeedFile(path: string): Promise<string[]> {
  const lines: string[] = [];
  try {
    const input = path === '-' ? stdin : createReadStream(path);
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      lines.push(lines.length === 0 ? line.replace(/^\ufeff/, '') : line);
  } catch (cause) {
    throw new CrawlError('usage', `the seed file ${path} cannot be read: ${whyNot(cause)}`, {
      where: path,
      cause,
    });
  }
  return lines;
}
