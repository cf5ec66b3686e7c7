import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { shared } from '../../kit/shared.ts';

const Normalize = suite('normalize');

const ours: readonly (readonly [string, string | null])[] = [
  ['HTTP://User:pw@EXAMPLE.com:80/a/../b//c/?x=%7e#top', 'http://example.com/b/c/?x=~'],
  ['http://example.com', 'http://example.com/'],
  ['http://example.com/a/%2e%2e/b', 'http://example.com/b'],
  ['http://example.com/;jsessionid=1/../x', 'http://example.com/x'],
  ['http://example.com/a?PHPSESSID=1&b=2', 'http://example.com/a?b=2'],
  ['http://example.com/a?sid=17', 'http://example.com/a?sid=17'],
  ['http://example.com/a?sid=0123456789abcdef0123', 'http://example.com/a'],
  ['http://example.com/news.aspx?NewsID=1567539', 'http://example.com/news.aspx?NewsID=1567539'],
  ['http://example.com/%%34%31', 'http://example.com/%2541'],
  ['http://', null],
  ['/a', null],
  ['', null],
];
for (const [input, output] of ours)
  Normalize(`${input || 'nothing'} becomes ${output}`, () => assert.is(normalizeUrl(input), output));

Normalize('RU-url-01 an escaped hyphen before a query is decoded and the query is untouched', () => {
  assert.is(
    normalizeUrl('https://example.com/vol%2Done/ch%2Dtwo/?lang=fr'),
    'https://example.com/vol-one/ch-two/?lang=fr',
  );
});
Normalize('RU-url-02 a host with a bare or an empty query has one key each', () => {
  assert.is(normalizeUrl('http://example.com?q=1'), 'http://example.com/?q=1');
  assert.is(normalizeUrl('http://example.com?'), 'http://example.com/');
});
Normalize('RU-url-03 a bare percent sign is escaped once and for all', () => {
  const once = normalizeUrl('http://example.com/100% sure?q=a b')!;
  assert.is(once, 'http://example.com/100%25%20sure?q=a%20b');
  assert.is(normalizeUrl(once), once);
});
Normalize('RU-idn-ipv6-01 a host in any script has one ASCII form', () => {
  assert.is(normalizeUrl('http://müller.example/x'), 'http://xn--mller-kva.example/x');
  assert.is(normalizeUrl('https://straße.example/'), 'https://xn--strae-oqa.example/');
});
Normalize('RU-idn-ipv6-04 escapes, case and an ending dot of a host make no other host', () => {
  for (const url of ['http://ex%61mple.com/a', 'http://example.com./a', 'http://EXAMPLE.com/a'])
    assert.is(normalizeUrl(url), 'http://example.com/a');
});
Normalize('a file has one address: three slashes, no query, each name escaped in one way', () => {
  for (const url of ['file:/srv/a%20b.html', 'file://localhost/srv/./a b.html?x=1#y', 'FILE:///srv//%61%20b.html'])
    assert.is(normalizeUrl(url), 'file:///srv/a%20b.html');
  assert.is(normalizeUrl('file:///srv/100%25 %23.txt'), 'file:///srv/100%25%20%23.txt');
  assert.is(normalizeUrl('file:///srv/?from=10000'), 'file:///srv/?from=10000');
});
Normalize('RU-links-04 blanks and line breaks around an address mean nothing', () => {
  assert.is(normalizeUrl(' http://www.example.com/ ', 'http://example.com/?item=4'), 'http://www.example.com/');
  assert.is(normalizeUrl('\n\t\tdetail.html\n\t', 'http://example.com/test/'), 'http://example.com/test/detail.html');
});

const piece = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '%2e',
    '%2E%2e',
    '%',
    '%%34%31',
    ';jsessionid=1',
    ';sid=0123456789abcdef0',
    'a',
    '%C3%a9',
    '|',
    'ü',
  ),
  fc.string({ maxLength: 6 }),
);
Normalize('any address comes to a fixed point at once, and the quick test for it never lies', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        'http://a.example',
        'https://A.example:443',
        'http://1.2.3.4:8080',
        'http://xn--mller-kva.example.',
        'http://a.example:80',
        'https://a.example:80',
        'http://a.example:080',
        'http://a.example:65535',
        'http://a.example:65536',
        'http://a.example:',
        'http://127.0.0.1:8081',
        'http://127.1',
        'http://0127.0.0.1',
        'http://256.0.0.1',
        'http://1.2.3.4.5',
        'http://10.20.30.199',
      ),
      fc.array(piece, { maxLength: 6 }),
      fc.array(piece, { maxLength: 3 }),
      (origin, path, query) => {
        const once = normalizeUrl(`${origin}/${path.join('/')}${query.length ? `?${query.join('&')}` : ''}`);
        if (once === null) return;
        assert.is(normalizeUrl(once), once);
        assert.is(normalizeUrl(`${once}#x y`), once);
        // A blank keeps the quick test from applying: the long way must lead to the same.
        assert.is(normalizeUrl(` ${once}`), once);
      },
    ),
    { numRuns: 3000 },
  );
});

