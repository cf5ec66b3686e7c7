import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stemmedLangs, stemmerOf } from '../../../index/text/stem.ts';
import { stopWords } from '../../../index/text/stop.ts';
import { fold } from '../../../index/text/table.ts';
import { shared } from '../../kit/shared.ts';

const Stem = suite('stem');

Stem('forms of a word share a stem', () => {
  const groups: [lang: string, ...words: string[]][] = [
    ['en', 'connect', 'connects', 'connected', 'connecting', 'connection', 'connections'],
    ['en', 'happy', 'happiness'],
    ['de', 'haus', 'hauses', 'hause'],
    ['fr', 'continuer', 'continue', 'continuait'],
    ['es', 'libro', 'libros'],
    ['ru', '\u043a\u043d\u0438\u0433\u0430', '\u043a\u043d\u0438\u0433\u0438', '\u043a\u043d\u0438\u0433\u0443'],
  ];
  for (const [lang, ...words] of groups) assert.is(new Set(words.map(stemmerOf(lang)!)).size, 1, `${lang}: ${words}`);
});

Stem('a regional tag is its language, an unknown one has no stemmer', () => {
  assert.is(stemmerOf('en-GB')!('running'), 'run');
  assert.is(stemmerOf('PT_br')!('livros'), stemmerOf('pt')!('livro'));
  for (const lang of ['', 'xx', 'zh', 'constructor', '__proto__']) assert.is(stemmerOf(lang), undefined, lang);
});

Stem('a word with digits or signs is its own stem', () => {
  for (const word of ['1.2.3', 'c++', 'mp3s', 'stat_erps']) assert.is(stemmerOf('en')!(word), word);
});

Stem('every stemmer takes any word, and none makes nothing of one', () => {
  const odd = ['a', 'ss', 'x'.repeat(255), '\u6771', '\ud83c\udf50', 'y', "'", 'ing', 'ee', 'constructor', '\ud800'];
  for (const lang of stemmedLangs)
    for (const word of odd) assert.ok(stemmerOf(lang)!(word).length > 0, `${lang} ${word}`);
});

Stem('small words are folded as terms are', () => {
  for (const lang of stemmedLangs) for (const word of stopWords(lang)) assert.is(fold(word), word, `${lang} ${word}`);
  assert.ok(stopWords('en-US').has('the'));
  assert.is(stopWords('xx').size, 0);
});

/**
 * Share of words, in percent, whose stem is not the one of Snowball's vocabulary (a sample of each): the most that is let pass.
 * German, French, Swedish and Norwegian differ by version of the algorithm; Dutch is compared with dutch_porter, which both
 * packages have.
 */
const MOST: Record<string, [folder: string, wrong: number]> = {
  da: ['danish', 0.5],
  de: ['german', 5],
  en: ['english', 0.5],
  es: ['spanish', 0.5],
  fi: ['finnish', 0.5],
  fr: ['french', 5.5],
  it: ['italian', 0.5],
  nl: ['dutch_porter', 0.5],
  no: ['norwegian', 1.5],
  pt: ['portuguese', 0.5],
  ru: ['russian', 0.5],
  sv: ['swedish', 3],
};
const rows: string[] = [];
for (const [lang, [folder, most]] of Object.entries(MOST)) {
  const file = shared(`fixtures/snowball/${folder}/sample.tsv`);
  if (!file) {
    console.log(`skipped: Snowball's vocabulary of ${folder} is not here`);
    continue;
  }
  const pairs = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t') as [string, string]);
  Stem(`${folder} stems agree with Snowball's but for ${most} %`, () => {
    const stem = stemmerOf(lang)!;
    const wrong = pairs.filter(([word, expected]) => stem(word) !== expected).length;
    // What folding before stemming costs: neighbours that belong together and come apart, or the other way round.
    let pulled = 0;
    let joined = 0;
    for (let i = 1; i < pairs.length; i++) {
      const [a, b] = [pairs[i - 1]!, pairs[i]!];
      const ours = stem(fold(a[0])) === stem(fold(b[0]));
      if (a[1] === b[1] && !ours) pulled++;
      if (a[1] !== b[1] && ours) joined++;
    }
    const share = (count: number): string => ((100 * count) / pairs.length).toFixed(2);
    rows.push(
      `${folder}: ${pairs.length} words, ${share(wrong)} % other stems; folded first: ${share(pulled)} % of neighbours apart, ${share(joined)} % together that should not be`,
    );
    assert.ok((100 * wrong) / pairs.length <= most, rows.at(-1));
    assert.ok((100 * (pulled + joined)) / pairs.length <= 6, rows.at(-1));
  });
}
Stem.after(() => {
  if (process.env.NUTHATCH_VERBOSE) console.log(rows.join('\n'));
});

Stem.run();
