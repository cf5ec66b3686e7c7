import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CMaps, packCMaps } from '../../../../src/parse/documents/cmaps.ts';
import { readPdf } from '../../../../src/parse/documents/pdf.ts';

const Maps = suite('predefined CMaps');

/** A page with one line in a font that embeds nothing: neither its glyphs nor what its codes mean. */
function pdf(encoding: string, ordering: string, codes: Buffer): Buffer {
  const line = `BT /F1 12 Tf 20 100 Td <${codes.toString('hex')}> Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${line.length} >>\nstream\n${line}\nendstream`,
    `<< /Type /Font /Subtype /Type0 /BaseFont /Some-Font /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Some-Font /FontDescriptor 7 0 R /DW 1000
        /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    '<< /Type /FontDescriptor /FontName /Some-Font /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
  ];
  let file = '%PDF-1.4\n';
  const at = objects.map((object, i) => {
    const start = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = at.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

for (const [encoding, ordering, codes, text] of [
  ['UniJIS-UTF16-H', 'Japan1', utf16('全文検索エンジン'), '全文検索エンジン'],
  ['90ms-RKSJ-H', 'Japan1', Buffer.from('93fa967b8cea', 'hex'), '日本語'],
  // What lies upright: its map is the one of lines, and what differs.
  ['90ms-RKSJ-V', 'Japan1', Buffer.from('93fa967b8cea', 'hex'), '日本語'],
  ['EUC-H', 'Japan1', Buffer.from('c6fccbdcb8ec', 'hex'), '日本語'],
  ['GBK-EUC-H', 'GB1', Buffer.from('d6d0cec4cbd1cbf7', 'hex'), '中文搜索'],
  ['UniGB-UCS2-H', 'GB1', utf16('中文搜索'), '中文搜索'],
  ['ETen-B5-H', 'CNS1', Buffer.from('a4a4a4e5', 'hex'), '中文'],
  ['KSCms-UHC-H', 'Korea1', Buffer.from('b0cbbbf6', 'hex'), '검색'],
  // Codes are numbers of characters in the collection, of which the file says no more.
  ['Identity-H', 'Japan1', Buffer.from('034a034b', 'hex'), 'ぁあ'],
] as const)
  Maps(`text in ${encoding} is read`, async () => {
    const read = await readPdf(pdf(encoding, ordering, codes));
    assert.is(read.text, text);
    assert.equal(read.problems, []);
  });
Maps('a map that there is not costs the text of its font alone', async () => {
  assert.is((await readPdf(pdf('No-Such-H', 'Japan1', utf16('a')))).text.includes('a'), false);
  for (const filename of ['No-Such-H.bcmap', '../pdf.ts'])
    await new CMaps().fetch({ kind: 'cMapUrl', filename }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /no predefined map/),
    );
});
Maps('what is packed is given back, each map in bytes of its own', async () => {
  const [one, two] = await Promise.all(
    ['H.bcmap', 'H.bcmap'].map((filename) => new CMaps().fetch({ kind: 'cMapUrl', filename })),
  );
  assert.equal([one!.length, Buffer.compare(one!, two!), one!.buffer === two!.buffer], [553, 0, false]);
  assert.ok(packCMaps([['H', one!]]).length < 700);
});
Maps.run();
