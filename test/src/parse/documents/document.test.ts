import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../../src/page/parsed.ts';
import { parseDocument } from '../../../../src/parse/documents/document.ts';
import { isDocumentType, type Unread } from '../../../../src/parse/documents/kind.ts';
import { ZIP_LIMITS } from '../../../../src/parse/documents/zip.ts';
import { shared } from '../../../kit/shared.ts';
import { type Entry, zip } from '../kit/zip.ts';

const Documents = suite('documents');

const OOXML = 'application/vnd.openxmlformats-officedocument';
const TYPES: Readonly<Record<string, string>> = {
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  xml: 'application/xml',
  pdf: 'application/pdf',
  csv: 'text/csv',
  md: 'text/markdown',
  txt: 'text/plain',
};
const parse = (name: string, body: Uint8Array | string, type = TYPES[name.split('.').at(-1)!] ?? '') =>
  parseDocument({ url: `http://h/${name}`, contentType: type, body: Buffer.from(body as Uint8Array) });
const read = async (name: string, body: Uint8Array | string, type?: string): Promise<ParsedPage> => {
  const parsed = await parse(name, body, type);
  assert.not.ok('unread' in parsed, JSON.stringify(parsed));
  return parsed as ParsedPage;
};
const unread = async (name: string, body: Uint8Array | string): Promise<Unread> => {
  const parsed = await parse(name, body);
  assert.ok('unread' in parsed, name);
  return parsed as Unread;
};

/** File of the fixtures: title, words that are in its text. */
const SAMPLES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'office/testWORD.docx': ['Sample Word Document', 'Main Heading', 'This is a table'],
  'office/testWORD_various.docx': ['', 'Here is a text box', 'Footnote appears here', 'Row 1 Col 1'],
  'office/testEXCEL.xlsx': ['Simple Excel document', 'Sample Excel Worksheet', '196'],
  'office/testPPT.pptx': ['Attachment Test', 'This is a test file data'],
  'office/testPPT_various.pptx': ['Slide 1', 'Row 2 Col 2'],
  'office/testODFwithOOo3.odt': ['Apache Tika', 'This is a rather'],
  'office/testEPUB.epub': ['An ePub for Tika', 'Chapter 1', 'Chapter 2'],
  'office/testRTF.rtf': ['Test d’indexation Word', 'Test d’indexation Word'],
  'office/testRTFUmlautSpaces.rtf': ['', 'Übersicht'],
  'office/testRTFVarious.rtf': ['', 'Footnote appears here', 'Bold italic'],
  'office/rsstest_20.rss': ['TestChannel', 'Home Page of Chris Mattmann'],
  'office/testATOM.atom': ['Test Atom Feed', 'Atom-Powered Robots Run Amok'],
  'office/testPDF.pdf': ['Apache Tika - Apache Tika', 'Apache Tika is a toolkit'],
  'pdf/hello_world_rotated.pdf': ['Hello world', 'Hello world'],
  'pdf/issue13226.pdf': ['Mitarbeiterinnen und Mitarbeiter', 'arbeiten in über 100 Länder'],
};
const fixtures = shared('fixtures');
if (fixtures === null || !existsSync(join(fixtures, 'office'))) console.log('skipped: sample documents');
else {
  for (const [file, [title, ...words]] of Object.entries(SAMPLES))
    Documents(`${file} has its title and text`, async () => {
      const parsed = await read(file, readFileSync(join(fixtures, file)));
      assert.ok(parsed.title.startsWith(title), parsed.title);
      for (const word of words)
        assert.ok(parsed.text.replace(/\s+/g, ' ').includes(word), `${word}: ${parsed.text.slice(0, 500)}`);
      assert.equal(parsed.problems, []);
    });
  const REFUSED: readonly (readonly [string, string, string])[] = [
    ['office/testWORD_protected_passtika.docx', 'parse-failed', 'password'],
    ['office/testWORD_truncated.docx', 'parse-failed', 'cut off'],
    ['office/testODTnotaZipFile.odt', 'parse-failed', 'none at all'],
    ['pdf/issue21579.pdf', 'parse-failed', 'password'],
    ['pdf/bug1020226.pdf', 'parse-failed', 'cannot be opened'],
    ['security/bomb.docx', 'too-large', 'too large'],
  ];
  for (const [file, reason, detail] of REFUSED)
    Documents(`${file} is not read, and why is told: ${detail}`, async () => {
      const parsed = await unread(file, readFileSync(join(fixtures, file)));
      assert.is(parsed.unread, reason);
      assert.match(parsed.detail, detail);
    });
  Documents('entities are neither expanded nor fetched', async () => {
    for (const file of ['security/laughs.xml', 'security/xxe.xml', 'security/laughs.odt']) {
      const parsed = await read(file, readFileSync(join(fixtures, file)));
      assert.ok(parsed.visible.length + parsed.title.length < 100, file);
      assert.not.match(parsed.visible + parsed.title, /root:|lol/);
    }
  });
}

