/**
 * What might be meant by what has been typed so far.
 *
 * All words typed must begin a word of the entry. When that finds nothing, one mistake is allowed in one word of three
 * letters or more without digits (spellings.ts).
 *
 * Cost: a search in the words for each word typed, then one look at 64 entries that begin so at a time, of which only those
 * are read that can still be among the best. Where several words are typed, the two scarcest are brought together,
 * so the dearest line is one of several letters each of which begins much; READ bounds it.
 */
import { compareFolded, fold } from '../text/table.ts';
import { type SuggestEntry, wordsTyped } from './entries.ts';
import { readSuggest, type SuggestFile } from './file.ts';
import { Least, Stretches } from './least.ts';
import { canBeMistyped, SPELLINGS } from './spellings.ts';
import { Vocabulary, type WordRange } from './vocabulary.ts';

/** Words of a line that are looked at, each with a bit of a mark; and units of the line. */
const MAX_WORDS = 8;
const MAX_TYPED = 200;
/** Numbers of entries that are read for one line, about: then what was found is the answer. */
const READ = 1 << 20;
/** What it costs to look for a word in an entry, in numbers read one behind the other, about: entries lie scattered. */
const LOOK = 40;

export function openSuggest(bytes: Uint8Array, file = 'suggest.sug'): Suggest {
  return new Suggest(readSuggest(bytes, file));
}

export class Suggest {
  readonly #file: SuggestFile;
  readonly #texts: Buffer;
  readonly #ids: Buffer;
  readonly #vocabulary: Vocabulary;
  /** Entries by word, and by text. */
  readonly #byWord: Stretches;
  readonly #byText: Stretches;
  /** Of each entry, a bit for each of the ranges that were marked for this line: whether it has a word of it. */
  readonly #marks: Uint8Array;
  #marked: WordRange[] = [];
  #read = 0;

