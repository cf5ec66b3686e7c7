import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaults, optionKeys } from '../../../src/options.ts';
import { type Reason, reasons } from '../../../src/page/reason.ts';
import { adviceFor } from '../../../src/why/advice.ts';

const Advice = suite('advice');
const all = Object.keys(reasons) as Reason[];
const url = 'https://example.org/a';

Advice('every reason but those that are well, or that nothing helps, says what to do, in one sentence', () => {
  const without = all.filter((reason) => adviceFor({ reason, url, target: '' }) === '');
  assert.equal(without.sort(), [
    'folder',
    'none',
    'not-modified',
    'not-parsed',
    'ok',
    'redirected-permanent',
    'redirected-temporary',
    'sitemap',
    'special-file',
  ]);
  for (const reason of all) {
    const advice = adviceFor({ reason, url, target: '' });
    assert.match(advice, advice === '' ? '' : /^[A-Z][^\n]*\.$|^nuthatch [^\n]*\.$/, reason);
  }
});

Advice('every option it names exists', () => {
  for (const reason of all)
    for (const [named] of adviceFor({ reason, url, target: '' }).matchAll(/\b[a-z]+\.[A-Za-z]+\b/g))
      if (named.split('.')[0]! in defaults) assert.ok(optionKeys.includes(named), `${reason}: ${named}`);
});

Advice('of a redirect that leaves the scope it names the target, and the scope that would hold both', () => {
  const of = (target: string): string => adviceFor({ reason: 'redirect-rejected', url, target });
  assert.is(of('https://other.example/'), 'Name https://other.example/ as a seed.');
  assert.is(
    of('https://docs.example.org/'),
    'Name https://docs.example.org/ as a seed, or widen the scope with --scope domain.',
  );
});

Advice.run();
