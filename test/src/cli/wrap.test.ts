import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrapped } from '../../../src/cli/wrap.ts';

const Wrap = suite('wrap');

Wrap('no word is lost, split or moved, and no line of several words is wider than allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/)), fc.integer({ min: 5, max: 40 }), (words, width) => {
      const lines = wrapped(words.join(' '), width);
      assert.equal(
        lines.flatMap((line) => line.split(' ')),
        words,
      );
      for (const line of lines) assert.ok(line.length <= width || !line.includes(' '), line);
      // And no line could have taken the first word of the next one.
      for (const [i, line] of lines.slice(1).entries())
        assert.ok(lines[i]!.length + 1 + line.split(' ')[0]!.length > width);
    }),
    { seed: 11 },
  );
});

Wrap('what switches bold takes no room, a sign of Chinese takes two columns, an accent none', () => {
  assert.equal(wrapped('\x1b[1maa\x1b[0m bb', 5), ['\x1b[1maa\x1b[0m bb']);
  assert.equal(wrapped('漢字 漢字', 8), ['漢字', '漢字']);
  assert.equal(wrapped('e\u0301e\u0301 aa', 5), ['e\u0301e\u0301 aa']);
  assert.equal(wrapped('', 8), []);
});
Wrap.run();