const word = (content: string): Entry => ({ name: 'word/document.xml', content });
const paragraphs = (...texts: string[]): string =>
  `<w:document><w:body>${texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`;

Documents('a document of Word keeps paragraphs, headings and links apart', async () => {
  const body =
    '<w:document><w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>' +
    '<w:p><w:hyperlink r:id="r1"><w:r><w:t>a link</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve"> and</w:t><w:tab/><w:t>more</w:t></w:r></w:p></w:document>';
  const rels =
    '<Relationships><Relationship Id="r1" Target="http://x.example/" TargetMode="External"/></Relationships>';
  const parsed = await read('a.docx', zip([word(body), { name: 'word/_rels/document.xml.rels', content: rels }]));
  assert.is(parsed.text, 'Head\na link and more');
  assert.equal(parsed.headings, [{ level: 2, text: 'Head' }]);
  assert.equal(parsed.links, [{ url: 'http://x.example/', anchor: 'a link' }]);
});
Documents('dates of a spreadsheet are dates, shared strings are found', async () => {
  const parsed = await read(
    'a.xlsx',
    zip([
      { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="Budget"/></sheets></workbook>' },
      { name: 'xl/sharedStrings.xml', content: '<sst><si><t>Paid</t><rPh><t>no</t></rPh></si></sst>' },
      {
        name: 'xl/styles.xml',
        content: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        content: '<worksheet><row><c t="s"><v>0</v></c><c s="1"><v>45000</v></c><c><v>12.5</v></c></row></worksheet>',
      },
    ]),
  );
  assert.is(parsed.text, 'Budget\nPaid 2023-03-15 12.5');
});
Documents('an archive that lies about sizes is stopped where it is unpacked', async () => {
  const bomb = zip([{ ...word(paragraphs('x'.repeat(ZIP_LIMITS.entryBytes))), size: 100 }]);
  assert.is((await unread('a.docx', bomb)).unread, 'too-large');
  const ratio = zip([word(' '.repeat(2 << 20))]);
  assert.match((await unread('a.docx', ratio)).detail, 'too tightly');
  const many = zip(Array.from({ length: ZIP_LIMITS.entries + 1 }, (_, i) => ({ name: `f${i}`, content: '' })));
  assert.match((await unread('a.docx', many)).detail, 'entries');
  assert.match((await unread('a.docx', zip([{ ...word('x'), encrypted: true }]))).detail, 'password');
});
Documents('a document cut or flipped anywhere gives an answer, never a throw', async () => {
  const whole = zip([word(paragraphs('one', 'two', 'three'))]);
  for (let at = 0; at < whole.length; at += 7) {
    await parse('a.docx', whole.subarray(0, at));
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 0xff;
    await parse('a.docx', flipped);
  }
});
Documents('Markdown is read as the page it makes', async () => {
  const parsed = await read('a.md', '# Head *line*\n\nText with [a link](/x) & `code`.\n\n* one\n* two\n');
  assert.is(parsed.title, 'Head line');
  assert.is(parsed.visible, 'Head line\nText with a link & code.\none\ntwo');
  assert.equal(parsed.links, [{ url: 'http://h/x', anchor: 'a link' }]);
  assert.is((await read('b.md', '---\ntitle: "Of the front"\n---\n# Head\n')).title, 'Of the front');
});
Documents('comma separated values: quotes, line breaks in cells, other separators', async () => {
  assert.is(
    (await read('a.csv', 'name,note\r\n"Smith, J","said ""hi""\nthere"\r\n')).text,
    'name note\nSmith, J said "hi" there',
  );
  assert.is((await read('a.csv', 'a;b\n1,5;2')).text, 'a b\n1,5 2');
  assert.is((await read('a.csv', '"open')).text, 'open');
});
Documents('RTF: code pages, Unicode, skipped groups', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\info{\title A title}{\creatim\yr2006\mo5\dy18}}\'cf\'f0\'e8\par \u8364? \uc0\u55357\u56832 x{\*\unknown hidden}\line end}`;
  const parsed = await read('a.rtf', rtf);
  assert.equal([parsed.title, parsed.text, parsed.dates.published], ['A title', 'При\n€ 😀x\nend', '2006-05-18']);
});
Documents('a feed links its items, whatever HTML is in them', async () => {
  const parsed = await read(
    'f.rss',
    '<rss><channel><title>Feed</title><link>http://h/</link><item><title>One &amp; two</title><link> /1 </link>' +
      '<description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; text&lt;/p&gt;</description><pubDate>Thu, 05 Jan 2017 13:34:51 +0100</pubDate></item></channel></rss>',
  );
  assert.is(parsed.title, 'Feed');
  assert.is(parsed.text, 'One & two\nSome bold text');
  assert.equal(parsed.links, [{ url: 'http://h/1', anchor: 'One & two' }]);
  assert.is(parsed.dates.modified, '2017-01-05T12:34:51Z');
});
/** CPU seconds. */
async function cost(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
const HOSTILE: Readonly<Record<string, readonly [string, string]>> = {
  'groups of RTF': ['a.rtf', `{\\rtf1${'{'.repeat(200_000)}`],
  'words of RTF': ['a.rtf', `{\\rtf1${'\\b'.repeat(200_000)}`],
  'bytes of RTF': ['a.rtf', `{\\rtf1${"\\'e4".repeat(200_000)}`],
  'open quotes in a table': ['a.csv', '"a,'.repeat(200_000)],
  'commas in a table': ['a.csv', ','.repeat(1_000_000)],
  'quotes in Markdown': ['a.md', '>'.repeat(5000)],
  'brackets in Markdown': ['a.md', '['.repeat(50_000)],
  'elements of a feed': ['a.rss', `<rss>${'<a>'.repeat(200_000)}`],
  'items of a feed': [
    'a.rss',
    `<rss>${'<item><title>x</title><description>&lt;b&gt;y</description></item>'.repeat(20_000)}`,
  ],
  'references in XML': ['a.xml', `<a>${'x&amp;'.repeat(200_000)}`],
  'attributes in XML': ['a.xml', `<a ${'b="c" '.repeat(200_000)}/>`],
  'addresses in a text': ['a.txt', 'http://h/'.repeat(100_000)],
  'brackets after an address': ['a.txt', `http://h/${')'.repeat(200_000)}`],
};
for (const [name, [file, source]] of Object.entries(HOSTILE))
  Documents(`many ${name} cost less than 2 s of CPU a MB`, async () => {
    const seconds = await cost(() => parse(file, source));
    assert.ok(seconds < 2 * Math.max(1, source.length / 1e6), `${seconds} s`);
  });
Documents('types: by suffix where the server does not know, by bytes where it is wrong', async () => {
  assert.is((await read('a.md', '# T', 'application/octet-stream')).title, 'T');
  assert.is((await read('doc', zip([word(paragraphs('hi'))]), 'application/zip')).text, 'hi');
  assert.is((await read('page', '<!doctype html><title>T</title>', '')).title, 'T');
  const image = (await parse('x.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png')) as Unread;
  assert.equal([image.unread, image.contentType], ['not-parsed', 'image/png']);
  assert.ok(isDocumentType('application/pdf'));
  assert.not.ok(isDocumentType('image/png'));
});
Documents('Office files of before 2007 say that they are not read; RTF and HTML under their names are', async () => {
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
  for (const type of [
    'application/msword',
    'application/vnd.ms-excel',
    'application/x-msexcel',
    'application/octet-stream',
    '',
  ]) {
    const { unread: reason, detail } = (await parse('a.doc', ole, type)) as Unread;
    assert.equal([reason, detail], ['not-parsed', 'the formats of Office before 2007 are not read'], type);
  }
  assert.is((await read('a.doc', '{\\rtf1\\ansi Hazel\\par}', 'application/msword')).text, 'Hazel');
  const table = '<html><table><tr><td>Hazel</td><td>6 m</td></tr></table></html>';
  assert.is((await read('a.xls', table, 'application/vnd.ms-excel')).visible, 'Hazel\n6 m');
});
Documents.run();
