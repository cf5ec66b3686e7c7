/**
 * Documents whose value lies between two ends: over a column of numbers or strings, or over the terms of a keyword field.
 * With both ends open, those that have a value; of a text field, those with a word in it.
 *
 * A date may be given as 2020, 2020-03, 2020-03-14 or 20200314 where the column holds numbers: it is compared with milliseconds
 * or seconds since 1970, or with 20200314, whichever the column's values look like; an upper end takes in its whole day, month
 * or year.
 */
import { setBit } from '../format/bits.ts';
import { columnValue } from '../format/columns.ts';
import { PostingsCursor } from '../format/postings.ts';
import type { SegmentReader } from '../segment/reader.ts';
import { type Bits, emptyBits } from './bits.ts';
import type { Query } from './query.ts';

type Range = Extract<Query, { kind: 'range' }>;

/** Null when the field has neither a column nor terms. */
export function rangeBits(range: Range, segment: SegmentReader): Bits | null {
  const bits = emptyBits(segment.docs);
  const column = segment.column(range.field);
  if (!column) {
    const dictionary = segment.terms(range.field);
    if (dictionary.size === 0) return null;
    const { norms } = dictionary;
    if (norms && range.from === undefined && range.to === undefined) {
      for (let doc = 0; doc < segment.docs; doc++) if (norms[doc]! > 0) setBit(bits, doc);
      return bits;
    }
    const first = range.from === undefined ? 0 : dictionary.ceil(range.from);
    const cursor = new PostingsCursor();
    for (let n = first; n < dictionary.size; n++) {
      const term = dictionary.term(n);
      if (!range.withFrom && term === range.from) continue;
      if (range.to !== undefined && (term > range.to || (!range.withTo && term === range.to))) break;
      dictionary.postings(n, cursor);
      while (cursor.next() < segment.docs) setBit(bits, cursor.doc);
    }
    return bits;
  }
  if (column.kind === 'string') {
    const { dictionary, ordinals } = column;
    let low = range.from === undefined ? 1 : dictionary.ceil(range.from);
    if (range.from !== undefined && !range.withFrom && dictionary.value(low) === range.from) low++;
    let high = range.to === undefined ? dictionary.size + 1 : dictionary.ceil(range.to);
    if (range.to !== undefined && range.withTo && high <= dictionary.size && dictionary.value(high) === range.to)
      high++;
    for (let doc = 0; doc < segment.docs; doc++) {
      const ordinal = ordinals[doc]!;
      if (ordinal >= low && ordinal < high) setBit(bits, doc);
    }
    return bits;
  }
  if (column.kind === 'hash128' || column.kind === 'hash512') return null;
  let sample = 0;
  for (let doc = 0; doc < segment.docs && doc < 1000; doc++) {
    const value = column.values[doc]!;
    if (value > sample) sample = value;
  }
  const low = range.from === undefined ? Number.NEGATIVE_INFINITY : numberOf(range.from, sample, !range.withFrom);
  const high = range.to === undefined ? Number.POSITIVE_INFINITY : numberOf(range.to, sample, range.withTo);
  if (Number.isNaN(low) || Number.isNaN(high)) return bits;
  for (let doc = 0; doc < segment.docs; doc++) {
    const value = columnValue(column, doc);
    if (typeof value !== 'number') continue;
    if ((range.withFrom ? value >= low : value > low) && (range.withTo ? value <= high : value < high))
      setBit(bits, doc);
  }
  return bits;
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$|^(\d{4})(\d{2})(\d{2})$/;

/** The number an end stands for; `atEnd`: the last moment of a date rather than its first. NaN: none. */
export function numberOf(text: string, sample: number, atEnd: boolean): number {
  const match = DATE.exec(text);
  const isPlain = /^\d+$/.test(text);
  if (!match || sample < 1e7 || (isPlain && text.length === 4 && sample < 1e8 && sample < 19_000_101))
    return text.trim() === '' ? Number.NaN : Number(text);
  const year = Number(match[1] ?? match[4]);
  const month = match[2] ?? match[5];
  const day = match[3] ?? match[6];
  if (sample < 1e8) {
    // Days written as numbers: 20200314.
    const rest = (part: string | undefined, last: number): number =>
      part === undefined ? (atEnd ? last : 0) : Number(part);
    return year * 10_000 + rest(month, 99) * 100 + rest(day, 99);
  }
  let time: number;
  if (!atEnd) time = Date.UTC(year, month === undefined ? 0 : Number(month) - 1, day === undefined ? 1 : Number(day));
  else if (month === undefined) time = Date.UTC(year + 1, 0, 1) - 1;
  else if (day === undefined) time = Date.UTC(year, Number(month), 1) - 1;
  else time = Date.UTC(year, Number(month) - 1, Number(day) + 1) - 1;
  return sample > 1e11 ? time : Math.floor(time / 1000);
}
