import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document, Schema } from '../../index/document.ts';
import { createIndex } from '../../index/embedded.ts';
import { queryText } from '../../index/query/query.ts';
import type { SearcherOptions, SearchOptions } from '../../index/search/request.ts';
import { Searcher } from '../../index/searcher.ts';
import { buildSegments, randomOf } from '../kit/search-index.ts';

const Search = suite('searcher');

const schema: Schema = {
  key: 'id',
  lang: 'lang',
  fields: [
    { name: 'id', index: 'keyword', stored: true },
    { name: 'title', index: 'text', weight: 2, stored: true },
    { name: 'text', index: 'text', stored: true },
    { name: 'host', index: 'keyword', stored: true, column: 'string' },
    { name: 'lang', index: 'keyword', column: 'string' },
    { name: 'size', index: 'none', column: 'u32' },
    { name: 'modified', index: 'none', column: 'f64' },
    { name: 'score', index: 'none', column: 'f64' },
  ],
};

/** A schema of a key `id` and these. */
const schemaOf = (...fields: Schema['fields']): Schema => ({
  key: 'id',
  fields: [{ name: 'id', index: 'keyword', stored: true }, ...fields],
});

let number = 0;
const doc = (text: string, more: Document = {}): Document => ({ id: `${number++}`, title: '', text, ...more });
function searcherOf(
  docs: readonly Document[],
  options: SearcherOptions = {},
  cuts: readonly number[] = [],
  deleted: readonly number[] = [],
): Searcher {
  return new Searcher({ segments: buildSegments(docs, schema, cuts, new Set(deleted)) }, options);
}
/** Texts of the hits, best first. */
const texts = (searcher: Searcher, query: string, options: SearchOptions = {}): string[] =>
  searcher.search(query, options).hits.map((hit) => String(hit.fields.text || hit.fields.title));
const over = (...all: string[]): Searcher => searcherOf(all.map((text) => doc(text)));
const finds = (searcher: Searcher, query: string, expected: readonly string[], options?: SearchOptions): void =>
  assert.equal(texts(searcher, query, options).sort(), [...expected].sort(), query);

Search('RU-query-01: a colon is a separator unless a known field stands before it', () => {
  const searcher = over('WARN: bye', 'perl: notes', 'other');
  finds(searcher, 'WARN: bye', ['WARN: bye']);
  finds(searcher, 'perl:', ['perl: notes']);
  finds(searcher, 'text:bye', ['WARN: bye']);
  for (const query of ['http://example.com/a', 'title:', 'foo:bar:baz'])
    assert.is(searcher.search(query).total, 0, query);
});

Search('RU-query-02: options are found with their dashes, a minus excludes only from something', () => {
  const searcher = over('use --verbose or -q with tool purge --force', 'purge soft things');
  for (const query of ['--verbose', '--force', '-q', '"purge --force"'])
    finds(searcher, query, ['use --verbose or -q with tool purge --force']);
  finds(searcher, 'purge -soft', ['use --verbose or -q with tool purge --force']);
});

Search('a word taken out is looked for where a document speaks for itself, not in what is beside the point', () => {
  const beside: Schema = { ...schema, fields: [...schema.fields, { name: 'menu', index: 'text', weight: 0.1 }] };
  const docs = [doc('red fox', { menu: 'home glossary' }), doc('red glossary', { menu: 'home glossary' })];
  const searcher = new Searcher({ segments: buildSegments(docs, beside, [], new Set()) });
  finds(searcher, '+red -glossary', ['red fox']);
  finds(searcher, 'red -menu:glossary', []);
  finds(searcher, 'glossary red', ['red fox', 'red glossary']);
});

Search('RU-query-04: names are found whole and by their parts, the whole first', () => {
  const searcher = over(
    'Skin_Night',
    'Skin-Daylight',
    'stat_erp_data',
    'QRS/98765',
    'erp.audit_log',
    'an audit and a log',
  );
  finds(searcher, 'night', ['Skin_Night']);
  finds(searcher, 'daylight', ['Skin-Daylight']);
  finds(searcher, 'erp', ['stat_erp_data', 'erp.audit_log']);
  finds(searcher, 'QRS/98765', ['QRS/98765']);
  assert.is(texts(searcher, 'audit_log')[0], 'erp.audit_log');
  assert.is(
    searcher.search('QRS/98765', { highlight: true }).hits[0]!.highlights!.text!.html,
    '<mark>QRS/98765</mark>',
  );
});

Search('RU-query-05: signs that make the name are not dropped', () => {
  const all = ['about C', 'about C++', 'about C#', 'about .NET', 'net income', 'about #include'];
  const searcher = over(...all);
  for (const [query, expected] of [
    ['c++', 'about C++'],
    ['C#', 'about C#'],
    ['.net', 'about .NET'],
    ['#include', 'about #include'],
  ] as const)
    assert.is(texts(searcher, query)[0], expected);
  assert.is(texts(searcher, '"c"')[0], 'about C');
  assert.is(texts(searcher, 'c')[0], 'about C');
});

Search('RU-query-06: mail addresses are found whole and by their domain', () => {
  const searcher = over('ann.lee@example.com', 'ann@example.org', 'lee@example.com', 'mila notes', 'nothing');
  assert.is(texts(searcher, 'ann.lee@example.com')[0], 'ann.lee@example.com');
  finds(searcher, 'example.com', ['ann.lee@example.com', 'lee@example.com']);
  finds(searcher, '@example.org', ['ann@example.org']);
  finds(searcher, 'mila.k', ['mila notes']);
});

Search('RU-query-08: apostrophes, elisions and possessives meet', () => {
  const searcher = over('who\u2019s there', 'l\u2019\u00e9cole', 'O\u2019Reilly book', 'dogs bowl');
  finds(searcher, "who's", ['who\u2019s there']);
  finds(searcher, "l'ecole", ['l\u2019\u00e9cole']);
  finds(searcher, 'ecole', ['l\u2019\u00e9cole']);
  for (const query of ['OReilly', "O'Reilly", 'O\u02bcReilly', 'Reilly'])
    finds(searcher, query, ['O\u2019Reilly book']);
  finds(searcher, "dog's", ['dogs bowl']);
});

