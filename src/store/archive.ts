import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { CrawlError, whyNot } from '../errors.ts';
import { parseResponse, type WarcResponse } from './warc-read.ts';

/**
 * Reads any web archive that somebody else wrote: WARC 0.17 to 1.1 and ARC 1, plain, with a gzip member a record, with
 * members that end in mid-record, or compressed as a whole. Front to back, since such files can be trusted in nothing
 * else: what is no record is passed over to the next thing that is, what the end of the file cuts is given as far as it
 * goes, and both are said in `problem`. For our own files use warc-read.ts, which reads any record by its offset.
 *
 *     arc   := "filedesc://" ... LF version-block LF record*
 *     record:= url ' ' ip ' ' date14 ' ' type ' ' length LF  octets[length] LF
 */
export interface ArchiveRecord {
  /** As in WARC; a document of an ARC is a `response`, its first record a `warcinfo`. */
  readonly type: string;
  /** Lower-case names; those of an ARC record under the names of WARC. */
  readonly fields: ReadonlyMap<string, string>;
  /** '' when there is none. Without the angle brackets that some writers put around it. */
  readonly url: string;
  readonly block: Buffer;
  /** The HTTP answer in the block; null when it holds none. */
  readonly response: WarcResponse | null;
  /** What was wrong, for people; '' when nothing was. */
  readonly problem: string;
}

/** Longest block kept, bytes; of a longer one the beginning. */
const MOST = 64 << 20;
const LONGEST_HEAD = 1 << 20;

/** @throws CrawlError 'usage' when the file cannot be opened, or nothing in it is a record: it is not ours, so it is not 'damaged' */
export async function* readArchive(path: string): AsyncGenerator<ArchiveRecord, void, undefined> {
  const source = new Source(path);
  let found = 0;
  let passed = 0;
  try {
    while (await source.fill(1)) {
      const line = await source.peekLine();
      if (/^WARC\/[01]\.\d+\s*$/.test(line)) {
        const record = await warcRecord(source, passed);
        passed = 0;
        if (record === null) continue;
        found++;
        yield record;
      } else if (isArcLine(line)) {
        const record = await arcRecord(source, line, passed);
        passed = 0;
        found++;
        yield record;
      } else {
        if (line.trim() !== '') passed += line.length;
        source.skipLine(line);
      }
    }
  } finally {
    source.close();
  }
  if (found === 0) throw new CrawlError('usage', `${path} holds no WARC or ARC record${source.why()}`, { where: path });
}

