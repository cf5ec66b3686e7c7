/**
 * The type-ahead file: what can be offered, the words it is found by, and which entry has which word. Everything is a table
 * of numbers or a stretch of text, so that opening it costs a checksum and one pass over the numbers.
 *
 * File `<name>.sug`, one frame; `n` entries, `w` words, `p` pairs of an entry and a word it has:
 *
 *     sug     := frame("sug", 2) { n:u32 w:u32 p:u32 text_bytes:u32 id_bytes:u32 word_bytes:u32
 *                weight:f64[n]
 *                text_end:u32[n]  id_end:u32[n]  words_end:u32[n]     where those of an entry end; they begin where the last ended
 *                words:u32[p]                                         of each entry, numbers of words, ascending
 *                by_text:u32[n]                                       entries in the order of their folded texts
 *                word_end:u32[w]  entries_end:u32[w]
 *                entries:u32[p]                                       of each word, numbers of entries, ascending
 *                texts:u8[text_bytes]  ids:u8[id_bytes]               UTF-8
 *                word_texts:u8[word_bytes] }                          as in format/units.ts, in the order of `<`
 *
 * An entry's number is its place: the heaviest first. So the smallest numbers are the best, and the words that begin alike
 * lie side by side, as their entries do.
 *
 * Cost: 24 bytes an entry, 8 a word and 8 a pair, beside texts and ids. Versions: 1 held the maps of a FlexSearch index as
 * JSON; 2.
 */
import { corrupt } from '../errors.ts';
import { frame, unframe } from '../io/frame.ts';

const VERSION = 2;
const COUNTS = 6;

export interface SuggestFile {
  readonly weights: Float64Array;
  readonly textEnds: Uint32Array;
  readonly idEnds: Uint32Array;
  readonly wordsEnds: Uint32Array;
  readonly words: Uint32Array;
  readonly byText: Uint32Array;
  readonly wordEnds: Uint32Array;
  readonly entriesEnds: Uint32Array;
  readonly entries: Uint32Array;
  readonly texts: Uint8Array;
  readonly ids: Uint8Array;
  readonly wordTexts: Uint8Array;
}

export function writeSuggest(file: SuggestFile): Uint8Array {
  const { weights, words, wordEnds, texts, ids, wordTexts } = file;
  const counts = [weights.length, wordEnds.length, words.length, texts.length, ids.length, wordTexts.length];
  const parts = [
    Uint32Array.from(counts),
    weights,
    file.textEnds,
    file.idEnds,
    file.wordsEnds,
    words,
    file.byText,
    wordEnds,
    file.entriesEnds,
    file.entries,
    texts,
    ids,
    wordTexts,
  ];
  const body = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    body.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return frame('sug', VERSION, body);
}

/** Views of `bytes`, which must stay as they are; copied once where they do not lie as numbers must. */
export function readSuggest(bytes: Uint8Array, file: string): SuggestFile {
  const body = unframe(bytes.byteOffset % 8 === 0 ? bytes : bytes.slice(), file, 'sug', VERSION);
  const { buffer } = body;
  if (body.length < COUNTS * 4) throw corrupt(file, 'it is cut off');
  const [n, w, p, textBytes, idBytes, wordBytes] = new Uint32Array(buffer, body.byteOffset, COUNTS) as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (body.length !== COUNTS * 4 + n * 24 + w * 8 + p * 8 + textBytes + idBytes + wordBytes)
    throw corrupt(file, 'its tables are not as long as it says');
  let at = body.byteOffset + COUNTS * 4;
  const numbers = (count: number): Uint32Array => {
    const view = new Uint32Array(buffer, at, count);
    at += view.byteLength;
    return view;
  };
  const text = (length: number): Uint8Array => {
    const view = new Uint8Array(buffer, at, length);
    at += length;
    return view;
  };
  const weights = new Float64Array(buffer, at, n);
  at += weights.byteLength;
  return {
    weights,
    textEnds: numbers(n),
    idEnds: numbers(n),
    wordsEnds: numbers(n),
    words: numbers(p),
    byText: numbers(n),
    wordEnds: numbers(w),
    entriesEnds: numbers(w),
    entries: numbers(p),
    texts: text(textBytes),
    ids: text(idBytes),
    wordTexts: text(wordBytes),
  };
}
