import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { BANDS, equalValues, NEAR_VALUES, sketchOf } from '../../../src/parse/near.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { BlockCounts } from '../../../src/parse/repeats.ts';
import { fixturePages } from './kit/fixtures.ts';

const Near = suite('near duplicates');

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = seeded(42);
const change = (text: string, share: number): string =>
  text
    .split(' ')
    .map((word) => (random() < share ? `zq${Math.floor(random() * 1e5)}` : word))
    .join(' ');

const texts = [...fixturePages(['fixtures/trafilatura-eval', 'fixtures/article-extraction-benchmark'])]
  .map(({ body }) => (parsePage({ url: 'http://h/', contentType: 'text/html', body }) as ParsedPage).text)
  .filter((text) => text.length > 600);
const EDITS: Readonly<Record<string, readonly [(text: string) => string, number]>> = {
  'a line with a date added': [(text) => `Published 12 March 2024 09:31 | 1532 views ${text}`, 1],
  'its first tenth cut': [(text) => text.slice(text.length / 10), 0.98],
  'one word in a hundred changed': [(text) => change(text, 0.01), 0.98],
  'one word in twenty changed': [(text) => change(text, 0.05), 0.7],
  'sixty words of navigation added': [(text) => `${text} ${'home shop cart help login about '.repeat(10)}`, 0.98],
};
const bandsOf = (text: string): Uint32Array => new Uint32Array(sketchOf(text)!.buffer);
const equal = (a: Uint32Array, b: Uint32Array): number => equalValues(a, 0, b, 0);
const near = (a: string, b: string): boolean => equal(bandsOf(a), bandsOf(b)) >= NEAR_VALUES;

if (texts.length === 0) console.log('skipped: near duplicates of real texts');
else {
  const sketches = texts.map(bandsOf);
  for (const [edit, [make, least]] of Object.entries(EDITS))
    Near(`a copy with ${edit} is still found`, () => {
      const found = texts.filter((text, i) => equal(bandsOf(make(text)), sketches[i]!) >= NEAR_VALUES).length;
      assert.ok(found >= texts.length * least, `${found} of ${texts.length}`);
    });
  Near('different pages are not near', () => {
    const pairs: string[] = [];
    for (let i = 0; i < texts.length; i++)
      for (let j = 0; j < i; j++)
        if (texts[i] !== texts[j] && equal(sketches[i]!, sketches[j]!) >= NEAR_VALUES)
          pairs.push(`${texts[i]!.slice(0, 50)} / ${texts[j]!.slice(0, 50)}`);
    assert.equal(pairs, []);
  });
  Near('near pages meet in a band', () => {
    let met = 0;
    for (const [i, text] of texts.entries()) {
      const changed = bandsOf(change(text, 0.02));
      if (changed.some((band, at) => band === sketches[i]![at])) met++;
    }
    assert.ok(met >= texts.length * 0.9, `${met} of ${texts.length}`);
  });
}

Near('short texts, texts without words, texts without blanks are told apart too', () => {
  assert.ok(near('red fox', 'red fox'));
  assert.not.ok(near('red fox', 'red dog'));
  assert.not.ok(near('the red fox ran', 'the red dog ran'));
  assert.is(sketchOf('!?'), null);
  assert.is(sketchOf(''), null);
  const chinese = '全文検索エンジンの日本語形態素解析について説明する長い文章です。今日は天気がいいから散歩しましょう';
  assert.ok(near(chinese, `${chinese}追`));
  assert.not.ok(near(chinese, [...chinese].reverse().join('')));
});
Near('a sketch is the same in every process, for upper and lower case, with accents and without', () => {
  const text = 'the red squirrel lives in the forest of Thérèse';
  assert.equal(sketchOf(text), sketchOf('The red SQUIRREL, lives in the forest of THERESE!'));
  assert.is(Buffer.from(sketchOf(text)!).toString('hex').slice(0, 16), '563c8234cd1a41a3');
});
Near('equal values are counted as by comparing byte for byte', () => {
  for (let round = 0; round < 200; round++) {
    const [a, b] = [0, 1].map(() => Uint8Array.from({ length: 4 * BANDS }, () => Math.floor(random() * 3) * 127));
    const expected = a!.reduce((sum, value, i) => sum + (value === b![i] ? 1 : 0), 0);
    assert.is(equal(new Uint32Array(a!.buffer), new Uint32Array(b!.buffer)), expected);
  }
});
Near('the share of equal values is about the share of sequences in common, for long texts and short ones', () => {
  for (const words of [40, 400, 4000]) {
    let sum = 0;
    for (let round = 0; round < 100; round++) {
      const text = (from: number): string => Array.from({ length: words }, (_, i) => `w${round}x${from + i}`).join(' ');
      // Of two texts that overlap by three quarters, 0.75 / 1.25 of the sequences are common.
      sum += equal(bandsOf(text(0)), bandsOf(text(words / 4))) / 64;
    }
    assert.ok(Math.abs(sum / 100 - 0.6) < 0.06, `${words} words: ${sum / 100}`);
  }
});

