import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../../src/errors.ts';
import { checkedAsk, checkedCount, checkedText } from '../../../src/search/checked.ts';

const Checked = suite('what is asked of a search');

const complaint = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    assert.instance(error, CrawlError);
    assert.is((error as CrawlError).code, 'usage');
    return (error as Error).message;
  }
  return 'nothing';
};

for (const [ask, says] of [
  [{ limit: 'x' }, 'limit of a search must be a whole number from 0, not "x"'],
  [{ limit: -1 }, 'limit of a search must be a whole number from 0, not -1'],
  [{ from: Number.NaN }, 'from of a search must be a whole number from 0, not NaN'],
  [{ facets: 'site' }, 'facets of a search must be a list of texts, not "site"'],
  [{ timeLimit: -1 }, 'timeLimit of a search must be a number of ms from 0, not -1'],
  [{ lmit: 1 }, 'a search cannot be asked for lmit; did you mean limit?'],
  [{ constructor: 1 }, /^a search cannot be asked for constructor: there are limit, from, /],
  [7, 'what is asked of a search must be an object such as { limit: 10 }, not 7'],
] as const)
  Checked(`${JSON.stringify(ask)} is refused, and the message names the member`, () => {
    const told = complaint(() => checkedAsk(ask as never));
    if (typeof says === 'string') assert.is(told, says);
    else assert.match(told, says);
  });

Checked('what fits is taken, and undefined is as good as absent', () => {
  const ask = { limit: 0, from: 3, sort: '-modified', facets: ['site'], explain: true, timeLimit: 0.5 };
  assert.equal(checkedAsk({ ...ask, lang: undefined } as never), ask);
  assert.is(checkedText('', 'query'), '');
  assert.is(checkedCount(8, 'limit'), 8);
});

Checked('a query that is no text is named', () => {
  assert.is(
    complaint(() => checkedText(undefined, 'the query of search')),
    'the query of search must be a text, not undefined',
  );
  assert.match(
    complaint(() => checkedCount('8', 'the limit of suggest')),
    /^the limit of suggest must be/,
  );
});

Checked.run();
