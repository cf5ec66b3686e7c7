/**
 * How good are the hits? nDCG@10 (the grade is the gain), MAP and recall@100 on the judged collections, by the settings of
 * a page search; beside them what Lucene's EnglishAnalyzer reaches with title and text in one field (search-core.md).
 *
 *     npm run bench -- relevance
 *     NUTHATCH_COLLECTIONS=adi,cacm npm run bench -- relevance
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MemoryDirectory,
  openSegment,
  type Schema,
  Searcher,
  type SearchOptions,
  SegmentBuilder,
} from '../index/index.ts';
import { cpuSeconds } from './memory.ts';
import { question } from './question.ts';

const ask = question('relevance');
const LUCENE_ENGLISH: Record<string, number> = {
  adi: 0.486,
  cacm: 0.497,
  cranfield: 0.423,
  'msmarco-lite': 0.731,
  scifact: 0.683,
};
const base = process.env.NUTHATCH_SHARED ? join(process.env.NUTHATCH_SHARED, 'collections') : '';

interface Judged {
  readonly docs: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly grades: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const schemas: Record<string, Schema> = {
  page: {
    key: 'id',
    fields: [
      { name: 'id', index: 'keyword', stored: true },
      { name: 'title', index: 'text' },
      { name: 'text', index: 'text' },
    ],
  },
  plain: {
    key: 'id',
    fields: [
      { name: 'id', index: 'keyword', stored: true },
      { name: 'text', index: 'text', analyzer: 'plain' },
    ],
  },
};

const settings: Record<string, { schema: 'page' | 'plain'; options: SearchOptions }> = {
  'page search, as it comes': { schema: 'page', options: {} },
  'page search, any word': { schema: 'page', options: { mode: 'any' } },
  'page search, words as typed': { schema: 'page', options: { mode: 'any', widen: false } },
  'one field, letter runs': { schema: 'plain', options: { mode: 'any', widen: false } },
};

const names = (process.env.NUTHATCH_COLLECTIONS ?? Object.keys(LUCENE_ENGLISH).join(',')).split(',');
const sums = new Map<string, number[]>();
for (const name of names) {
  const judged = read(name);
  if (!judged) {
    console.log(`  skipped: collection ${name} is not here`);
    continue;
  }
  const searchers = new Map(Object.entries(schemas).map(([kind, schema]) => [kind, build(schema, judged)] as const));
  for (const [what, { schema, options }] of Object.entries(settings)) {
    const searcher = searchers.get(schema)!;
    const before = cpuSeconds();
    const means = evaluate(searcher, judged, options);
    const cpuMs = ((cpuSeconds() - before) * 1000) / judged.queries.length;
    ask.figure(`${name}: ${what}`, { ...means, lucene: LUCENE_ENGLISH[name] ?? 0, cpuMs });
    sums.set(what, [...(sums.get(what) ?? []), means.ndcg10]);
  }
}
for (const [what, all] of sums)
  ask.figure(`mean: ${what}`, {
    ndcg10: round(all.reduce((a, b) => a + b, 0) / all.length),
    atOrAboveLucene: all.filter((value, i) => value >= (LUCENE_ENGLISH[names[i]!] ?? 0)).length,
    collections: all.length,
  });

function build(schema: Schema, judged: Judged): Searcher {
  const directory = new MemoryDirectory();
  const builder = new SegmentBuilder(schema);
  const isPlain = schema.fields.length === 2;
  for (const { id, title, text } of judged.docs)
    builder.add(isPlain ? { id, text: `${title} ${text}` } : { id, title, text });
  builder.write(directory, 's');
  return new Searcher({ segments: [openSegment(directory, 's')] }, { lang: 'en' });
}

function evaluate(
  searcher: Searcher,
  judged: Judged,
  options: SearchOptions,
): { ndcg10: number; map: number; recall100: number } {
  let ndcg = 0;
  let map = 0;
  let recall = 0;
  let count = 0;
  for (const { id, text } of judged.queries) {
    const grades = judged.grades.get(id);
    if (!grades) continue;
    count++;
    const { hits } = searcher.search(text, { limit: 1000, stored: false, ...options });
    let gain = 0;
    let precision = 0;
    let found = 0;
    hits.forEach((hit, rank) => {
      const grade = grades.get(judged.docs[hit.doc.doc]!.id) ?? 0;
      if (grade <= 0) return;
      found++;
      precision += found / (rank + 1);
      if (rank < 10) gain += grade / Math.log2(rank + 2);
      if (rank < 100) recall += 1 / grades.size;
    });
    const ideal = [...grades.values()]
      .sort((a, b) => b - a)
      .slice(0, 10)
      .reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0);
    ndcg += gain / ideal;
    map += precision / grades.size;
  }
  return { ndcg10: round(ndcg / count), map: round(map / count), recall100: round(recall / count) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function read(name: string): Judged | null {
  const folder = join(base, name);
  if (!existsSync(folder)) return null;
  const lines = (file: string): string[] => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query, doc, grade] = line.split('\t');
    if (Number(grade) <= 0) continue;
    if (!grades.has(query!)) grades.set(query!, new Map());
    grades.get(query!)!.set(doc!, Number(grade));
  }
  return {
    docs: lines('docs.jsonl').map((line) => JSON.parse(line)),
    queries: lines('queries.jsonl').map((line) => JSON.parse(line)),
    grades,
  };
}
