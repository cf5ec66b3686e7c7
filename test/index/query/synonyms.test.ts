import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explanationText } from '../../../index/query/explain.ts';
import { readSynonyms } from '../../../index/query/synonyms.ts';
import { Searcher } from '../../../index/searcher.ts';
import { buildSegments } from '../../kit/search-index.ts';

const Synonyms = suite('synonyms');

Synonyms('a list stands for each other, an arrow for one way', () => {
  const { words, problems } = readSynonyms('# cars\ncar, Auto , automobile\n\njs => javascript\nauto, voiture');
  assert.equal([...words.get('auto')!], ['car', 'automobile', 'voiture']);
  assert.equal(words.get('js'), ['javascript']);
  assert.is(words.get('javascript'), undefined);
  assert.equal(problems, []);
});

Synonyms('a line that cannot be used is named and the others count', () => {
  const { words, problems } = readSynonyms('c++, one\nalone\na => b => c\n=> x\nok, fine\na b c d e f g, x');
  assert.equal(
    problems.map(({ line }) => line),
    [1, 2, 3, 4, 6],
  );
  assert.equal([...words.keys()], ['ok', 'fine']);
});

Synonyms('a query finds its synonyms, the word as typed first', () => {
  const schema = {
    key: 'id',
    fields: [
      { name: 'id', index: 'keyword' },
      { name: 'text', index: 'text', stored: true },
    ],
  } as const;
  const docs = ['an automobile', 'a car here', 'a bicycle'].map((text, i) => ({ id: `${i}`, text }));
  const searcher = new Searcher(
    { segments: buildSegments(docs, schema) },
    { synonyms: readSynonyms('car, automobile').words },
  );
  assert.equal(
    searcher.search('car').hits.map((hit) => hit.fields.text),
    ['a car here', 'an automobile'],
  );
  assert.equal(searcher.search('"car"').total, 1);
});

const schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true },
    { name: 'text', index: 'text', stored: true },
  ],
} as const;
const CLUSTERS = [
  'to upgrade k8s one reads the notes',
  'the kubernetes cluster and its upgrade',
  'a cluster of stars, kubernetes by name, an upgrade',
  'kubernetes alone wants an upgrade',
  'a bicycle',
].map((text, i) => ({ id: `${i}`, text }));
const clusters = (synonyms: string, cuts: readonly number[] = []): Searcher =>
  new Searcher({ segments: buildSegments(CLUSTERS, schema, cuts) }, { synonyms: readSynonyms(synonyms).words });
const keys = (searcher: Searcher, query: string, mode: 'all' | 'any' = 'all'): string =>
  searcher
    .search(query, { mode })
    .hits.map(({ key }) => key)
    .sort()
    .join(' ');

Synonyms(
  'a name of several words stands for one word as a phrase, and for all of its words the other way round',
  () => {
    const searcher = clusters('k8s, Kubernetes  cluster');
    assert.is(keys(searcher, 'k8s'), '0 1', 'the phrase, not the words apart');
    assert.is(keys(searcher, 'kubernetes cluster'), '0 1 2', 'the words anywhere, or the synonym');
    assert.is(keys(searcher, '+upgrade +kubernetes +cluster'), '0 1 2');
    assert.is(keys(searcher, 'upgrade of the kubernetes cluster'), '0 1 2', 'small words are still passed over');
    assert.is(keys(searcher, 'cluster kubernetes'), '1 2', 'in another order it is not the name');
    assert.is(keys(searcher, '"kubernetes cluster"'), '1', 'what stands in quotes is asked for as it is');
    assert.is(keys(searcher, 'upgrade -kubernetes -cluster'), '0');
    assert.is(keys(searcher, 'kubernetes-cluster'), '0 1');
    assert.is(keys(searcher, 'kubernetes cluster', 'any'), '0 1 2 3');
    assert.is(searcher.search('k8s').hits[0]!.key, '0', 'what was typed comes first');
    assert.is(searcher.search('kubernetes cluster').hits[0]!.key, '1');
  },
);

Synonyms('an arrow leads one way, also between names of several words', () => {
  const searcher = clusters('star cluster => kubernetes cluster, k8s');
  assert.is(keys(searcher, 'star cluster'), '0 1 2');
  assert.is(keys(searcher, 'k8s'), '0');
  assert.is(keys(clusters('k8s => kubernetes cluster'), 'kubernetes cluster'), '1 2');
});

Synonyms('where documents are cut into segments changes nothing', () => {
  const whole = clusters('k8s, kubernetes cluster');
  const cut = clusters('k8s, kubernetes cluster', [1, 2]);
  for (const query of ['k8s', 'kubernetes cluster', 'kubernetes cluster upgrade', 'k8s upgrade'])
    assert.equal(
      whole.search(query).hits.map(({ key, score }) => [key, score]),
      cut.search(query).hits.map(({ key, score }) => [key, score]),
    );
});

Synonyms('the longest name in a line counts, and so many synonyms are looked for, not more', () => {
  const searcher = clusters('kubernetes cluster => k8s\nkubernetes cluster upgrade => bicycle');
  assert.is(keys(searcher, 'kubernetes cluster upgrade'), '1 2 4');
  const many = Array.from({ length: 40 }, (_, i) => `w${i} x`).join(', ');
  assert.is(keys(clusters(`owl => ${many}, k8s`), 'owl'), '');
  assert.is(keys(clusters('owl => k8s'), 'owl'), '0');
});

Synonyms('explain and marks tell of the synonym', () => {
  const searcher = clusters('k8s, kubernetes cluster');
  const { hits } = searcher.search('k8s', { explain: true, highlight: true });
  const hit = hits.find(({ key }) => key === '1')!;
  assert.match(explanationText(hit.explain!), /"kubernetes cluster" \(a synonym of k8s\)/);
  assert.match(
    hit.highlights!.text!.html,
    /<mark>kubernetes cluster<\/mark>|<mark>kubernetes<\/mark> <mark>cluster<\/mark>/,
  );
  const other = searcher.search('kubernetes cluster', { explain: true }).hits.find(({ key }) => key === '0')!;
  assert.match(explanationText(other.explain!), /text:k8s \(a synonym of kubernetes cluster\)/);
});

Synonyms.run();