Search('RU-query-09: accents are forgiven, and as typed come first', () => {
  const searcher = over('Renee', 'Ren\u00e9e', 'p\u00e2t\u00e9', '\u0141\u00f3d\u017a', 'Stra\u00dfe', 'na\u00efve');
  const plain = searcher.search('renee').hits;
  assert.is(plain.length, 2);
  assert.is(plain[0]!.score, plain[1]!.score);
  assert.equal(texts(searcher, 'ren\u00e9e'), ['Ren\u00e9e', 'Renee']);
  finds(searcher, 'pate', ['p\u00e2t\u00e9']);
  finds(searcher, 'lodz', ['\u0141\u00f3d\u017a']);
  finds(searcher, 'strasse', ['Stra\u00dfe']);
  finds(searcher, 'te', []);
  finds(searcher, 'pat*', ['p\u00e2t\u00e9']);
  finds(searcher, 'naive~', ['na\u00efve']);
});

Search('RU-query-10: Han is found across word borders and by one character, in order only', () => {
  const sentence = '\u6211\u4eec\u4eca\u5929\u6574\u7406\u65e7\u7167\u7247';
  const searcher = over(sentence, '\u65b0\u3057\u3044\u30ab\u30e1\u30e9\u3092\u8cb7\u3046');
  for (const [from, to] of [
    [2, 4],
    [3, 5],
    [4, 8],
    [0, 1],
    [8, 9],
  ] as const)
    finds(searcher, sentence.slice(from, to), [sentence]);
  finds(searcher, '\u30ab\u30e1\u30e9', ['\u65b0\u3057\u3044\u30ab\u30e1\u30e9\u3092\u8cb7\u3046']);
  finds(searcher, '\u5929\u4eca', []);
});

Search('RU-query-12: Arabic marks and letter variants do not hide a word', () => {
  const all = [
    '\u0642\u064e\u0644\u064e\u0645',
    '\u0623\u0645\u0644',
    '\u0627\u0644\u0648\u0627\u062f\u064a',
    '\u0643\u0640\u062a\u0627\u0628',
  ];
  const searcher = over(...all);
  [
    '\u0642\u0644\u0645',
    '\u0627\u0645\u0644',
    '\u0627\u0644\u0648\u0627\u062f\u0649',
    '\u0643\u062a\u0627\u0628',
  ].forEach((query, i) => void finds(searcher, query, [all[i]!]));
});

Search('RU-query-14: emoji are words', () => {
  const searcher = over(
    'Buy two \ud83c\udf50\u2019s \ud83c\udf50\ud83d\udeb2 today',
    'family \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67',
  );
  for (const query of ['\ud83c\udf50', '\ud83d\udeb2', '\ud83c\udf50 pear'])
    finds(searcher, query, ['Buy two \ud83c\udf50\u2019s \ud83c\udf50\ud83d\udeb2 today']);
  finds(searcher, '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67', [
    'family \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67',
  ]);
});

Search('RU-query-15: signs alone find nothing, and that is said', () => {
  const searcher = over('some text', 'more text');
  for (const query of ['%%%%%%%%', '"..."', '', '   ', '\u3000', '*', '-', '"', '()']) {
    const { total, problems } = searcher.search(query);
    assert.is(total, 0, query);
    assert.ok(problems.length > 0, query);
  }
});

Search('RU-query-16: a small word removes no good result', () => {
  const docs = [
    'Monte Viso',
    'Archive projects',
    'The Band tour',
    'A band saw',
    'To be or not to be: a speech',
    'who is it',
  ].map((title) => doc('body', { title }));
  const searcher = searcherOf(docs);
  const titles = (query: string): unknown[] => searcher.search(query).hits.map((hit) => hit.fields.title);
  assert.is(titles('the Monte Viso')[0], 'Monte Viso');
  assert.is(titles('archive a project')[0], 'Archive projects');
  assert.ok(titles('the band').includes('The Band tour'));
  assert.is(titles('who is it')[0], 'who is it');
  assert.is(titles('to be or not to be')[0], 'To be or not to be: a speech');
  assert.equal(titles('"the band"'), ['The Band tour']);
});

Search('RU-query-18: long, deep, wild and many are answered', () => {
  const searcher = searcherOf(Array.from({ length: 2000 }, (_, i) => doc(`word${i} common text number${i % 7}`)));
  const queries = [
    'x'.repeat(100_000),
    'common '.repeat(10_000),
    Array.from({ length: 500 }, (_, i) => `word${i}`).join(' '),
    'a*',
    '*',
    '*ing',
    'w*',
    '*o*',
    '?*?*?*?*',
    Array.from({ length: 30 }, (_, i) => `wrod${i}~2`).join(' '),
    `${'('.repeat(200)}common${')'.repeat(200)}`,
    `"${'common text '.repeat(500)}"`,
    'common~ text~2',
  ];
  for (const query of queries) {
    const { hits, total } = searcher.search(query, { highlight: true, explain: true, facets: ['host'] });
    assert.ok(hits.length <= 10 && total <= 2000, query.slice(0, 40));
  }
});

Search('a query over its budget answers with what was found and says so', () => {
  const searcher = searcherOf(Array.from({ length: 20_000 }, (_, i) => doc(`common text ${i}`)));
  const { hits, problems, isTotalExact } = searcher.search('common OR text', { budget: 10_000, countTo: 1e9 });
  assert.is(hits.length, 10);
  assert.not(isTotalExact);
  assert.is(problems.at(-1)!.code, 'cost-limit');
});

