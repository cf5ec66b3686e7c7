import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseQuery } from '../../../index/query/parse.ts';
import { type Query, queryText } from '../../../index/query/query.ts';
import { shared } from '../../kit/shared.ts';

const Parse = suite('parse');
const isField = (name: string): boolean => ['title', 'size', 'field', 'another', 'the', 'site'].includes(name);
const parse = (text: string) => parseQuery(text, { isField });
const text = (line: string): string => show(parse(line).query);

/** A short form that keeps what matters: kinds in brackets, occurrences as signs. */
function show(query: Query): string {
  const at = (field?: string): string => (field ? `${field}:` : '');
  switch (query.kind) {
    case 'word':
      return at(query.field) + query.text;
    case 'bool':
      return query.clauses
        .map(({ occur, query }) => (occur === 'must' ? '+' : occur === 'not' ? '-' : '') + nested(query))
        .join(' ');
    case 'or':
      return query.of.map(nested).join(' | ');
    default:
      return queryText(query);
  }
}
const nested = (query: Query): string =>
  query.kind === 'bool' || query.kind === 'or' ? `(${show(query)})` : show(query);

const cases: [line: string, expected: string][] = [
  ['red squirrel', 'red squirrel'],
  ['+red -grey', '+red -grey'],
  ['"red squirrel" nest', '"red squirrel" nest'],
  ['"a b"~3', '"a b"~3'],
  ['\u201cred squirrel\u201d', '"red squirrel"'],
  ['"never closed', '"never closed"'],
  ['term"the end"', 'term "the end"'],
  ['red OR grey nest', '(red | grey) nest'],
  ['a OR b OR c', 'a | b | c'],
  ['a AND b', '+a +b'],
  ['a NOT b', 'a -b'],
  ['OR', 'OR'],
  ['this OR', 'this OR'],
  ['AND b', 'AND b'],
  ['(a b) c', '(a b) c'],
  ['-(a b) c', '-(a b) c'],
  ['((((a))))', 'a'],
  ['(a', 'a'],
  ['a)', 'a'],
  ['title:nest', 'title:nest'],
  ['title:"red nest"', 'title:"red nest"'],
  ['title:(red nest)', 'title:red title:nest'],
  ['-title:nest red', '-title:nest red'],
  ['title:', 'title:'],
  ['WARN: bye', 'WARN: bye'],
  ['foo:bar:baz', 'foo:bar:baz'],
  ['http://example.com/a', 'http://example.com/a'],
  ['squir*', 'squir*'],
  ['s?uir*l', 's?uir*l'],
  ['*rel', '*rel'],
  ['where is it?', 'where is it?'],
  ['squirel~', 'squirel~1'],
  ['squirel~2', 'squirel~2'],
  ['size:[10 TO 20}', 'size:[10 TO 20}'],
  ['size:[* TO 20]', 'size:[* TO 20]'],
  ['size:>=10', 'size:[10 TO *]'],
  ['size:<10', 'size:[* TO 10}'],
  ['size:10..20', 'size:[10 TO 20]'],
  ['nest^2 red', 'nest red'],
  ['tea,coffee;milk', 'tea coffee milk'],
  ['1,000 genomes', '1,000 genomes'],
  ['C++ C# .NET --force', 'C++ C# .NET --force'],
  ['--verbose', '--verbose'],
  ['-q', '-q'],
  ['-q -v', '-q -v'],
  ['purge -soft', 'purge -soft'],
  ['\u201e\u201c', ''],
  ['', ''],
  ['   \u3000 ', ''],
  ['%%%%%%%%', ''],
  ['"..."', ''],
  ['*', ''],
  ['+ - ( ) "" ""', ''],
  ['a + b', 'a b'],
  ['printf(3)', 'printf 3'],
  ['\ud83c\udf50', '\ud83c\udf50'],
  ['\ud800', ''],
];
for (const [line, expected] of cases)
  Parse(`${JSON.stringify(line)} is ${JSON.stringify(expected)}`, () => assert.is(text(line), expected));

Parse('RU-query-02: exclusions alone are read as the words they were typed as, and that is said', () => {
  const { query, problems } = parse('-soft -hard');
  assert.equal(query, {
    kind: 'bool',
    clauses: [
      { occur: 'want', query: { kind: 'word', text: '-soft' } },
      { occur: 'want', query: { kind: 'word', text: '-hard' } },
    ],
  });
  assert.is(problems[0]!.code, 'only-negative');
});

