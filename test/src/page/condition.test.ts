import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../../src/errors.ts';
import { readCondition } from '../../../src/page/condition.ts';
import type { PageState } from '../../../src/page/state.ts';

const state = {
  status: 'fetched',
  reason: 'ok',
  score: 0.5,
  retries: 2,
  interval: 3600,
  depth: 1,
  httpStatus: 200,
  due: Date.UTC(2026, 0, 2),
  fetched: 0,
  modified: Date.UTC(2025, 5, 1),
  meta: new Map([['team', 'blue whales']]),
} as unknown as PageState;
const url = 'https://example.org/archive/a';

const Conditions = suite('condition');

for (const [text, expected] of [
  ['status = fetched', true],
  ['status == fetched', true],
  ['status != fetched', false],
  ['score >= 0.5 and score < 0.6', true],
  ['score > 0.5', false],
  ['retries <= 2', true],
  ['status = gone or depth = 1', true],
  ['status = gone or depth = 1 and score > 1', false],
  ['(status = gone or depth = 1) and score > 0', true],
  ['not (status = gone) and not url ~ "/private/"', true],
  ['url ~ ^https://example\\.org/arch', true],
  ['due < 2026-02-01 and modified > "2025-01-01"', true],
  ['fetched = ""', true],
  ['fetched < 1970', true],
  ['meta.team = "blue whales"', true],
  ['meta.absent = ""', true],
  ['score = high', false],
  ['score != high', true],
] as const)
  Conditions(`${text} is ${expected}`, () => assert.is(readCondition(text)(url, state), expected));

for (const [text, where] of [
  ['', /it ends where one of url/],
  ['colour = red', /"colour" stands where one of url, .*meta\.NAME is wanted/],
  ['score', /it ends where =/],
  ['score >', /it ends where a value/],
  ['score > 1 status = gone', /"status" stands where "and", "or" or the end/],
  ['(score > 1', /it ends where "\)"/],
  ['url ~ "("', /[Uu]nterminated|Invalid/],
  [`${'('.repeat(10_000)}score > 1`, /shorter condition/],
  ['constructor = x', /"constructor" stands/],
] as const)
  Conditions(`${text.slice(0, 40)} is refused, and the place is named`, () => {
    try {
      readCondition(text);
    } catch (error) {
      assert.instance(error, CrawlError);
      assert.is((error as CrawlError).code, 'usage');
      assert.match((error as CrawlError).message, where);
      return;
    }
    assert.unreachable();
  });

Conditions.run();
