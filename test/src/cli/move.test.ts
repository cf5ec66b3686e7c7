import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { command } from '../../kit/command.ts';

const Move = suite('commands that bring documents in');
const root = mkdtempSync(join(tmpdir(), 'nuthatch-move-'));
Move.after(() => rmSync(root, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};

Move('documents of which not one can be used end with 1, and each line is told with its number', async () => {
  const dir = join(root, 'rejected');
  const bad = await command('add', [file('bad.jsonl', 'nonsense\n{}\n')], { dir });
  assert.is(bad.code, 1);
  assert.match(bad.notes[0]!, /^line 1 is left out: /);
  assert.match(bad.notes[1]!, /^line 2 is left out: it has neither id nor url/);
  assert.match(bad.notes[2]!, /^nothing was added: each of 2 lines/);
  const some = await command('add', [file('some.jsonl', 'nonsense\n{"id":"1","text":"x"}\n')], { dir });
  assert.is(some.code, 0);
});

Move('a file that is missing, a folder, or no archive, is wrong usage for every command', async () => {
  const dir = join(root, 'wrong');
  for (const [name, args, says] of [
    ['add', [join(root, 'none.jsonl')], /none\.jsonl cannot be read: it is not there/],
    ['import', ['jsonl', join(root, 'none.jsonl')], /none\.jsonl cannot be read: it is not there/],
    ['import', ['warc', join(root, 'none.warc')], /none\.warc cannot be read: it is not there/],
    ['import', ['warc', root], /cannot be read: it is a folder/],
    ['import', ['warc', file('no.warc', 'hello\n')], /no\.warc holds no WARC or ARC record/],
  ] as const) {
    const ran = await command(name, args, { dir });
    assert.is(ran.code, 2, ran.failed);
    assert.match(ran.failed, says);
  }
});

Move('a document that was added is explained by its id, and found by the synonyms that its folder keeps', async () => {
  const dir = join(root, 'notes');
  const note = file('notes.jsonl', '{"id": "n1", "title": "Shopping", "text": "hazel nuts"}\n');
  const options = { index: { synonyms: ['kernels => nuts'] } };
  assert.is((await command('add', [note], { dir, options })).code, 0);
  const found = await command('search', ['kernels'], { dir, json: true });
  assert.is(JSON.parse(found.out[0]!).total, 1);
  const why = await command('why', ['n1'], { dir });
  assert.is(why.out.at(-1), 'It was added to the index as a document, and a search can find it.');
  assert.match((await command('why', ['n2'], { dir })).out.join('\n'), /no document has this id/);
});

Move.run();
