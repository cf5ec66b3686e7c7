/** What does type-ahead cost: to build for so many titles, to keep in memory, and to ask at each key? */
import { buildSuggest, openSuggest } from '../index/index.ts';
import { corpus, dataSet } from './corpus.ts';
import { cpuSeconds } from './memory.ts';
import { question } from './question.ts';

const ask = question('suggest');
const ENTRIES = 20_000;
const titles = (dataSet('d20k', ENTRIES) ?? corpus({ documents: ENTRIES, words: 5 })).map(({ title }) => title);
const entries = titles.map((text, i) => ({ text, id: String(i), weight: 1 + (i % 100) }));

const before = cpuSeconds();
const bytes = buildSuggest(entries);
const built = cpuSeconds() - before;
ask.figure(`built for ${ENTRIES} titles`, {
  'CPU s': built,
  'us an entry': (built * 1e6) / ENTRIES,
  MB: bytes.length / 1e6,
});
const suggest = ask.memory('opened', () => openSuggest(bytes));

const typed = titles
  .filter((title) => /^\w{4}/.test(title))
  .slice(0, 1000)
  .map((title) => title.toLowerCase());
let at = 0;
const next = (letters: number): string => typed[at++ % typed.length]!.slice(0, letters);
await ask.compare(
  {
    'two letters': () => suggest.ask(next(2), 8),
    'four letters': () => suggest.ask(next(4), 8),
    'a mistyped word': () => {
      const word = next(8);
      return suggest.ask(`${word.slice(0, 2)}${word[3] ?? ''}${word[2] ?? ''}${word.slice(4)}`, 8);
    },
  },
  { unit: 'keys' },
);
