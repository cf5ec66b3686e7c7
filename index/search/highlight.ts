/**
 * The passage of a text that shows best why it was found, with what was found marked.
 *
 * Works on the text as it was stored: the field's own chain cuts it again, so a mark covers what was written, whatever
 * folding did to it (`½`, `İ`, `ß`), a whole word or the part of one that was asked for. Never inside an entity or a tag: the
 * text is plain, and is escaped piece by piece.
 *
 * Cost: one analysis of at most `maxText` units, about 5 µs a KB, and a table of the matches.
 */
import { ACCENTED, type Analyzer, hashUnits, MAX_TERM, type TokenSink } from '../text/analyzer.ts';

/** What counts as found. Terms are as the chain makes them; the searcher fills it with all that a query came to. */
export interface Sought {
  /** Weight by term; the rarer the heavier. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms side by side, with the most steps between; each counts only where all of it stands. */
  readonly phrases: readonly { readonly terms: readonly string[]; readonly slop: number; readonly weight: number }[];
  /** Weight by beginning: every term that begins so. */
  readonly prefixes?: ReadonlyMap<string, number>;
}

export interface HighlightOptions {
  readonly analyzer: Analyzer;
  readonly lang?: string;
  /** Longest passage, in UTF-16 units, marks and ellipses not counted; 0: the whole text. 200 when absent. */
  readonly length?: number;
  /** Units of the text looked at; 200,000 when absent. */
  readonly maxText?: number;
  /** What stands around a found word in `html`; `<mark>` and `</mark>` when absent. Not escaped. */
  readonly before?: string;
  readonly after?: string;
}

export interface Highlighted {
  /** Escaped HTML with marks, and `…` where the text goes on. Empty when the text is. */
  readonly html: string;
  /** The passage as plain text, without ellipses. */
  readonly text: string;
  /** Where in the stored text the passage begins. */
  readonly start: number;
  /** What is marked, as pairs of offsets into `text`. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** A place in the text where something sought stands. */
interface Match {
  readonly start: number;
  readonly end: number;
  /** Which of the things sought. */
  readonly what: number;
  readonly weight: number;
}

const PASSAGE = 200;
const MAX_TEXT = 200_000;
/** Matches looked at; a text that has more has shown what it is about. */
const MAX_MATCHES = 2000;

export function highlight(text: string, sought: Sought, options: HighlightOptions): Highlighted {
  const length = options.length ?? PASSAGE;
  const matches = findMatches(text.slice(0, options.maxText ?? MAX_TEXT), sought, options);
  const [start, end] = length === 0 ? [0, text.length] : choose(text, matches, length);
  const ranges = merged(matches, start, end);
  return {
    html: marked(text, start, end, ranges, options),
    text: text.slice(start, end),
    start,
    ranges: shifted(ranges, start),
  };
}

/** Every place of the text that is sought, as merged ranges: for marking a whole document. */
export function foundRanges(
  text: string,
  sought: Sought,
  options: HighlightOptions,
): readonly (readonly [start: number, end: number])[] {
  return merged(findMatches(text, sought, options), 0, text.length);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!);
}
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function findMatches(text: string, sought: Sought, options: HighlightOptions): Match[] {
  const numbers = new Map<string, number>();
  const inPhrase = new Set<string>();
  for (const { terms } of sought.phrases) for (const term of terms) inPhrase.add(term);
  const wanted = new Map<number, string[]>();
  const units = new Uint16Array(MAX_TERM);
  // By the highest bits of a hash: 0 says that no term sought has it. Most tokens go no further.
  const maybe = new Uint8Array(4096);
  const want = (term: string): void => {
    if (numbers.has(term)) return;
    numbers.set(term, numbers.size);
    const count = Math.min(term.length, MAX_TERM);
    for (let i = 0; i < count; i++) units[i] = term.charCodeAt(i);
    const hash = hashUnits(units, count);
    maybe[hash >>> 20] = 1;
    const same = wanted.get(hash);
    if (same) same.push(term);
    else wanted.set(hash, [term]);
  };
  for (const term of sought.terms.keys()) want(term);
  for (const term of inPhrase) want(term);
  const prefixes = [...(sought.prefixes ?? [])];
  if (wanted.size === 0 && prefixes.length === 0) return [];

  const matches: Match[] = [];
  /** Places of the phrases' terms: position, start, end. */
  const places = new Map<string, [position: number, start: number, end: number][]>();
  const sink: TokenSink = {
    units,
    token(count, hash, position, start, end, kind) {
      if ((maybe[hash >>> 20] === 0 && prefixes.length === 0) || matches.length >= MAX_MATCHES) return;
      prefixes.forEach(([prefix, weight], i) => {
        if (beginsWith(prefix, units, count))
          matches.push({ start, end, what: -1 - i, weight: kind === ACCENTED ? 0 : weight });
      });
      const same = wanted.get(hash);
      if (!same) return;
      const term = same.find((one) => isTerm(one, units, count));
      if (term === undefined) return;
      const weight = sought.terms.get(term);
      if (weight !== undefined)
        matches.push({ start, end, what: numbers.get(term)!, weight: kind === ACCENTED ? 0 : weight });
      if (inPhrase.has(term)) {
        const list = places.get(term);
        if (list) list.push([position, start, end]);
        else places.set(term, [[position, start, end]]);
      }
    },
  };
  options.analyzer.analyze(text, options.lang ?? '', sink);
  sought.phrases.forEach((phrase, i) => {
    for (const [start, end] of phrasePlaces(phrase.terms, phrase.slop, places))
      matches.push({ start, end, what: numbers.size + i, weight: phrase.weight });
  });
  return matches.sort((a, b) => a.start - b.start || a.end - b.end);
}

