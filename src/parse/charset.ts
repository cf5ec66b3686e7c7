import { isAscii, isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { TextDecoder as ExactDecoder, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { attr, has } from './attributes.ts';
import { Nesting } from './nesting.ts';
import { prescan } from './prescan.ts';
import { scan } from './scan.ts';
import { A, T } from './tags.ts';
import { KIND } from './tape.ts';

/** Who said what the encoding is: a byte order mark, the header, a meta element, the bytes themselves, statistics. */
export type CharsetSource = 'bom' | 'header' | 'meta' | 'utf-8' | 'statistics' | 'default';
export interface Charset {
  /** Name by the Encoding Standard, lower-case. */
  readonly charset: string;
  readonly source: CharsetSource;
}

/** Bytes that are looked at for statistics. */
const SAMPLE = 16_384;

/** The encoding of a label, '' when it is of none. */
const encodingOf = (label: string): string => normalizeEncoding(label.trim()) ?? '';

/** Charset named by a Content-Type, '' when none or unknown. */
export function charsetOf(contentType: string): string {
  const found = /(?:^|[;\s])charset\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s;,"']+))/i.exec(contentType);
  const label = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
  return label === '' ? '' : encodingOf(label);
}

/**
 * The encoding of a page: byte order mark, then header, then a meta element in the first kilobyte (all three as in the
 * HTML Standard, 13.2.3), then UTF-8 if the bytes are valid UTF-8, then statistics (loaded when first needed).
 * `meta: false` for what is no HTML. Cost: without header and meta, one look at all bytes; statistics look at 16 kB.
 */
export function detectCharset(
  body: Uint8Array,
  contentType: string,
  options: { readonly meta?: boolean } = {},
): Charset {
  const bom = bomOf(body);
  if (bom !== '') return { charset: bom, source: 'bom' };
  const header = charsetOf(contentType);
  // A server that says UTF-16 of text without a single NUL is wrong: in it every Latin letter and sign has one.
  const wrong = header.startsWith('utf-16') && body.length > 3 && !body.subarray(0, 4096).includes(0);
  if (header !== '' && header !== 'replacement' && !wrong) return { charset: header, source: 'header' };
  if (options.meta !== false) {
    const meta = prescan(body, encodingOf);
    if (meta !== '' && meta !== 'replacement') return { charset: meta, source: 'meta' };
    const declared = declaredCharset(body);
    if (declared !== '') return { charset: declared, source: 'meta' };
    const late = body.length > 1024 ? lateMeta(body) : '';
    if (late !== '') return { charset: late, source: 'meta' };
  }
  // Its escape sequences are ASCII, so it would pass for UTF-8.
  if (hasIso2022jp(body)) return { charset: 'iso-2022-jp', source: 'statistics' };
  // Nothing but ASCII: the standard's default names it as well as any.
  if (isAscii(body)) return { charset: 'windows-1252', source: 'default' };
  if (isUtf8(body) || isCutUtf8(body)) return { charset: 'utf-8', source: 'utf-8' };
  const guess = guessByStatistics(body);
  return guess === '' ? { charset: 'windows-1252', source: 'default' } : { charset: guess, source: 'statistics' };
}

/** What `<?xml encoding="..."?>` at the very beginning says; '' when it says nothing that can be true. */
export function declaredCharset(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 256)).toString('latin1');
  const label = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] ?? '';
  const charset = label === '' ? null : normalizeEncoding(label);
  // A declaration that could be read byte by byte cannot be true of UTF-16.
  return charset === null || charset.startsWith('utf-16') || charset === 'replacement' ? '' : charset;
}

/** Where a meta element that names an encoding may stand, in bytes. */
const LATE = 1 << 16;
let tape: Nesting | null = null;

