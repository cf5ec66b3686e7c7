import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Allowance, Deadline } from '../../../index/query/allowance.ts';

const Allowed = suite('allowance');

Allowed('postings are given until they are used up, and then never again', () => {
  const allowance = new Allowance(100);
  assert.ok(allowance.spend(60));
  assert.ok(allowance.spend(40));
  assert.not(allowance.isSpent);
  assert.not(allowance.spend(1));
  assert.ok(allowance.isSpent);
  assert.not(allowance.spend(0));
});

Allowed('with a clock just as many postings are given, in steps of any size', () => {
  for (const step of [1, 128, 5000, 8192, 50_000]) {
    const allowance = new Allowance(100_000, new Deadline(() => 0, 1));
    let given = 0;
    while (allowance.spend(step)) given += step;
    assert.is(given, 100_000 - (100_000 % step), `steps of ${step}`);
  }
});

Allowed('the clock is looked at once in some thousand postings, and ends what shares it', () => {
  let looks = 0;
  const deadline = new Deadline(() => looks++, 4);
  const first = new Allowance(Number.POSITIVE_INFINITY, deadline);
  const second = new Allowance(Number.POSITIVE_INFINITY, deadline);
  let spent = 0;
  while (first.spend(1)) spent++;
  assert.ok(spent > 20_000 && spent < 100_000, `${spent}`);
  assert.is(looks, 5, 'one to begin with, then four');
  while (second.spend(1)) spent++;
  assert.ok(second.isSpent && deadline.isPast);
  assert.is(looks, 5, 'what is past stays past');
});

Allowed.run();
