/** The real searcher against the dumb one, on random documents and random queries, cut into segments every which way. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schema } from '../../../index/document.ts';
import { collectTop } from '../../../index/query/collect.ts';
import { Compiler, CursorPool } from '../../../index/query/compile.ts';
import { explainPlan } from '../../../index/query/explain.ts';
import type { Plan } from '../../../index/query/plan.ts';
import { planQuery } from '../../../index/query/planner.ts';
import type { Query } from '../../../index/query/query.ts';
import { Statistics } from '../../../index/query/statistics.ts';
import { TopDocs } from '../../../index/query/top.ts';
import { buildSegments, randomOf } from '../../kit/search-index.ts';
import { SlowIndex } from '../../kit/slow-search.ts';

const Oracle = suite('oracle');

const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true },
    { name: 'title', index: 'text', analyzer: 'plain', weight: 2 },
    { name: 'text', index: 'text', analyzer: 'plain' },
  ],
};

interface Corpus {
  readonly docs: readonly { id: string; title: string; text: string }[];
  readonly deleted: ReadonlySet<number>;
  readonly cuts: readonly number[];
}

/** Words w0, w1, ...: the first in most documents, the last in few. */
function corpus(seed: number, count: number, vocabulary: number): Corpus {
  const random = randomOf(seed);
  const word = (): string => `w${Math.floor((random(1000) / 1000) ** 3 * vocabulary)}`;
  const words = (n: number): string => Array.from({ length: n }, word).join(' ');
  const docs = Array.from({ length: count }, (_, i) => ({
    id: `d${i}`,
    title: random(5) === 0 ? '' : words(1 + random(4)),
    text: words(random(random(10) === 0 ? 120 : 25)),
  }));
  const deleted = new Set<number>();
  if (seed % 2 === 1) for (let i = 0; i < count / 7; i++) deleted.add(random(count));
  const cuts = Array.from({ length: seed % 5 }, () => random(count));
  return { docs, deleted, cuts };
}

function randomQuery(random: (n: number) => number, vocabulary: number, depth = 2): Query {
  const word = (): string => `w${Math.floor((random(1000) / 1000) ** 2 * (vocabulary + 2))}`;
  const field = random(6) === 0 ? { field: random(2) ? 'title' : 'text' } : {};
  if (random(12) === 0) {
    const end = (): string | undefined => (random(4) === 0 ? undefined : `d${random(300)}`);
    const [from, to] = [end(), end()];
    return {
      kind: 'range',
      field: 'id',
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      withFrom: random(2) === 0,
      withTo: random(2) === 0,
    };
  }
  switch (random(depth > 0 ? 10 : 5)) {
    case 0:
      return { kind: 'phrase', text: `${word()} ${word()}`, slop: 0, ...field };
    case 1:
      return {
        kind: 'phrase',
        text: Array.from({ length: 2 + random(3) }, word).join(' '),
        slop: random(3) === 0 ? 0 : 1 + random(4),
        ...field,
      };
    case 2:
      return { kind: 'prefix', text: `w${random(3) ? 1 + random(9) : ''}`, ...field };
    case 3:
    case 4:
      return { kind: 'word', text: word(), ...field };
    case 5:
      return {
        kind: 'or',
        of: Array.from({ length: 2 + random(4) }, () => randomQuery(random, vocabulary, depth - 1)),
      };
    default:
      return {
        kind: 'bool',
        clauses: Array.from({ length: 2 + random(4) }, () => ({
          occur: (['must', 'want', 'want', 'want', 'not'] as const)[random(5)]!,
          query: randomQuery(random, vocabulary, depth - 1),
        })),
      };
  }
}