Near('RU-rank-03: what stands on most pages of a host is boilerplate, wherever it stands', () => {
  const counts = new BlockCounts();
  const pages = Array.from({ length: 20 }, (_, i) => ({
    text: `Press and media, ${i} visitors\nStory number ${'abcdefghijklmnopqrst'[i]}\nSubscribe now`,
    boilerplate: 'menu',
  }));
  for (const page of pages) counts.add(page.text);
  assert.equal(counts.split(pages[3]!), {
    text: 'Story number d',
    boilerplate: 'menu\nPress and media, 3 visitors\nSubscribe now',
  });
});
Near('few pages tell nothing, and no page is emptied', () => {
  const counts = new BlockCounts();
  for (let i = 0; i < 4; i++) counts.add('same');
  assert.equal(counts.split({ text: 'same\nother', boilerplate: '' }), { text: 'same\nother', boilerplate: '' });
  for (let i = 0; i < 4; i++) counts.add('same');
  assert.equal(counts.split({ text: 'same', boilerplate: '' }), { text: 'same', boilerplate: '' });
  assert.equal(counts.split({ text: 'same\nother', boilerplate: '' }), { text: 'other', boilerplate: 'same' });
});
Near('the answer does not depend on the order of pages', () => {
  const texts_ = Array.from({ length: 30 }, (_, i) => `a ${i % 3}x\nb\nc${i}`);
  const [forward, back] = [new BlockCounts(), new BlockCounts()];
  for (const text of texts_) forward.add(text);
  for (const text of texts_.toReversed()) back.add(text);
  for (const text of texts_)
    assert.equal(forward.split({ text, boilerplate: '' }), back.split({ text, boilerplate: '' }));
});
Near('blocks are told apart as by cutting every text into lines and counting them by name', () => {
  let seed = 7;
  const below = (n: number): number => (seed = (Math.imul(seed, 48271) >>> 0) % 0x7fffffff) % n;
  const long = 'x'.repeat(401);
  const lines = ['', 'menu', 'page 12', 'page 7', 'é 3', '3', long, long.slice(1), `${long}y`, '\u{1f600}'];
  const most = 400;
  for (let round = 0; round < 50; round++) {
    const texts = Array.from({ length: 3 + below(12) }, () =>
      Array.from({ length: below(8) }, () =>
        below(3) ? lines[below(lines.length)]! : `own ${'abcdefgh'[below(8)]}`,
      ).join('\n'),
    );
    const counts = new BlockCounts();
    for (const text of texts) counts.add(text);
    const name = (line: string): string => line.replace(/[0-9]+/g, '0');
    const pagesWith = (line: string): number =>
      texts.filter((text) => text.split('\n').some((other) => other.length <= most && name(other) === name(line)))
        .length;
    for (const text of texts) {
      const repeated = (line: string): boolean =>
        texts.length >= 5 && line !== '' && line.length <= most && pagesWith(line) > Math.max(4, texts.length * 0.3);
      const kept = text.split('\n').filter((line) => !repeated(line));
      const moved = text.split('\n').filter(repeated);
      const expected =
        text === '' || kept.length === 0 || moved.length === 0
          ? { text, boilerplate: 'b' }
          : { text: kept.join('\n'), boilerplate: ['b', ...moved].join('\n') };
      assert.equal(counts.split({ text, boilerplate: 'b' }), expected, `round ${round}: ${JSON.stringify(text)}`);
    }
  }
});
Near('many different blocks are counted as well as few', () => {
  const counts = new BlockCounts();
  const letters = (n: number): string => n.toString(36).replace(/[0-9]/g, (digit) => 'ABCDEFGHIJ'[Number(digit)]!);
  for (let page = 0; page < 8; page++)
    counts.add(
      Array.from({ length: 5000 }, (_, i) => (i % 2 ? `own ${letters(page * 5000 + i)}` : `all ${letters(i)}`)).join(
        '\n',
      ),
    );
  const { text, boilerplate } = counts.split({ text: `all ${letters(4998)}\nown ${letters(4999)}`, boilerplate: '' });
  assert.equal([text, boilerplate], [`own ${letters(4999)}`, `all ${letters(4998)}`]);
});
Near.run();
