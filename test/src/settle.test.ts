import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config-file.ts';
import { CrawlError } from '../../src/errors.ts';
import { pageSchema } from '../../src/fields/schema.ts';
import { nearest } from '../../src/nearest.ts';
import { defaults, type Options, optionKeys } from '../../src/options.ts';
import { rules } from '../../src/options-rules.ts';
import { settle } from '../../src/settle.ts';

const Settle = suite('settle');

const complaint = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    assert.instance(error, CrawlError);
    assert.is((error as CrawlError).code, 'config');
    return (error as Error).message;
  }
  throw new Error('nothing was complained about');
};
const settleText = (text: string): unknown => {
  const { options, origins } = parseConfig(text, 'crawl.json');
  return settle(options, origins);
};

Settle('nothing given is the defaults, and a group given in part keeps the rest', () => {
  assert.equal(settle(), defaults);
  const settled = settle({ net: { delay: 5 } });
  assert.is(settled.net.delay, 5);
  assert.is(settled.net.agent, defaults.net.agent);
  assert.is(defaults.net.delay, 1000);
});

Settle('what is settled cannot be changed, and does not change with what was given', () => {
  const filters = ['+a'];
  const settled = settle({ scope: { filters } });
  filters.push('-b');
  assert.equal(settled.scope.filters, ['+a']);
  assert.throws(() => {
    (settled.net as { delay: number }).delay = 1;
  });
  assert.throws(() => (settled.scope.filters as string[]).push('x'));
});

Settle('every default fits its own rule, so a written-out config is a config', () => {
  for (const path of optionKeys) {
    const [group, key] = path.split('.') as ['net', 'delay'];
    assert.equal(rules[group][key].read(defaults[group][key]), defaults[group][key], path);
  }
  assert.equal(settle(JSON.parse(JSON.stringify(defaults)) as Options), defaults);
});

Settle('an unknown key is refused with the nearest one', () => {
  assert.is(
    complaint(() => settle({ net: { dealy: 1 } } as Options)),
    'there is no option net.dealy; did you mean net.delay?',
  );
  assert.match(
    complaint(() => settle({ nett: {} } as Options)),
    /there is no option nett; did you mean net\?/,
  );
  assert.is(
    complaint(() => settle({ zebra: {} } as Options)),
    'there is no option zebra',
  );
  assert.match(
    complaint(() => settle({ net: { constructor: 1 } } as unknown as Options)),
    /no option net\.constructor/,
  );
  assert.match(
    complaint(() => settle(JSON.parse('{"net":{"__proto__":1}}') as Options)),
    /no option net\.__proto__/,
  );
});

for (const [path, value, part] of [
  ['net.delay', -1, 'a whole number from 0'],
  ['net.delay', Number.NaN, 'a whole number'],
  ['net.delay', 1.5, 'a whole number'],
  ['net.delay', null, 'a whole number'],
  ['net.delay', '1 fortnight', 'such as 250ms'],
  ['net.queueBy', 'site', 'one of host, domain, ip'],
  ['net.agent', '', 'printable ASCII'],
  ['net.agent', 'a\r\nx: y', 'printable ASCII'],
  ['scope.filters', ['+(unclosed'], 'compiles'],
  ['scope.filters', ['no sign'], 'each + or -'],
  ['scope.filterSets', [{ filter: 'sufix', rules: [] }], 'suffix'],
  ['scope.filterSets', [{ filter: 'suffix', rules: '.zip' }], 'suffix'],
  ['index.maxLoss', 1.1, 'a number from 0 to 1'],
  ['work.threads', 0, "'auto' or a whole number"],
  ['search.links', { 'srv/docs': 'https://intranet.example/' }, 'absolute paths'],
  ['search.links', { '/srv/docs': 'javascript:alert(1)' }, 'http or https'],
  ['net', 7, 'must be an object'],
  ['net.headers', { 'http://a.test': { x: 'a\nb' } }, 'an object of origins'],
  ['net.headers', { 'http://a.test': { 'a\r\nb': 'c' } }, 'an object of origins'],
  ['net.headers', { 'http://a.test': { Host: 'b.test' } }, 'an object of origins'],
  ['net.headers', { 'http://a.test': { 'content-length': '5' } }, 'an object of origins'],
] as const)
  Settle(`${path} of ${JSON.stringify(value)} is refused, saying what is allowed`, () => {
    const [group, key] = path.split('.');
    const given = key ? { [group!]: { [key]: value } } : { [group!]: value };
    assert.ok(complaint(() => settle(given as Options)).includes(part));
  });

