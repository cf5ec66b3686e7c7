import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { md5Signature, profileSignature, signatureOf, textSignature } from '../../../src/parse/signature.ts';
import { shared } from '../../kit/shared.ts';

const Signature = suite('signature');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const url = 'http://example.com/';

const vectors = shared('vectors/nutch/signatures.json');
if (vectors === null) console.log('skipped: signatures as Nutch computes them');
else {
  const { cases } = JSON.parse(readFileSync(vectors, 'utf8')) as {
    cases: { text: string; textProfile: string; textMd5: string; md5: string }[];
  };
  for (const { text, textProfile, textMd5, md5 } of cases)
    Signature(`the three signatures of ${JSON.stringify(text.slice(0, 30))} are those of Nutch`, () => {
      const body = Buffer.from(text);
      assert.is(hex(md5Signature(body, url)), md5);
      assert.is(hex(textSignature(body, text, url)), textMd5);
      assert.is(hex(profileSignature(body, text, url, { strict: true })), textProfile);
    });
}

Signature('texts of short words, of Chinese or of emoji alone do not all look the same', () => {
  const texts = ['a b c', 'd e f', '中文 搜索', '引擎 好', '😀😀', '🎉'];
  const all = texts.map((text) => hex(profileSignature(Buffer.from(text), text, url)));
  assert.is(new Set(all).size, texts.length);
});
Signature('a profile survives a changed counter, and tells other pages apart', () => {
  const text = 'the red squirrel lives in the forest and the red fox lives there too, the forest is red in autumn';
  const a = hex(profileSignature(Buffer.from(''), `${text} 1532 views`, url));
  assert.is(a, hex(profileSignature(Buffer.from(''), `${text} 9031 views`, url)));
  assert.is.not(a, hex(profileSignature(Buffer.from(''), `${text} the the red`, url)));
});
Signature('the signature of a crawl is of the text, of the body where there is none', () => {
  assert.equal(signatureOf(Buffer.from('<p>x</p>'), 'x'), signatureOf(Buffer.from('<div>x</div>'), 'x'));
  assert.is.not(hex(signatureOf(Buffer.from('a'), '')), hex(signatureOf(Buffer.from('b'), '')));
  assert.is(signatureOf(Buffer.from('a'), 'a').length, 16);
  assert.is(signatureOf(Buffer.from('a'), 'a').buffer.byteLength, 16);
});
Signature.run();
