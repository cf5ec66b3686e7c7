import { hash } from 'node:crypto';

/**
 * Digests of a page's content, 16 bytes each, as Nutch computes them: of the bytes, of the text, of the text's most
 * frequent words. Two pages with one digest are one page to the index.
 */
export type SignatureKind = 'md5' | 'text' | 'profile';

const md5 = (data: Uint8Array | string): Uint8Array => {
  return new Uint8Array(hash('md5', data, 'buffer'));
};

/** MD5 of the body; of the address when the body is empty. */
export const md5Signature = (body: Uint8Array, url: string): Uint8Array => md5(body.length === 0 ? url : body);

/** MD5 of the text; as md5Signature when there is none. Cost: one pass and a digest. */
export function textSignature(body: Uint8Array, text: string, url: string): Uint8Array {
  return text === '' ? md5Signature(body, url) : md5(cesu8(text));
}

/** The same of a text that is UTF-8 already, without NUL; `astral`: perhaps with characters beyond U+FFFF. */
export function textSignatureOf(body: Uint8Array, text: Buffer, url: string, astral: boolean): Uint8Array {
  if (text.length === 0) return md5Signature(body, url);
  return astral ? md5(cesu8(text.toString())) : md5(text);
}

/** MD5 of the words of a page that is read for its links alone (links.ts); as md5Signature when there are none. */
export const wordsSignature = (body: Uint8Array, words: Uint8Array, url: string): Uint8Array =>
  words.length === 0 ? md5Signature(body, url) : md5(words);

export interface ProfileOptions {
  /** Words up to this length do not count. */
  readonly minLength?: number;
  /** Share of the highest frequency to which frequencies are rounded down. */
  readonly quantRate?: number;
  /** As Nutch does, bugs and all: a text without a word long enough is digested as the empty string. */
  readonly strict?: boolean;
}

/**
 * MD5 of the text's profile: words longer than two letters with their rounded frequencies, most frequent first. Small
 * edits often leave it as it is.
 *
 * Where Nutch gives every text without such words one digest (short Chinese texts, "a b c"), this falls back to the
 * digest of the text, and text of supplementary characters counts; `strict` is Nutch's own answer, for exchange with it.
 */
export function profileSignature(
  body: Uint8Array,
  text: string,
  url: string,
  options: ProfileOptions = {},
): Uint8Array {
  if (text === '') return md5Signature(body, url);
  const { minLength = 2, quantRate = 0.01, strict = false } = options;
  const counts = new Map<string, number>();
  let highest = 0;
  for (const [token] of text.matchAll(/[\p{L}\p{Nd}]+/gu)) {
    for (const word of strict ? token.split(/[\u{10000}-\u{10ffff}]+/u) : [token]) {
      const folded = foldUnits(word);
      if (folded.length <= minLength) continue;
      const count = (counts.get(folded) ?? 0) + 1;
      counts.set(folded, count);
      if (count > highest) highest = count;
    }
  }
  if (counts.size === 0 && !strict) return textSignature(body, text, url);
  let quant = Math.round(highest * quantRate);
  if (quant < 2) quant = highest > 1 ? 2 : 1;
  const profile: { readonly word: string; readonly count: number }[] = [];
  for (const [word, count] of counts) {
    const rounded = Math.floor(count / quant) * quant;
    if (rounded >= quant) profile.push({ word, count: rounded });
  }
  profile.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  return md5(cesu8(profile.map(({ word, count }) => `${word} ${count}`).join('\n')));
}

/** Lower case unit by unit, as Java's Character.toLowerCase: one unit stays one. */
function foldUnits(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length === word.length && !word.includes('\u0130')) return lower;
  let folded = '';
  for (let i = 0; i < word.length; i++) {
    const unit = word[i]!;
    const low = unit === '\u0130' ? 'i' : unit.toLowerCase();
    folded += low.length === 1 ? low : unit;
  }
  return folded;
}

/** UTF-8 but for two things that Nutch's digests rest on: halves of pairs are encoded each, U+0000 as C0 80. */
function cesu8(text: string): Uint8Array {
  if (!/[\0\ud800-\udfff]/.test(text)) return Buffer.from(text);
  const out = Buffer.allocUnsafe(text.length * 3);
  let o = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0 && unit < 0x80) out[o++] = unit;
    else if (unit < 0x800) {
      out[o++] = 0xc0 | (unit >> 6);
      out[o++] = 0x80 | (unit & 63);
    } else {
      out[o++] = 0xe0 | (unit >> 12);
      out[o++] = 0x80 | ((unit >> 6) & 63);
      out[o++] = 0x80 | (unit & 63);
    }
  }
  return out.subarray(0, o);
}

/** The signature by which the crawl compares pages: of the text where there is any, else of the bytes. */
export const signatureOf = (body: Uint8Array, text: string, kind: SignatureKind = 'text', url = ''): Uint8Array =>
  kind === 'profile'
    ? profileSignature(body, text, url)
    : kind === 'text'
      ? textSignature(body, text, url)
      : md5Signature(body, url);