for (const [path, text, value] of [
  ['net.delay', '250', 250],
  ['net.delay', '30s', 30_000],
  ['net.timeout', '1.5s', 1500],
  ['schedule.interval', '12h', 43_200],
  ['schedule.interval', 60, 60],
  ['net.maxBody', '4MB', 4 << 20],
  ['round.topN', '1e3', 1000],
  ['scope.filters', '+x', ['+x']],
  [
    'scope.filters',
    ['-/print/', '> example.org', '-(?i)\\.JPG$', '<', '+'],
    ['-/print/', '> example.org', '-(?i)\\.JPG$', '<', '+'],
  ],
] as const)
  Settle(`${path} of ${text} is ${value}`, () => {
    const [group, key] = path.split('.') as ['net', 'delay'];
    assert.equal(settle({ [group]: { [key]: text } } as Options)[group][key], value as never);
  });

Settle('of a list that does not fit, the member that does not is named alone', () => {
  assert.match(
    complaint(() => settle({ scope: { filters: ['-/print/', '+(unclosed', '+'] } })),
    /compiles, not "\+\(unclosed"$/,
  );
  assert.match(
    complaint(() => settle({ index: { include: 7 } } as unknown as Options)),
    /a list of CSS selectors, not 7$/,
  );
});

Settle('a complaint about a config file names file, line and key', () => {
  assert.is(
    complaint(() => settleText('{\n  // gently\n  "net": {\n    "delay": "soon",\n  },\n}')),
    'crawl.json line 4: net.delay must be a whole number from 0 to 86400000 milliseconds, or a time such as 250ms, 30s or 5m, not "soon"',
  );
  assert.match(
    complaint(() => settleText('{"net":\n{"agnet":1}}')),
    /^crawl\.json line 2: .*did you mean net\.agent\?$/,
  );
});

for (const [text, says] of [
  ['', 'line 1, column 1: a config file is one object: { belongs here, not the end of the file'],
  ['[]', 'line 1, column 1: a config file is one object'],
  ['{"a" 1}', 'line 1, column 6: a colon belongs here'],
  ['{"a":1 "b":2}', 'line 1, column 8: a comma or } belongs here'],
  ['{"net":{"delay":1,\n"delay":2}}', 'line 2, column 1: the key "delay" is written twice'],
  ['{"a":tru}', 'a value belongs here'],
  ['{"a":01}', 'a value belongs here'],
  ['{"a":"x\ny"}', 'this text does not end on its line'],
  ['{} {}', 'nothing may follow the object'],
  ['{ /* x }', 'this comment does not end'],
  ['{"a":"\\q"}', 'escape'],
] as const)
  Settle(`${JSON.stringify(text)} is no config file, and the message says where`, () => {
    assert.ok(
      complaint(() => parseConfig(text, 'crawl.json')).includes(says),
      complaint(() => parseConfig(text, 'c')),
    );
  });

Settle('any JSON object reads as JSON.parse reads it, comments and last commas beside', () => {
  const value = { a: [1, -2.5e3, true, null, 'x\u00e9\n"//no comment"'], b: { c: {} }, d: [] };
  for (const indent of [0, 2]) {
    const text = JSON.stringify(value, null, indent);
    assert.equal(parseConfig(text, 'c').options, value as never);
    assert.equal(parseConfig(`\ufeff/* x */${text} // end`, 'c').options, value as never);
  }
  assert.equal(parseConfig('{"a":[1,2,],"b":{"c":1,},}\r\n', 'c').options, { a: [1, 2], b: { c: 1 } } as never);
});

Settle('the nearest name forgives case, hyphens, one letter in three and a missing group', () => {
  assert.is(nearest('--topn', ['--top-n', '--rounds']), '--top-n');
  assert.is(nearest('updatdb', ['updatedb', 'readdb']), 'updatedb');
  assert.is(nearest('delay', optionKeys), 'net.delay');
  assert.is(nearest('xyzzy', ['crawl', 'search']), null);
});

Settle(
  'a static field is none of those that every page has, and has a name; the one that is not right is named',
  () => {
    const own = pageSchema(settle({ index: { nearDuplicates: 'group' } }).index).fields.map(({ name }) => name);
    for (const name of [...own, '', '__proto__']) {
      const said = complaint(() =>
        settleText(`{ "index": {\n"static": { "source": "x", ${JSON.stringify(name)}: "7" } } }`),
      );
      assert.match(
        said,
        /^crawl\.json line 2: index\.static must be an object of names of fields that pages do not have/,
      );
      assert.ok(said.endsWith(`not {${JSON.stringify(name)}:"7"}`), said);
    }
    assert.match(
      complaint(() => settle({ index: { static: 'boost:7' as never } })),
      /not \{"boost":"7"\}$/,
    );
  },
);

Settle('a group is an unknown one although every object has a member of its name', () => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    assert.match(
      complaint(() => settleText(`{ "${name}": { "a": 1 } }`)),
      new RegExp(`there is no option ${name}`),
    );
});

Settle.run();
