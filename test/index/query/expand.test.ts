import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byPattern, byPrefix, matches, otherForms } from '../../../index/query/expand.ts';
import { stemmerOf } from '../../../index/text/stem.ts';
import { fold } from '../../../index/text/table.ts';
import { alikeWords, dictionariesOf } from '../../kit/dictionary.ts';
import { shared } from '../../kit/shared.ts';

const Expand = suite('expand');
const { vocabulary, random } = alikeWords();
const cuts = [700, 1500];
const dictionaries = dictionariesOf(vocabulary, cuts);

Expand('prefixes and patterns: exactly the terms that match', () => {
  for (let i = 0; i < 200; i++) {
    const prefix = vocabulary[random(vocabulary.length)]!.slice(0, 1 + random(4));
    assert.equal(byPrefix(prefix, dictionaries).terms, vocabulary.filter((term) => term.startsWith(prefix)).sort());
    const pattern = Array.from({ length: 1 + random(5) }, () => ['a', 'b', 'c', '?', '*'][random(5)]).join('');
    const regex = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
    assert.equal(byPattern(pattern, dictionaries).terms, vocabulary.filter((term) => regex.test(term)).sort(), pattern);
    for (const term of vocabulary.slice(0, 50)) assert.is(matches(pattern, term), regex.test(term));
  }
});

Expand('an expansion stops at its limit and says so', () => {
  const limits = { terms: 10, looked: 1000 };
  for (const { terms, isCut } of [byPrefix('a', dictionaries, limits), byPattern('*a*', dictionaries, limits)]) {
    assert.is(terms.length, 10);
    assert.ok(isCut);
  }
});

Expand('a pattern made to be slow is not', () => {
  assert.not(matches(`${'a*'.repeat(50)}b`, 'a'.repeat(250)));
});

for (const [lang, folder] of Object.entries({
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  ru: 'russian',
  fi: 'finnish',
  nl: 'dutch_porter',
  pt: 'portuguese',
  sv: 'swedish',
})) {
  const file = shared(`fixtures/snowball/${folder}/sample.tsv`);
  if (!file) {
    console.log(`skipped: Snowball's vocabulary of ${folder} is not here`);
    continue;
  }
  Expand(`${folder}: the other forms of a word lie near it in the dictionary, but for 2 %`, () => {
    const words = [
      ...new Set(
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => fold(line.split('\t')[0]!)),
      ),
    ].filter((word) => /^[\p{L}\p{M}]{3,}$/u.test(word));
    const near = dictionariesOf(words);
    const stem = stemmerOf(lang)!;
    const classes = new Map<string, string[]>();
    for (const word of words) classes.set(stem(word), [...(classes.get(stem(word)) ?? []), word]);
    let pairs = 0;
    let missed = 0;
    for (const [, all] of classes) {
      if (all.length < 2) continue;
      for (const word of all) {
        const found = new Set(otherForms(word, lang, near));
        for (const form of found) assert.is(stem(form), stem(word));
        pairs += Math.min(all.length - 1, 24);
        missed += all.filter((other) => other !== word && !found.has(other)).length;
      }
    }
    assert.ok(missed <= 0.02 * pairs, `${missed} of ${pairs} forms missed`);
  });
}

Expand.run();