Search('counting values, sorting and large sets of words stay within the budget too, and say where they end', () => {
  const searcher = searcherOf(Array.from({ length: 20_000 }, (_, i) => doc(`common text w${i}`)));
  const isCut = (query: string, options: SearchOptions): void => {
    const { hits, problems } = searcher.search(query, { budget: 5000, ...options });
    assert.ok(hits.length <= 10);
    assert.ok(
      problems.some(({ code }) => code === 'cost-limit'),
      `${query} ${JSON.stringify(options)}`,
    );
  };
  isCut('common OR text', { facets: ['host'] });
  isCut('common', { sort: 'host' });
  isCut('w*', { facets: ['host'] });
  isCut('w*', { countTo: 1e9 });
  assert.equal(searcher.search('w*').problems, []);
});

Search('a search that takes longer than it may answers with what was found, and says so', () => {
  const docs = Array.from({ length: 60_000 }, (_, i) => doc(`common text w${i}`, { host: `h${i % 7}` }));
  let now = 0;
  // A millisecond goes by with every look at the clock.
  const searcher = searcherOf(docs, { now: () => now++ }, [20_000]);
  const asked: [string, SearchOptions][] = [
    ['common OR text', { countTo: 1e9 }],
    ['common text -w5', { countTo: 1e9 }],
    ['"common text"', { countTo: 1e9 }],
    ['w*', { countTo: 1e9 }],
    ['common', { sort: 'host' }],
    ['common', { facets: ['host'] }],
    ['common', { group: { field: 'host' } }],
    ['common', { filter: 'text', countTo: 1e9 }],
  ];
  for (const [query, options] of asked) {
    const what = `${query} ${JSON.stringify(options)}`;
    const before = now;
    const { hits, problems, isTotalExact } = searcher.search(query, { ...options, timeLimit: 2 });
    assert.not(isTotalExact, what);
    assert.ok(now - before <= 4, `${what}: ${now - before} looks at the clock`);
    const late = problems.filter(({ code }) => code === 'time-limit');
    assert.is(late.length, 1, what);
    assert.match(late[0]!.message, '2 ms');
    for (const hit of hits) assert.match(String(hit.fields.text), 'common text');
    // Nothing of it is remembered: with more time, everything is found.
    const all = searcher.search(query, { ...options, timeLimit: 1e6 });
    assert.equal(all.problems, [], what);
    assert.is(all.total, query.includes('-w5') ? 59_999 : 60_000, what);
  }
  const without = now;
  assert.equal(searcher.search('common OR text', { countTo: 1e9 }).problems, []);
  assert.is(now, without, 'without a limit no clock is looked at');
});

Search(
  'RU-query-18: half a pair of surrogates and every sign around a word are answered, never with everything',
  () => {
    const searcher = searcherOf(Array.from({ length: 500 }, (_, i) => doc(`text number${i}`)));
    const words = ['\ud83d', '\udc00nut\ud83d', '"\udfff', '\ud800*', '\udc00~2', 'title:\ud800'];
    for (let code = 0x21; code < 0x7f; code++) {
      const sign = String.fromCharCode(code);
      if (/\w/.test(sign)) continue;
      words.push(`${sign}nosuch`, `no${sign}such`, `nosuch${sign}`, sign.repeat(50), `${sign} nosuch`);
    }
    for (const query of words) {
      const { total } = searcher.search(query, { highlight: true, facets: ['host'] });
      if (!/^\*+$/.test(query) && !/^[?*]+/.test(query)) assert.ok(total < 500, JSON.stringify(query));
    }
    const many = Array.from({ length: 10_000 }, (_, i) => (i % 2 ? `-gone${i}` : `number${i}`)).join(' ');
    const { hits, problems } = searcher.search(many, { facets: ['host'] });
    assert.ok(hits.length <= 10 && problems.length > 0);
  },
);

Search('patterns of the whole dictionary, a thousand of them, and half-open signs are answered as they should', () => {
  const random = randomOf(11);
  const letter = (): string => String.fromCharCode(97 + random(26));
  const words = Array.from({ length: 6000 }, () => Array.from({ length: 1 + random(7) }, letter).join(''));
  const docs = Array.from({ length: 1000 }, (_, i) => doc(words.slice(i * 6, i * 6 + 6).join(' ')));
  const searcher = searcherOf(docs, {}, [400]);
  const having = (...patterns: RegExp[]): number =>
    docs.filter(({ text }) =>
      patterns.every((pattern) =>
        String(text)
          .split(' ')
          .some((word) => pattern.test(word)),
      ),
    ).length;
  const counts: [string, number][] = [
    ['*a*', having(/a/)],
    ['a*b*', having(/^a.*b/)],
    ['*a*b*c*', having(/a.*b.*c/)],
    ['a????b', having(/^a.{4}b$/)],
    ['?????a', having(/^.{5}a$/)],
    // Question marks at the end are those of a question.
    ['a?????', having(/^a$/)],
    ['+*a* +*b*', having(/a/, /b/)],
    // A letter has too few signs to be guessed at, and signs without a letter say nothing.
    ['a~2', having(/^a$/)],
    ...['??????', '*?*', '**', '~~~~', '^^^', '"""', '(((((', ')))))', '[', '{"(', '..', '-', '+-+'].map(
      (signs): [string, number] => [signs, 0],
    ),
    // What is half open holds what stands behind it.
    ['"a', having(/^a$/)],
    ['(a', having(/^a$/)],
    ['a)', having(/^a$/)],
    ['text:(a', having(/^a$/)],
  ];
  for (const [query, total] of counts)
    assert.is(searcher.search(query, { countTo: 1e9, relaxBelow: 0 }).total, total, query);
  // All patterns of a query together look at no more of the dictionary than four of the dearest do.
  let looked = 0;
  for (const dictionary of searcher.stats.dictionaries('text')) {
    const term = dictionary.term.bind(dictionary);
    dictionary.term = (n) => {
      looked++;
      return term(n);
    };
  }
  const many = Array.from({ length: 1000 }, (_, i) => `*${words[i]}*${letter()}*`).join(' ');
  const { problems, hits } = searcher.search(many, { mode: 'any' });
  assert.ok(hits.length > 0 && looked > 1_000_000 && looked < 2_000_000, `${looked} terms`);
  assert.is(problems.filter(({ code }) => code === 'too-many-terms').length, 5, 'five are named');
});

