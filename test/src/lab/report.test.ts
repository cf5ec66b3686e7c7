import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { complaints, headline, type LabFigures, table } from '../../../src/lab/figures.ts';
import { growth } from '../../../src/lab/growth.ts';
import { settleWeb } from '../../../src/lab/options.ts';
import { report } from '../../../src/lab/report.ts';

const Report = suite('lab/report');

const sample = (second: number) => ({
  second,
  rssBytes: 1e8 + second * 1e6,
  cores: 1.5,
  mainLoop: 0.1,
  loops: [0.9, 0.8],
  step: 'fetch',
  fetched: second * 100,
  bytes: second * 1e6,
  inFlight: 7,
  bytesHeld: 3e6,
});
const figures: LabFigures = {
  format: 1,
  at: '2026-01-01T00:00:00Z',
  machine: { cpu: 'a <fast> one', cores: 2, memoryGB: 8, platform: 'linux-x64', node: 'v20.19.0', load: 0 },
  web: { kind: 'synthetic', options: settleWeb({}) },
  threads: 2,
  delayMs: 0,
  connections: 1,
  pages: 2000,
  bytes: 20e6,
  indexed: 1900,
  seconds: 4,
  cpuSeconds: 6,
  startCpuSeconds: 0.5,
  peakRssBytes: 123e6,
  steps: [
    { step: 'fetch', runs: 3, seconds: 3, cpuSeconds: 4, counters: { fetched: 2000 } },
    { step: 'index', runs: 1, seconds: 1, cpuSeconds: 1, counters: {} },
  ],
  readingSeconds: 1.5,
  storingSeconds: 0.5,
  outcomes: { ok: 2000, 'http-404': 10 },
  samples: [0, 1, 2, 3, 4].map(sample),
  lab: {
    requests: 2100,
    bytes: 21e6,
    statuses: { 200: 2000, 404: 10 },
    robots: 20,
    sitemaps: 5,
    connections: 30,
    politeness: {
      violations: 0,
      tooSoon: 0,
      overlapping: 0,
      denied: 0,
      beforeRetryAfter: 0,
      minGapMs: 0.2,
      edgesMs: [1, 2, -1],
      counts: [10, 20, 1],
    },
    pages: { expected: 2010, requested: 2010, missed: 0, served: 2000, unserved: 0, repeated: 0, missing: [] },
    cpuSeconds: 0.2,
    hosts: [],
  },
};

Report('the headline is arithmetic over the figures', () => {
  const told = headline(figures);
  assert.is(told['pages/s'], 500);
  assert.is(told['MB/s'], 5);
  assert.is(told['CPU s per 1,000 pages'], 3);
  assert.is(told['  fetch, CPU s per 1,000 pages'], 2);
  assert.is(told['    parse in it, s per 1,000 pages'], 0.75);
  assert.is(told['    store in it, s per 1,000 pages'], 0.25);
  assert.is(told['busiest thread in use while fetching'], 0.9);
  assert.is(told['bytes in flight, at most, MB'], 3);
  assert.is(told["the lab's own CPU s per 1,000 pages"], 0.1);
});

Report('two runs stand side by side with their ratio', () => {
  const slower = { ...figures, cpuSeconds: 9 };
  assert.match(table([figures, slower]), /^CPU s per 1,000 pages +3 +4\.5 +x 1\.50$/m);
});

Report('cost grows against the smallest run, speed against the run with fewest threads', () => {
  const sized = (pages: number, threads: number, seconds: number, cpuSeconds: number): LabFigures => ({
    ...figures,
    web: { kind: 'synthetic', options: settleWeb({ pages }) },
    pages,
    threads,
    seconds,
    cpuSeconds: cpuSeconds + figures.startCpuSeconds,
  });
  const text = growth([
    sized(1000, 1, 2, 1),
    sized(1000, 2, 1, 1.2),
    sized(10_000, 1, 20, 11),
    sized(10_000, 2, 10, 12),
  ]);
  const cells = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  assert.equal(
    cells.slice(1).map(([pages, threads, , cost, , speed]) => [pages, threads, cost, speed]),
    [
      ['1000', '1', 'x 1.00', 'x 1.00'],
      ['1000', '2', 'x 1.00', 'x 2.00'],
      ['10000', '1', 'x 1.10', 'x 1.00'],
      ['10000', '2', 'x 1.00', 'x 2.00'],
    ],
  );
});

Report('an impolite or incomplete run is complained of', () => {
  assert.equal(complaints(figures), []);
  const { lab } = figures;
  const bad = {
    ...figures,
    lab: {
      ...lab,
      politeness: { ...lab.politeness, violations: 3, tooSoon: 3 },
      pages: { ...lab.pages, missed: 1, missing: ['http://127.0.0.1/x'] },
    },
  };
  assert.is(complaints(bad).length, 2);
  assert.match(complaints(bad).join(), /3 too soon.*1 of 2010 pages missed: http:\/\/127/);
});

Report('the report is one file without scripts or outside addresses, and escapes what it shows', () => {
  const html = report(figures, ['bad <b>thing</b>']);
  assert.not.match(html, /<script|src=|https?:\/\//);
  assert.match(html, /a &lt;fast&gt; one/);
  assert.match(html, /bad &lt;b&gt;thing/);
  assert.is([...html.matchAll(/<polyline/g)].length, 9, '6 single lines and 3 event loops');
  assert.not.match(html, /NaN|undefined|Infinity/);
});

Report('a run without samples makes a report all the same', () => {
  const html = report({ ...figures, samples: [], pages: 0 }, []);
  assert.not.match(html, /NaN|undefined/);
});

Report.run();
