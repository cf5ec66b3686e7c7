/**
 * What does a search cost, by kind of query? CPU microseconds a query over d20k: first as the peers are asked (one field, letter
 * runs, words as typed; bench/peers compares with Lucene), then as a page search is (title and text, other forms of the
 * words, all words and else any), with ten stored hits and highlights, and one after the other what each of these costs.
 *
 *     npm run bench -- query            NUTHATCH_DOCS=5000 for a smaller index
 */
import {
  MemoryDirectory,
  openSegment,
  type Query,
  type Schema,
  Searcher,
  type SearchOptions,
  SegmentBuilder,
  type SegmentReader,
} from '../index/index.ts';
import { dataSet, queries } from './corpus.ts';
import { cpuSeconds } from './memory.ts';
import { question } from './question.ts';

const ask = question('query');
const plain: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword' },
    { name: 'body', index: 'text', analyzer: 'plain' },
  ],
};
const page: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true },
    { name: 'title', index: 'text', stored: true },
    { name: 'text', index: 'text', stored: true },
  ],
};
const docs = dataSet('d20k', Number(process.env.NUTHATCH_DOCS ?? 20_000));
const kinds = queries();

function build(schema: Schema, fields: (title: string, text: string) => Record<string, string>): Searcher {
  const segments: SegmentReader[] = [];
  const directory = new MemoryDirectory();
  let builder = new SegmentBuilder(schema);
  const flush = (): void => {
    const name = `s${segments.length}`;
    builder.write(directory, name);
    segments.push(openSegment(directory, name));
    builder = new SegmentBuilder(schema);
  };
  docs!.forEach(({ title, text }, i) => {
    builder.add({ id: `${i}`, ...fields(title, text) });
    if (builder.full) flush();
  });
  if (builder.docs > 0) flush();
  return new Searcher({ segments }, { lang: 'en' });
}

const written = (kind: string, text: string): string =>
  kind.startsWith('phrase')
    ? `"${text}"`
    : kind.startsWith('prefix')
      ? `${text}*`
      : kind.startsWith('fuzzy')
        ? `${text}~1`
        : text;

/** CPU us a query and hits, by kind, after two passes to warm up. */
function measure(what: string, searcher: Searcher, options: SearchOptions): void {
  const figures: Record<string, number> = {};
  for (const [kind, texts] of kinds!) {
    const given: Query[] = texts.map((text) => searcher.parse(written(kind, text)).query);
    const kindOptions: SearchOptions =
      options.mode === undefined ? options : { ...options, mode: kind.startsWith('or') ? 'any' : 'all' };
    for (let pass = 0; pass < 2; pass++) for (const query of given) searcher.search(query, kindOptions);
    const before = cpuSeconds();
    let calls = 0;
    while (cpuSeconds() - before < 0.15)
      for (const query of given) calls += searcher.search(query, kindOptions) ? 1 : 0;
    figures[kind] = Math.round(((cpuSeconds() - before) * 1e6) / calls);
  }
  ask.figure(what, figures);
}

if (docs && kinds) {
  const asPeers = build(plain, (title, text) => ({ body: `${title} ${text}` }));
  measure('one field, as typed, no hits read', asPeers, { mode: 'all', widen: false, stored: false, countTo: 10 });
  const asPages = build(page, (title, text) => ({ title, text }));
  measure('title and text, as typed, no hits read', asPages, {
    mode: 'all',
    widen: false,
    stored: false,
    exactTitle: false,
  });
  measure('and other forms', asPages, { mode: 'all', stored: false, exactTitle: false });
  measure('and exact titles, else any word', asPages, { stored: false });
  measure('and ten stored hits', asPages, {});
  measure('and highlights', asPages, { highlight: true });
}