Search('of what is stored, a hit gives what was asked for and reads no more than that and its passages', () => {
  const searcher = searcherOf([doc('red squirrel', { title: 'Red', host: 'a.test' })]);
  const read: number[] = [];
  const segment = searcher.snapshot.segments[0]!;
  const stored = segment.stored.bind(segment);
  segment.stored = (doc, wanted) => {
    const found = stored(doc, wanted);
    read.push(Object.keys(found).length);
    return found;
  };
  const hit = (options: SearchOptions) => searcher.search('red', { exactTitle: false, ...options }).hits[0]!;
  assert.equal(Object.keys(hit({}).fields).sort(), ['host', 'id', 'text', 'title']);
  assert.equal(hit({ stored: ['title'] }).fields, { title: 'Red' });
  const marked = hit({ stored: ['host', 'nosuch'], highlight: { text: 0 } });
  assert.equal(marked.fields, { host: 'a.test' });
  assert.is(marked.highlights!.text!.html, '<mark>red</mark> squirrel');
  assert.equal(hit({ stored: false }).fields, {});
  assert.is(hit({ stored: false, highlight: { text: 0 } }).highlights!.text!.text, 'red squirrel');
  assert.equal(read, [4, 2, 3, 2], 'the key is always among them; nothing at all is read for a hit without fields');
});

Search('RU-match-01: small words are compared inside phrases', () => {
  const searcher = over('Right to Repair Act', 'Right of Repair Act', 'included now');
  finds(searcher, '"right to repair act"', ['Right to Repair Act']);
  finds(searcher, '"not included"', []);
});

Search('RU-match-03: numbers are never guessed', () => {
  const searcher = over('PRJ-417', 'PRJ-517', '2031 review', 'outlook 2030');
  finds(searcher, 'PRJ-417~', ['PRJ-417']);
  finds(searcher, 'PRJ-417', ['PRJ-417']);
  finds(searcher, '2031~', ['2031 review']);
});

Search('RU-match-04: short words are not guessed, and the exact word outranks a guess', () => {
  const searcher = over('ssh', 'sash', 'berry', 'merry', 'svn');
  finds(searcher, 'ssh~', ['ssh']);
  assert.is(texts(searcher, 'berry~')[0], 'berry');
  finds(searcher, 'vsn~', ['svn']);
});

Search('RU-match-06: a name with inner capitals is found by its parts, the whole first', () => {
  const searcher = over('no such value app:buttonColorState', 'LakeJS', 'a button');
  for (const query of ['color', 'buttoncolorstate', 'buttonColorState'])
    assert.is(texts(searcher, query)[0], 'no such value app:buttonColorState', query);
  assert.ok(texts(searcher, 'BUTTON').includes('no such value app:buttonColorState'));
  finds(searcher, 'js', ['LakeJS']);
});

Search('RU-rank-01: the page whose title is exactly the query comes first, and explain says why', () => {
  const docs = Array.from({ length: 200 }, (_, i) =>
    doc('failover '.repeat(1 + (i % 50)) + 'of a cluster '.repeat(20), { title: `Notes ${i} on failover` }),
  );
  docs.splice(120, 0, doc('short', { title: 'Failover' }));
  const searcher = searcherOf(docs, {}, [70]);
  const { hits } = searcher.search('failover', { explain: true });
  assert.is(hits[0]!.fields.title, 'Failover');
  assert.ok(hits[0]!.explain!.details.some((detail) => /title is exactly/.test(detail.description)));
});

Search('RU-rank-04: a document comes once, and is counted once', () => {
  const searcher = searcherOf([doc('tariff tariff', { title: 'tariff' }), doc('rate', { title: 'new rate' })]);
  assert.is(searcher.search('tariff').total, 1);
  assert.is(searcher.search('rate').hits.length, 1);
  const several = searcherOf([doc('', { title: ['rate', 'new rate'] }), doc('other')]);
  const { hits, total } = several.search('rate', { facets: ['host'] });
  assert.is(hits.length + total, 2);
  const index = createIndex(schema);
  const ids = () => index.search('tariff').hits.map(({ key }) => key);
  index.add([doc('tariff', { id: 'a' }), doc('tariff tariff', { id: 'b' })]);
  index.commit();
  index.add([doc('tariff of today', { id: 'a' })]);
  index.commit();
  assert.equal(ids().sort(), ['a', 'b'], 'one segment has it deleted, another anew');
  assert.is(index.search('tariff').total, 2);
  index.close();
});

Search(
  'RU-rank-01: behind the exact title comes the page with the word as a heading, then those that mention it',
  () => {
    const headed: Schema = {
      ...schema,
      fields: [...schema.fields, { name: 'headings', index: 'text', weight: 1.5, stored: true }],
    };
    const docs = Array.from({ length: 200 }, (_, i) =>
      doc(`${'failover '.repeat(1 + (i % 50))}${'of a cluster and its machines '.repeat(60)}`, { title: `Notes ${i}` }),
    );
    docs.splice(
      50,
      0,
      doc('of a cluster and its machines '.repeat(60), { title: 'Clusters', headings: ['Failover', 'Quorum'] }),
    );
    docs.splice(120, 0, doc('short', { title: 'Failover' }));
    const searcher = new Searcher({ segments: buildSegments(docs, headed, [70], new Set()) });
    const titles = searcher.search('failover').hits.map(({ fields }) => fields.title);
    assert.equal(titles.slice(0, 2), ['Failover', 'Clusters']);
  },
);