Parse('a minus before a number is a switch of a command, and not an exclusion', () => {
  for (const line of ['kill -9', 'head -20 file', '(kill -9)'])
    assert.not.match(JSON.stringify(parse(line).query), /"not"/, line);
  for (const line of ['purge -soft', 'mercury -3d', 'kill -"9"', 'words -漢'])
    assert.match(JSON.stringify(parse(line).query), /"not"/, line);
});

Parse('a doubt names what was doubtful and where', () => {
  const codes = (line: string): string[] => parse(line).problems.map((problem) => problem.code);
  assert.equal(codes('"open'), ['unclosed-quote']);
  assert.equal(codes('(open'), ['unclosed-bracket']);
  assert.equal(codes('close)'), ['stray-bracket']);
  assert.equal(codes('%%%'), ['only-signs']);
  assert.equal(codes('size:[1 2]'), ['bad-range']);
  assert.equal(codes('red squirrel'), []);
  assert.is(parse('a close)').problems[0]!.at, 7);
});

Parse('100,000 characters, ten thousand clauses, deep brackets: an answer that says what was left out', () => {
  assert.equal(
    parse('x'.repeat(100_000)).problems.map((p) => p.code),
    ['too-long'],
  );
  const many = parse('a '.repeat(10_000));
  assert.is(many.query.kind === 'bool' && many.query.clauses.length, 1024);
  assert.ok(many.problems.some((p) => p.code === 'too-many-clauses'));
  const deep = parse(`${'('.repeat(10_000)}a${')'.repeat(10_000)}`);
  assert.ok(deep.problems.some((p) => p.code === 'too-deep'));
  assert.is(show(parse(`${'('.repeat(200)}a${')'.repeat(200)}`).query), 'a');
});

Parse('every ASCII sign in front of, inside and behind a word leaves a word to look for', () => {
  for (let code = 33; code < 127; code++) {
    const sign = String.fromCharCode(code);
    if (/[a-z0-9]/i.test(sign)) continue;
    for (const line of [`${sign}word`, `wo${sign}rd`, `word${sign}`, `see ${sign}word`, `see word${sign} now`]) {
      const { query } = parse(line);
      assert.is.not(query.kind, 'none', line);
      assert.ok(/w/.test(queryText(query)), line);
    }
  }
});

Parse('no text throws, and none but stars and signs is empty', () => {
  const alphabet = fc.constantFrom(
    ...'ab "+-():*?~^[]{}.,<>&|!/\\\u201c\ud800\u6771 AND OR NOT TO title: size:'
      .split(/(?<=:)| /)
      .flatMap((x) => [x, ' ']),
  );
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 30 }), (pieces) => {
      const line = pieces.join('');
      const { query } = parse(line);
      if (/[ab\u6771]/.test(line)) assert.is.not(query.kind, 'none', line);
    }),
    { seed: 7, numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => void parse(line)),
    { seed: 7, numRuns: 2000 },
  );
});

Parse('a query printed and read again is the same query', () => {
  for (const [line] of cases) {
    const { query } = parse(line);
    if (line.startsWith('-q') || line === '"never closed') continue;
    assert.equal(parse(queryText(query)).query, query, line);
  }
});

const vectors = shared('vectors/nutch/query-parser-1.2.json');
if (!vectors) console.log('skipped: the query parser vectors of Nutch 1.2 are not here');
else {
  /** Where we answer otherwise on purpose. */
  const ours: Record<string, string> = {
    '-x': 'x', // exclusions alone are words
    '-bobo': 'bobo',
    '-"bobo bogo"': '"bobo bogo"',
    the: 'the', // small words are dropped when the query is run, and only if something is left
    '+the -y': 'the -y',
    'w.s.o.p.': 'w.s.o.p.', // acronyms, compounds and Han are cut by the analysis, not by the parser
    '"phrase a.b.c. phrase"': '"phrase a.b.c. phrase"',
    'term some.email@adress.here': 'term some.email@adress.here',
    '\u3040\u3041\u3042': '\u3040\u3041\u3042',
  };
  for (const { query, parsed } of JSON.parse(readFileSync(vectors, 'utf8')).cases as {
    query: string;
    parsed: string;
  }[])
    Parse(`Nutch 1.2 reads ${JSON.stringify(query)} like this`, () =>
      assert.is(
        text(query)
          .replaceAll('+', '')
          .toLowerCase()
          .replace(/^-(?=\w+$|"[^"]*"$)/, ''),
        ours[query] ?? parsed,
      ),
    );
}

Parse.run();