  constructor(file: SuggestFile) {
    this.#file = file;
    const { texts, ids } = file;
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.length);
    this.#ids = Buffer.from(ids.buffer, ids.byteOffset, ids.length);
    this.#vocabulary = new Vocabulary(file.wordTexts, file.wordEnds);
    this.#byWord = new Stretches(file.entries);
    this.#byText = new Stretches(file.byText);
    this.#marks = new Uint8Array(file.weights.length);
  }

  get size(): number {
    return this.#file.weights.length;
  }

  /** At most `limit` entries; those that begin with what was typed first, then the heaviest, then the shortest. */
  ask(typed: string, limit = 8): SuggestEntry[] {
    const line = typed.slice(0, MAX_TYPED);
    const words = wordsTyped(line).slice(0, MAX_WORDS);
    const most = Math.min(Math.max(0, Math.floor(limit)), this.size);
    if (words.length === 0 || most === 0) return [];
    this.#read = 0;
    this.#marked = [];
    const ranges = words.map((word) => this.#vocabulary.beginning(word, this.#vocabulary.all));
    const begun = new Least(most);
    const rest = new Least(most);
    if (ranges.every(({ from, to }) => from < to)) {
      this.#begun(fold(line).replace(/\s+/gu, ' ').trimStart(), ranges, begun);
      if (begun.count < most) this.#together(ranges, rest);
    }
    if (begun.count + rest.count === 0) this.#mistyped(words, ranges, rest);
    const out: SuggestEntry[] = [];
    for (let i = 0; i < begun.count; i++) out.push(this.#entry(begun.numbers[i]!));
    for (let i = 0; i < rest.count && out.length < most; i++)
      if (!begun.has(rest.numbers[i]!)) out.push(this.#entry(rest.numbers[i]!));
    return out;
  }

  /** Entries whose text begins with the line, and that have its words: a line of signs may begin what it does not find. */
  #begun(line: string, ranges: readonly WordRange[], best: Least): void {
    const from = this.#firstText(line, 0);
    const to = this.#firstText(line, 1);
    this.#byText.offer(from, to, best, (entry) => this.#hasAll(entry, ranges));
  }

  /** Where the texts begin that stand beside `line` as `least` says: 0 those that begin with it, 1 those behind them. */
  #firstText(line: string, least: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareFolded(this.#text(this.#file.byText[middle]!), line) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Entries with a word of each range: those of the scarcest, looked through for the others. */
  #together(ranges: readonly WordRange[], best: Least): void {
    const [scarcest, ...others] = this.#scarcestFirst(ranges);
    this.#offer([scarcest!], others, best);
  }

  /** The last word is the one being typed: most likely the one that is wrong. */
  #mistyped(words: readonly string[], ranges: readonly WordRange[], best: Least): void {
    const missing = ranges.filter(({ from, to }) => from === to).length;
    for (const spelling of SPELLINGS)
      for (let w = words.length - 1; w >= 0; w--) {
        const range = ranges[w]!;
        // One mistake cannot mend two words.
        if (!canBeMistyped(words[w]!) || missing > (range.from === range.to ? 1 : 0)) continue;
        const meant = [...spelling(words[w]!, this.#vocabulary)].filter(({ from, to }) => from < to);
        if (meant.length > 0) this.#offer(meant, this.#scarcestFirst(ranges.toSpliced(w, 1)), best);
        if (best.count > 0) return;
      }
  }

  /** Entries with a word of any range of `some` and of each of `others`, the scarcest of which comes first. */
  #offer(some: readonly WordRange[], others: readonly WordRange[], best: Least): void {
    const [second, ...further] = others;
    const count = some.reduce((sum, range) => sum + this.#count(range), 0);
    let accept: ((entry: number) => boolean) | null = null;
    if (second) {
      if (count * LOOK <= this.#count(second)) accept = (entry) => this.#hasAll(entry, others);
      else {
        this.#read += count;
        const bit = this.#mark(second);
        if (bit === 0) return;
        const marks = this.#marks;
        accept = (entry) => (marks[entry]! & bit) !== 0 && this.#hasAll(entry, further);
      }
    }
    for (const { from, to } of some) this.#byWord.offer(this.#listStart(from), this.#listStart(to), best, accept);
  }

  /** Marks the entries with a word of a range; by which bit, 0 when that is more than a line may read. */
  #mark(range: WordRange): number {
    const known = this.#marked.indexOf(range);
    if (known >= 0) return 1 << known;
    this.#read += this.#count(range);
    if (this.#read > READ) return 0;
    const marks = this.#marked.length === 0 ? this.#marks.fill(0) : this.#marks;
    const bit = 1 << (this.#marked.push(range) - 1);
    const { entries } = this.#file;
    const end = this.#listStart(range.to);
    for (let at = this.#listStart(range.from); at < end; at++) marks[entries[at]!]! |= bit;
    return bit;
  }

  #scarcestFirst(ranges: readonly WordRange[]): readonly WordRange[] {
    return ranges.toSorted((a, b) => this.#count(a) - this.#count(b));
  }

  /** Does the entry have a word of each range? */
  #hasAll(entry: number, ranges: readonly WordRange[]): boolean {
    this.#read += ranges.length * LOOK;
    if (this.#read > READ) return false;
    const { words, wordsEnds } = this.#file;
    const start = entry === 0 ? 0 : wordsEnds[entry - 1]!;
    const end = wordsEnds[entry]!;
    for (const { from, to } of ranges) {
      let at = start;
      while (at < end && words[at]! < from) at++;
      if (at === end || words[at]! >= to) return false;
    }
    return true;
  }

  #count({ from, to }: WordRange): number {
    return this.#listStart(to) - this.#listStart(from);
  }
  #listStart(word: number): number {
    return word === 0 ? 0 : this.#file.entriesEnds[word - 1]!;
  }
  #text(entry: number): string {
    const ends = this.#file.textEnds;
    return this.#texts.toString('utf8', entry === 0 ? 0 : ends[entry - 1]!, ends[entry]!);
  }
  #entry(entry: number): SuggestEntry {
    const ends = this.#file.idEnds;
    const id = this.#ids.toString('utf8', entry === 0 ? 0 : ends[entry - 1]!, ends[entry]!);
    return { text: this.#text(entry), id, weight: this.#file.weights[entry]! };
  }
}
