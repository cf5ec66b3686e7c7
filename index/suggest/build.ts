/**
 * Type-ahead, built once a publish: FlexSearch finds by the beginnings of words, the entries tell what to show.
 *
 * File `<name>.sug`, one frame:
 *
 *     sug      := frame("sug", 1) { count:varint entry[count] parts:varint part[parts] }
 *     entry    := text:string id:string weight:f64 words:string     heaviest first; an entry's number is its place
 *     words    := what can be typed to find it, a space before each
 *     part     := key:string data:string                        as FlexSearch exports itself (beginnings.ts)
 *
 * Built new from live documents each time, so it never offers a deleted one. The same entries give the same bytes.
 * Cost: 15 µs an entry to build; see bench/suggest.bench.ts. Versions: 1 (first).
 */
import { Index } from 'flexsearch';
import { ByteWriter } from '../io/bytes.ts';
import { frame } from '../io/frame.ts';
import { fold } from '../text/table.ts';
import { Beginnings } from './beginnings.ts';
import { LOOKED_THROUGH, MAX_ENTRIES, type SuggestEntry, wordsOf } from './entries.ts';

export const VERSION = 1;
/** Longest text of an entry, in units; a longer one is no title but a paragraph. */
const MAX_TEXT = 200;

export function buildSuggest(entries: Iterable<SuggestEntry>): Uint8Array {
  const kept = heaviest(entries);
  const out = new ByteWriter(1 << 16);
  out.varint(kept.length);
  const beginnings = new Beginnings(LOOKED_THROUGH);
  kept.forEach(({ text, id, weight }, number) => {
    out.string(text);
    out.string(id);
    out.f64(weight);
    const words = wordsOf(text, false).join(' ');
    out.string(` ${words}`);
    beginnings.add(number, cut(words));
  });
  beginnings.write(out);
  return frame('sug', VERSION, out.view());
}

/**
 * What we use of FlexSearch. Our declarations name this and not its own types, which do not compile in a project that
 * checks the types of its libraries.
 */
export interface WordIndex {
  add(id: number, content: string): unknown;
  search(query: string, options: { readonly limit: number }): unknown;
  export(handler: (key: string, data: string) => void): unknown;
  import(key: string, data: string): unknown;
}

/** Words are cut by us (entries.ts), so that signs, Han and accents are found here as they are in a search. */
export function createIndex(): WordIndex {
  return new Index({ tokenize: 'forward', encode: cut, cache: false });
}
const cut = (words: string): string[] => words.split(' ').filter(Boolean);

/** One entry a text, the heaviest; heaviest first, ties by text and id, so that order of arrival does not matter. */
export function heaviest(entries: Iterable<SuggestEntry>): SuggestEntry[] {
  const byText = new Map<string, SuggestEntry>();
  for (const entry of entries) {
    const text = entry.text.replace(/\s+/gu, ' ').trim();
    if (text === '' || text.length > MAX_TEXT) continue;
    const key = fold(text);
    const known = byText.get(key);
    const clean = { ...entry, text, weight: Number.isFinite(entry.weight) ? entry.weight : 0 };
    if (!known || compare(clean, known) < 0) byText.set(key, clean);
  }
  return [...byText.values()].sort(compare).slice(0, MAX_ENTRIES);
}

const compare = (a: SuggestEntry, b: SuggestEntry): number =>
  b.weight - a.weight || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
