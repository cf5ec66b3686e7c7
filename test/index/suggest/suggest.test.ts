import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexError } from '../../../index/errors.ts';
import { FOOT, frame, HEAD } from '../../../index/io/frame.ts';
import { openSuggest } from '../../../index/suggest/ask.ts';
import { buildSuggest } from '../../../index/suggest/build.ts';

const Suggest = suite('suggest');
const entry = (text: string, weight = 1, id = text) => ({ text, id, weight });
const opened = (...entries: ReturnType<typeof entry>[]) => openSuggest(buildSuggest(entries));
const ask = (suggest: ReturnType<typeof opened>, typed: string, n?: number): string[] =>
  suggest.ask(typed, n).map((e) => e.text);

Suggest('RU-suggest-01: what is offered are real titles, never a salad of their words', () => {
  const suggest = opened(entry('Tea and the Art of Gardening'), entry('Tea Art'), entry('Coffee'));
  assert.equal(ask(suggest, 'tea ar'), ['Tea Art', 'Tea and the Art of Gardening']);
  assert.equal(ask(suggest, 'art te'), ['Tea Art', 'Tea and the Art of Gardening']);
});

Suggest('every beginning of every word finds the entry', () => {
  const suggest = opened(entry('Failover of a Cluster'), entry('unrelated'));
  for (const word of ['failover', 'of', 'a', 'cluster'])
    for (let n = 1; n <= word.length; n++)
      assert.ok(ask(suggest, word.slice(0, n)).includes('Failover of a Cluster'), word.slice(0, n));
});

Suggest('what begins with the line typed comes first, then the heavier', () => {
  const suggest = opened(entry('Installing nginx', 9), entry('nginx', 1), entry('nginx modules', 5));
  assert.equal(ask(suggest, 'ngi'), ['nginx modules', 'nginx', 'Installing nginx']);
});

Suggest('swapped, doubled, wrong and missing letters are forgiven, numbers are not', () => {
  const suggest = opened(entry('Configuration guide'), entry('Release 2031'));
  for (const typed of ['cofniguration', 'conffiguration', 'comfiguration', 'cofiguration', 'gudie'])
    assert.equal(ask(suggest, typed), ['Configuration guide'], typed);
  assert.equal(ask(suggest, '2013'), []);
  assert.equal(ask(suggest, '2031'), ['Release 2031']);
});

Suggest('accents, Han and technical words are found as they are in a search', () => {
  const suggest = opened(
    entry('Pâté en croûte'),
    entry('全文検索エンジン'),
    entry('C++ and C#'),
    entry('buttonColorState'),
  );
  assert.equal(ask(suggest, 'pate cr'), ['Pâté en croûte']);
  assert.equal(ask(suggest, '検索'), ['全文検索エンジン']);
  assert.equal(ask(suggest, '検'), ['全文検索エンジン']);
  assert.is(ask(suggest, 'c++')[0], 'C++ and C#');
  assert.equal(ask(suggest, 'colorst'), []);
  assert.equal(ask(suggest, 'color'), ['buttonColorState']);
  assert.equal(ask(suggest, 'buttoncol'), ['buttonColorState']);
});

Suggest('a line of signs, or of nothing, offers nothing', () => {
  const suggest = opened(entry('Anything'));
  for (const typed of ['', ' ', '%%%', '"', '*', '\ud800', 'x'.repeat(100_000)])
    assert.equal(ask(suggest, typed), [], typed.slice(0, 9));
});

Suggest('the same entries in any order give the same bytes; one text is kept once, the heaviest', () => {
  const entries = [entry('B', 1), entry('A', 2), entry('a', 3, 'other'), entry('C', 2), entry('  A ', 1)];
  const bytes = buildSuggest(entries);
  assert.equal(buildSuggest(entries.toReversed()), bytes);
  const suggest = openSuggest(bytes);
  assert.is(suggest.size, 3);
  assert.equal(suggest.ask('a'), [{ text: 'a', id: 'other', weight: 3 }]);
});

Suggest('a cut file and a flipped byte are refused', () => {
  const bytes = buildSuggest([entry('Anything')]);
  const corrupt = (broken: Uint8Array): void =>
    assert.throws(
      () => openSuggest(broken, 'x.sug'),
      (error: unknown) => error instanceof IndexError && error.code === 'corrupt',
    );
  for (let length = 0; length < bytes.length; length += 7) corrupt(bytes.slice(0, length));
  for (let at = 0; at < bytes.length; at += 5) {
    const flipped = bytes.slice();
    flipped[at]! ^= 0x10;
    assert.throws(
      () => openSuggest(flipped, 'x.sug'),
      (error: unknown) => error instanceof IndexError,
    );
  }
});

Suggest('a file of another version is told apart from a damaged one, with what to do', () => {
  const body = buildSuggest([entry('Anything')]).subarray(HEAD, -FOOT);
  const opens = (version: number, code: string, advice: RegExp): void =>
    assert.throws(
      () => openSuggest(frame('sug', version, body), 'suggest-3'),
      (error: unknown) =>
        error instanceof IndexError && error.code === code && error.file === 'suggest-3' && advice.test(error.message),
    );
  opens(2, 'too-new', /upgrade/);
  opens(0, 'too-old', /build the index again/);
  assert.is(openSuggest(frame('sug', 1, body)).size, 1);
  assert.throws(() => openSuggest(frame('sto', 1, body)), /holds "sto"/);
});

Suggest('it agrees with a list gone through entry by entry', () => {
  const words = ['red', 'reed', 'nest', 'net', 'squirrel', 'tree', 'trees', 'oak'];
  let seed = 5;
  const pick = (n: number): number => (seed = (seed * 48271) % 0x7fffffff) % n;
  const texts = [
    ...new Set(Array.from({ length: 60 }, () => [0, 1, 2].map(() => words[pick(words.length)]!).join(' '))),
  ];
  const suggest = opened(...texts.map((text) => entry(text)));
  for (const typed of ['re', 'nest t', 'squ oa', 'tree', 'o r', 'ne ne']) {
    const dumb = texts.filter((text) =>
      typed.split(' ').every((begin) => text.split(' ').some((word) => word.startsWith(begin))),
    );
    assert.equal(ask(suggest, typed, 1000).sort(), dumb.sort(), typed);
  }
});

Suggest.run();
