import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shadowed } from '../../../src/url/shadowed.ts';

const Shadowed = suite('shadowed rules');

Shadowed('RU-url-10: an exclusion behind the rule of a site is told of with its line: it never applies there', () => {
  const [told, ...more] = shadowed(['# ours', '+^https?://([a-z0-9-]+\\.)*example\\.com/', '-[?]']);
  assert.equal(more, []);
  assert.match(told!, /^line 3: "-\[\?\]" never applies to what line 2, "\+\^https.*", fits/);
});
Shadowed('behind a rule that fits everything, or the same expression, a rule can never apply', () => {
  for (const all of ['+', '+.', '-.*', '+^', '+^.*$', '+.+'])
    assert.match(shadowed([all, '-/print/'])[0]!, /^line 2: "-\/print\/" can never apply: line 1/, all);
  assert.match(shadowed(['-/a', '+/a', '+/b'])[0]!, /^line 2: .* with the same expression/);
});
Shadowed('rules in an order that works are not told of', () => {
  for (const rules of [
    ['-[?]', '+^https?://([a-z0-9-]+\\.)*example\\.com/'],
    ['-\\.gif$', '-/print/', '+'],
    ['+^https?://a\\.example/docs/', '-[?]'],
    ['+^https?://a\\.example/', '-^https?://b\\.example/x'],
    ['> a.example', '+.', '<', '-[?]'],
    ['', '# -', 'nonsense'],
  ])
    assert.equal(shadowed(rules), [], rules.join(' '));
});
Shadowed.run();
