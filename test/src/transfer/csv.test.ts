import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csvDefaults, csvRow } from '../../../src/transfer/csv.ts';
import { shared } from '../../kit/shared.ts';

const Csv = suite('csv');

Csv('a value that holds a separator, a quote or a line break is quoted, others are not', () => {
  assert.is(
    csvRow(['a', 'b c', 'd,e', 'f"g', 'h\ni', 7, null, undefined, ['x', 'y']]),
    'a,b c,"d,e","f""g","h\ni",7,,,x|y',
  );
});

/** RFC 4180, read the dumb way. */
function read(row: string): string[] {
  const values: string[] = [];
  let rest = `${row},`;
  while (rest) {
    const [all, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/.exec(rest)!;
    values.push(quoted?.replaceAll('""', '"') ?? plain!);
    rest = rest.slice(all.length);
  }
  return values;
}

Csv('what is written is read back as it was, whatever signs it holds', () => {
  const signs = ['a', '"', ',', '\n', '\r', ' ', 'é'];
  for (let n = 0; n < 2000; n++) {
    const values = [0, 1, 2].map((i) => [0, 1, 2].map((j) => signs[Math.floor(n / 7 ** ((i + j) % 4)) % 7]).join(''));
    assert.equal(read(csvRow(values)), values, String(n));
  }
});

const vectors = shared('vectors/nutch/indexing-filters.json');
if (vectors === null) console.log("skipped: Nutch's vectors of its CSV writer are not at hand");
else {
  for (const { fields, doc, docs, out, maxfieldlength, separator, quotechar, valuesep } of JSON.parse(
    readFileSync(vectors, 'utf8'),
  ).csv)
    if (out !== undefined)
      Csv(`Nutch's vector ${JSON.stringify(out)} holds`, () => {
        const settings = {
          separator: separator ?? csvDefaults.separator,
          quote: quotechar ?? csvDefaults.quote,
          valueSeparator: valuesep ?? csvDefaults.valueSeparator,
          maxField: maxfieldlength ?? -1,
        };
        const rows = (docs ?? [doc]).map((one: Record<string, string[]>) =>
          csvRow(
            (fields?.split(',') ?? Object.keys(one)).map((name: string) => one[name]),
            settings,
          ),
        );
        assert.equal(rows, [out].flat());
      });
}

Csv.run();