/** Where Nutch goes another way; the reasons stand in docs/nutch.md. */
const DEVIATIONS = new Map<string, string | null>([
  // An IDN host has its ASCII form, as URL and every browser sends it.
  ['http://bücher.de/', 'http://xn--bcher-kva.de/'],
  // UTS 46 as browsers read it: the sharp s is a letter of its own.
  ['https://straße.de/', 'https://xn--strae-oqa.de/'],
  ['https://www.0251-sachverst%c3%a4ndiger.de/', 'https://www.xn--0251-sachverstndiger-ozb.de/'],
  ['http://bücher.de:80/', 'http://xn--bcher-kva.de/'],
  // An empty query goes.
  ['http://foo.com?', 'http://foo.com/'],
  ['http://foo.com/?', 'http://foo.com/'],
  ['http://foo.com/?#', 'http://foo.com/'],
  // URL: a special scheme always has a host.
  ['http:', null],
  ['http:////', null],
  ['http:///////', null],
  ['ftp:/', null],
  ['http:/foo.com/a', 'http://foo.com/a'],
  ['http:foo.com/a', 'http://foo.com/a'],
  ['http:///a', 'http://a/'],
  // URL: a backslash is a slash, tabs and line breaks go.
  ['http://foo.com/a\\b', 'http://foo.com/a/b'],
  ['http://foo.com/a\tb', 'http://foo.com/ab'],
  ['http://foo.com/a\nb', 'http://foo.com/ab'],
  // URL takes `..` back to the folder before it, which here is the empty one between two slashes.
  ['http://foo.com/a//..//b', 'http://foo.com/a/b'],
  // A fixed point in one go.
  ['http://foo.com/%%34%31', 'http://foo.com/%2541'],
  // The dot that ends a host goes.
  ['http://FOO.com./', 'http://foo.com/'],
  ['http://foo.com./', 'http://foo.com/'],
  // One form of an address of a file, with an empty host; there is nothing to ask of one, so a query goes.
  ['file:/var/www/html/foo/../bar/index.html', 'file:///var/www/html/bar/index.html'],
  ['file:/var/www/html/////./bar/index.html', 'file:///var/www/html/bar/index.html'],
  ['file:///a/../b', 'file:///b'],
  ['file:/a/./b', 'file:///a/b'],
  // Known to URL, refused later for its scheme.
  ['javascript:void(0)', 'javascript:void(0)'],
  ['', null],
]);

const vectors = shared('vectors/nutch/normalizer-basic.json');
if (!vectors) console.log('skipped: normalizer-basic vectors of Nutch');
else {
  const { cases, oracleCases } = JSON.parse(readFileSync(vectors, 'utf8'));
  const rows = [...cases, ...oracleCases] as { in: string; out?: string | null; throws?: string; conf?: object }[];
  /** An ASCII host is what we write, whatever Nutch is told to. */
  const unicode = (row: { conf?: object }): boolean => /toUnicode/.test(JSON.stringify(row.conf ?? {}));
  for (const row of rows.filter((row) => row.conf && unicode(row)))
    Normalize(`Nutch's vector ${row.in} with hosts in Unicode has one ASCII form`, () =>
      assert.is(normalizeUrl(row.out!), normalizeUrl(row.in)),
    );
  for (const row of rows.filter((row) => !unicode(row)))
    Normalize(`Nutch's basic vector ${JSON.stringify(row.in)} holds, or its deviation`, () => {
      const expected = DEVIATIONS.has(row.in) ? DEVIATIONS.get(row.in) : (row.out ?? null);
      assert.is(normalizeUrl(row.in), expected);
    });
}

Normalize.run();