function check(seed: number, count: number, vocabulary: number, queries: number): void {
  const { docs, deleted, cuts } = corpus(seed, count, vocabulary);
  const slow = new SlowIndex(docs, schema);
  const segments = buildSegments(docs, schema, cuts, deleted);
  const stats = new Statistics(segments);
  const random = randomOf(seed + 1000);
  for (let q = 0; q < queries; q++) {
    const query = randomQuery(random, vocabulary);
    const plan = planQuery(query, stats, {
      fields: new Map([
        ['title', 2],
        ['text', 1],
      ]),
      lang: 'en',
      mode: random(2) ? 'all' : 'any',
      aliases: new Map(),
      problems: [],
      widen: false,
    });
    const where = `seed ${seed}, query ${q}: ${JSON.stringify(query)}`;
    const expected = slow.search(plan, deleted);
    for (const [k, countTo] of [
      [1, 0],
      [3, 1],
      [10, 0],
      [10, 50],
      [count, 0],
      [10, Number.POSITIVE_INFINITY],
    ] as const) {
      const top = run(plan, stats, k, countTo);
      same(top, expected, k, where);
      if (countTo === Number.POSITIVE_INFINITY) assert.is(top.total, expected.length, where);
      assert.ok(top.total <= expected.length, where);
      if (top.isExact) assert.is(top.total, expected.length, where);
    }
    for (const { doc, score } of expected.slice(0, 2)) {
      let base = 0;
      for (const segment of segments) {
        if (doc < base + segment.docs) {
          assert.ok(Math.abs(explainPlan(plan, segment, stats, doc - base)!.value - score) < 1e-4 * score, where);
          break;
        }
        base += segment.docs;
      }
    }
  }
}

function run(plan: Plan, stats: Statistics, k: number, countTo: number): TopDocs {
  const top = new TopDocs(k, countTo);
  const pool = new CursorPool();
  let base = 0;
  for (const segment of stats.segments) {
    const docs = new Compiler(segment, stats, pool).docs(plan);
    top.segment(base, segment.live, null, null);
    if (docs) collectTop(docs, top, segment.docs);
    base += segment.docs;
  }
  return top;
}

function same(top: TopDocs, expected: readonly { doc: number; score: number }[], k: number, where: string): void {
  const found = top.results();
  const best = expected.slice(0, k);
  assert.is(found.length, best.length, where);
  const scores = new Map(expected.map(({ doc, score }) => [doc, score]));
  for (let i = 0; i < best.length; i++) {
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 2e-6 * Math.max(a, b);
    assert.ok(near(found[i]!.score, best[i]!.score), `${where}: place ${i}: ${found[i]!.score}, not ${best[i]!.score}`);
    assert.ok(
      near(scores.get(found[i]!.doc) ?? -1, found[i]!.score),
      `${where}: document ${found[i]!.doc} has another score`,
    );
    // Another document than expected only where the two score the same but for the last bit.
    if (found[i]!.doc !== best[i]!.doc) assert.ok(near(scores.get(found[i]!.doc)!, best[i]!.score), where);
  }
}

for (let seed = 1; seed <= 10; seed++)
  Oracle(`seed ${seed}: 60 queries over 300 documents`, () => check(seed, 300, 30, 60));
Oracle('seed 11: many blocks and windows', () => check(11, 9000, 40, 25));
Oracle('seed 14: many blocks and windows in five segments', () => check(14, 9000, 400, 25));

Oracle('scores do not depend on where documents are cut into segments', () => {
  const { docs } = corpus(4, 500, 30);
  const query: Query = { kind: 'or', of: ['w0', 'w3', 'w9'].map((text) => ({ kind: 'word', text })) };
  const results = [[], [100], [1, 2, 3, 499], [250, 251]].map((cuts) => {
    const stats = new Statistics(buildSegments(docs, schema, cuts));
    const plan = planQuery(query, stats, {
      fields: new Map([
        ['title', 2],
        ['text', 1],
      ]),
      lang: 'en',
      mode: 'all',
      aliases: new Map(),
      problems: [],
      widen: false,
    });
    return run(plan, stats, 100, 0).results();
  });
  for (const result of results) assert.equal(result, results[0]);
});

Oracle.run();
