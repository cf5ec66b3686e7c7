/** Writes .trm, and hands a field's terms to the writer of .rev; the grammar stands in terms.ts. */
import { ByteWriter } from '../io/bytes.ts';
import type { Directory } from '../io/directory.ts';
import { type FileSeal, FrameWriter } from '../io/frame.ts';
import { BLOCK } from './pack.ts';
import type { ReverseWriter } from './reverse.ts';
import { TERMS } from './term-blocks.ts';
import type { TermEntry } from './term-entry.ts';
import { HAS_POSITIONS, TERMS_VERSION } from './terms.ts';

/** Takes the terms of one field after the other, each field's in order. */
export class TermsWriter {
  readonly #frame: FrameWriter;
  readonly #reverse: ReverseWriter;
  readonly #table = new ByteWriter();
  readonly #keys = new ByteWriter();
  readonly #numbers = new ByteWriter();
  readonly #head = new ByteWriter(64);
  readonly #lengths: number[] = [];
  #previous = new Uint8Array(1024);
  #previousLength = 0;
  #fields = 0;
  #id = 0;
  #withPositions = false;
  #count = 0;
  /** All terms of the field, kept for the reverse permutation; null when it has none. */
  #all: ByteWriter | null = null;
  #starts = new Uint32Array(1024);

  constructor(directory: Directory, file: string, reverse: ReverseWriter) {
    this.#frame = new FrameWriter(directory, file, 'trm', TERMS_VERSION);
    this.#reverse = reverse;
  }
  field(id: number, withPositions: boolean, withReverse: boolean): void {
    this.#id = id;
    this.#withPositions = withPositions;
    this.#count = 0;
    this.#lengths.length = 0;
    this.#all = withReverse ? new ByteWriter(1 << 16) : null;
  }
  /** The next term: bytes[from..end), above the one before; `entry` says where its postings went. */
  term(bytes: Uint8Array, from: number, end: number, entry: TermEntry): void {
    const length = end - from;
    const keys = this.#keys;
    keys.reserve(length + 16);
    const first = this.#count % TERMS === 0;
    if (first) {
      if (this.#count > 0) this.#endBlock();
      const head = this.#head;
      head.varint(entry.postings);
      head.varint(entry.skips);
      head.varint(entry.positions);
      keys.varint(length);
      for (let i = from; i < end; i++) keys.data[keys.length++] = bytes[i]!;
    } else {
      const previous = this.#previous;
      const most = Math.min(length, this.#previousLength);
      let shared = 0;
      while (shared < most && previous[shared] === bytes[from + shared]) shared++;
      keys.varint(shared);
      keys.varint(length - shared);
      for (let i = from + shared; i < end; i++) keys.data[keys.length++] = bytes[i]!;
    }
    if (length > this.#previous.length) this.#previous = new Uint8Array(length * 2);
    const previous = this.#previous;
    for (let i = 0; i < length; i++) previous[i] = bytes[from + i]!;
    this.#previousLength = length;
    this.#number(entry);
    const all = this.#all;
    if (all) {
      if (this.#count + 2 > this.#starts.length) {
        const grown = new Uint32Array(this.#starts.length * 2);
        grown.set(this.#starts);
        this.#starts = grown;
      }
      this.#starts[this.#count] = all.length;
      all.reserve(length);
      for (let i = from; i < end; i++) all.data[all.length++] = bytes[i]!;
      this.#starts[this.#count + 1] = all.length;
    }
    this.#count++;
  }
  endField(): void {
    if (this.#count > 0) this.#endBlock();
    const table = this.#table;
    this.#fields++;
    table.varint(this.#id);
    table.u8(this.#withPositions ? HAS_POSITIONS : 0);
    table.varint(this.#count);
    for (const length of this.#lengths) table.varint(length);
    if (this.#all) this.#reverse.field(this.#id, this.#all.data, this.#starts, this.#count);
    this.#all = null;
  }
  close(): FileSeal {
    const start = this.#frame.length;
    const head = new ByteWriter(16);
    head.varint(this.#fields);
    this.#frame.write(head.view());
    this.#frame.write(this.#table.view());
    const foot = new ByteWriter(8);
    foot.u64(start);
    this.#frame.write(foot.view());
    return this.#frame.close();
  }
  abandon(): void {
    this.#frame.abandon();
  }
  #number(entry: TermEntry): void {
    const numbers = this.#numbers;
    const more = entry.ttf - entry.df;
    numbers.varint((entry.df - 1) * 2 + (more > 0 ? 1 : 0));
    if (more > 0) numbers.varint(more);
    if (entry.df === 1) {
      numbers.varint(entry.doc);
      if (!this.#withPositions) return;
      if (entry.inlineCount > 0) {
        for (let i = 0; i < entry.inlineCount; i++) numbers.varint(entry.inline[i]!);
      } else numbers.varint(entry.positionsWords);
      return;
    }
    numbers.varint(entry.postingsWords);
    if (entry.df > BLOCK) numbers.varint(entry.skipWords);
    if (this.#withPositions) numbers.varint(entry.positionsWords);
  }
  #endBlock(): void {
    const head = this.#head;
    const keys = this.#keys;
    const numbers = this.#numbers;
    const size = new ByteWriter(8);
    size.varint(keys.length);
    this.#lengths.push(size.length + head.length + keys.length + numbers.length);
    this.#frame.write(size.view());
    this.#frame.write(head.view());
    this.#frame.write(keys.view());
    this.#frame.write(numbers.view());
    head.length = 0;
    keys.length = 0;
    numbers.length = 0;
  }
}
