/**
 * How fast is text cut into words, by chain? MB of text (UTF-16 units) a CPU second, hashes and offsets included, no
 * dictionary behind; and what the ways that others take would cost here.
 *
 *     npm run bench -- words
 */
import { chainNames, createChain, MAX_TERM, type TokenSink } from '../index/index.ts';
import { dataSet, random } from './corpus.ts';
import { question } from './question.ts';

const ask = question('words');

class Counter implements TokenSink {
  readonly units = new Uint16Array(MAX_TERM);
  tokens = 0;
  sum = 0;
  token(length: number, hash: number, _position: number, start: number): void {
    this.tokens++;
    this.sum = (this.sum + hash + length + start) | 0;
  }
}

const rnd = random(7);
const pick = <T>(all: readonly T[]): T => all[Math.floor(rnd() * all.length)]!;
const repeat = (words: readonly string[], units: number): string => {
  const out: string[] = [];
  for (let length = 0; length < units; ) {
    const word = pick(words);
    out.push(word);
    length += word.length + 1;
  }
  return out.join(' ');
};
const prose =
  'the quick brown fox jumps over a lazy dog and reads pages of an index that somebody wrote before it was searched'.split(
    ' ',
  );
const samples: Record<string, string> = {
  'ASCII prose': repeat(prose, 2e6),
  'code and names': repeat(
    ['buttonColorState', 'std::map', 'foo_bar', '--force', 'C++', '1.2.3', 'x.y(z)', 'a-b', 'return', 'e-mail'],
    1e6,
  ),
  French: repeat(
    ['l\u2019\u00e9cole', '\u00e9t\u00e9', 'maison', 'o\u00f9', 'gar\u00e7on', 'de', 'la', 'r\u00eave'],
    1e6,
  ),
  Russian: repeat(
    ['\u043c\u043e\u043b\u043e\u043a\u043e', '\u0451\u043b\u043a\u0430', '\u0438', '\u0432', '\u0434\u043e\u043c'],
    1e6,
  ),
  Chinese: repeat(
    ['\u6211\u4eec\u4eca\u5929\u6574\u7406\u65e7\u7167\u7247', '\u65b0\u3057\u3044\u30ab\u30e1\u30e9'],
    5e5,
  ),
  Thai: repeat(
    ['\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e04\u0e23\u0e31\u0e1a\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22'],
    5e4,
  ),
};
const pages = dataSet('d20k', 4000);
if (pages) samples['pages of documentation'] = pages.map(({ title, text }) => `${title} ${text}`).join('\n');

const words = createChain('words')!;
for (const [what, text] of Object.entries(samples)) {
  const counter = new Counter();
  words.analyze(text, 'en', counter);
  await ask.compare(
    { [`words, ${what}`]: () => words.analyze(text, 'en', counter) },
    { amount: text.length / 1e6, unit: 'MB' },
  );
}
const text = samples['pages of documentation'] ?? samples['ASCII prose']!;
const slice = text.slice(0, 2e6);
const cases: Record<string, () => unknown> = {};
for (const name of chainNames.filter((name) => name !== 'keyword' && name !== 'address')) {
  const chain = createChain(name)!;
  const counter = new Counter();
  cases[name] = () => chain.analyze(slice, 'en', counter);
}
cases['regex of letters and digits, lower-cased'] = () => slice.toLowerCase().match(/[\p{L}\p{Nd}]+/gu)?.length;
cases['split and lower-case'] = () => slice.toLowerCase().split(/[^\p{L}\p{N}]+/u).length;
await ask.compare(cases, { amount: slice.length / 1e6, unit: 'MB', base: 'words' });
