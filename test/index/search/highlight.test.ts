import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeHtml, foundRanges, highlight, type Sought } from '../../../index/search/highlight.ts';
import { WordChain } from '../../../index/text/words.ts';

const Highlight = suite('highlight');
const analyzer = new WordChain();
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const sought = (...terms: string[]): Sought => ({ terms: new Map(terms.map((term) => [term, 1])), phrases: [] });
const html = (text: string, ...terms: string[]): string => highlight(text, sought(...terms), { analyzer }).html;

Highlight('a word is marked, the rest is escaped', () => {
  assert.is(html('Ham & <b>eggs</b>', 'eggs'), 'Ham &amp; &lt;b&gt;<mark>eggs</mark>&lt;/b&gt;');
});

Highlight('RU-snippet-01: page text that shows code never becomes code', () => {
  const text = 'before <img src=x onerror=alert(1)> demo "quoted" after';
  assert.is(
    html(text, 'demo', 'img'),
    'before &lt;<mark>img</mark> src=x onerror=alert(1)&gt; <mark>demo</mark> &quot;quoted&quot; after',
  );
});

Highlight('RU-snippet-05: nothing is marked inside an entity or a tag of ours', () => {
  assert.is(html('R&D and amplifiers', 'amp', 'mark', 'b'), 'R&amp;D and amplifiers');
  assert.is(html('R&D and amplifiers', 'r&d'), '<mark>R&amp;D</mark> and amplifiers');
});

Highlight('RU-snippet-04: folding that changes the length marks the word as written', () => {
  const cases: [string, string, string][] = [
    ['\u00bd portion', 'portion', '\u00bd <mark>portion</mark>'],
    ['\u0130zmir office', 'izmir', '<mark>\u0130zmir</mark> office'],
    ['\u00feorn', 'thorn', '<mark>\u00feorn</mark>'],
    ['20\u2103 fine', 'fine', '20\u2103 <mark>fine</mark>'],
    ['Stra\u00dfe 5', 'strasse', '<mark>Stra\u00dfe</mark> 5'],
  ];
  for (const [text, term, expected] of cases) assert.is(html(text, term), expected);
});

Highlight('RU-match-06: a part of a name is marked alone, the name as a whole', () => {
  assert.is(html('app:buttonColorState', 'color'), 'app:button<mark>Color</mark>State');
  assert.is(html('app:buttonColorState', 'buttoncolorstate', 'color'), 'app:<mark>buttonColorState</mark>');
});

Highlight('RU-query-04: a phrase of parts is marked from its first to its last', () => {
  const phrase: Sought = { terms: new Map(), phrases: [{ terms: ['qrs', '98765'], slop: 0, weight: 1 }] };
  assert.is(highlight('see QRS/98765, not QRS', phrase, { analyzer }).html, 'see <mark>QRS/98765</mark>, not QRS');
});

Highlight('a phrase with slop is marked where its words stand near', () => {
  const phrase: Sought = { terms: new Map(), phrases: [{ terms: ['red', 'nest'], slop: 1, weight: 1 }] };
  assert.is(highlight('a red big nest, a red and very big nest', phrase, { analyzer }).html.split('<mark>').length, 2);
});

Highlight('pairs of Han that overlap are one mark', () => {
  assert.is(html('全文検索エンジン', '検索', '索エ'), '全文<mark>検索エ</mark>ンジン');
});

Highlight('the passage is the one with most of what was sought, and begins a sentence', () => {
  const filler = 'Nothing of note is said in this sentence. ';
  const text = `${'A squirrel. '}${filler.repeat(20)}The red squirrel builds its nest high up. ${filler.repeat(20)}`;
  const passage = highlight(text, sought('red', 'squirrel', 'nest'), { analyzer, length: 120 });
  assert.ok(passage.text.startsWith('The red squirrel builds its nest'), passage.text);
  assert.ok(passage.html.startsWith('… The <mark>red</mark> <mark>squirrel</mark>'), passage.html);
  assert.ok(passage.text.length <= 120);
  assert.is(text.slice(passage.start, passage.start + passage.text.length), passage.text);
});

Highlight('without a match the text is shown from its beginning, cut at a word', () => {
  const passage = highlight('word '.repeat(100), sought('absent'), { analyzer, length: 52 });
  assert.is(passage.text, 'word '.repeat(10).concat('word').slice(0, passage.text.length));
  assert.ok(passage.text.endsWith('word'));
});

Highlight('RU-query-14: no passage holds half a character or half of a joined emoji', () => {
  const text = '\ud83c\udf50\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67'.repeat(100);
  for (let length = 5; length < 60; length++) {
    const passage = highlight(text, sought('\ud83c\udf50'), { analyzer, length });
    assert.not.match(passage.text, LONE);
    assert.ok(!/^[\u200d\ufe0f]|[\u200d]$/u.test(passage.text), JSON.stringify(passage.text));
  }
});

Highlight(
  'whatever the text and the words, the ranges are in order and the HTML is the text, escaped and marked',
  () => {
    const alphabet = fc.constantFrom(...'ab <&>" .\u00df\u0130\u6771\u4eac\ud83c\udf50\ud800-\n');
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 120 }), fc.integer({ min: 0, max: 40 }), (chars, length) => {
        const text = chars.join('');
        const passage = highlight(text, sought('a', 'ab', 'ss', '\u6771\u4eac', '\ud83c\udf50'), { analyzer, length });
        assert.is(text.slice(passage.start, passage.start + passage.text.length), passage.text);
        let at = 0;
        for (const [start, end] of passage.ranges) {
          assert.ok(start >= at && end > start && end <= passage.text.length);
          at = end;
        }
        const plain = passage.html
          .replace(/<\/?mark>/g, '')
          .replace(/^… /, '')
          .replace(/ …$/, '');
        assert.is(plain, escapeHtml(passage.text));
      }),
      { seed: 11, numRuns: 3000 },
    );
  },
);

Highlight('all ranges of a text are found, in time that grows with its length only', () => {
  const text = 'the red squirrel '.repeat(500);
  assert.is(foundRanges(text, sought('red', 'squirrel'), { analyzer }).length, 1000);
});

Highlight.run();
