import type { Directory, RandomAccess } from '../io/directory.ts';
import { checkFrame, type FileSeal, FOOT, FrameWriter, HEAD } from '../io/frame.ts';

/** Words in the buffer at first, and at most: a megabyte, so that a file of any size is written with little memory. */
const SMALLEST = 1 << 11;
const BUFFER = 1 << 18;

/** A file of 32-bit words on its way to a directory. Hot loops write to `words` at `at`, read anew after each `reserve`. */
export class WordWriter {
  words = new Int32Array(SMALLEST);
  at = 0;
  readonly #frame: FrameWriter;
  #before = 0;

  constructor(directory: Directory, file: string, format: string, version: number) {
    this.#frame = new FrameWriter(directory, file, format, version);
  }
  /** Words since the beginning of the file's body. */
  get position(): number {
    return this.#before + this.at;
  }
  /** Room for `count` words, at most BUFFER. */
  reserve(count: number): void {
    if (this.at + count <= this.words.length) return;
    if (this.at + count > BUFFER) {
      this.#flush();
      return;
    }
    const grown = new Int32Array(Math.max(this.words.length * 2, this.at + count));
    grown.set(this.words);
    this.words = grown;
  }
  close(): FileSeal {
    this.#flush();
    return this.#frame.close();
  }
  abandon(): void {
    this.#frame.abandon();
  }
  #flush(): void {
    this.#frame.write(new Uint8Array(this.words.buffer, 0, this.at * 4));
    this.#before += this.at;
    this.at = 0;
  }
}

/** The body of an unframed file as words; it lies 16 bytes into its own buffer, so it is aligned. */
export function asWords(body: Uint8Array): Int32Array {
  if (body.byteOffset % 4 === 0) return new Int32Array(body.buffer, body.byteOffset, body.length >>> 2);
  const copy = new Uint8Array(new SharedArrayBuffer(body.length & ~3));
  copy.set(body.subarray(0, copy.length));
  return new Int32Array(copy.buffer);
}

/** Words read from a file at once, unless more are asked for. */
const WINDOW = 1 << 16;

/**
 * A file of words that is not in memory but a window of it: for those who read from beginning to end (a merge), or hardly
 * at all (a writer), and must not cost what the index costs.
 */
export class WordFile {
  readonly seal: FileSeal;
  /** The words from `slide`'s answer on. A new array with each slide: who holds the old one may go on reading it. */
  words: Int32Array = new Int32Array(new SharedArrayBuffer(0));
  readonly #access: RandomAccess;
  readonly #size: number;
  #first = 0;

  /** Reads by `access` as long as it lives. Every byte of the file is read once, for its checksum, unless `checked`. */
  constructor(access: RandomAccess, file: string, format: string, version: number, checked: boolean) {
    this.#access = access;
    this.seal = checkFrame(access, file, format, version, checked);
    this.#size = (access.size - HEAD - FOOT) >>> 2;
  }
  /** Sees to it that words `from` .. `from + count` of the file are in `words`; where they begin in it. */
  slide(from: number, count: number): number {
    if (from >= this.#first && from + count <= this.#first + this.words.length) return from - this.#first;
    const length = Math.min(Math.max(count, WINDOW), this.#size - from);
    this.words = asWords(this.#access.read(HEAD + from * 4, length * 4));
    this.#first = from;
    return 0;
  }
}
