/**
 * How good are the hits? nDCG@10 (the grade is the gain), MAP and recall@100 on the judged collections, by the settings of
 * a page search; beside them what Lucene's EnglishAnalyzer reaches with title and text in one field and any of the words:
 * by its run files `runs/<collection>.lucene-english.run` in the work folder (`lucene/run.sh relevance`), or, of nDCG@10
 * alone, as it was measured once.
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
import { workFolder } from './results.ts';

const ask = question('relevance');
const LUCENE_ENGLISH: Record<string, number> = {
  adi: 0.486,
  cacm: 0.497,
  cranfield: 0.423,
  'msmarco-lite': 0.731,
  scifact: 0.683,
};
/** A difference that is none: of the third digit. */
const SAME = 0.001;
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
  'page search, any word': { schema: 'page', options: { mode: 'any' } },
  'page search, as it comes': { schema: 'page', options: {} },
  'page search, words as typed': { schema: 'page', options: { mode: 'any', widen: false } },
  'one field, letter runs': { schema: 'plain', options: { mode: 'any', widen: false } },
};

const names = (process.env.NUTHATCH_COLLECTIONS ?? Object.keys(LUCENE_ENGLISH).join(',')).split(',');
const sums = new Map<string, Measures[]>();
const atOrAbove = new Map<string, number>();
for (const name of names) {
  const judged = read(name);
  if (!judged) {
    console.log(`  skipped: collection ${name} is not here`);
    continue;
  }
  const lucene: Partial<Measures> & Pick<Measures, 'ndcg10'> = ofRun(name, judged) ?? {
    ndcg10: LUCENE_ENGLISH[name] ?? 0,
  };
  ask.figure(`${name}: Lucene`, { ...lucene });
  const searchers = new Map(Object.entries(schemas).map(([kind, schema]) => [kind, build(schema, judged)] as const));
  let withAny: readonly string[] | null = null;
  for (const [what, { schema, options }] of Object.entries(settings)) {
    const searcher = searchers.get(schema)!;
    const before = cpuSeconds();
    const means = evaluate(searcher, judged, options);
    const cpuMs = ((cpuSeconds() - before) * 1000) / judged.queries.length;
    const behind = (Object.keys(lucene) as (keyof Measures)[]).filter((one) => means[one] < lucene[one]! - SAME);
    ask.figure(`${name}: ${what}`, { ...means, cpuMs, behindLucene: reasoned(behind, withAny) });
    withAny ??= behind;
    sums.set(what, [...(sums.get(what) ?? []), means]);
    if (means.ndcg10 >= lucene.ndcg10) atOrAbove.set(what, (atOrAbove.get(what) ?? 0) + 1);
  }
}
for (const [what, all] of sums) {
  const mean = (of: (one: Measures) => number): number =>
    round(all.reduce((sum, one) => sum + of(one), 0) / all.length);
  ask.figure(`mean: ${what}`, {
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    map: mean(({ map }) => map),
    recall100: mean(({ recall100 }) => recall100),
    ndcgAtOrAboveLucene: atOrAbove.get(what) ?? 0,
    collections: all.length,
  });
}

/**
 * Lucene is asked for any of the words: what pages with all of them alone give up for it is said in DECISIONS.
 * @param withAny in what the same search for any word is behind
 */
function reasoned(behind: readonly string[], withAny: readonly string[] | null): string {
  if (behind.length === 0) return 'in nothing';
  const isChosen = withAny !== null && behind.every((one) => one !== 'ndcg10' && !withAny.includes(one));
  return `in ${behind.join(' and ')}${isChosen ? ' (DECISIONS: all words alone)' : ''}`;
}

function build(schema: Schema, judged: Judged): Searcher {
  const directory = new MemoryDirectory();
  const builder = new SegmentBuilder(schema);
  const isPlain = schema.fields.length === 2;
  for (const { id, title, text } of judged.docs)
    builder.add(isPlain ? { id, text: `${title} ${text}` } : { id, title, text });
  builder.write(directory, 's');
  return new Searcher({ segments: [openSegment(directory, 's')] }, { lang: 'en' });
}

interface Measures {
  readonly ndcg10: number;
  readonly map: number;
  readonly recall100: number;
}

function evaluate(searcher: Searcher, judged: Judged, options: SearchOptions): Measures {
  return measured(judged, (_id, text) =>
    searcher.search(text, { limit: 1000, stored: false, ...options }).hits.map((hit) => judged.docs[hit.doc.doc]!.id),
  );
}

/** What Lucene answered, lines `query Q0 document rank score tag` in the order of ranks; null where it was not asked. */
function ofRun(name: string, judged: Judged): Measures | null {
  const file = join(workFolder(), 'runs', `${name}.lucene-english.run`);
  if (!existsSync(file)) return null;
  const ranked = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [query, , doc] = line.split(' ');
    if (doc === undefined) continue;
    const list = ranked.get(query!);
    if (list) list.push(doc);
    else ranked.set(query!, [doc]);
  }
  return measured(judged, (id) => ranked.get(id) ?? []);
}

/** @param rank documents for a query, best first */
function measured({ queries, grades: all }: Judged, rank: (id: string, text: string) => readonly string[]): Measures {
  let ndcg = 0;
  let map = 0;
  let recall = 0;
  let count = 0;
  for (const { id, text } of queries) {
    const grades = all.get(id);
    if (!grades) continue;
    count++;
    let gain = 0;
    let precision = 0;
    let found = 0;
    for (const [i, doc] of rank(id, text).entries()) {
      const grade = grades.get(doc) ?? 0;
      if (grade <= 0) continue;
      found++;
      precision += found / (i + 1);
      if (i < 10) gain += grade / Math.log2(i + 2);
      if (i < 100) recall += 1 / grades.size;
    }
    const ideal = [...grades.values()]
      .sort((a, b) => b - a)
      .slice(0, 10)
      .reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
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