function isTerm(term: string, units: Uint16Array, count: number): boolean {
  return term.length === count && beginsWith(term, units, count);
}

function beginsWith(term: string, units: Uint16Array, count: number): boolean {
  if (term.length > count) return false;
  for (let i = 0; i < count; i++) if (term.charCodeAt(i) !== units[i]) return false;
  return true;
}

/** Where all the terms stand in order; each occurrence of the first is tried with the nearest of the others. */
function* phrasePlaces(
  terms: readonly string[],
  slop: number,
  places: ReadonlyMap<string, readonly (readonly [number, number, number])[]>,
): Generator<[start: number, end: number]> {
  const lists = terms.map((term) => places.get(term) ?? []);
  if (lists.some((list) => list.length === 0)) return;
  for (const [first, start, firstEnd] of lists[0]!) {
    let low = start;
    let end = firstEnd;
    let fits = true;
    for (let i = 1; i < lists.length && fits; i++) {
      const list = lists[i]!;
      let from = 0;
      let to = list.length;
      while (from < to) {
        const middle = (from + to) >>> 1;
        if (list[middle]![0] < first + i) from = middle + 1;
        else to = middle;
      }
      // The nearest at or behind its place, or the one just before it.
      const behind = list[from];
      const before = list[from - 1];
      const distance = (place: readonly [number, number, number] | undefined): number =>
        place ? Math.abs(place[0] - first - i) : Number.POSITIVE_INFINITY;
      const near = distance(before) < distance(behind) ? before : behind;
      fits = distance(near) <= slop;
      if (fits) {
        low = Math.min(low, near![1]);
        end = Math.max(end, near![2]);
      }
    }
    if (fits) yield [low, end];
  }
}

/** The window of `length` units whose matches weigh most: different ones fully, repeats little, early ones a little more. */
function choose(text: string, matches: readonly Match[], length: number): [start: number, end: number] {
  if (text.length <= length) return [0, text.length];
  let bestStart = 0;
  let bestEnd = 0;
  let best = -1;
  for (let i = 0; i < matches.length; i++) {
    const seen = new Set<number>();
    let score = 0;
    let end = matches[i]!.end;
    for (let j = i; j < matches.length; j++) {
      const match = matches[j]!;
      if (match.end - matches[i]!.start > length) break;
      score += seen.has(match.what) ? match.weight * 0.1 : match.weight;
      seen.add(match.what);
      end = Math.max(end, match.end);
    }
    score *= 1 + 0.1 / (1 + matches[i]!.start / 1000);
    if (score > best) {
      best = score;
      bestStart = matches[i]!.start;
      bestEnd = end;
    }
  }
  if (best < 0) return [0, cutAfter(text, length)];
  // Room is given out in front up to the beginning of the sentence if that is near, else a third of it.
  const room = Math.max(0, length - (bestEnd - bestStart));
  const sentence = sentenceStart(text, bestStart, room);
  let start = sentence ?? wordStart(text, Math.max(0, bestStart - Math.floor(room / 3)), bestStart);
  if (text.length - start < length) start = wordStart(text, Math.max(0, text.length - length), start);
  return [start, Math.max(bestEnd, cutAfter(text, Math.min(text.length, start + length)))];
}

