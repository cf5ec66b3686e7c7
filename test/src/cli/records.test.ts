import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostColumns, hostStatsColumns, linkColumns, table, tell, tellStats } from '../../../src/cli/records.ts';
import type { HostRecord } from '../../../src/read/hosts.ts';

const Records = suite('records for people');

const host = (name: string, urls: number): HostRecord => ({
  host: name,
  urls,
  statuses: { fetched: urls - 1, gone: 1 },
  due: 0,
  bestScore: 1 / 3,
  lastFetched: '2026-11-30T20:29:37.133Z',
});

Records('a table has a head, figures to the right, and a last column that may run on', () => {
  assert.equal(table(hostColumns, [host('a.example', 12), host('long.example', 1200)]), [
    'host          pages  due   best  last fetch (UTC)  by status',
    'a.example        12    0  0.333  2026-11-30 20:29  11 fetched, 1 gone',
    'long.example  1,200    0  0.333  2026-11-30 20:29  1,199 fetched, 1 gone',
  ]);
});

Records('what a page wrote cannot steer the terminal that a table is shown on', () => {
  const [, line] = table(linkColumns, [{ from: 'https://example.org/', anchor: 'red\x1b[2J\nnext' }]);
  assert.is(line, 'red [2J next       https://example.org/');
});

Records('a record leaves out what is empty, and times, sizes and intervals read as such', () => {
  const record = {
    url: 'https://example.org/',
    target: '',
    lease: null,
    meta: {},
    robots: { noindex: false },
    due: '2026-12-30T20:29:35.587Z',
    interval: 2_592_000,
    outcome: { fetched: Date.UTC(2026, 10, 30, 20, 29), bytes: 2048, responseMs: 3, signature: Uint8Array.of(1, 171) },
    links: [{ url: 'https://example.org/a' }],
  };
  assert.equal(
    [...tell(record)],
    [
      'url: https://example.org/',
      'due: 2026-12-30 20:29 UTC',
      'interval: 30 days',
      'outcome:',
      '  fetched: 2026-11-30 20:29 UTC',
      '  bytes: 2.0 kB',
      '  responseMs: 3 ms',
      '  signature: 01ab',
      'links:',
      '  {"url":"https://example.org/a"}',
    ],
  );
});

Records('statistics are a line a question, within 80 columns', () => {
  const quantiles = { p50: 0.1667 };
  const lines = tellStats({
    urls: 7,
    hosts: 1,
    statuses: { fetched: 4, gone: 2, 'redirect-permanent': 1 },
    reasons: { ok: 4, 'http-404': 1 },
    depths: { 0: 1, 1: 6 },
    due: 0,
    leased: 0,
    nextDue: '2026-12-30T20:29:35.153Z',
    score: { min: 1 / 6, mean: 0.2857, max: 1, quantiles },
    interval: { min: 3600, mean: 2_592_000, max: 3_888_000, quantiles: { p50: 2_592_000 } },
    retries: { 0: 7 },
  });
  assert.is(lines[0], 'pages                7 on 1 host');
  assert.ok(lines.includes('score                0.167 to 1, mean 0.286, median 0.167'), lines.join('\n'));
  assert.ok(lines.includes('fetched again after  1 h 00 min to 45 days, mean 30 days, median 30 days'));
  assert.not.match(lines.join('\n'), /tries that failed/);
  assert.ok(lines.every((line) => line.length <= 80));
});

Records('what is all the same is said once, and tries that failed are those that did', () => {
  const flat = { min: 2_592_000, mean: 2_592_000, max: 2_592_000, quantiles: { p50: 2_592_000 } };
  const lines = tellStats({
    urls: 3,
    hosts: 1,
    statuses: { fetched: 3 },
    reasons: { ok: 3 },
    depths: { 0: 3 },
    due: 0,
    leased: 0,
    nextDue: null,
    score: null,
    interval: flat,
    retries: { 0: 1174, 1: 2, 3: 1 },
  });
  assert.ok(lines.includes('fetched again after  30 days'), lines.join('\n'));
  assert.ok(lines.includes('tries that failed    2 after 1, 1 after 3'), lines.join('\n'));
});

Records(
  'on a terminal the last column goes on below itself, a list at its commas, an address where the room ends',
  () => {
    const columns = [
      { head: 'n', of: (one: { text: string }) => String(one.text.length) },
      { head: 'what', of: (one: { text: string }) => one.text },
    ];
    const list = '2 redirect-permanent, 13 fetched, 1 gone';
    const address = 'https://example.org/a/rather/long/address';
    assert.equal(table(columns, [{ text: list }, { text: address }], 32), [
      'n   what',
      '40  2 redirect-permanent,',
      '    13 fetched, 1 gone',
      '41  https://example.org/a/rathe',
      '    r/long/address',
    ]);
    assert.equal(table(columns, [{ text: list }])[1], `40  ${list}`);
  },
);

Records('files have no host, and are called so', () => {
  assert.is(hostColumns[0]!.of({ host: '' } as never), '(files)');
  assert.is(hostStatsColumns[0]!.of({ host: '' } as never), '(files)');
});

Records.run();