Search('what stands in a heading as asked lifts a page, and changes neither which pages are found nor how many', () => {
  const headed: Schema = { ...schema, fields: [...schema.fields, { name: 'headings', index: 'text', weight: 1.5 }] };
  const random = randomOf(7);
  const words = ['rolling', 'upgrade', 'node', 'cluster', 'quorum', 'a', 'of'];
  const some = (most: number): string => Array.from({ length: 1 + random(most) }, () => words[random(7)]!).join(' ');
  const docs = Array.from({ length: 3000 }, () => doc(some(40), { title: some(3), headings: [some(3), some(2)] }));
  const segments = buildSegments(docs, headed, [1000, 2000], new Set([3, 1500]));
  const plain = new Searcher({ segments }, { headingField: null });
  const searcher = new Searcher({ segments });
  const all = { limit: 5000, countTo: Number.POSITIVE_INFINITY, near: false };
  const keys = (by: Searcher, query: string, options: SearchOptions): string[] =>
    by.search(query, options).hits.map(({ key }) => key ?? '');
  for (const query of [
    'quorum',
    'rolling upgrade',
    '"node cluster"',
    'upgrade of a node',
    'quorum OR node',
    '+node -quorum',
  ]) {
    const every = keys(searcher, query, all);
    assert.equal([...every].sort(), keys(plain, query, all).sort(), query);
    assert.equal(
      keys(searcher, query, { limit: 10, near: false }),
      every.slice(0, 10),
      `${query}: the best are passed over`,
    );
  }
  assert.not.equal(keys(searcher, 'rolling upgrade', all), keys(plain, 'rolling upgrade', all));
});

Search('RU-rank-06: a complete title with punctuation is an exact title, of any length', () => {
  const long = 'Garden: the long summer, part 1 -- or how we learned to love the weeds (and the rain)';
  const docs = [
    doc('x', { title: 'Garden: the long summer' }),
    doc('garden long summer part 1 weeds rain '.repeat(5), { title: 'Summer' }),
    doc('x', { title: long }),
  ];
  const searcher = searcherOf(docs);
  assert.is(searcher.search(long).hits[0]!.fields.title, long);
  assert.is(searcher.search('garden the long summer').hits[0]!.fields.title, 'Garden: the long summer');
});

Search('words near each other come before words far apart, and explain says so', () => {
  const far =
    'nest and other things that birds build high up where no one sees them, each year a new one, then the squirrel';
  const searcher = over(
    far,
    'the squirrel keeps its nest there and other things that no one sees, in each year a new one high up then birds',
  );
  const { hits } = searcher.search('squirrel nest', { explain: true });
  assert.is(hits[1]!.fields.text, far);
  assert.ok(hits[0]!.explain!.details.some(({ description }) => /stand near/.test(description)));
  assert.is(searcher.search('squirrel nest', { near: false }).hits[0]!.fields.text, far);
});

Search('pages of hits that were looked at closer, and of those behind them, hold each once', () => {
  const docs = Array.from({ length: 130 }, (_, i) =>
    doc(i % 3 ? 'red old squirrel nest' : `red ${'and '.repeat(i % 11)} squirrel`),
  );
  for (const cuts of [[], [40, 90]]) {
    const searcher = searcherOf(docs, {}, cuts);
    const all = searcher.search('red squirrel', { limit: 130 }).hits.map((hit) => hit.key);
    assert.is(new Set(all).size, 130);
    for (const size of [7, 50, 60]) {
      const paged: (string | undefined)[] = [];
      const walked: (string | undefined)[] = [];
      let after: string | undefined;
      for (let from = 0; from < 130; from += size) {
        paged.push(...searcher.search('red squirrel', { from, limit: size }).hits.map((hit) => hit.key));
        const { hits } = searcher.search('red squirrel', { limit: size, ...(after === undefined ? {} : { after }) });
        walked.push(...hits.map((hit) => hit.key));
        after = hits.at(-1)!.after;
      }
      assert.equal(paged, all);
      assert.equal(walked, all);
    }
  }
});

Search('a title with other signs is another title', () => {
  const searcher = searcherOf([doc('x', { title: 'C++' }), doc('x', { title: 'C' }), doc('x', { title: 'C#' })]);
  for (const title of ['C++', 'C', 'C#']) assert.is(searcher.search(title).hits[0]!.fields.title, title);
});

Search('RU-paging-01: pages of equal scores hold every document once, in the same order each time', () => {
  const docs = Array.from({ length: 100 }, () => doc('same words here'));
  for (const cuts of [[], [33, 50]]) {
    const searcher = searcherOf(docs, {}, cuts);
    const all = searcher.search('same words', { limit: 100 }).hits.map((hit) => hit.key);
    assert.is(new Set(all).size, 100);
    const paged: (string | undefined)[] = [];
    for (let from = 0; from < 100; from += 10)
      paged.push(...searcher.search('same words', { from, limit: 10 }).hits.map((hit) => hit.key));
    assert.equal(paged, all);
    const walked: (string | undefined)[] = [];
    let after: string | undefined;
    for (;;) {
      const { hits } = searcher.search('same words', { limit: 7, ...(after === undefined ? {} : { after }) });
      if (hits.length === 0) break;
      walked.push(...hits.map((hit) => hit.key));
      after = hits.at(-1)!.after;
    }
    assert.equal(walked, all);
  }
});