/** The beginning of the sentence that `at` is in, when it lies at most `room` before it. */
function sentenceStart(text: string, at: number, room: number): number | undefined {
  for (let i = at - 1; i >= Math.max(0, at - room); i--) {
    const char = text[i]!;
    if (char === '\n' || '。！？।'.includes(char)) return skipSpace(text, i + 1, at);
    if ((char === '.' || char === '!' || char === '?') && SPACE.test(text[i + 1] ?? ' '))
      return skipSpace(text, i + 1, at);
  }
  return at <= room ? 0 : undefined;
}

const SPACE = /\s/u;
const skipSpace = (text: string, from: number, to: number): number => {
  let at = from;
  while (at < to && SPACE.test(text[at]!)) at++;
  return at;
};

/** The first place at or after `from` where a word may begin; `limit` at the latest. */
function wordStart(text: string, from: number, limit: number): number {
  if (from === 0) return 0;
  for (let at = from; at < limit; at++)
    if (SPACE.test(text[at - 1]!) || (isBreakable(text, at) && at > from + 20)) return skipSpace(text, at, limit);
  return limit;
}

/** The last place at or before `to` where the text may be cut. */
function cutAfter(text: string, to: number): number {
  if (to >= text.length) return text.length;
  for (let at = to; at > Math.max(0, to - 40); at--) if (SPACE.test(text[at]!)) return at;
  let at = to;
  while (at > 0 && !isBreakable(text, at)) at--;
  return at > to - 100 ? at : to;
}

const WORD_LIKE = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED_LIKE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const STICKS = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u;

/** Is `at` between two characters that neither a word, a pair of surrogates nor a joined sequence holds together? */
function isBreakable(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  if (here >= 0xdc00 && here <= 0xdfff && before >= 0xd800 && before <= 0xdbff) return false;
  const next = String.fromCodePoint(text.codePointAt(at)!);
  if (before === 0x200d || STICKS.test(next)) return false;
  const last = text[at - 1]!;
  return !(WORD_LIKE.test(last) && WORD_LIKE.test(next)) || (UNSPACED_LIKE.test(last) && UNSPACED_LIKE.test(next));
}

/** Matches within [start, end) as ranges that neither overlap nor touch. */
function merged(matches: readonly Match[], start: number, end: number): [number, number][] {
  const out: [number, number][] = [];
  for (const match of matches) {
    if (match.start < start || match.end > end) continue;
    const last = out.at(-1);
    if (last && match.start < last[1]) last[1] = Math.max(last[1], match.end);
    else out.push([match.start, match.end]);
  }
  return out;
}

const shifted = (ranges: readonly (readonly [number, number])[], by: number): [number, number][] =>
  ranges.map(([start, end]) => [start - by, end - by]);

function marked(
  text: string,
  start: number,
  end: number,
  ranges: readonly (readonly [number, number])[],
  options: HighlightOptions,
): string {
  const before = options.before ?? '<mark>';
  const after = options.after ?? '</mark>';
  let html = '';
  let at = start;
  for (const [from, to] of ranges) {
    html += `${escapeHtml(text.slice(at, from))}${before}${escapeHtml(text.slice(from, to))}${after}`;
    at = to;
  }
  html += escapeHtml(text.slice(at, end));
  return `${start > 0 && html ? '… ' : ''}${html}${end < text.length && html ? ' …' : ''}`;
}
