import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import type { Unread } from '../../../src/parse/documents/kind.ts';
import { createDocumentReader, type DocumentTask } from '../../../src/run/documents.ts';
import { zip } from '../parse/kit/zip.ts';

const Reader = suite('document processes');

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const task = (body: Uint8Array, contentType = 'text/csv'): DocumentTask => ({
  url: 'http://h/a',
  contentType,
  headers: {},
  body,
  settings: {},
});
/** A sheet of a million different strings, all of which must be held. */
function heavy(): Buffer {
  const text: string[] = [];
  for (let i = 0; i < 1_000_000; i++) text.push(`<si><t>${(i * 2_654_435_761) % 4_294_967_296}Ω</t></si>`);
  return zip([
    { name: 'xl/sharedStrings.xml', content: `<sst>${text.join('')}</sst>`, stored: true },
    { name: 'xl/worksheets/sheet1.xml', content: '<worksheet><c t="s"><v>5</v></c></worksheet>' },
  ]);
}

Reader('RU-resources-06: a document that exhausts memory takes one page, the others are read', async () => {
  const reader = createDocumentReader({ processes: 1, heapMb: 32, deadlineMs: 60_000 });
  try {
    const bodies = [task(heavy(), XLSX), ...Array.from({ length: 20 }, (_, i) => task(Buffer.from(`a,${i}`)))];
    const [died, ...others] = await Promise.all(bodies.map((body) => reader.read(body)));
    assert.equal([(died as Unread).unread, /memory/.test((died as Unread).detail)], ['parse-died', true]);
    assert.equal(
      others.map((page) => (page as ParsedPage).text),
      others.map((_, i) => `a ${i}`),
    );
  } finally {
    reader.close();
  }
});
Reader('RU-resources-07: a document past its deadline is stopped, and closing ends', async () => {
  const reader = createDocumentReader({ processes: 1, deadlineMs: 1 });
  const late = (await reader.read(task(heavy(), XLSX))) as Unread;
  assert.equal([late.unread, /1 ms/.test(late.detail)], ['parse-died', true]);
  reader.close();
});
Reader('the caller may stop it', async () => {
  const reader = createDocumentReader();
  const stop = new AbortController();
  const reading = reader.read(task(heavy(), XLSX), stop.signal);
  stop.abort();
  try {
    await reading;
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code: string }).code, 'interrupted');
  }
  reader.close();
});
Reader.run();