Search('a field that cannot be sorted by is named, and the best hits come first', () => {
  const searcher = searcherOf([doc('hit miss miss'), doc('hit hit hit'), doc('hit miss')], {});
  const keys = (sort?: string) =>
    searcher.search('hit', sort === undefined ? {} : { sort }).hits.map(({ doc }) => doc.doc);
  for (const sort of ['banana', '-banana', 'text']) {
    assert.equal(keys(sort), keys());
    assert.match(searcher.search('hit', { sort }).problems.at(-1)!.message, `"${sort.replace('-', '')}"`);
  }
  assert.equal(searcher.search('hit', { sort: '-modified' }).problems, []);
});
Search('RU-paging-03: sorting is over all hits, those without a value last', () => {
  const docs = Array.from({ length: 30 }, (_, i) =>
    doc('hit', { ...(i % 10 === 3 ? {} : { modified: (i * 7) % 30 }) }),
  );
  const searcher = searcherOf(docs, {}, [11]);
  const order = searcher.search('hit', { sort: '-modified', limit: 30 }).hits.map((hit) => hit.doc);
  const values = order.map(({ segment, doc }) => docs[segment * 11 + doc]!.modified);
  const having = values.filter((value) => value !== undefined) as number[];
  assert.equal(
    having,
    having.toSorted((a, b) => b - a),
  );
  assert.equal(values.slice(27), [undefined, undefined, undefined]);
  const second = searcher.search('hit', { sort: '-modified', limit: 10, from: 10 }).hits;
  const after = searcher.search('hit', {
    sort: '-modified',
    limit: 10,
    after: searcher.search('hit', { sort: '-modified' }).hits[9]!.after,
  }).hits;
  assert.equal(
    second.map((hit) => hit.key),
    after.map((hit) => hit.key),
  );
});

Search('RU-paging-04: facet counts fit the hits, deleted documents are never counted', () => {
  const docs = [
    ...Array.from({ length: 25 }, () => doc('hit', { host: 'A' })),
    ...Array.from({ length: 20 }, (_, i) => doc('hit', { host: i % 2 ? 'B' : 'Dark B' })),
  ];
  const searcher = searcherOf(docs, { aliases: { site: 'host' } }, [30], [26, 28, 30, 32, 44]);
  const { facets, total } = searcher.search('hit', { facets: ['site'] });
  const count = (value: string): number | undefined => facets!.site!.find((one) => one.value === value)?.count;
  assert.is(total, 40);
  assert.is(count('A'), 25);
  for (const value of ['B', 'Dark B'])
    assert.is(
      count(value),
      searcher.search('hit', { filter: { kind: 'word', text: value, field: 'site' } }).total,
      value,
    );
  assert.is(count('B')! + count('Dark B')!, 15);
});

Search('forms of a word are found, the one typed first', () => {
  const searcher = over('connections', 'connected', 'connect', 'connoisseur', 'running', 'runs');
  assert.is(texts(searcher, 'connect')[0], 'connect');
  finds(searcher, 'connect', ['connections', 'connected', 'connect']);
  assert.is(texts(searcher, 'connected')[0], 'connected');
  finds(searcher, 'run', ['running', 'runs']);
  finds(searcher, '"connect"', ['connect']);
  finds(searcher, 'connect', ['connect'], { widen: false });
});

Search('the language of most documents decides which forms, and a search may name another', () => {
  const searcher = searcherOf(['H\u00e4user', 'Haus', 'housing'].map((text) => doc(text, { lang: 'de' })));
  assert.is(searcher.lang, 'de');
  finds(searcher, 'haus', ['H\u00e4user', 'Haus']);
  finds(searcher, 'house', ['housing'], { lang: 'en' });
});

Search('all words are wanted; where too few documents have them all, some do, and that is said', () => {
  const searcher = over(...Array.from({ length: 12 }, (_, i) => `red squirrel ${i}`), 'red fox', 'grey squirrel');
  const strict = searcher.search('red squirrel', { limit: 50 });
  assert.is(strict.total, 12);
  assert.not(strict.relaxed);
  const loose = searcher.search('red badger', { limit: 50 });
  assert.is(loose.total, 13);
  assert.ok(loose.relaxed);
  assert.is(searcher.search('+red +badger').total, 0);
  assert.is(searcher.search('red badger', { mode: 'all' }).total, 0);
});

Search('what is odd about a filter is told, each time it is asked', () => {
  const searcher = searcherOf([doc('hit once', { host: 'h1' }), doc('hit hit hit', { host: 'h2' })]);
  const told = (options: SearchOptions): string[] => searcher.search('hit', options).problems.map(({ code }) => code);
  for (const _ of [1, 2]) {
    assert.equal(told({ filter: '((' }), ['unclosed-bracket', 'unclosed-bracket', 'only-signs']);
    assert.equal(told({ filter: { kind: 'word', text: 'a', field: 'nowhere' } }), ['unknown-field']);
    assert.equal(told({ filter: 'host:h1' }), []);
  }
});

Search('filters, ranges and fields narrow; they do not score', () => {
  const docs = Array.from({ length: 40 }, (_, i) =>
    doc('hit', { host: `h${i % 4}`, size: i, modified: Date.UTC(2020, i % 12, 5) }),
  );
  const searcher = searcherOf(docs, { aliases: { site: 'host', date: 'modified' } }, [9]);
  const total = (query: string): number => searcher.search(query).total;
  assert.is(total('hit site:h1'), 10);
  assert.is(total('hit -site:h1'), 30);
  assert.is(total('size:[10 TO 20}'), 10);
  assert.is(total('hit size:>=35'), 5);
  assert.is(total('hit date:2020-03'), 4);
  assert.is(total('hit date:2020-03..2020-04'), 8);
  assert.is(total('hit date:>2020'), 0);
  assert.is(searcher.search('hit', { filter: ['site:h2', 'size:<20'] }).total, 5);
  const [one] = searcher.search('hit', { filter: 'site:h2' }).hits;
  assert.is(one!.score, searcher.search('hit').hits[0]!.score);
});

Search('a prior lifts, and is bounded', () => {
  const docs = [doc('hit'), doc('hit', { score: 5 }), doc('hit', { score: 1e9 }), doc('hit hit hit')];
  const searcher = searcherOf(docs, { prior: { field: 'score', most: 1.2 } });
  const scores = new Map(searcher.search('hit').hits.map((hit) => [hit.doc.doc, hit.score]));
  assert.ok(scores.get(1)! > scores.get(0)!);
  assert.ok(scores.get(2)! <= scores.get(0)! * 1.2001);
});