/** A meta element after the first kilobyte: the standard has the page read again by what it says. */
function lateMeta(body: Uint8Array): string {
  const page = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LATE));
  if (page.indexOf('<', 1000) < 0) return '';
  tape ??= new Nesting();
  tape.begin(page);
  scan(page, tape);
  tape.end();
  let found = '';
  for (let i = 0; i < tape.length && found === ''; i++) {
    if (tape.tag[i] !== T.meta || tape.kind[i] !== KIND.empty) continue;
    const pragma = /^\s*content-type\s*$/i.test(attr(tape, i, A['http-equiv']));
    const label = attr(tape, i, A.charset) || (pragma ? attr(tape, i, A.content) : '');
    const charset = has(tape, i, A.charset) ? normalizeEncoding(label.trim()) : charsetOf(label);
    if (charset === 'utf-16le' || charset === 'utf-16be') found = 'utf-8';
    else if (charset !== null && charset !== 'replacement') found = charset;
  }
  tape.release();
  return found;
}

function bomOf(body: Uint8Array): string {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return '';
}

function hasIso2022jp(body: Uint8Array): boolean {
  const page = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1 << 16));
  for (let at = page.indexOf(0x1b); at >= 0; at = page.indexOf(0x1b, at + 1)) {
    const a = page[at + 1];
    const b = page[at + 2];
    if (a === 0x24 && (b === 0x40 || b === 0x42)) return true;
  }
  return false;
}

/** A body cut off within its last character. */
function isCutUtf8(body: Uint8Array): boolean {
  for (let cut = 1; cut <= 3 && cut < body.length; cut++) {
    if ((body[body.length - cut]! & 0xc0) === 0xc0) return isUtf8(body.subarray(0, body.length - cut));
  }
  return false;
}

let detect: ((sample: Buffer) => { encoding: string | null; confidence: number }) | null = null;

/** '' when nothing is likely. */
function guessByStatistics(body: Uint8Array): string {
  // Loaded where it is needed: its tables take memory, and few pages ask for them.
  detect ??= (createRequire(import.meta.url)('jschardet') as { detect: typeof detect }).detect!;
  const from = firstHigh(body);
  const start = Math.max(0, Math.min(from - 256, body.length - SAMPLE));
  const sample = body.subarray(start, start + SAMPLE);
  const { encoding } = detect(Buffer.from(sample.buffer, sample.byteOffset, sample.length));
  if (encoding === null) return '';
  const label = encoding.toLowerCase();
  if (label === 'ascii' || label === 'utf-8') return '';
  return normalizeEncoding(RENAMED[label] ?? label) ?? '';
}
/** Code pages by their vendor's names. */
const RENAMED: Readonly<Record<string, string>> = {
  cp949: 'euc-kr',
  cp932: 'shift_jis',
  'euc-tw': 'big5',
  'iso-8859-1': 'windows-1252',
};

function firstHigh(body: Uint8Array): number {
  let i = 0;
  while (i < body.length && body[i]! < 0x80) i++;
  return i;
}

/**
 * The page as UTF-8, without its byte order mark: the bytes themselves where they are UTF-8 already (then nothing is
 * copied), else a new buffer. What cannot be decoded becomes U+FFFD.
 *
 * Node's own decoder is used for UTF-8 and UTF-16 only: in Node 20 it gets windows-1252, euc-kr and others wrong.
 */
export function toUtf8(body: Uint8Array, charset: string): Buffer {
  if (charset === 'utf-8' || (charset === 'windows-1252' && isAscii(body))) {
    const skip = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
    return Buffer.from(body.buffer, body.byteOffset + skip, body.length - skip);
  }
  return Buffer.from(decodeText(body, charset));
}

/** As a string. */
export const decodeText = (body: Uint8Array, charset: string): string => decoderOf(charset).decode(body);

/** A decoder for a name by the Encoding Standard; it can be fed in pieces. */
export const decoderOf = (charset: string): InstanceType<typeof ExactDecoder> =>
  charset === 'utf-8' || charset === 'utf-16le' || charset === 'utf-16be'
    ? new TextDecoder(charset)
    : new ExactDecoder(charset);
