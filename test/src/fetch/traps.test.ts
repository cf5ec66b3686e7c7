import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patternOf, TrapWatch } from '../../../src/fetch/traps.ts';

const Traps = suite('trap watch');
const text = (n: number): Uint8Array => Uint8Array.from([n >> 24, n >> 16, n >> 8, n]);

Traps('what varies is taken out of an address', () => {
  assert.is(patternOf('http://h/list/2026/11?page=3&sort=up'), 'http://h/list/#/#?page&sort');
  assert.is(patternOf('http://h/list/2025/1?sort=down&page=9'), 'http://h/list/#/#?page&sort');
  assert.is(patternOf('http://h/a/deadbeefcafe12/b'), 'http://h/a/#/b?');
  assert.is(patternOf('http://h/about'), null);
});

Traps('a pattern of ever new addresses with one text is caught, and only new links to it are', () => {
  const watch = new TrapWatch();
  let caught: string | null = null;
  let pages = 0;
  while (caught === null && pages < 1000) caught = watch.saw(`http://h/x?id=${pages++}`, text(7));
  assert.is(pages, 50);
  assert.is(caught, 'http://h/x?id');
  assert.ok(watch.caught('http://h/x?id=5000'));
  assert.not(watch.caught('http://h/y?id=5000'));
  assert.not(watch.caught('http://other/x?id=5000'));
  assert.is(watch.saw('http://h/x?id=51', text(7)), null, 'said once');
});

Traps('a list of ten thousand different pages is no trap, nor one with some copies', () => {
  const watch = new TrapWatch();
  for (let i = 0; i < 10_000; i++) {
    assert.is(watch.saw(`http://h/article/${i}`, text(i)), null);
    assert.is(watch.saw(`http://h/story/${i}`, text(i >> 2)), null);
  }
});

Traps.run();
