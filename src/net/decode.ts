import * as zlib from 'node:zlib';

/**
 * A body without its Content-Encoding, never longer than `max` bytes at any layer.
 *
 * A header that lies is not believed: bytes that do not look like the coding named are taken as they are, and said so
 * in `problem`. A body that breaks off or is damaged gives what could be read.
 */
export interface Decoded {
  readonly body: Buffer;
  /** There was more than `max`. */
  readonly truncated: boolean;
  /** What was wrong, for people; '' when nothing was. */
  readonly problem: string;
  /** False: the bytes are still coded and must not be read as text. */
  readonly ok: boolean;
}

/** Above this many coded bytes the work goes to a thread of the platform; below, the hand-over costs more. */
const SYNC_BELOW = 64 << 10;
const MAX_LAYERS = 5;
/** What we can undo, as it is asked for; zstd where this Node has it. */
const zstd = (zlib as unknown as { zstdDecompressSync?: typeof zlib.gunzipSync }).zstdDecompressSync;
export const ACCEPT_ENCODING = zstd ? 'gzip, br, zstd, deflate' : 'gzip, br, deflate';

type Coding = 'gzip' | 'deflate' | 'deflate-raw' | 'br' | 'zstd';

/**
 * @param header the Content-Encoding as sent; names are case-insensitive, unknown ones (`utf-8`, `none`) mean nothing
 * @param text whether the body should be text: then gzip that the header does not own up to is undone as well
 */
export function decodeBody(body: Buffer, header: string, max: number, text: boolean): Decoded | Promise<Decoded> {
  const layers = layersOf(header);
  if (layers === null) return { body, truncated: false, problem: `cannot undo content encoding ${header}`, ok: false };
  if (layers.length === 0 && !(text && isGzip(body))) {
    const truncated = body.length > max;
    return { body: truncated ? body.subarray(0, max) : body, truncated, problem: '', ok: true };
  }
  if (layers.length === 0) return undoAll(body, ['gzip'], max, 'the body is gzip, though no header says so');
  return undoAll(body, layers, max, '');
}

/** Outermost first; null: one of them is known to be beyond us. */
function layersOf(header: string): Coding[] | null {
  if (header === '') return [];
  const layers: Coding[] = [];
  for (const name of header.toLowerCase().split(',')) {
    const coding = name.trim().replace(/^x-/, '');
    if (coding === 'gzip' || coding === 'deflate' || coding === 'br') layers.unshift(coding);
    else if (coding === 'zstd' && zstd) layers.unshift('zstd');
    else if (/^(?:zstd|compress|bzip2|dcb|dcz|lzma|xz|exi|pack200-gzip)$/.test(coding)) return null;
  }
  return layers.length > MAX_LAYERS ? null : layers;
}

function undoAll(body: Buffer, layers: readonly Coding[], max: number, problem: string): Decoded | Promise<Decoded> {
  let at: Decoded = { body, truncated: false, problem, ok: true };
  for (let i = 0; i < layers.length; i++) {
    const next = undo(at.body, layers[i]!, max);
    if (next instanceof Promise) {
      const before = at;
      return next.then((done) => {
        const joined = join(before, done);
        return joined.ok && i + 1 < layers.length ? continueWith(joined, layers.slice(i + 1), max) : joined;
      });
    }
    at = join(at, next);
    if (!at.ok) break;
  }
  return at;
}

async function continueWith(at: Decoded, layers: readonly Coding[], max: number): Promise<Decoded> {
  return join(at, await undoAll(at.body, layers, max, ''));
}

const join = (before: Decoded, after: Decoded): Decoded => ({
  body: after.body,
  truncated: before.truncated || after.truncated,
  problem: before.problem || after.problem,
  ok: after.ok,
});

const isGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b && body[2] === 8;
/** RFC 1950: method 8, and the first two octets a multiple of 31. */
const isZlib = (body: Uint8Array): boolean =>
  (body[0]! & 15) === 8 && body[0]! >> 4 <= 7 && ((body[0]! << 8) | body[1]!) % 31 === 0;
const isZstd = (body: Uint8Array): boolean =>
  body[0] === 0x28 && body[1] === 0xb5 && body[2] === 0x2f && body[3] === 0xfd;
/** No control character among the first octets. */
function isText(body: Uint8Array): boolean {
  for (let i = 0; i < body.length && i < 256; i++) {
    const octet = body[i]!;
    if (octet < 9 || (octet > 13 && octet < 32 && octet !== 27)) return false;
  }
  return true;
}

function undo(body: Buffer, said: Coding, max: number): Decoded | Promise<Decoded> {
  if (body.length === 0) return { body, truncated: false, problem: '', ok: true };
  let coding = said;
  if (said === 'gzip' && !isGzip(body)) return isZlib(body) ? undo(body, 'deflate', max) : plain(body, said, max);
  if (said === 'zstd' && !isZstd(body)) return plain(body, said, max);
  if (said === 'deflate') coding = isGzip(body) ? 'gzip' : isZlib(body) ? 'deflate' : 'deflate-raw';
  if (body.length >= SYNC_BELOW) return pour(body, coding, said, max);
  try {
    return { body: SYNC[coding](body, { maxOutputLength: max }), truncated: false, problem: '', ok: true };
  } catch {
    return pour(body, coding, said, max); // too long, cut off or damaged: only a stream tells what was readable
  }
}

function plain(body: Buffer, said: string, max: number): Decoded {
  const ok = isText(body);
  const problem = ok
    ? `the header says ${said}, the body is plain`
    : `the header says ${said}, the body is neither that nor text`;
  return { body: body.length > max ? body.subarray(0, max) : body, truncated: body.length > max, problem, ok };
}

const SYNC: Readonly<Record<Coding, (body: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  'deflate-raw': zlib.inflateRawSync,
  br: zlib.brotliDecompressSync,
  zstd: (body, options) => zstd!(body, options),
};

function decoderOf(coding: Coding): zlib.Gunzip | zlib.BrotliDecompress {
  switch (coding) {
    case 'gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'deflate-raw':
      return zlib.createInflateRaw();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return (zlib as unknown as { createZstdDecompress: typeof zlib.createGunzip }).createZstdDecompress();
  }
}

/** By stream: at most `max` and one chunk in memory, and what came before a fault is kept. */
function pour(body: Buffer, coding: Coding, said: Coding, max: number): Promise<Decoded> {
  return new Promise((resolve) => {
    const decoder = decoderOf(coding);
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (truncated: boolean, problem: string): void => {
      decoder.removeAllListeners();
      decoder.on('error', () => {}); // what a stream says after we left it is of no interest
      decoder.destroy();
      if (length === 0 && problem !== '') resolve(plain(body, said, max));
      else resolve({ body: Buffer.concat(chunks, length), truncated, problem, ok: true });
    };
    decoder.on('data', (chunk: Buffer) => {
      const room = max - length;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      length += Math.min(room, chunk.length);
      if (chunk.length > room) done(true, '');
    });
    decoder.on('end', () => done(false, ''));
    decoder.on('error', (error) => done(false, `the ${said} body is damaged: ${error.message}`));
    decoder.end(body);
  });
}
