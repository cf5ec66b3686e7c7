/**
 * Type-ahead, built once a publish from live documents, so that it never offers a deleted one. The same entries give the
 * same bytes (file.ts), in whatever order they come.
 */
import { sortTerms } from '../format/sort-terms.ts';
import { encodeString, UNIT_BYTES } from '../format/units.ts';
import { ByteWriter } from '../io/bytes.ts';
import { TermTable } from '../segment/term-table.ts';
import { encodeTerms } from '../segment/write-terms.ts';
import { fold } from '../text/table.ts';
import { eachWord, MAX_ENTRIES, type SuggestEntry } from './entries.ts';
import { writeSuggest } from './file.ts';

/** Longest text of an entry, in units; a longer one is no title but a paragraph. */
const MAX_TEXT = 200;

export function buildSuggest(given: Iterable<SuggestEntry>): Uint8Array {
  const kept = heaviest(given);
  const { words, wordsEnds, wordTexts, wordEnds } = wordsOfAll(kept);
  const { ends: entriesEnds, numbers: entries } = turned(words, wordsEnds, wordEnds.length);
  const texts = strung(kept, ({ entry }) => entry.text);
  const ids = strung(kept, ({ entry }) => entry.id);
  return writeSuggest({
    weights: Float64Array.from(kept, ({ entry }) => entry.weight),
    textEnds: texts.ends,
    idEnds: ids.ends,
    wordsEnds,
    words,
    byText: byText(kept),
    wordEnds,
    entriesEnds,
    entries,
    texts: texts.bytes,
    ids: ids.bytes,
    wordTexts,
  });
}

export interface KeptEntry {
  readonly entry: SuggestEntry;
  /** Its text, folded. */
  readonly folded: string;
}

/** One entry a text, the heaviest; heaviest first, then the shortest, so that order of arrival does not matter. */
export function heaviest(entries: Iterable<SuggestEntry>): readonly KeptEntry[] {
  const byText = new Map<string, KeptEntry>();
  for (const { text: given, id, weight } of entries) {
    const text = given.replace(/\s+/gu, ' ').trim();
    if (text === '' || text.length > MAX_TEXT) continue;
    const folded = fold(text);
    const known = byText.get(folded);
    const clean = { entry: { text, id, weight: Number.isFinite(weight) ? weight : 0 }, folded };
    if (!known || compare(clean, known) < 0) byText.set(folded, clean);
  }
  return [...byText.values()].sort(compare).slice(0, MAX_ENTRIES);
}

const compare = ({ entry: a }: KeptEntry, { entry: b }: KeptEntry): number =>
  b.weight - a.weight ||
  a.text.length - b.text.length ||
  (a.text < b.text ? -1 : a.text > b.text ? 1 : 0) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The words of each entry, numbered in the order of `<`, and their texts. */
function wordsOfAll(kept: readonly KeptEntry[]) {
  const table = new TermTable();
  let words = new Uint32Array(1 << 16);
  let count = 0;
  const take = (units: Uint16Array, length: number, hash: number): void => {
    if (count === words.length) {
      const grown = new Uint32Array(words.length * 2);
      grown.set(words);
      words = grown;
    }
    words[count++] = table.number(0, units, length, hash);
  };
  const ends = new Uint32Array(kept.length);
  for (let n = 0; n < kept.length; n++) {
    eachWord(kept[n]!.entry.text, take);
    ends[n] = count;
  }
  const { texts, starts } = encodeTerms(
    table,
    Uint32Array.from({ length: table.size }, (_, n) => n),
  );
  const order = sortTerms(texts, starts, table.size, false);
  const places = new Uint32Array(table.size);
  const wordTexts = new ByteWriter(starts[table.size]!);
  const wordEnds = new Uint32Array(table.size);
  for (let place = 0; place < order.length; place++) {
    const term = order[place]!;
    places[term] = place;
    wordTexts.raw(texts.subarray(starts[term]!, starts[term + 1]!));
    wordEnds[place] = wordTexts.length;
  }
  // A word that an entry has twice is kept once: what is left moves to the front.
  const wordsEnds = new Uint32Array(kept.length);
  let left = 0;
  for (let entry = 0, at = 0; entry < kept.length; entry++) {
    const first = left;
    for (; at < ends[entry]!; at++) {
      const place = places[words[at]!]!;
      let to = left;
      while (to > first && words[to - 1]! > place) to--;
      if (to > first && words[to - 1] === place) continue;
      words.copyWithin(to + 1, to, left++);
      words[to] = place;
    }
    wordsEnds[entry] = left;
  }
  return { words: words.subarray(0, left), wordsEnds, wordTexts: wordTexts.view(), wordEnds };
}

/** Lists of numbers below `size`, turned around: for each such number, the lists that have it. */
function turned(numbers: Uint32Array, ends: Uint32Array, size: number): { ends: Uint32Array; numbers: Uint32Array } {
  const next = new Uint32Array(size + 1);
  for (let i = 0; i < numbers.length; i++) next[numbers[i]! + 1]!++;
  for (let i = 0; i < size; i++) next[i + 1]! += next[i]!;
  const out = new Uint32Array(numbers.length);
  for (let list = 0, at = 0; list < ends.length; list++)
    for (; at < ends[list]!; at++) out[next[numbers[at]!]!++] = list;
  // Each has moved on to where its list ends.
  return { ends: next.subarray(0, size), numbers: out };
}

/** Entries in the order of their folded texts. */
function byText(kept: readonly KeptEntry[]): Uint32Array {
  const texts = new ByteWriter(1 << 16);
  const starts = new Uint32Array(kept.length + 1);
  for (let n = 0; n < kept.length; n++) {
    const { folded } = kept[n]!;
    texts.reserve(folded.length * UNIT_BYTES);
    texts.length = encodeString(folded, texts.data, texts.length);
    starts[n + 1] = texts.length;
  }
  return sortTerms(texts.view(), starts, kept.length, false);
}

function strung(
  kept: readonly KeptEntry[],
  what: (kept: KeptEntry) => string,
): { bytes: Uint8Array; ends: Uint32Array } {
  const out = new ByteWriter(1 << 16);
  const ends = new Uint32Array(kept.length);
  for (let n = 0; n < kept.length; n++) {
    out.utf8(what(kept[n]!));
    ends[n] = out.length;
  }
  return { bytes: out.view(), ends };
}
