import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mediaType, typeOf, wanted } from '../../../src/parse/media-type.ts';

const Type = suite('media types');

Type('a header gives its type, whatever stands around it; what is none gives nothing', () => {
  for (const [said, type] of [
    ['Text/HTML; charset=utf-8', 'text/html'],
    [' text/html,text/html', 'text/html'],
    ['text/html charset=utf-8', 'text/html'],
    ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
    ['html', ''],
    ['', ''],
    ['*/*', ''],
  ] as const)
    assert.is(mediaType(said), type, said);
});

Type('bytes decide where the header is vague or plainly wrong, the name where the bytes do not tell', () => {
  const of = (said: string, bytes: string, path = '/x'): string =>
    typeOf(mediaType(said), Buffer.from(bytes, 'latin1'), `http://a.example${path}`);
  assert.is(of('', '<!DOCTYPE html><p>x'), 'text/html');
  assert.is(of('*/*', '<html>'), 'text/html');
  assert.is(of('application/octet-stream', '%PDF-1.7'), 'application/pdf');
  assert.is(of('text/html', '%PDF-1.7'), 'application/pdf');
  assert.is(of('', '\xd0\xcf\x11\xe0'), 'application/x-ole-storage');
  assert.is(of('application/zip', 'PK\x03\x04', '/a.docx').split('.').pop(), 'document');
  assert.is(of('text/plain', '# A', '/a.md'), 'text/markdown');
  assert.is(of('', '\0\x01'), 'application/octet-stream');
});

Type('what can hold no text is not read; an archive or unknown bytes only under the name of a document', () => {
  assert.not.ok(wanted('image/png', '/a.html'));
  assert.ok(wanted('image/svg+xml', '/a.svg'));
  assert.ok(wanted('', '/a'));
  assert.not.ok(wanted('application/octet-stream', '/setup.exe'));
  assert.ok(wanted('application/octet-stream', '/manual.pdf?x=1.exe'));
  assert.ok(wanted('application/x-gzip', '/sitemap.xml.gz'));
});

Type.run();
