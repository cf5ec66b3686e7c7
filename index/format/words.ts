import type { Directory } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { FrameWriter } from '../io/frame.ts';

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
