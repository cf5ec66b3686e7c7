import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createIndex, type Index, IndexError, openIndex, type Schema } from '../../index/index.ts';

const Embedded = suite('an index for a program');
const schema: Schema = {
  key: 'id',
  fields: [
    { name: 'id', index: 'keyword', stored: true },
    { name: 'title', index: 'text', weight: 3, stored: true },
    { name: 'text', index: 'text', stored: true },
  ],
};
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-embedded-'));
Embedded.after(() => rmSync(folder, { recursive: true, force: true }));
const keys = (index: Index, query: string): unknown[] =>
  index
    .search(query, { limit: 100 })
    .hits.map(({ key }) => key)
    .sort();
const code = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof IndexError) return error.code;
    throw error;
  }
  return 'none';
};

for (const place of [undefined, join(folder, 'one')])
  Embedded(
    `documents are found after the commit, replaced by key, and gone when deleted: ${place ? 'disk' : 'memory'}`,
    () => {
      const index = createIndex(schema, place);
      assert.equal(keys(index, 'nuts'), []);
      index.add([
        { id: '1', title: 'Shopping', text: 'hazel nuts' },
        { id: '2', title: 'Wood', text: 'nuts and cones' },
      ]);
      assert.equal(keys(index, 'nuts'), [], 'nothing is seen before the commit');
      index.commit();
      assert.equal(keys(index, 'nuts'), ['1', '2']);
      index.add([{ id: '1', title: 'Shopping', text: 'bread' }]);
      index.add([{ id: '1', title: 'Shopping', text: 'butter' }]);
      assert.is(index.delete(['2', 'nobody']), 1);
      index.commit();
      assert.equal([keys(index, 'nuts'), keys(index, 'bread'), keys(index, 'butter'), index.docs], [[], [], ['1'], 1]);
      index.add([{ id: '3', title: 'x', text: 'forgotten' }]);
      index.rollback();
      index.commit();
      assert.equal(keys(index, 'forgotten'), []);
      index.close();
      index.close();
      assert.is(
        code(() => index.search('nuts')),
        'closed',
      );
    },
  );

Embedded('after any row of adds, deletes and commits it holds what a map would hold', () => {
  let state = 42;
  const random = (n: number): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 1) % n;
  const index = createIndex(schema);
  const pending = new Map<string, string>();
  for (let step = 0; step < 300; step++) {
    const id = `k${random(20)}`;
    const what = random(10);
    if (what < 6) {
      const word = `word${random(5)}`;
      index.add([{ id, title: id, text: word }]);
      pending.set(id, word);
    } else if (what < 9) assert.is(index.delete([id]), pending.delete(id) ? 1 : 0, `step ${step}, seed 42`);
    else {
      index.commit();
      assert.is(index.docs, pending.size);
      for (let n = 0; n < 5; n++)
        assert.equal(
          keys(index, `word${n}`),
          [...pending]
            .filter(([, word]) => word === `word${n}`)
            .map(([key]) => key)
            .sort(),
          `step ${step}, seed 42`,
        );
    }
  }
});

Embedded('another process sees a commit when it refreshes, and may write when the first has committed', () => {
  const place = join(folder, 'two');
  const one = createIndex(schema, place);
  one.add([{ id: '1', title: 'a', text: 'first' }]);
  one.commit();
  const two = openIndex(place);
  one.add([{ id: '2', title: 'b', text: 'second' }]);
  assert.is(
    code(() => two.add([])),
    'locked',
  );
  one.commit();
  assert.equal(keys(two, 'second'), []);
  assert.is(two.refresh(), true);
  assert.is(two.refresh(), false);
  assert.equal(keys(two, 'second'), ['2']);
  two.add([{ id: '3', title: 'c', text: 'third' }]);
  two.commit();
  assert.is(one.refresh(), true);
  assert.equal(keys(one, 'third'), ['3']);
  one.close();
  two.close();
});

Embedded('what is no list of documents, no query and no limit is refused, and changes nothing', () => {
  using index = createIndex(schema);
  for (const documents of [{ id: '1', text: 'owl' }, undefined, 'owl', 7])
    assert.is(
      code(() => index.add(documents as never)),
      'bad-document',
    );
  index.add([{ id: '1', text: 'owl' }]);
  index.commit();
  assert.is(
    code(() => index.search(undefined as never)),
    'bad-query',
  );
  for (const options of [{ limit: 'x' }, { limit: -1 }, { from: 1.5 }])
    assert.is(
      code(() => index.search('owl', options as never)),
      'bad-query',
    );
  assert.equal(keys(index, 'owl'), ['1']);
});

Embedded('another schema, a place without an index and a misspelt field are refused', () => {
  const place = join(folder, 'three');
  const index = createIndex(schema, place);
  index.add([{ id: '1', title: 'a', text: 'b' }]);
  index.commit();
  assert.is(
    code(() => index.add([{ id: '2', tilte: 'a' }])),
    'bad-document',
  );
  index.close();
  const again = createIndex(schema, place);
  assert.equal(keys(again, 'b'), ['1'], 'the same schema opens it');
  again.close();
  assert.is(
    code(() => createIndex({ ...schema, fields: schema.fields.slice(0, 2) }, place)),
    'bad-schema',
  );
  assert.is(
    code(() => openIndex(join(folder, 'nowhere'))),
    'missing',
  );
});

Embedded.run();
