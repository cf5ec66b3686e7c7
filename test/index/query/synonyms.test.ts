import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
  const { words, problems } = readSynonyms('two words, one\nalone\na => b => c\n=> x\nok, fine');
  assert.equal(
    problems.map(({ line }) => line),
    [1, 2, 3, 4],
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

Synonyms.run();
