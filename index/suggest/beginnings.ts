/**
 * Every beginning of every word of the entries, and which entries have it: what FlexSearch collects with `tokenize:
 * 'forward'`, and what it would export, byte for byte, without its maps, arrays and strings. The postings lie in a
 * TermTable: a beginning is a term, an entry a document, the score of the word within its entry the position.
 *
 * Why beside FlexSearch, which reads and asks what is written here (ask.ts): an index that is only to be exported needs none
 * of the objects it would be asked with, and they were most of the time it took (10,000 titles 2.05 -> 0.75 s: DECISIONS). The
 * format is FlexSearch's own and may change with its version: the test compares with its export. Of a beginning that more
 * entries have than are ever looked through, the first are written alone.
 *
 *     reg  := [number,...]                                    entries that have words
 *     map  := [["beginning",[[number,...]|null,...]],...]     by score, the best first; in the order of first coming
 *
 * Cost: about 3 bytes an entry and beginning (bench/suggest.bench.ts).
 */
import { BLOCK } from '../format/pack.ts';
import { ByteWriter } from '../io/bytes.ts';
import { type PostingsBlocks, TermTable } from '../segment/term-table.ts';
import { FNV_START, MAX_TERM } from '../text/analyzer.ts';

/** FlexSearch's: steps of the score, and how many entries and beginnings its export puts into a part. */
const RESOLUTION = 9;
const ENTRIES_A_PART = 250_000;
const BEGINNINGS_A_PART = 5000;

const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

export class Beginnings {
  readonly #table = new TermTable();
  readonly #units = new Uint16Array(MAX_TERM + 1);
  /** Entries that have words. */
  readonly #registered: number[] = [];
  readonly #most: number;

  /** @param most entries of a beginning that are written: the first of those that FlexSearch would give */
  constructor(most: number) {
    this.#most = most;
  }

  /** The words of one entry; numbers ascend. */
  add(number: number, words: readonly string[]): void {
    const units = this.#units;
    if (words.length > 0) this.#registered.push(number);
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const score = scoreOf(words.length, i);
      let hash = FNV_START;
      for (let n = 0; n < word.length && n < MAX_TERM; n++) {
        const unit = word.charCodeAt(n);
        units[n] = unit;
        hash = Math.imul(hash ^ unit, 0x01000193);
        // Of a beginning that comes twice in an entry the first counts.
        this.#table.addOnce(0, units, n + 1, hash, number, score);
      }
    }
  }

  /** parts:varint part[parts], as in build.ts. */
  write(out: ByteWriter): void {
    const part = new ByteWriter(1 << 16);
    const { size } = this.#table;
    const entries = this.#registered.length;
    const each = entries === 0 ? 0 : Math.trunc(BEGINNINGS_A_PART * (ENTRIES_A_PART / entries));
    const maps = size === 0 ? 0 : Math.ceil(size / each);
    const registers = Math.ceil(entries / ENTRIES_A_PART);
    out.varint(registers + maps);
    for (let n = 0; n < registers; n++) {
      part.reset();
      list(part, this.#registered, n * ENTRIES_A_PART, Math.min(entries, (n + 1) * ENTRIES_A_PART));
      out.string(`${n + 1}.reg`);
      out.bytes(part.view());
    }
    for (let n = 0; n < maps; n++) {
      part.reset();
      part.u8(OPEN);
      for (let term = n * each; term < Math.min(size, (n + 1) * each); term++) {
        if (term > n * each) part.u8(COMMA);
        this.#entry(part, term);
      }
      part.u8(CLOSE);
      out.string(`${n + 1}.map`);
      out.bytes(part.view());
    }
  }

  readonly #slots: number[][] = Array.from({ length: RESOLUTION }, () => []);
  /** An entry is a document and has a beginning once: each gap is a score. */
  readonly #intoSlots: PostingsBlocks = {
    docs: new Int32Array(BLOCK),
    freqs: new Int32Array(BLOCK),
    block: (count, scores) => {
      for (let i = 0; i < count; i++) this.#slots[scores[i]!]!.push(this.#intoSlots.docs[i]!);
    },
  };

  /** ["beginning",[[number,...]|null,...]] */
  #entry(out: ByteWriter, term: number): void {
    const table = this.#table;
    out.u8(OPEN);
    text(out, table.units, table.textAt(term), table.textLength(term));
    out.u8(COMMA);
    const slots = this.#slots;
    for (const slot of slots) slot.length = 0;
    table.read(term, this.#intoSlots);
    let left = this.#most;
    for (const slot of slots) {
      if (slot.length > left) slot.length = left;
      left -= slot.length;
    }
    let last = RESOLUTION - 1;
    while (slots[last]!.length === 0) last--;
    out.u8(OPEN);
    for (let score = 0; score <= last; score++) {
      if (score > 0) out.u8(COMMA);
      const slot = slots[score]!;
      if (slot.length === 0) for (const unit of NULL) out.u8(unit);
      else list(out, slot, 0, slot.length);
    }
    out.u8(CLOSE);
    out.u8(CLOSE);
  }
}

/** FlexSearch's score of the n-th of `count` words. */
const scoreOf = (count: number, n: number): number =>
  n === 0 ? 0 : count <= RESOLUTION ? n : Math.trunc(((RESOLUTION - 1) / count) * n + 1);

function list(out: ByteWriter, numbers: readonly number[], from: number, to: number): void {
  out.u8(OPEN);
  for (let i = from; i < to; i++) {
    if (i > from) out.u8(COMMA);
    decimal(out, numbers[i]!);
  }
  out.u8(CLOSE);
}

function decimal(out: ByteWriter, number: number): void {
  out.reserve(10);
  let digits = 1;
  for (let power = 10; number >= power; power *= 10) digits++;
  let rest = number;
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    out.data[at] = 48 + (rest % 10);
    rest = Math.trunc(rest / 10);
  }
  out.length += digits;
}

/** As JSON: what is not plain ASCII (a half of a pair cut in two, for one) goes through JSON.stringify. */
function text(out: ByteWriter, units: Uint16Array, from: number, length: number): void {
  const start = out.length;
  out.reserve(length + 2);
  const { data } = out;
  let at = start;
  data[at++] = QUOTE;
  for (let i = from; i < from + length; i++) {
    const unit = units[i]!;
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === 0x5c) {
      out.utf8(JSON.stringify(String.fromCharCode(...units.subarray(from, from + length))));
      return;
    }
    data[at++] = unit;
  }
  data[at++] = QUOTE;
  out.length = at;
}
