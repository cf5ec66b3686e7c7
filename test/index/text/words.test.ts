import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ATOM, LAST, WHOLE } from '../../../index/text/analyzer.ts';
import { fold } from '../../../index/text/table.ts';
import { WordChain } from '../../../index/text/words.ts';
import { termsOf, tokensOf } from '../../kit/tokens.ts';

const Words = suite('words');
const chain = new WordChain();
const SEED = 20261130;

/** Terms in order; `|` begins a new position. */
const shape = (text: string, lang = ''): string => {
  let out = '';
  let at = 0;
  for (const { term, position } of tokensOf(chain, text, lang).tokens) {
    for (; at < position; at++) out += ' |';
    out += ` ${term}`;
  }
  return out.trim();
};

const cases: [what: string, text: string, expected: string][] = [
  ['words are lower-cased and counted', 'The quick Fox.', 'the | quick | fox'],
  [
    'inner capitals give the whole and its parts',
    'a buttonColorState b',
    'a | buttoncolorstate button | color | state | b',
  ],
  ['runs of capitals end before the last one', 'XMLHttpRequest', 'xmlhttprequest xml | http | request'],
  ['a plural of capitals is one word', 'URLs PDFs', 'urls | pdfs'],
  ['LakeJS is lake and js', 'LakeJS', 'lakejs lake | js'],
  ['a hyphen joins and parts', 'e-mail', 'email e | mail'],
  [
    'all dashes are one dash',
    'e\u2010mail e\u2011mail e\u2212mail',
    'email e | mail | email e | mail | email e | mail',
  ],
  [
    'underscores and dots keep the whole as typed',
    'stat_erp erp.audit_log',
    'stat_erp stat | erp | erp.audit_log erp | audit | log',
  ],
  ['a version is whole and parts', 'v 1.2.3.', 'v | 1.2.3 1 | 2 | 3'],
  ['a mail address is whole and parts', 'ann.lee@example.com', 'ann.lee@example.com ann | lee | example | com'],
  ['a slash and a colon only separate', 'QRS/98765 std::map', 'qrs | 98765 | std | map'],
  ['part numbers lose their hyphen', 'PRJ-417', 'prj417 prj | 417'],
  ['C++ and its like keep their signs', 'C, C++, C#, .NET', 'c | c++ c | c# c | .net net'],
  ['C++11 is found as C++ as well', 'C++11', 'c++11 c++ c | 11'],
  ['options keep their dashes', '--verbose or -q', '--verbose verbose | or | -q q'],
  ['directives and names keep their sign', '#include @Page $x', '#include include | @page page | $x x'],
  ['a dunder keeps both ends', '__init__', '__init__ init'],
  ['an ampersand joins', 'R&D AT&T', 'r&d r | d | at&t at | t'],
  ['an acronym loses its dots', 'U.S.A. w.s.o.p.', 'usa | wsop'],
  ['thousands are one number', '1,000 genomes, 2,50', '1000 | genomes | 2 | 50'],
  ['plus between words separates', 'a+b 1+1', 'a | b | 1 | 1'],
  [
    'apostrophes are one and vanish',
    "O'Reilly O\u2019Reilly O\u02bcReilly",
    'oreilly reilly | oreilly reilly | oreilly reilly',
  ],
  ['possessives give the bare word', "dog's who\u2019s", 'dogs dog | whos who'],
  ['elisions give the bare word', "l'ecole qu\u2019elle", 'lecole ecole | quelle elle'],
  ['contractions stay whole', "don't I'll", 'dont | ill'],
  ['quotes around a word are no part of it', "'word' \u2018word\u2019", 'word | word'],
  ['accents fall, and stay beside', 'Ren\u00e9e p\u00e2t\u00e9', 'renee ren\u00e9e | pate p\u00e2t\u00e9'],
  ['combining accents are the same', 'Rene\u0301e', 'renee ren\u00e9e'],
  [
    'strokes and ligatures fold',
    '\u0141\u00f3d\u017a Stra\u00dfe \u00feorn \u00c6sir',
    'lodz \u0142\u00f3d\u017a | strasse stra\u00dfe | thorn \u00feorn | aesir \u00e6sir',
  ],
  ['compatibility forms fold', '\ufb01ne \uff21\uff22\uff23 \u2460', 'fine | abc | 1'],
  ['dotted and dotless i are i', '\u0130zmir \u0131l\u0131k', 'izmir | ilik \u0131l\u0131k'],
  ['half a portion', '\u00bd portion', '1 | 2 | portion'],
  ['a degree sign separates', '20\u2103 fine', '20 | c | fine'],
  [
    'short i is its own letter, however written',
    '\u0439\u043e\u0434 \u0438\u0306\u043e\u0434 \u0451\u043b\u043a\u0430',
    '\u0439\u043e\u0434 | \u0439\u043e\u0434 | \u0435\u043b\u043a\u0430',
  ],
  ['Greek loses its accents', '\u039f\u03b4\u03cc\u03c2', '\u03bf\u03b4\u03bf\u03c3'],
  [
    'Arabic marks, tatweel and alef forms',
    '\u0642\u064e\u0644\u064e\u0645 \u0623\u0645\u0644 \u0643\u0640\u062a\u0627\u0628',
    '\u0642\u0644\u0645 | \u0627\u0645\u0644 | \u0643\u062a\u0627\u0628',
  ],
  ['Hebrew points fall', '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
  ['digits of any script', '\u0663\u0664 \uff11\uff12', '34 | 12'],
  [
    'emoji are words, joined ones one',
    'x \ud83c\udf50\u2019s \ud83c\udf50\ud83d\udeb2 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67',
    'x | \ud83c\udf50 | s | \ud83c\udf50 | \ud83d\udeb2 | \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67',
  ],
  ['Han goes in pairs, and its last character alone', '\u6771\u4eac\u90fd', '\u6771\u4eac | \u4eac\u90fd | \u90fd'],
  ['half-width Kana is Kana', '\uff76\uff9e\uff6f', '\u30ac\u30c3 | \u30c3'],
  ['Hangul composed or not is the same', '\uac01 \u1100\u1161\u11a8', '\uac01 | \uac01'],
  ['Han outside the BMP', '\ud840\udc00\ud840\udc01', '\ud840\udc00\ud840\udc01 | \ud840\udc01'],
  ['Latin inside Han', '\u4f7f\u7528Node\u7f16', '\u4f7f\u7528 | \u7528 | node | \u7f16'],
  ['lone surrogates separate', 'a\ud800b \udc00', 'a | b'],
  ['a soft hyphen and joiners are nothing', 'co\u00adop zero\u200bwidth', 'coop | zero | width'],
  ['only signs are nothing', '%%%% "..." -- ++ ## @ .', ''],
];
for (const [what, text, expected] of cases) Words(what, () => assert.is(shape(text), expected));

Words('Thai is cut into words that lie in the text', () => {
  const text = 'สวัสดีครับ ภาษาไทย';
  assert.equal(
    tokensOf(chain, text, 'th').tokens.map(({ start, end }) => text.slice(start, end)),
    ['สวัสดี', 'ครับ', 'ภาษา', 'ไทย'],
  );
});

Words('a long Thai run is cut without losing a character', () => {
  const text = 'ภาษาไทยเป็นภาษา'.repeat(300);
  const { tokens } = tokensOf(chain, text, 'th');
  assert.is(tokens.map((token) => token.term).join(''), text);
});

Words('offsets cover what was written, whatever folding did to its length', () => {
  const text = '\u0130zmir \u00bd Stra\u00dfe 5 \ud83c\udf50 Rene\u0301e';
  const seen = tokensOf(chain, text).tokens.map(({ start, end }) => text.slice(start, end));
  for (const word of ['\u0130zmir', '\u00bd', 'Stra\u00dfe', '5', '\ud83c\udf50', 'Rene\u0301e'])
    assert.ok(seen.includes(word), word);
});

Words('RU-query-09: an unknown accent never splits a word', () => {
  for (let code = 0xc0; code < 0x250; code++) {
    const letter = String.fromCharCode(code);
    if (!/\p{Ll}/u.test(letter)) continue;
    const { tokens, positions } = tokensOf(chain, `pa${letter}te`);
    assert.is(positions, 1, letter);
    assert.ok(!tokens.some((token) => token.term === 'te'), letter);
  }
});

Words('every ASCII sign in front of, inside and behind a word leaves the word to be found', () => {
  for (let code = 33; code < 127; code++) {
    const sign = String.fromCharCode(code);
    if (/[a-z0-9]/i.test(sign)) continue;
    assert.ok(termsOf(chain, `see ${sign}word here`).includes('word'), `${sign}word`);
    assert.ok(termsOf(chain, `see word${sign} here`).includes('word'), `word${sign}`);
    assert.ok(termsOf(chain, `see ${sign}word${sign} here`).includes('word'), `${sign}word${sign}`);
    const inside = termsOf(chain, `see wo${sign}rd here`);
    assert.ok((inside.includes('wo') && inside.includes('rd')) || inside.includes('word'), `wo${sign}rd: ${inside}`);
    for (const text of [`see ${sign}word here`, `see word${sign} here`]) {
      const atoms = tokensOf(chain, text).tokens.filter((token) => token.kind === ATOM);
      assert.equal(
        atoms.map((token) => token.term),
        ['see', 'word', 'here'],
        text,
      );
    }
  }
});

Words('terms of any text are folded already: folding changes none of them but those kept with accents', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const { term, kind } of tokensOf(chain, text).tokens)
        if (kind === ATOM && /^[\u0000-\u05ff]*$/.test(term)) assert.is(fold(term), term);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

Words('any text at all is cut within its bounds, the same each time', () => {
  const units = fc.array(
    fc.constantFrom(
      ..."aB1 .-_'+#@&,/\u00e9\u0301\u00df\u6771\u30ab\u0e01\ud800\udc00\ud83c\udf50\u200d\ufe0f\u0640\u1100",
    ),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(units, (parts) => {
      const text = parts.join('');
      assert.equal(tokensOf(chain, text), tokensOf(new WordChain(), text));
    }),
    { seed: SEED, numRuns: 5000 },
  );
});

Words('two texts side by side give the tokens of each', () => {
  const samples = cases.map(([, text]) => text);
  for (const a of samples.slice(0, 20))
    for (const b of samples.slice(20))
      assert.equal(termsOf(chain, `${a}\n${b}`), [...termsOf(chain, a), ...termsOf(chain, b)]);
});

Words('a word of 100,000 letters is one term of 255', () => {
  const { tokens } = tokensOf(chain, 'x'.repeat(100_000));
  assert.is(tokens.length, 1);
  assert.is(tokens[0]!.term.length, 255);
  assert.is(tokens[0]!.end, 100_000);
});

Words('100,000 joined parts stay linear', () => {
  const { positions } = tokensOf(chain, 'a.b-c_'.repeat(20_000));
  assert.is(positions, 60_000);
});

Words('wholes stand where their first part does, last characters are marked', () => {
  const { tokens } = tokensOf(chain, 'x C++ \u6771\u4eac');
  assert.is(tokens.find((token) => token.term === 'c++')!.kind, WHOLE);
  assert.is(tokens.at(-1)!.kind, LAST);
});

Words('underscores without end, before, behind and inside, are read once and not once for each of them', () => {
  const many = '_'.repeat(500_000);
  for (const text of [`__a${many}`, `__${'a'.repeat(500_000)}${many}`, `${many}a${many}b`])
    assert.ok(tokensOf(chain, text, '').tokens.length < 5000, text.slice(0, 10));
});
Words.run();
