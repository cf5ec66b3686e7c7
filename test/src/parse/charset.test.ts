import { readFileSync } from 'node:fs';
import { normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { charsetOf, decodeText, detectCharset } from '../../../src/parse/charset.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { shared } from '../../kit/shared.ts';
import { fixturePages } from './kit/fixtures.ts';

const Charset = suite('charset');
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const page = (body: Uint8Array, contentType = 'text/html'): ParsedPage =>
  parsePage({ url: 'http://h/', contentType, body }) as ParsedPage;

const big5 = shared('vectors/encoding/html5lib-tests/chardet/test_big5.txt');
if (big5 === null) console.log('skipped: a text in Big5 that nothing declares');
else
  Charset('a text in Big5 that nothing declares is known by its bytes', () => {
    assert.is(detectCharset(readFileSync(big5), 'text/html').charset, 'big5');
  });

// html5lib's scripted/tests1.dat asks for scripts to be run, which is not done here.
for (const file of ['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat']) {
  const path = shared(`vectors/encoding/html5lib-tests/${file}`);
  if (path === null) {
    console.log(`skipped: encodings of html5lib, ${file}`);
    continue;
  }
  Charset(`every vector of html5lib's ${file} has the encoding it says`, () => {
    const parts = readFileSync(path, 'latin1')
      .split(/(?:^|\n)#data\n/)
      .slice(1);
    assert.ok(parts.length > 0);
    for (const part of parts) {
      const end = part.lastIndexOf('\n#encoding\n');
      const expected = normalizeEncoding(
        part
          .slice(end + 11)
          .trim()
          .split('\n')[0]!,
      );
      const found = detectCharset(Buffer.from(part.slice(0, end), 'latin1'), 'text/html');
      assert.is(found.charset, expected, part);
    }
  });
}

Charset('RU-charset-01: the header beats the meta element, a byte order mark beats both', () => {
  const meta = Buffer.concat([Buffer.from('<meta charset=utf-8><p>'), bytes('63 61 66 E9')]);
  assert.is(page(meta, 'text/html; charset=windows-1252').visible, 'café');
  const marked = Buffer.concat([bytes('EF BB BF'), Buffer.from('<p>'), bytes('63 61 66 C3 A9')]);
  const read = page(marked, 'text/html; charset=windows-1252');
  assert.is(read.visible, 'café');
  assert.is(read.charset, 'utf-8');
});
Charset('RU-charset-02: the old form of the meta element counts, in any order of its attributes', () => {
  const chinese = '<meta http-equiv="Content-Type" content="charset=gbk"><p>';
  assert.is(page(Buffer.concat([Buffer.from(chinese), bytes('D6 D0 CE C4')])).visible, '中文');
  const russian = '<META content="text/html;charset=windows-1251" http-equiv=content-type><p>';
  assert.is(page(Buffer.concat([Buffer.from(russian), bytes('CF F0 E8 E2 E5 F2')])).visible, 'Привет');
});
Charset('RU-charset-04: a meta element that is cut off is an empty page', () => {
  const read = page(Buffer.from('<!DOCTYPE html><head><meta charset="UTF-8   '));
  assert.is(read.visible, '');
  assert.equal(read.problems, ['a tag in it never ends']);
});
Charset('a meta element that speaks of charsets is read as any other', () => {
  const body = Buffer.from('<meta name=description content="On the charset"><p>Text');
  const found = parsePage({ url: 'http://h/', contentType: 'text/html', body });
  assert.is('text' in found && found.text, 'Text');
  assert.equal('problems' in found && found.problems, []);
});

Charset(
  'what looks like a meta element in a comment, in a value or behind an end tag with attributes is told apart',
  () => {
    const of = (html: string): string => detectCharset(Buffer.from(html), 'text/html').charset;
    assert.is(of('<!--><meta charset=big5>--><meta charset=koi8-r>'), 'big5');
    assert.is(of('<!-- <meta charset=big5> --><meta charset=koi8-r>'), 'koi8-r');
    assert.is(of('<p title="<meta charset=big5>"><meta charset=koi8-r>'), 'koi8-r');
    assert.is(of('</p title="<meta charset=big5>"><META/CHARSET = KOI8-R>'), 'koi8-r');
    assert.is(of('<meta content="a charset; charset = big5 ;" http-equiv=Content-Type charset=utf-16>'), 'utf-8');
    assert.is(of('<meta content=\'charset="big5"\'><meta content=\'charset="gbk"\' http-equiv=content-type>'), 'gbk');
  },
);

Charset('RU-charset-05: the short form counts, the word in a text does not', () => {
  const title = Buffer.concat([Buffer.from('<meta charset="Shift_JIS"><title>'), bytes('93 FA 96 7B 8C EA')]);
  assert.is(page(title).title, '日本語');
  assert.is(page(Buffer.from('<p>charset=shift_jis — 日本語')).visible, 'charset=shift_jis — 日本語');
});
Charset('curly quotes and the euro of windows-1252 are read as such', () => {
  assert.is(decodeText(bytes('80 93 94 99'), 'windows-1252'), '€“”™');
  assert.is(
    page(Buffer.concat([Buffer.from('<p>'), bytes('80 20 93 61 94')]), 'text/html; charset=latin1').visible,
    '€ “a”',
  );
});
Charset('the charset of a header is found however it is written', () => {
  assert.is(charsetOf('text/html; charset="UTF-8"'), 'utf-8');
  assert.is(charsetOf("text/html;CHARSET = 'latin1'"), 'windows-1252');
  assert.is(charsetOf('text/html; charset=utf8, text/html'), 'utf-8');
  assert.is(charsetOf('text/html; charset=nonsense'), '');
  assert.is(charsetOf('text/html'), '');
});
Charset('UTF-16 by its mark, ISO-2022-JP by its escapes, UTF-8 by its validity, even when cut', () => {
  const utf16 = Buffer.concat([bytes('FF FE'), Buffer.from('<p>žluť', 'utf16le')]);
  assert.is(page(utf16).visible, 'žluť');
  const jis = Buffer.concat([Buffer.from('<p>'), bytes('1B 24 42 46 7C 4B 5C 1B 28 42')]);
  assert.is(page(jis).visible, '日本');
  const cut = Buffer.from('<p>žluť').subarray(0, -1);
  assert.is(detectCharset(cut, '').charset, 'utf-8');
});

Charset('a header that says UTF-16 of plain bytes is not believed', () => {
  assert.is(page(Buffer.from('<p>žluť'), 'text/html; charset=utf-16').visible, 'žluť');
  assert.is(page(Buffer.from('<p>x', 'utf16le'), 'text/html; charset=utf-16').visible, 'x');
});
Charset('every label of the standard, and any other, gives a page', () => {
  const labels =
    'x-user-defined replacement hz-gb-2312 iso-2022-kr iso-8859-16 utf-7 nonsense "utf-8" macintosh ibm866 big5-hkscs';
  for (const label of labels.split(' '))
    for (const body of [bytes('3c703ee980ff1b244241'), bytes(''), bytes('00')])
      for (const type of ['text/html', 'text/plain'])
        assert.equal(
          page(body, `${type}; charset=${label}`).problems.filter((problem) => /could not be read/.test(problem)),
          [],
        );
});

/** Legacy encodings of the languages of the installation guide. */
const LEGACY: Readonly<Record<string, readonly string[]>> = {
  cs: ['windows-1250', 'iso-8859-2'],
  ru: ['windows-1251', 'koi8-r'],
  ja: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
  ko: ['euc-kr'],
  zh_CN: ['gbk', 'gb18030'],
  el: ['windows-1253'],
  de: ['windows-1252'],
  fr: ['windows-1252'],
  es: ['windows-1252'],
  it: ['windows-1252'],
  pt: ['windows-1252'],
  nl: ['windows-1252'],
  sv: ['windows-1252'],
  da: ['windows-1252'],
  ca: ['windows-1252'],
  ro: ['windows-1250', 'iso-8859-2'],
};

/** The bytes of a text in an encoding, by trying every byte or pair; characters it lacks become references. */
function encode(text: string, charset: string): Buffer {
  const table = encoder(charset);
  const parts: Buffer[] = [];
  for (const character of text) {
    const known = table.get(character);
    parts.push(known ?? Buffer.from(character.codePointAt(0)! < 0x80 ? character : `&#${character.codePointAt(0)};`));
  }
  return Buffer.concat(parts);
}
const encoders = new Map<string, Map<string, Buffer>>();
function encoder(charset: string): Map<string, Buffer> {
  let table = encoders.get(charset);
  if (table) return table;
  table = new Map();
  encoders.set(charset, table);
  const decoder = new TextDecoder(charset);
  const put = (raw: Buffer): void => {
    const text = decoder.decode(raw);
    if ([...text].length === 1 && text !== '\ufffd' && text.charCodeAt(0) >= 0x80 && !table.has(text))
      table.set(text, raw);
  };
  for (let a = 0x80; a < 0x100; a++) put(Buffer.from([a]));
  if (/^(shift_jis|euc-|gb)/.test(charset))
    for (let a = 0x81; a < 0xff; a++) for (let b = 0x40; b < 0xff; b++) put(Buffer.from([a, b]));
  return table;
}

const guide = shared('fixtures/debian-docs/install-guide');
if (guide === null) console.log('skipped: legacy encodings of nineteen languages');
else {
  const chapters = [...fixturePages(['fixtures/debian-docs'])].filter(({ name }) => /ch02\.html$/.test(name));
  for (const { name, body } of chapters) {
    const language = name.split('/').at(-2)!;
    for (const charset of LEGACY[language] ?? []) {
      if (charset === 'iso-2022-jp') continue; // It has states: the test of its escapes is above.
      Charset(
        `${language} in ${charset} reads as it does in UTF-8, when a header says so and when a meta element does`,
        () => {
          const { charset: own } = detectCharset(body, 'text/html');
          const html = decodeText(body, own).replace(/<meta[^>]*charset[^>]*>/gi, '');
          const expected = page(Buffer.from(html), 'text/html; charset=utf-8');
          const legacy = encode(html, charset);
          assert.is(page(legacy, `text/html; charset=${charset}`).visible, expected.visible);
          const declared = Buffer.concat([Buffer.from(`<meta charset=${charset}>`), legacy]);
          assert.is(page(declared).visible, expected.visible);
        },
      );
    }
  }
  Charset('statistics find the encoding of most of them when nothing says it', () => {
    let right = 0;
    let all = 0;
    for (const { name, body } of chapters) {
      const language = name.split('/').at(-2)!;
      for (const charset of LEGACY[language] ?? []) {
        if (charset === 'iso-2022-jp') continue;
        const html = decodeText(body, detectCharset(body, 'text/html').charset).replace(
          /<meta[^>]*charset[^>]*>/gi,
          '',
        );
        const legacy = encode(html, charset);
        all++;
        const { charset: found } = detectCharset(legacy, 'text/html');
        if (decodeText(legacy, found) === decodeText(legacy, charset)) right++;
        else console.log(`  ${language} ${charset}: taken for ${found}`);
      }
    }
    assert.ok(right >= all * 0.8, `${right} of ${all}`);
  });
}
Charset.run();
