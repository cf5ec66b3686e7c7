import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { workFolder } from './results.ts';

/** Xorshift32: 0 <= x < 1; the same seed gives the same numbers everywhere. */
export function random(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi zo'.split(
    ' ',
  );

/** The n-th word of an endless invented vocabulary: short words first, as in speech. */
export function word(n: number): string {
  let rest = n;
  let text = '';
  do {
    text += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length) - 1;
  } while (rest >= 0);
  return text;
}

/**
 * Draws word numbers by Zipf's law with exponent 1 over `vocabulary` words: rank r with probability about 1/r, by the
 * inverse of the logarithm that approximates the harmonic sum.
 */
export function zipf(rnd: () => number, vocabulary: number): () => number {
  const top = Math.log(vocabulary + 1);
  return () => Math.min(vocabulary - 1, Math.floor(Math.exp(rnd() * top)) - 1);
}

export interface CorpusOptions {
  readonly seed?: number;
  readonly documents?: number;
  /** Mean length of a document, in words; lengths are geometric, so most are shorter and some much longer. */
  readonly words?: number;
  readonly vocabulary?: number;
}

export interface Text {
  readonly title: string;
  readonly text: string;
}

/** Documents of invented words, drawn by Zipf's law: for questions that need a size, not a language. */
export function corpus(options: CorpusOptions = {}): Text[] {
  const { seed = 1, documents = 1000, words = 300, vocabulary = 50_000 } = options;
  const rnd = random(seed);
  const next = zipf(rnd, vocabulary);
  const sentence = (length: number): string => {
    const parts: string[] = [];
    for (let i = 0; i < length; i++) parts.push(word(next()));
    return parts.join(' ');
  };
  return Array.from({ length: documents }, () => {
    const length = Math.max(5, Math.round(-Math.log(1 - rnd()) * words));
    const lines: string[] = [];
    for (let left = length; left > 0; left -= 12) lines.push(sentence(Math.min(12, left)));
    return { title: sentence(3), text: `${lines.join('. ')}.` };
  });
}

/** Bytes of a file that are read at once. */
const PIECE = 1 << 20;

/**
 * Calls `visit` with each document of a data set of the work folder (`ds/<name>.tsv`: title TAB text, one a line), until
 * it answers false. False, said by name, when the set was not made: bench/README.md tells how. Holds a piece of the file, so
 * that what is measured is not the reading.
 */
export function eachDocument(name: string, visit: (document: Text) => unknown): boolean {
  const file = join(workFolder(), 'ds', `${name}.tsv`);
  if (!existsSync(file)) {
    console.log(`  skipped: data set ${name} is not in ${workFolder()}`);
    return false;
  }
  const fd = openSync(file, 'r');
  try {
    let bytes = Buffer.alloc(PIECE);
    for (let held = 0, isEnd = false; !isEnd; ) {
      if (held === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(held)]);
      const read = readSync(fd, bytes, held, bytes.length - held, null);
      isEnd = read === 0;
      held += read;
      let start = 0;
      for (;;) {
        let end = bytes.subarray(0, held).indexOf(10, start);
        if (end < 0) end = isEnd ? held : -1;
        if (end < 0 || start >= held) break;
        const tab = bytes.indexOf(9, start);
        if (tab >= 0 && tab < end) {
          const document = { title: bytes.toString('utf8', start, tab), text: bytes.toString('utf8', tab + 1, end) };
          if (visit(document) === false) return true;
        }
        start = end + 1;
      }
      bytes.copy(bytes, 0, start, held);
      held -= Math.min(start, held);
    }
  } finally {
    closeSync(fd);
  }
  return true;
}

/** The documents of a data set, the first `max` of them, or null when it was not made. */
export function dataSet(name: string, max = Number.POSITIVE_INFINITY): Text[] | null {
  const found: Text[] = [];
  const there = eachDocument(name, (document) => found.push(document) < max);
  return there ? found : null;
}

/** The queries of the work folder (`queries.tsv`: kind TAB query), by kind; null when they were not made. */
export function queries(): Map<string, string[]> | null {
  const file = join(workFolder(), 'queries.tsv');
  if (!existsSync(file)) {
    console.log(`  skipped: queries.tsv is not in ${workFolder()}`);
    return null;
  }
  const kinds = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const kind = line.slice(0, tab);
    const list = kinds.get(kind);
    if (list) list.push(line.slice(tab + 1));
    else kinds.set(kind, [line.slice(tab + 1)]);
  }
  return kinds;
}
