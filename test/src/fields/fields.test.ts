import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { anchorTexts } from '../../../src/fields/anchors.ts';
import { readReplacements } from '../../../src/fields/replace.ts';
import { sitesOf } from '../../../src/fields/sites.ts';
import { subcollectionsOf } from '../../../src/fields/subcollection.ts';
import { fileNameOf, typeTerms } from '../../../src/fields/type.ts';
import { shared } from '../../kit/shared.ts';

const Fields = suite('fields');

Fields('a host is found under itself and each parent down to its registered domain', () => {
  assert.equal(sitesOf('a.b.example.co.uk', 'example.co.uk'), [
    'a.b.example.co.uk',
    'b.example.co.uk',
    'example.co.uk',
  ]);
  assert.equal(sitesOf('example.org', 'example.org'), ['example.org']);
  assert.equal(sitesOf('127.0.0.1', ''), ['127.0.0.1']);
  assert.equal(sitesOf('notexample.org', 'example.org'), ['notexample.org']);
});

Fields('an anchor counts once a linking host, whatever its case and spaces', () => {
  const links = [
    { host: 'a.test', anchor: 'Red  squirrel' },
    { host: 'a.test', anchor: 'red squirrel ' },
    { host: 'b.test', anchor: 'red squirrel' },
    { host: 'b.test', anchor: ' ' },
    { host: 'b.test', anchor: 'more' },
  ];
  assert.equal(anchorTexts(links, 'per-host', 9), ['Red squirrel', 'red squirrel', 'more']);
  assert.equal(anchorTexts(links, 'unique', 9), ['Red squirrel', 'more']);
  assert.equal(anchorTexts(links, 'all', 9), ['Red squirrel', 'red squirrel', 'red squirrel', 'more']);
  assert.equal(anchorTexts(links, 'all', 2).length, 2);
});

Fields('a replacement has a scope, a target and flags, and runs in file order', () => {
  const fields = new Map([['title', ['Old NAME', 'old']]]);
  const apply = (lines: string[], url = 'http://x.test/a.html') => [
    ...readReplacements(lines).apply(fields, url, new URL(url).host),
  ];
  assert.equal(apply(['title=/name/thing/2', 'title=|Old (\\w+)|$1!|']), [['title', ['thing!', 'old']]]);
  assert.equal(apply(['title:short=/^(.).*/$1/']), [
    ['title', ['Old NAME', 'old']],
    ['short', ['O', 'o']],
  ]);
  assert.equal(apply(['title=/old/new/', 'urlmatch=\\.xml$', 'title=/new/never/'])[0], ['title', ['Old NAME', 'new']]);
  assert.equal(apply(['hostmatch=^x\\.', 'title=/old/host/'])[0], ['title', ['Old NAME', 'host']]);
  assert.equal(apply(['title=/a\\/b/c/'])[0], ['title', ['Old NAME', 'old']]);
  assert.equal(readReplacements(['a:b=/x/y/']).targets, ['b']);
});

for (const line of ['title', 'title=', 'title=/a/b', 'title=/(/b/', 'title=/a/b/q', 'title:id=/a/b/', 'title:=/a/b/'])
  Fields(`${line} is no replacement, and the message shows it`, () => {
    assert.throws(
      () => readReplacements([line]),
      (error: Error) => error.message.includes(JSON.stringify(line)) && error.message.startsWith('index.replace: '),
    );
  });

Fields('a file name comes out of a Content-Disposition, plain, quoted or extended', () => {
  assert.is(fileNameOf('attachment; filename="a \\"b\\".pdf"'), 'a "b".pdf');
  assert.is(fileNameOf("attachment; filename=x.pdf; filename*=UTF-8''na%C3%AFve.pdf"), 'naïve.pdf');
  assert.is(fileNameOf("attachment; filename=x.pdf; filename*=UTF-8''%ff"), 'x.pdf');
  assert.is(fileNameOf('inline'), '');
});

Fields('a type is found whole, by its halves and by the word people use', () => {
  assert.equal(typeTerms('Text/HTML; charset=x'), ['text/html', 'text', 'html']);
  assert.equal(typeTerms('application/pdf'), ['application/pdf', 'application', 'pdf']);
  assert.equal(typeTerms(''), []);
  assert.equal(typeTerms('nonsense'), []);
});

const vectors = shared('vectors/nutch/indexing-filters.json');
if (vectors === null) console.log("skipped: Nutch's vectors of indexing filters are not at hand");
else {
  const given = JSON.parse(readFileSync(vectors, 'utf8'));
  Fields("Nutch's vectors of anchor, type, replacement and subcollection hold", () => {
    const links = given.anchor.inlinks.map(([url, anchor]: [string, string]) => ({ host: new URL(url).host, anchor }));
    assert.is(anchorTexts(links, 'unique', 100).length, given.anchor.expectCount);
    for (const { contentType, type0, parts, expect, contentDisposition, existingTitle, title } of given.more) {
      if (contentType) assert.is(typeTerms(contentType)[0], type0);
      if (parts) assert.equal(typeTerms(parts).slice(1), expect);
      if (contentDisposition) assert.is(existingTitle || fileNameOf(contentDisposition), title);
    }
    const doc = new Map(Object.entries(given.replace.doc as Record<string, string>).map(([k, v]) => [k, [v]]));
    const [first] = given.replace.cases;
    const got = readReplacements([first.rules]).apply(doc, 'http://x.test/testIndexReplace.html', 'x.test');
    for (const [field, value] of Object.entries(first.expect)) assert.equal(got.get(field), [value]);
    for (const { white, black, cases } of given.subcollection)
      for (const [url, inside] of cases)
        assert.equal(subcollectionsOf(url, { nutch: { in: white, out: black } }), inside ? ['nutch'] : [], url);
  });
}

Fields.run();