/** Null: a head that says nothing; its lines are passed over. */
async function warcRecord(source: Source, passed: number): Promise<ArchiveRecord | null> {
  const head = await source.head();
  const fields = new Map<string, string>();
  for (const line of head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  const type = fields.get('warc-type')?.toLowerCase() ?? '';
  if (type === '') return null;
  const url = (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1').replace(/ /g, '%20');
  return finish(source, type, fields, url, fields.get('content-length') ?? '', passed);
}

const ARC_LINE = /^(\S.*) (\d+\.\d+\.\d+\.\d+|[\da-f:]+|-) (\d{8,18}) (\S+) (-?\d+)\s*$/i;
const isArcLine = (line: string): boolean => ARC_LINE.test(line);

async function arcRecord(source: Source, line: string, passed: number): Promise<ArchiveRecord> {
  source.skipLine(line);
  const [, url = '', ip = '', date = '', contentType = '', length = ''] = ARC_LINE.exec(line)!;
  const time = /^(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?/.exec(date)!;
  const [, y, mo, d, h = '00', mi = '00', s = '00'] = time;
  const fields = new Map([
    ['warc-ip-address', ip],
    ['warc-date', `${y}-${mo}-${d}T${h}:${mi}:${s}Z`],
    ['content-type', contentType],
    ['warc-target-uri', url],
  ]);
  const about = url.startsWith('filedesc:');
  return finish(source, about ? 'warcinfo' : 'response', fields, about ? '' : url.replace(/ /g, '%20'), length, passed);
}

async function finish(
  source: Source,
  type: string,
  fields: ReadonlyMap<string, string>,
  url: string,
  said: string,
  passed: number,
): Promise<ArchiveRecord> {
  const problems: string[] = [];
  if (passed > 0) problems.push(`${passed} bytes before it are no record`);
  const length = /^\d{1,15}$/.test(said) ? Number(said) : -1;
  // Without a length a record has none: the next line that begins one ends it.
  if (length < 0) problems.push(`its length is no number: ${said.slice(0, 20)}`);
  const block = await source.take(Math.max(0, length));
  if (block.length < length) {
    const wanted =
      length > MOST ? `only its first ${MOST} bytes are kept` : `the file ends ${length - block.length} bytes early`;
    problems.push(`${wanted}${source.why()}`);
  }
  const http = type === 'response' || type === 'revisit' ? parseResponse(block) : null;
  return { type, fields, url, block, response: http, problem: problems.join('; ') };
}

/** The bytes of a file, decompressed where it is compressed, with a little look-ahead. */
class Source {
  readonly #path: string;
  readonly #stream: ReturnType<typeof createReadStream>;
  #bytes: AsyncIterator<Buffer> | null = null;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;
  #error = '';

  constructor(path: string) {
    this.#path = path;
    this.#stream = createReadStream(path, { highWaterMark: 1 << 16 });
  }

  /** True when that many bytes lie ready. */
  async fill(bytes: number): Promise<boolean> {
    while (this.#held.length < bytes && !this.#ended) {
      const next = await this.#next();
      if (next === null) this.#ended = true;
      else this.#held = this.#held.length === 0 ? next : Buffer.concat([this.#held, next]);
    }
    return this.#held.length >= bytes;
  }

  async #next(): Promise<Buffer | null> {
    try {
      this.#bytes ??= await this.#open();
      const { value, done } = await this.#bytes.next();
      return done ? null : (value as Buffer);
    } catch (error) {
      if ('syscall' in (error as Error) && this.#bytes === null)
        throw new CrawlError('usage', `${this.#path} cannot be read: ${whyNot(error)}`, {
          where: this.#path,
          cause: error,
        });
      this.#error = (error as Error).message; // a damaged or cut compression: what came before it stands
      return null;
    }
  }

  async #open(): Promise<AsyncIterator<Buffer>> {
    const raw = this.#stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await raw.next();
    if (first.done) return raw;
    const begin = first.value;
    const rest = {
      async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
        yield begin;
        for (let next = await raw.next(); !next.done; next = await raw.next()) yield next.value;
      },
    };
    if (begin[0] !== 0x1f || begin[1] !== 0x8b) return rest[Symbol.asyncIterator]();
    return inflated(rest);
  }

  /** The next line with its end; a very long one is cut. */
  async peekLine(): Promise<string> {
    for (let size = 256; ; size *= 4) {
      const more = await this.fill(size);
      const end = this.#held.indexOf(10);
      if (end >= 0 && end < size) return this.#held.toString('latin1', 0, end + 1);
      if (!more || size > LONGEST_HEAD) return this.#held.toString('latin1', 0, Math.min(this.#held.length, size));
    }
  }

  skipLine(line: string): void {
    this.#held = this.#held.subarray(line.length);
  }

  /** Up to the empty line, which is passed over. */
  async head(): Promise<string> {
    let head = '';
    while (head.length < LONGEST_HEAD && (await this.fill(1))) {
      const line = await this.peekLine();
      this.skipLine(line);
      if (line.trim() === '') break;
      head += line;
    }
    return Buffer.from(head, 'latin1').toString('utf8');
  }

  /** That many bytes, or as many as there are; beyond the limit they are read and let go. */
  async take(length: number): Promise<Buffer> {
    await this.fill(Math.min(length, MOST));
    const block = Buffer.from(this.#held.subarray(0, Math.min(length, MOST)));
    this.#held = this.#held.subarray(block.length);
    for (let left = length - block.length; left > 0 && (await this.fill(1)); ) {
      const passed = Math.min(left, this.#held.length);
      this.#held = this.#held.subarray(passed);
      left -= passed;
    }
    return block;
  }

  why(): string {
    return this.#error === '' ? '' : ` (${this.#error})`;
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** Members one after the other, as one stream; what came before a fault is given before the fault is thrown. */
async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let fault: Error | null = null;
  const chunks: Buffer[] = [];
  let wake: (() => void) | null = null;
  let ended = false;
  const ring = (): void => {
    wake?.();
    wake = null;
  };
  gunzip.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunks.length >= 16) gunzip.pause();
    ring();
  });
  gunzip.on('error', (error) => {
    fault = error;
    ended = true;
    ring();
  });
  gunzip.on('end', () => {
    ended = true;
    ring();
  });
  const feeding = (async () => {
    for await (const chunk of source) {
      if (ended) return;
      if (!gunzip.write(chunk))
        await new Promise<void>((resolve) => gunzip.once('drain', resolve).once('close', resolve));
    }
    gunzip.end();
  })().catch((error: Error) => {
    fault = error;
    ended = true;
    ring();
  });
  try {
    while (true) {
      const chunk = chunks.shift();
      if (chunk) yield chunk;
      else if (ended) break;
      else {
        gunzip.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (chunks.length > 0 || ended) ring();
        });
      }
    }
  } finally {
    gunzip.destroy();
  }
  await feeding;
  if (fault) throw fault;
}