Search('one hit a site, with the number of those left out', () => {
  const docs = Array.from({ length: 20 }, (_, i) => doc(`hit ${'hit '.repeat(i)}`, { host: `h${i % 3}` }));
  const { hits, total } = searcherOf(docs).search('hit', { group: { field: 'host' } });
  assert.is(total, 20);
  assert.is(hits.length, 3);
  assert.equal(hits.map((hit) => hit.group!.more).sort(), [5, 6, 6]);
});

Search('groups stand in the order of the search without them, whatever the page, and count what they stand for', () => {
  const docs = Array.from({ length: 400 }, (_, i) =>
    doc(
      `hit ${'hit '.repeat((i * 7) % 40)}${i % 3 === 0 ? 'far' : ''}`,
      i % 5 === 0 ? {} : { host: `h${(i * i) % 23}` },
    ),
  );
  const searcher = searcherOf(docs);
  for (const asked of ['hit', 'hit far'])
    for (const limit of [1, 3]) {
      const plain = searcher.search(asked, { limit: 400, mode: 'all' }).hits;
      const host = (hit: (typeof plain)[number]): string | undefined => hit.fields.host as string | undefined;
      const of = (hit: (typeof plain)[number]): (typeof plain)[number][] =>
        plain.filter((one) => host(one) === host(hit));
      const expected = plain
        .filter((hit) => host(hit) === undefined || of(hit).indexOf(hit) < limit)
        .map((hit) => [hit.key, host(hit) === undefined ? 0 : Math.max(0, of(hit).length - limit)]);
      const seen: unknown[] = [];
      let after: string | undefined;
      for (let from = 0; from <= expected.length; from += 7) {
        const options = { limit: 7, group: { field: 'host', limit }, mode: 'all' as const };
        const { hits, total } = searcher.search(asked, { ...options, from });
        assert.is(total, plain.length);
        const next = searcher.search(asked, after === undefined ? options : { ...options, after });
        assert.equal(
          next.hits.map(({ key }) => key),
          hits.map(({ key }) => key),
          `behind ${after}`,
        );
        after = hits.at(-1)?.after ?? after;
        seen.push(...hits.map((hit) => [hit.key, hit.group!.more]));
      }
      assert.equal(seen, expected, `${asked}, ${limit}`);
    }
});

Search('a column beside the segments groups, narrows and is counted', () => {
  const near = { kind: 'u32' as const, values: Uint32Array.of(1, 0, 1, 2, 2), present: Int32Array.of(0b11101) };
  const docs = ['hit', 'hit', 'hit hit', 'hit hit hit', 'mis'].map((text) => doc(text));
  const searcher = searcherOf(docs, { columns: { near: [near] } });
  const keys = (options: SearchOptions): unknown[] =>
    searcher.search('hit', options).hits.map((hit) => [hit.doc.doc, hit.group?.more]);
  assert.equal(keys({ group: { field: 'near' } }), [
    [3, 0],
    [2, 1],
    [1, 0],
  ]);
  assert.equal(keys({ only: { field: 'near', value: 1 } }), [
    [2, undefined],
    [0, undefined],
  ]);
  assert.equal(keys({ only: { field: 'near', value: 9 } }), []);
  assert.equal(searcher.search('hit', { facets: ['near'] }).facets!.near, [
    { value: 1, count: 2 },
    { value: 2, count: 1 },
  ]);
});

Search('a field may have any name, and one that is not there is nowhere, whatever objects are born with', () => {
  const schema = schemaOf({ name: 'text', index: 'text' }, { name: 'constructor', index: 'text' });
  const segments = buildSegments([{ id: 'a', text: 'hit', constructor: 'owl' }], schema);
  const near = { kind: 'u32' as const, values: Uint32Array.of(1), present: Int32Array.of(1) };
  const searcher = new Searcher({ segments }, { aliases: { name: 'id' }, columns: { near: [near] } });
  assert.is(searcher.search('constructor:owl').total, 1);
  assert.is(searcher.search('owl', { fields: { text: 2 } }).total, 1);
  const codes = (options: SearchOptions): string[] => searcher.search('hit', options).problems.map(({ code }) => code);
  assert.equal(codes({ sort: 'toString' }), ['no-sort']);
  assert.equal(codes({ group: { field: 'toString' } }), ['no-group']);
  assert.equal(searcher.search('hit', { facets: ['toString'] }).facets, {});
});

Search('who sorts or groups by what has no order is told which fields have one', () => {
  const schema = schemaOf(
    { name: 'text', index: 'text' },
    { name: 'size', index: 'none', column: 'u32' },
    { name: 'digest', index: 'none', column: 'hash128' },
    { name: 'kind', index: 'keyword', column: 'string' },
  );
  const searcher = new Searcher({ segments: buildSegments([{ id: 'a', text: 'hit', size: 1 }], schema) });
  assert.equal(searcher.columns, ['size', 'kind']);
  const { problems } = searcher.search('hit', { sort: '-text', group: { field: 'text' } });
  assert.equal(
    problems.map(({ message }) => message.endsWith(' Fields that can: size, kind.')),
    [true, true],
  );
  assert.equal(searcher.search('hit', { sort: '-kind', group: { field: 'size' } }).problems, []);
});

Search('a misspelt word is met with the index\u2019s own', () => {
  const searcher = over('configuration of the server', 'another configuration', 'berries');
  assert.is(searcher.search('cofniguration').suggestion, 'configuration');
  assert.is(searcher.search('server konfiguration').suggestion, 'server configuration');
  assert.is(searcher.search('configuration').suggestion, undefined);
  assert.is(searcher.search('xyzzyq').suggestion, undefined);
});

Search('more like this: by its rare words, without itself', () => {
  const searcher = over(
    'red squirrels build nests in oak trees',
    'oak trees and squirrels',
    'nests of birds',
    'stock market report',
  );
  const { hits } = searcher.moreLike({ segment: 0, doc: 0 });
  assert.is(hits[0]!.fields.text, 'oak trees and squirrels');
  assert.not(hits.some((hit) => hit.doc.doc === 0));
});

