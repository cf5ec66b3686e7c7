import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileRoots, leadsInside, looksLikePath, segmentOf } from '../../../src/url/files.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';

const FileAddresses = suite('file addresses');

FileAddresses('any name of a folder becomes a segment that the normal form leaves alone', () => {
  for (let byte = 1; byte < 256; byte++) {
    if (byte === 47) continue;
    const url = `file:///srv/x${segmentOf(Uint8Array.of(byte))}`;
    assert.is(normalizeUrl(url), url, String(byte));
  }
  assert.is(segmentOf(Buffer.from('grün 100%.html')), 'gr%C3%BCn%20100%25.html');
});
FileAddresses('roots are folders, and one within another is the other', () => {
  assert.equal(fileRoots(['/srv/docs/sub', 'file:///srv/docs/'], ['file:///data/a.html', 'http://a.example/']), [
    'file:///data/',
    'file:///srv/docs/',
  ]);
});
FileAddresses('a path is told from an address by how it begins', () => {
  for (const path of ['/srv/docs', './docs', '../docs', '.', '..', 'C:\\docs', 'c:/docs'])
    assert.ok(looksLikePath(path), path);
  for (const url of ['//example.org/x', 'example.org/docs', 'http://example.org/', 'docs', '...', 'mailto:a@b.c'])
    assert.not(looksLikePath(url), url);
});
FileAddresses('only a file leads to a file', () => {
  assert.ok(leadsInside('http://a.example/', 'file:///srv/x'));
  assert.not(leadsInside('file:///srv/', 'file:///srv/x'));
  assert.not(leadsInside('file:///srv/', 'http://a.example/'));
});
FileAddresses.run();
