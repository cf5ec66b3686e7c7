import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashOfText } from '../../../src/url/hash.ts';

const Hash = suite('hash');

Hash('the hash of a text is FNV-1a, as its authors give it', () => {
  assert.is(hashOfText(''), 0x811c9dc5);
  assert.is(hashOfText('a'), 0xe40c292c);
  assert.is(hashOfText('foobar'), 0xbf9cf968);
});

Hash.run();