Search('a document is found by its key, a deleted one is not', () => {
  const docs = [doc('a'), doc('b'), doc('c')];
  const searcher = searcherOf(docs, {}, [1], [2]);
  assert.equal(searcher.find(docs[1]!.id as string), { segment: 1, doc: 0 });
  assert.is(searcher.find(docs[2]!.id as string), undefined);
  assert.is(searcher.find('absent'), undefined);
});

Search('an index of nothing answers with nothing', () => {
  for (const searcher of [searcherOf([]), new Searcher({ segments: [] })]) {
    assert.is(searcher.search('anything at all "or this"').total, 0);
    assert.equal(searcher.search('x', { facets: ['host'], sort: 'size', group: { field: 'host' } }).hits, []);
  }
});

Search('every ASCII sign in front of, inside and behind a word: the page is found, and never every page', () => {
  const others = Array.from({ length: 30 }, (_, i) => `unrelated ${i}`);
  for (let code = 33; code < 127; code++) {
    const sign = String.fromCharCode(code);
    if (/[a-z0-9]/i.test(sign)) continue;
    for (const written of [`${sign}word`, `word${sign}`, `wo${sign}rd`]) {
      const searcher = over(`see ${written} here`, ...others);
      // In front and inside these two are patterns.
      if (!('*?'.includes(sign) && !written.endsWith(sign)) && !(sign === '~' && written.startsWith('wo~'))) {
        const { total } = searcher.search(written);
        assert.ok(total >= 1 && total < 30, `${written}: ${total}`);
        assert.is(texts(searcher, written)[0], `see ${written} here`);
      }
      if (!written.startsWith(`wo${sign}`)) assert.is(searcher.search('word').total, 1, written);
    }
  }
});

Search('a field and a star find whatever has a value there, whatever kind of field it is', () => {
  const schema = schemaOf(
    { name: 'title', index: 'text' },
    { name: 'site', index: 'keyword', column: 'string' },
    { name: 'tag', index: 'keyword' },
    { name: 'size', index: 'none', column: 'u32' },
  );
  const docs = [
    { id: 'a', title: 'one owl', site: 'x.org', size: 0 },
    { id: 'b', title: 'two', tag: 't' },
    { id: 'c', site: 'y.org', size: 7 },
    { id: 'd', title: '' },
  ];
  for (const cuts of [[], [1], [2, 3]]) {
    const searcher = new Searcher({ segments: buildSegments(docs, schema, cuts) });
    const keys = (query: string): string => {
      const { hits, problems } = searcher.search(query);
      assert.equal(problems, [], query);
      return hits
        .map(({ key }) => key)
        .sort()
        .join('');
    };
    assert.is(keys('title:*'), 'ab');
    assert.is(keys('site:*'), 'ac');
    assert.is(keys('tag:*'), 'b');
    assert.is(keys('size:*'), 'ac');
    assert.is(keys('owl (site:*)'), 'a');
    assert.is(keys('title:* -site:*'), 'b');
    const { query } = searcher.parse('title:*');
    assert.equal(searcher.parse(queryText(query)).query, query);
  }
});

Search('a word that stands nowhere is named, once, and not one that is excluded', () => {
  const schema = schemaOf({ name: 'text', index: 'text' });
  const searcher = new Searcher({ segments: buildSegments([{ id: 'a', text: 'red owls' }], schema) });
  const named = (query: string): string[] =>
    searcher
      .search(query)
      .problems.filter(({ code }) => code === 'unknown-word')
      .map(({ message }) => message);
  assert.equal(named('red squirrel squirrel'), ['"squirrel" stands nowhere in the index.']);
  assert.equal(named('red squirrel squirrel').length, 1, 'also when asked again');
  assert.equal(named('red owl'), [], 'another form of it does');
  assert.equal(named('red -squirrel'), []);
  assert.equal(named('red squirrel*'), []);
  assert.is(named(Array.from({ length: 30 }, (_, i) => `zz${i}`).join(' ')).length, 5);
});

Search('facets say how many values are not listed, and a field without a column is in none', () => {
  const schema = schemaOf({ name: 'text', index: 'text' }, { name: 'site', index: 'keyword', column: 'string' });
  const docs = Array.from({ length: 14 }, (_, i) => ({ id: `${i}`, text: 'hit', site: `s${i % 13}` }));
  const searcher = new Searcher({ segments: buildSegments(docs, schema, [5]) });
  const { facets, moreFacets } = searcher.search('hit', { facets: ['site', 'text', 'nothing'] });
  assert.equal(Object.keys(facets!), ['site']);
  assert.is(facets!.site!.length, 10);
  assert.equal(facets!.site![0], { value: 's0', count: 2 });
  assert.equal(moreFacets, { site: 3 });
  assert.is(searcher.search('hit', { facets: [{ field: 'site', limit: 13 }] }).moreFacets, undefined);
});

Search('another spelling is never proposed from another language', () => {
  const schema: Schema = {
    key: 'id',
    lang: 'lang',
    fields: [
      { name: 'id', index: 'keyword', stored: true },
      { name: 'text', index: 'text' },
      { name: 'lang', index: 'keyword', column: 'string' },
    ],
  };
  const docs = [
    ...['the red garden', 'a red garden gate', 'garden work'].map((text) => ({ text, lang: 'en' })),
    ...['der rote garten', 'das rote haus'].map((text) => ({ text, lang: 'de-AT' })),
  ].map((doc, i) => ({ id: `${i}`, ...doc }));
  for (const cuts of [[], [3]]) {
    const searcher = new Searcher({ segments: buildSegments(docs, schema, cuts) });
    assert.is(searcher.search('rote gardten').suggestion, 'rote garten', 'the other words tell the language');
    assert.is(searcher.search('red gardten').suggestion, 'red garden');
    assert.is(searcher.search('gardten', { lang: 'de' }).suggestion, 'garten');
    assert.is(searcher.search('gardten').suggestion, 'garden', 'the most frequent one where nothing tells');
  }
});

Search.run();
