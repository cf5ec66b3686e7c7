/** Seeded documents for tests of the index, and the plainest index of them: a map of term to list. */
import type { Document, Schema } from '../../index/document.ts';
import { type Analyzer, hashUnits, type TokenSink } from '../../index/text/analyzer.ts';

/** Words between spaces, positions 0, 1, 2...; the test's own, so that no change of a real chain moves golden files. */
export class SpaceChain implements Analyzer {
  readonly name = 'space/1';
  analyze(text: string, _lang: string, sink: TokenSink): number {
    let position = 0;
    for (const match of text.matchAll(/\S+/g)) {
      const word = match[0];
      for (let i = 0; i < word.length; i++) sink.units[i] = word.charCodeAt(i);
      sink.token(word.length, hashUnits(sink.units, word.length), position++, match.index, match.index + word.length);
    }
    return position;
  }
}
export const spaceChain = (): Analyzer => new SpaceChain();

export const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true, column: 'string' },
    { name: 'title', index: 'text', stored: true },
    { name: 'body', index: 'text' },
    { name: 'tags', index: 'bag', stored: true },
    { name: 'host', index: 'keyword', column: 'string' },
    { name: 'time', index: 'none', column: 'u32', stored: true },
    { name: 'boost', index: 'none', column: 'f64' },
    { name: 'digest', index: 'none', column: 'hash128' },
  ],
};

/** A small generator (mulberry32): the same seed gives the same numbers everywhere. */
export function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Words of a rank distribution like that of a language: few are very common, most are rare. */
export function word(next: () => number, vocabulary: number): string {
  const rank = Math.floor(vocabulary ** next());
  return `${'bcdfghklmnprstvz'[rank % 16]}${'aeiou'[rank % 5]}${rank.toString(36)}${rank % 7 === 0 ? 'é' : ''}${rank % 31 === 0 ? '𝒳' : ''}`;
}

export function documents(count: number, seed: number, vocabulary = 2000): Document[] {
  const next = random(seed);
  const text = (words: number): string => Array.from({ length: words }, () => word(next, vocabulary)).join(' ');
  return Array.from({ length: count }, (_, i) => {
    const document: Record<string, Document[string]> = { id: `doc-${i}`, title: text(1 + Math.floor(next() * 6)) };
    if (next() < 0.9) document.body = text(Math.floor(next() ** 3 * 300));
    if (next() < 0.5) document.tags = Array.from({ length: Math.floor(next() * 4) }, () => text(2));
    document.host = `host${Math.floor(next() * 9)}`;
    if (next() < 0.8) document.time = Math.floor(next() * 2 ** 32);
    if (next() < 0.7) document.boost = next();
    if (next() < 0.6) document.digest = Uint8Array.from({ length: 16 }, () => next() * 256);
    return document;
  });
}

export interface PlainPosting {
  readonly doc: number;
  readonly positions: number[];
}

/** term -> postings of a field, as slowly as can be. */
export function plainIndex(
  docs: readonly Document[],
  field: string,
  kind: 'text' | 'keyword',
): Map<string, PlainPosting[]> {
  const index = new Map<string, PlainPosting[]>();
  for (const [doc, document] of docs.entries()) {
    const value = document[field];
    if (value === undefined) continue;
    const texts = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
    let base = 0;
    for (const text of texts) {
      const words = kind === 'keyword' ? (text === '' ? [] : [text]) : [...text.matchAll(/\S+/g)].map((m) => m[0]);
      for (const [i, word] of words.entries()) {
        const list = index.get(word) ?? [];
        index.set(word, list);
        if (list.at(-1)?.doc !== doc) list.push({ doc, positions: [] });
        list.at(-1)!.positions.push(base + i);
      }
      base += words.length + 100;
    }
  }
  return index;
}
