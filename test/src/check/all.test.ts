import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answer, stage, stageNames } from '../../../src/check/all.ts';

const Check = suite('check');

Check('every stage file is a stage, and every stage is a file', () => {
  const files = readdirSync('src/check').map((file) => file.replace('.ts', ''));
  assert.equal(files.filter((name) => name !== 'all' && name !== 'body').sort(), [...stageNames].sort());
});

for (const name of stageNames)
  Check(`${name} answers {error} to lines it cannot take, and never throws`, async () => {
    const check = await stage(name);
    for (const line of ['', '{', 'null', '[]', '7', '{}', '{"text":7,"url":7,"query":7,"robots":7,"html":7,"xml":7}']) {
      const answered = JSON.parse(await answer(check, line));
      assert.type(answered, 'object', line);
      if (line !== '{}') assert.type(answered.error, 'string', `${name} ${line}`);
    }
  });

Check('a stage that is none is refused with the nearest name', async () => {
  try {
    await stage('analyse');
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /there is no stage analyse; did you mean analyze\?/);
  }
  try {
    await stage('constructor');
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code: string }).code, 'usage');
  }
});

const answered = async (name: string, line: object): Promise<unknown> =>
  JSON.parse(await answer(await stage(name), JSON.stringify(line)));

Check('analyze gives terms with exact offsets, by the chain of a field', async () => {
  assert.equal(
    await answered('analyze', { text: 'Café C++' }).then((got) => (got as { tokens: unknown[] }).tokens.at(0)),
    {
      term: 'cafe',
      position: 0,
      start: 0,
      end: 4,
    },
  );
  assert.equal(await answered('analyze', { text: 'text/html', field: 'type' }), {
    tokens: [{ term: 'text/html', position: 0, start: 0, end: 9 }],
  });
  assert.equal(await answered('analyze', { text: 'x', field: 'nope' }), { error: 'there is no field nope' });
});

Check('query gives a tree, its doubts, and the text that means the same', async () => {
  assert.equal(await answered('query', { query: 'title:nest nofield:x' }), {
    query: {
      kind: 'bool',
      clauses: [
        { occur: 'want', query: { kind: 'word', text: 'nest', field: 'title' } },
        { occur: 'want', query: { kind: 'word', text: 'nofield:x' } },
      ],
    },
    problems: [],
    text: 'title:nest nofield:x',
  });
});

Check.run();
